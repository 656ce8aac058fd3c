"""`acesaround variants`: lists the variants."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from acesaround.cli.output import json_line

if TYPE_CHECKING:
    from acesaround.rules import Rules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--json", action="store_true", help="print each variant as a line of JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround.variants import VARIANTS, fitted_numbers, presets

    if arguments.json:
        for name, rules in VARIANTS.items():
            print(json_line(_as_json(name, rules)))
        return 0
    for name, rules in VARIANTS.items():
        players = sorted(rules.players)
        count_text = f"{players[0]}-{players[-1]}" if len(players) > 1 else str(players[0])
        print(f"{name:<20} {count_text:>3} players, {rules.deck.size} cards  {rules.title}")
        if not fitted_numbers(rules):
            print("  bots compute their numbers for it from its rules; none are fitted to it")
        for preset, details in presets(name).items():
            print(f"  --preset {preset:<33}{details.title}: {details.description}")
    return 0


def _as_json(name: str, rules: Rules) -> dict[str, Any]:
    from acesaround.variants import fitted_numbers, presets

    return {
        "variant": name,
        "title": rules.title,
        "description": rules.description,
        "players": sorted(rules.players),
        "cards": rules.deck.size,
        "fitted": bool(fitted_numbers(rules)),
        "options": rules.options,
        "presets": [
            {"name": preset, "title": details.title, "description": details.description}
            for preset, details in presets(name).items()
        ],
    }
