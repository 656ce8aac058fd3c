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
_MAX_HEADER_BYTES: Final = 1 << 20
_MAX_LINE_BYTES: Final = 1 << 27
"""The maximum of bytes in a line: more than the longest game needs."""


class MatchFile:
    """An open match file, positioned after its header."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file, self._path = file, path

    def read_legs(self) -> Iterator[Leg]:
        """Yield the stored legs. Read to the end before `add` is called. Raise RecordError."""
        decoder = msgspec.json.Decoder(Leg)
        for number in count(2):
            line_start = self._file.tell()
            line = self._file.readline(_MAX_LINE_BYTES)
            if len(line) == _MAX_LINE_BYTES:
                raise RecordError(f"{self._path}: line {number} is too long for a leg of a match.")
            if not line.endswith(b"\n"):
                self._file.truncate(line_start)
                return
            try:
                yield decoder.decode(line)
            except msgspec.DecodeError as error:
                location = f"{self._path}: line {number}"
                raise RecordError(f"{location} is not a leg of a match: {error}.") from None

    def add(self, leg: Leg) -> None:
        """Append a leg. Raise OSError."""
        self._file.write(msgspec.json.encode(leg) + b"\n")
        self._file.flush()


def header_fields(match: Match) -> dict[str, Any]:
    """Return the content of the header line: everything on which a leg depends."""
    return {
        "format": FORMAT,
        "version": __version__,
        "variant": match.rules.variant,
        **{name: value for name, value in msgspec.to_builtins(match).items() if name != "rules"},
        "options": match.changed_options(),
        "rules": msgspec.to_builtins(match.rules),
    }


@contextlib.contextmanager
def open_match_file(path: Path, match: Match) -> Iterator[MatchFile]:
    """Open the file of a match, or create it. Raise RulesError and OSError."""
    with contextlib.suppress(FileNotFoundError):
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise _not_match_file_error(path)
    with path.open("ab+") as file:
        _lock_file(file, path)
        file.seek(0)
        expected_header = msgspec.json.encode(header_fields(match)) + b"\n"
        header_line = file.readline(_MAX_HEADER_BYTES + len(expected_header))
        if (
            expected_header.startswith(header_line) and header_line != expected_header
        ):  # empty, or an incomplete header
            file.truncate(0)
            file.write(expected_header)
            file.flush()
        elif header_line != expected_header:
            _raise_mismatch(header_line, expected_header, path)
        yield MatchFile(file, path)


def _raise_mismatch(header_line: bytes, expected_header: bytes, path: Path) -> NoReturn:
    """Raise RulesError that says how a file differs from this match."""
    try:
        found_header = msgspec.json.decode(header_line)
    except msgspec.DecodeError:
        found_header = None
    if not isinstance(found_header, dict) or found_header.get("format") != FORMAT:
        raise _not_match_file_error(path)
    difference = "with other rules"
    for name, value in msgspec.json.decode(expected_header).items():
        if name != "rules" and found_header.get(name) != value:
            difference = (
                f"{name} {_json_text(found_header.get(name))} there, {_json_text(value)} here"
            )
            break
    raise RulesError(f"{path} belongs to another match: {difference}. Name another file.")


def _not_match_file_error(path: Path) -> RulesError:
    return RulesError(f"{path} is not the file of a match: name another or a new one.")


def _json_text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _lock_file(file: IO[bytes], path: Path) -> None:
    """Lock the file against other writers. Raise RulesError if it is locked."""
    try:
        import fcntl
    except ImportError:  # the system has no fcntl
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise RulesError(f"Another match is writing to {path} now.") from None
