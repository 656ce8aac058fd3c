"""`acesaround variants`: lists the variants."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround.variants import VARIANTS, fitted_numbers, presets

    for name, rules in VARIANTS.items():
        players = sorted(rules.players)
        count_text = f"{players[0]}-{players[-1]}" if len(players) > 1 else str(players[0])
        print(f"{name:<20} {count_text:>3} players, {rules.deck.size} cards  {rules.title}")
        if not fitted_numbers(rules):
            print("  bots compute their numbers for it from its rules; none are fitted to it")
        for preset, details in presets(name).items():
            print(f"  --preset {preset:<33}{details.title}: {details.description}")
    return 0
