"""The table that a command is about: a variant, how many play, house rules, and bots.

A word is read as soon as it is met, so that what is wrong with it is said before what is missing.
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
"""The names of bots, for help, which has no time to ask for them."""


def variant(text: str) -> str:
    """The name of a variant, or of a rule sheet, which is not read yet."""
    from acesaround import variants

    return text if variants.is_sheet(text) else _read(text, _check)


def _check(text: str) -> None:
    """Raises RulesError where that is no variant, and more plainly for what lies on the disk."""
    from acesaround import variants

    if text not in variants.VARIANTS and os.path.exists(text):
        raise RulesError(
            f"{text!r} is no rule sheet: the name of such a file ends in {variants.ENDING}."
        )
    variants.get(text)


def bot(text: str) -> str:
    """The name of a bot, or a program."""
    from acesaround import bots

    return _read(text, bots.check)


def trump(text: str) -> str:
    """A suit, or none."""
    from acesaround.cards import Suit

    return text if text.lower() == "none" else _read(text, Suit)


def option(text: str) -> str:
    """A house rule as NAME=VALUE."""
    return _read(text, lambda pair: options_of([pair]))


def file(text: str) -> Path:
    """The name of a file."""
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
    """What says how many play, and by which house rules."""
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
    """The rules of the table that was named. Raises RulesError, and OSError for a sheet."""
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
    """House rules by their names. Raises RulesError."""
    options: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise RulesError(f"{pair!r} is no option: expected NAME=VALUE, such as target=1000.")
        options[name.strip()] = value
    return options
