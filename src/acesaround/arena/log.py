"""The file of a match: a line that says what is played, then a line for each leg that is done.

A line is written as soon as its leg is done. A match that is begun again with the same parameters
goes on where the file ends; a last line that was cut off is dropped. How many deals are asked for
is no parameter: the same file serves a longer match.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from acesaround import __version__
from acesaround.arena.leg import Leg
from acesaround.arena.match import Match
from acesaround.errors import RecordError, RulesError

FORMAT: Final = "acesaround-arena/1"


class Log:
    """An open file of a match. `legs`: those that were in it."""

    def __init__(self, file: IO[bytes], legs: list[Leg]) -> None:
        self._file = file
        self.legs = legs

    def add(self, leg: Leg) -> None:
        """Write a leg. Raises OSError."""
        self._file.write(msgspec.json.encode(leg) + b"\n")
        self._file.flush()


def header(match: Match) -> dict[str, Any]:
    """What the first line says: everything on which a leg depends."""
    return {
        "format": FORMAT,
        "version": __version__,
        "variant": match.rules.variant,
        **{name: value for name, value in msgspec.to_builtins(match).items() if name != "rules"},
        "options": match.options(),
        "rules": msgspec.to_builtins(match.rules),
    }


@contextlib.contextmanager
def kept(path: Path, match: Match) -> Iterator[Log]:
    """The file of a match, begun or read to its end. Raises RulesError, RecordError and OSError."""
    with path.open("ab+") as file:
        _alone(file, path)
        file.seek(0)
        first = file.readline()
        wanted = msgspec.json.encode(header(match)) + b"\n"
        legs: list[Leg] = []
        if not first.endswith(b"\n"):
            if first and not wanted.startswith(first):
                raise RecordError(f"{path} is no file of a match.")
            file.truncate(0)
            file.write(wanted)
            file.flush()
        else:
            _same(first, wanted, path)
            _read(file, path, legs)
        file.seek(0, os.SEEK_END)
        yield Log(file, legs)


def _read(file: IO[bytes], path: Path, legs: list[Leg]) -> None:
    decoder = msgspec.json.Decoder(Leg)
    while True:
        at = file.tell()
        line = file.readline()
        if not line.endswith(b"\n"):
            file.truncate(at)
            return
        try:
            legs.append(decoder.decode(line))
        except msgspec.DecodeError as error:
            raise RecordError(
                f"{path}: line {len(legs) + 2} is no leg of a match: {error}."
            ) from None


def _same(first: bytes, wanted: bytes, path: Path) -> None:
    """Refuse the file of another match. Raises RecordError and RulesError."""
    try:
        there = msgspec.json.decode(first)
    except msgspec.DecodeError:
        there = None
    if not isinstance(there, dict) or there.get("format") != FORMAT:
        raise RecordError(f"{path} is no file of a match.")
    for name, value in msgspec.json.decode(wanted).items():
        if there.get(name) != value:
            told = (
                ""
                if name == "rules"
                else f": {name} {_told(there.get(name))} there, {_told(value)} here"
            )
            raise RulesError(f"{path} is of another match{told}. Name another file.")


def _told(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _alone(file: IO[bytes], path: Path) -> None:
    """Keep others from writing to the file at the same time. Raises RulesError."""
    try:
        import fcntl
    except ImportError:  # not on this system
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise RulesError(f"{path} is written to by another match just now.") from None
