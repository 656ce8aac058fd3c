"""The table that a command is about: a variant, how many play, and house rules."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from acesaround.cli.numbers import whole
from acesaround.errors import RulesError

if TYPE_CHECKING:
    from acesaround.rules import Rules


def add_table(parser: argparse._ActionsContainer) -> None:
    """What says how many play, and by which house rules."""
    parser.add_argument("--players", type=whole, metavar="N", help="how many play")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a house rule, such as target=1000; may be repeated",
    )


def rules_of(arguments: argparse.Namespace) -> Rules:
    """The rules of the table that was named. Raises RulesError."""
    from acesaround import variants

    return variants.get(arguments.variant, arguments.players, options_of(arguments.option))


def options_of(pairs: Sequence[str]) -> dict[str, object]:
    """House rules by their names. Raises RulesError."""
    options: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise RulesError(f"{pair!r} is no option: expected NAME=VALUE, such as target=1000.")
        options[name.strip()] = value
    return options
