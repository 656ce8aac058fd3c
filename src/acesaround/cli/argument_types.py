"""Argument types for argparse: numbers that are checked for format and range."""

from __future__ import annotations

import argparse
import math
from typing import Final

from acesaround.errors import AcesAroundError

_MAX_SECONDS: Final = 1_000_000
"""The maximum of seconds, over eleven days. Operating systems support a wait of that length."""
_MOST_PROCESSES: Final = 1024


def integer(text: str) -> int:
    """Parse an integer of reasonable size."""
    if not text.isascii() or not text.removeprefix("-").isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    if len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text} is too large")
    return int(text)


def non_negative_int(text: str) -> int:
    """Parse an integer of 0 or more."""
    value = integer(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return value


def positive_int(text: str) -> int:
    """Parse an integer of 1 or more."""
    value = integer(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


def port(text: str) -> int:
    """Parse a port number; 0 means any free port."""
    value = non_negative_int(text)
    if value > 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port: the highest is 65535")
    return value


def process_count(text: str) -> int:
    """Parse a number of parallel processes."""
    value = positive_int(text)
    if value > _MOST_PROCESSES:
        raise argparse.ArgumentTypeError(f"{text} are too many: at most {_MOST_PROCESSES}")
    return value


def positive_seconds(text: str) -> float:
    """Parse a positive number of seconds."""
    try:
        value = float(text) if text.isascii() else math.nan
    except ValueError:
        value = math.nan
    if not 0 < value <= _MAX_SECONDS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a number of seconds above 0 and at most {_MAX_SECONDS}"
        )
    return value


def retention_time(text: str) -> int | None:
    """Parse a retention time. Return it in ms, or None for forever."""
    from acesaround.retention.policy import parse_age

    try:
        return parse_age(text)
    except AcesAroundError as error:
        raise argparse.ArgumentTypeError(str(error).removesuffix(".")) from None


def non_negative_ints(text: str) -> list[int]:
    """Parse integers of 0 or more, separated by commas or spaces."""
    return [non_negative_int(word) for word in text.replace(",", " ").split()]
