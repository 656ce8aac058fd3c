"""Parsing of bot names: `NAME`, `NAME:KEY=VALUE:WORD`, `MODULE:CLASS`, or `cmd:PROGRAM WORD ...`.

Commas separate the bots in a list; a comma inside quotes belongs to the words of a program. The
package `bots` lists the bots and their options.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping

import msgspec

from acesaround.errors import RulesError

PROGRAM = "cmd"
"""The name before the words of a program."""


class Spec(msgspec.Struct, frozen=True):
    """A parsed name.

    `options`: as written, '' for a word by itself. `command`: the words of a program.
    """

    name: str
    options: Mapping[str, str] = {}
    command: tuple[str, ...] = ()


class BotOption(msgspec.Struct, frozen=True):
    """An option of a bot. `parse` raises ValueError for a text that is not `expected`."""

    expected: str
    parse: Callable[[str], object]


def parse_bot_name(text: str) -> Spec:
    """Parse the name of a bot. Raises RulesError."""
    name, colon, rest = text.strip().partition(":")
    if name == PROGRAM:
        return Spec(name, command=_split_command(rest))
    options: dict[str, str] = {}
    for piece in rest.split(":") if colon else ():
        key, equals, value = piece.partition("=")
        if not key or (equals and not value):
            raise RulesError(
                f"{piece!r} is not an option of a bot: expected NAME:KEY=VALUE, such as "
                "search:time=1."
            )
        if key in options:
            raise RulesError(f"{key!r} is given twice for the bot {name!r}.")
        options[key] = value
    return Spec(name, options)


def _split_command(text: str) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise RulesError(f"{text!r} is not a program: {str(error).lower()}.") from None
    if not command or not command[0] or "\0" in text:
        raise RulesError("Give a program after cmd:, such as cmd:./bot.py.")
    return command


def split_bot_names(text: str) -> list[str]:
    """Split a list of bot names at its commas.

    A comma inside quotes or after a backslash does not separate names.
    """
    names, quote, escaped = [""], "", False
    for character in text:
        if character == "," and not quote and not escaped:
            names.append("")
            continue
        names[-1] += character
        if escaped:
            escaped = False
        elif character == "\\" and quote != "'":
            escaped = True
        elif character == quote:
            quote = ""
        elif character in "'\"" and not quote:
            quote = character
    return [name.strip() for name in names]


def option_values(spec: Spec, options: Mapping[str, BotOption]) -> dict[str, object]:
    """Return the values of a bot's options, given the options it has. Raises RulesError."""
    values: dict[str, object] = {}
    for key, text in spec.options.items():
        option = options.get(key)
        if option is None:
            hint = f"it has {', '.join(options)}" if options else "it has none"
            raise RulesError(f"The bot {spec.name!r} has no option {key!r}: {hint}.")
        try:
            values[key] = option.parse(text)
        except ValueError:
            raise RulesError(
                f"{key} of the bot {spec.name!r} cannot be {text!r}: expected {option.expected}."
            ) from None
    return values


def _parse_seconds(text: str) -> float:
    seconds = float(text) if text.isascii() else math.nan
    if not 0 < seconds < 1e6:
        raise ValueError(text)
    return seconds


def _parse_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:9]) > 0 and len(text) <= 9):
        raise ValueError(text)
    return int(text)


def _parse_flag(text: str) -> bool:
    if text:
        raise ValueError(text)
    return True


FLAG_OPTION = BotOption("the word alone", _parse_flag)
SECONDS_OPTION = BotOption("a number of seconds above 0", _parse_seconds)
NUMBER_OPTION = BotOption("a whole number above 0", _parse_number)


def one_of(*choices: str) -> BotOption:
    """Return an option whose value is one of some words."""

    def known(text: str) -> str:
        if text not in choices:
            raise ValueError(text)
        return text

    return BotOption("one of " + ", ".join(choices), known)
