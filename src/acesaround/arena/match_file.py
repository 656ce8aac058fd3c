"""Match files: a header line with the parameters, then a line for each finished leg.

A line is written as soon as its leg is finished. A match started again with the same parameters
continues where the file ends; an incomplete last line is dropped. The number of deals is not a
parameter, so that the same file serves a longer match.
"""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import IO, Any, Final, NoReturn

import msgspec

from acesaround import __version__
from acesaround.arena.leg import Leg
from acesaround.arena.match import Match
from acesaround.errors import RecordError, RulesError

FORMAT: Final = "acesaround-arena/1"
_LONGEST_HEADER: Final = 1 << 20
_LONGEST: Final = 1 << 27
"""The maximum of bytes in a line: more than the longest game needs."""


class MatchFile:
    """An open match file, positioned after its header."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file, self._path = file, path

    def read(self) -> Iterator[Leg]:
        """Yield the stored legs. Read to the end before `add` is called. Raise RecordError."""
        decoder = msgspec.json.Decoder(Leg)
        for number in count(2):
            at = self._file.tell()
            line = self._file.readline(_LONGEST)
            if len(line) == _LONGEST:
                raise RecordError(f"{self._path}: line {number} is too long for a leg of a match.")
            if not line.endswith(b"\n"):
                self._file.truncate(at)
                return
            try:
                yield decoder.decode(line)
            except msgspec.DecodeError as error:
                where = f"{self._path}: line {number}"
                raise RecordError(f"{where} is no leg of a match: {error}.") from None

    def add(self, leg: Leg) -> None:
        """Append a leg. Raise OSError."""
        self._file.write(msgspec.json.encode(leg) + b"\n")
        self._file.flush()


def header(match: Match) -> dict[str, Any]:
    """Return the content of the header line: everything on which a leg depends."""
    return {
        "format": FORMAT,
        "version": __version__,
        "variant": match.rules.variant,
        **{name: value for name, value in msgspec.to_builtins(match).items() if name != "rules"},
        "options": match.options(),
        "rules": msgspec.to_builtins(match.rules),
    }


@contextlib.contextmanager
def open_match_file(path: Path, match: Match) -> Iterator[MatchFile]:
    """Open the file of a match, or create it. Raise RulesError and OSError."""
    with contextlib.suppress(FileNotFoundError):
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise _other(path)
    with path.open("ab+") as file:
        _alone(file, path)
        file.seek(0)
        wanted = msgspec.json.encode(header(match)) + b"\n"
        first = file.readline(_LONGEST_HEADER + len(wanted))
        if wanted.startswith(first) and first != wanted:  # empty, or an incomplete header
            file.truncate(0)
            file.write(wanted)
            file.flush()
        elif first != wanted:
            _refuse(first, wanted, path)
        yield MatchFile(file, path)


def _refuse(first: bytes, wanted: bytes, path: Path) -> NoReturn:
    """Raise RulesError that says how a file differs from this match."""
    try:
        there = msgspec.json.decode(first)
    except msgspec.DecodeError:
        there = None
    if not isinstance(there, dict) or there.get("format") != FORMAT:
        raise _other(path)
    told = "with other rules"
    for name, value in msgspec.json.decode(wanted).items():
        if name != "rules" and there.get(name) != value:
            told = f"{name} {_told(there.get(name))} there, {_told(value)} here"
            break
    raise RulesError(f"{path} is of another match: {told}. Name another file.")


def _other(path: Path) -> RulesError:
    return RulesError(f"{path} is no file of a match: name another, or a new one.")


def _told(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _alone(file: IO[bytes], path: Path) -> None:
    """Lock the file against other writers. Raise RulesError if it is locked."""
    try:
        import fcntl
    except ImportError:  # the system has no fcntl
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise RulesError(f"{path} is written to by another match just now.") from None
