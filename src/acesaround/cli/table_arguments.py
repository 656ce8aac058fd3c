"""Arguments that describe a table: variant, number of players, house rules, and bots.

Each value is checked while it is parsed, so that a wrong value is reported before a missing one.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from acesaround.cli.argument_types import non_negative_int
from acesaround.errors import AcesAroundError, RulesError

if TYPE_CHECKING:
    from acesaround.rules import Rules


VARIANT: Final = "one that `acesaround variants` lists, or a rule sheet, such as my.toml"
BOTS: Final = "easy, medium, hard, expert, search, clairvoyant, thumb, random or cmd:PROGRAM"
"""The names of bots for help texts, written out because importing `bots` is slow."""


def variant(text: str) -> str:
    """Check the name of a variant. The name of a rule sheet is accepted and read later."""
    from acesaround import variants

    return text if variants.is_sheet(text) else _read(text, _check)


def _check(text: str) -> None:
    """Raise RulesError if there is no such variant, with a clearer message for existing files."""
    from acesaround import variants

    if text not in variants.VARIANTS and os.path.exists(text):
        raise RulesError(
            f"{text!r} is no rule sheet: the name of such a file ends in {variants.ENDING}."
        )
    variants.get(text)


def bot(text: str) -> str:
    """Check the name of a bot or a program."""
    from acesaround import bots

    return _read(text, bots.check)


def trump(text: str) -> str:
    """Check a suit or `none`."""
    from acesaround.cards import Suit

    return text if text.lower() == "none" else _read(text, Suit)


def option(text: str) -> str:
    """Check a house rule of the form NAME=VALUE."""
    return _read(text, lambda pair: options_of([pair]))


def file(text: str) -> Path:
    """Parse the name of a file."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a file")
    return Path(text)


def _read(text: str, check: Callable[[str], object]) -> str:
    try:
        check(text)
    except AcesAroundError as error:
        raise argparse.ArgumentTypeError(str(error).removesuffix(".")) from None
    return text


def add_table(parser: argparse._ActionsContainer) -> None:
    """Add the arguments for the number of players and for house rules."""
    parser.add_argument("--players", type=non_negative_int, metavar="N", help="how many play")
    parser.add_argument(
        "--preset",
        metavar="NAME",
        help="house rules that have a name, such as tournament; options go on top of them",
    )
    parser.add_argument(
        "--option",
        action="append",
        type=option,
        default=[],
        metavar="NAME=VALUE",
        help="a house rule, such as target=1000; may be repeated",
    )


def rules_of(arguments: argparse.Namespace) -> Rules:
    """Return the rules of the table. Raises RulesError, and OSError for a sheet."""
    from acesaround import variants

    named: str = arguments.variant
    sheet = variants.is_sheet(named)
    rules = variants.load(named) if sheet else variants.get(named)
    if arguments.players is not None:
        rules = rules.with_options(players=arguments.players)
    if arguments.preset is not None:
        if sheet:
            raise RulesError("A sheet has no presets: it says its rules itself.")
        rules = rules.with_changes(variants.preset(named, arguments.preset))
    return rules.with_changes(options_of(arguments.option))


def options_of(pairs: Sequence[str]) -> dict[str, object]:
    """Parse NAME=VALUE pairs into a dict. Raises RulesError."""
    options: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise RulesError(f"{pair!r} is no option: expected NAME=VALUE, such as target=1000.")
        options[name.strip()] = value
    return options
