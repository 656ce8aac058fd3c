"""`acesaround practice`: asks for the best choice in positions from simulated games."""

from __future__ import annotations

import argparse
import random
import sys
from typing import TYPE_CHECKING

from acesaround.cli.argument_types import non_negative_int, positive_int
from acesaround.cli.output import json_line
from acesaround.errors import RulesError

if TYPE_CHECKING:
    from acesaround.practice import PracticePosition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--theme", metavar="THEME", help="only positions of this theme")
    parser.add_argument("--variant", metavar="NAME", help="only positions of this variant")
    parser.add_argument(
        "--count", type=positive_int, default=10, metavar="N", help="positions (default 10)"
    )
    parser.add_argument("--seed", type=non_negative_int, metavar="N", help="repeats the choice")
    parser.add_argument(
        "--json", action="store_true", help="print positions with their solutions, ask nothing"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround.practice import PastAnswers, PracticeItem, Theme, pick_item, text

    positions = _wanted_positions(arguments.theme, arguments.variant)
    by_id = {position.id: position for position in positions}
    items = [PracticeItem(position.id, position.theme) for position in positions]
    rng, past = random.Random(arguments.seed), dict[str, PastAnswers]()
    counts: dict[Theme, list[int]] = {}
    for number in range(min(arguments.count, len(items))):
        answers = [(theme, right, wrong) for theme, (right, wrong) in counts.items()]
        item = pick_item(items, past, answers, rng)
        assert item is not None
        position = by_id[item.id]
        if arguments.json:
            print(json_line(text.as_json(position)))
            past[item.id] = PastAnswers(1, 0, True, 0.0)
            continue
        print(("\n" if number else "") + text.position_text(position))
        chosen = _ask_number(len(position.choices))
        if chosen is None:
            break
        choice = position.choices[chosen - 1]
        print(text.solution_text(position, choice))
        counts.setdefault(position.theme, [0, 0])[not choice.is_right] += 1
        past[item.id] = PastAnswers(int(choice.is_right), 1, choice.is_right, 0.0)
    if counts:
        print("\n" + text.counts_text(counts))
    return 0


def _wanted_positions(theme: str | None, variant: str | None) -> list[PracticePosition]:
    """Return the shipped positions of a theme and a variant. Raises RulesError if there is none."""
    from acesaround import variants
    from acesaround.practice import Theme, shipped_positions

    if theme is not None and theme not in list(Theme):
        raise RulesError(f"{theme!r} is not a theme: expected one of {', '.join(Theme)}.")
    if variant is not None:
        variants.get(variant)
    found = [
        position
        for position in shipped_positions()
        if theme in (None, position.theme) and variant in (None, position.variant)
    ]
    if not found:
        raise RulesError("There is no position of that theme in that variant.")
    return found


def _ask_number(last: int) -> int | None:
    """Return the number that is typed, or None at the end of the input or after `q`."""
    while True:
        sys.stdout.write(f"Your choice, 1 to {last} (q ends): ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        answer = line.strip().lower()
        if not line or answer in ("q", "quit"):
            print()
            return None
        if answer.isascii() and answer.isdecimal() and 1 <= int(answer[:9]) <= last:
            return int(answer)
        print(f"That is no choice: type a number from 1 to {last}.")
