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


VARIANT_HELP: Final = "a name from `acesaround variants`, or a rule sheet, such as my.toml"
BOT_HELP: Final = (
    "easy, medium, hard, expert, search, clairvoyant, thumb, random, cmd:PROGRAM or MODULE:CLASS"
)
"""The names of bots for help texts, written out because importing `bots` is slow."""


def variant_name(text: str) -> str:
    """Check the name of a variant. The name of a rule sheet is accepted and read later."""
    from acesaround import variants

    return text if variants.is_sheet(text) else _checked_text(text, _check_variant)


def _check_variant(text: str) -> None:
    """Raise RulesError if there is no such variant, with a clearer message for existing files."""
    from acesaround import variants

    if text not in variants.VARIANTS and os.path.exists(text):
        raise RulesError(
            f"{text!r} is not a rule sheet: the name of a sheet ends in {variants.SHEET_SUFFIX}."
        )
    variants.get(text)


def bot_name(text: str) -> str:
    """Check the name of a bot or a program."""
    from acesaround import bots

    return _checked_text(text, bots.check)


def trump_name(text: str) -> str:
    """Check a suit or `none`."""
    from acesaround.cards import Suit

    return text if text.lower() == "none" else _checked_text(text, Suit)


def option_pair(text: str) -> str:
    """Check a house rule of the form NAME=VALUE."""
    return _checked_text(text, lambda pair: parse_options([pair]))


def file_path(text: str) -> Path:
    """Parse the name of a file."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a file name")
    return Path(text)


def _checked_text(text: str, check: Callable[[str], object]) -> str:
    try:
        check(text)
    except AcesAroundError as error:
        raise argparse.ArgumentTypeError(str(error).removesuffix(".")) from None
    return text


def add_table_arguments(parser: argparse._ActionsContainer) -> None:
    """Add the arguments for the number of players and for house rules."""
    parser.add_argument("--players", type=non_negative_int, metavar="N", help="number of players")
    parser.add_argument(
        "--preset",
        metavar="NAME",
        help="a named set of house rules, such as tournament; --option overrides them",
    )
    parser.add_argument(
        "--option",
        action="append",
        type=option_pair,
        default=[],
        metavar="NAME=VALUE",
        help="a house rule, such as target=1000; may be repeated",
    )


def rules_of(arguments: argparse.Namespace) -> Rules:
    """Return the rules of the table. Raises RulesError, and OSError for a sheet."""
    from acesaround import variants

    name: str = arguments.variant
    is_sheet = variants.is_sheet(name)
    rules = variants.load(name) if is_sheet else variants.get(name)
    if arguments.players is not None:
        rules = rules.with_options(players=arguments.players)
    if arguments.preset is not None:
        if is_sheet:
            raise RulesError("A rule sheet has no presets: leave out --preset.")
        rules = rules.with_changes(variants.preset_options(name, arguments.preset))
    return rules.with_changes(parse_options(arguments.option))


def parse_options(pairs: Sequence[str]) -> dict[str, object]:
    """Parse NAME=VALUE pairs into a dict. Raises RulesError."""
    options: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise RulesError(
                f"{pair!r} is not an option: expected NAME=VALUE, such as target=1000."
            )
        options[name.strip()] = value
    return options
