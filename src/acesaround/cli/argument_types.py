"""Numbers among the words of a command: what is none, too small or too large is refused."""

from __future__ import annotations

import argparse
import math
from typing import Final

from acesaround.errors import AcesAroundError

_LONGEST: Final = 1_000_000
"""Seconds: over eleven days, and no more than a system waits for in one piece."""
_MOST_PROCESSES: Final = 1024


def number(text: str) -> int:
    """Any whole number that is not of absurd size."""
    if not text.isascii() or not text.removeprefix("-").isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    if len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text} is too large")
    return int(text)


def non_negative_int(text: str) -> int:
    """0, 1, 2 and so on."""
    found = number(text)
    if found < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return found


def positive(text: str) -> int:
    """1, 2, 3 and so on."""
    found = number(text)
    if found < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return found


def port(text: str) -> int:
    """A port of this machine; 0 is any that is free."""
    found = non_negative_int(text)
    if found > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: they go to 65535")
    return found


def processes(text: str) -> int:
    """How many processes are to run side by side."""
    found = positive(text)
    if found > _MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"{text} are too many: {_MOST_PROCESSES} at most")
    return found


def seconds(text: str) -> float:
    """A time."""
    try:
        found = float(text) if text.isascii() else math.nan
    except ValueError:
        found = math.nan
    if not 0 < found <= _LONGEST:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number of seconds over 0, and {_LONGEST} at most"
        )
    return found


def retention_time(text: str) -> int | None:
    """For how long something is kept, in ms; None for ever."""
    from acesaround.retention.policy import parse_age

    try:
        return parse_age(text)
    except AcesAroundError as error:
        raise argparse.ArgumentTypeError(str(error).removesuffix(".")) from None


def numbers(text: str) -> list[int]:
    """Several of 0, 1, 2 and so on, set apart by commas or spaces."""
    return [non_negative_int(word) for word in text.replace(",", " ").split()]
