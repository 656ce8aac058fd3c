"""Record files: JSON (one game, or one a line) and text, read one game at a time.

A file is written whole or not at all: it takes its name only when it is complete.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, Final

from acesaround.errors import AcesAroundError, RecordError
from acesaround.record.model import GameRecord, decode, encode
from acesaround.record.text import from_text, split_games

LONGEST: Final = 1 << 27
"""Bytes of a game, at most: the JSON of one of 10,000 deals takes less than a third of that."""


@contextlib.contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that appears under `path` when the block ends well, and else not at all.

    A device or pipe is written to directly. Raises OSError.
    """
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        regular = True
    if not regular:
        with path.open("wb") as out:
            yield out
        return
    whole = path.resolve()
    part = whole.with_name(f".{whole.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        part.replace(whole)
    except OSError as error:
        if error.filename == str(part):
            error.filename = str(path)  # the name the caller knows
        raise
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def write_games(path: Path, records: Iterable[GameRecord]) -> None:
    """Write games as JSON lines, one at a time. Raises OSError."""
    with atomic_write(path) as out:
        for record in records:
            out.write(encode(record) + b"\n")


def read_games(path: Path | None) -> Iterator[GameRecord | AcesAroundError]:
    """The games of a file (None: standard input), one by one. Raises OSError.

    In place of a game that cannot be read comes the error that says why.
    """
    with contextlib.ExitStack() as stack:
        lines = _lines(standard_input() if path is None else stack.enter_context(path.open("rb")))
        try:
            yield from _games(lines)
        except RecordError as error:  # nobody can say where the next game begins
            yield error


def _games(lines: Iterator[bytes]) -> Iterator[GameRecord | AcesAroundError]:
    """The games of these lines. Raises RecordError for one that is too long."""
    skipped = 0
    for first in lines:
        if first.strip():
            break
        skipped += 1
    else:
        yield RecordError("The file is empty: there is no game in it.")
        return
    if first.lstrip().startswith((b"{", b"[")):
        yield from _json_games(first, lines)
    else:
        # Bytes that are no UTF-8 become lone surrogates, which `from_text` refuses by line.
        text = (line.decode(errors="surrogateescape") for line in chain([first], lines))
        for at, game in split_games(text, LONGEST):
            yield _read(partial(from_text, game, skipped + at))


def standard_input() -> IO[bytes]:
    """Standard input as bytes. Raises OSError."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file, without the mark that some editors put before the first."""
    mark = codecs.BOM_UTF8
    while line := file.readline(LONGEST + 1):
        _check(len(line))
        yield line.removeprefix(mark)
        mark = b""


def _check(size: int) -> None:
    if size > LONGEST:
        raise RecordError(f"It is too long for a game: over {LONGEST >> 20} MiB.")


def _json_games(first: bytes, lines: Iterator[bytes]) -> Iterator[GameRecord | AcesAroundError]:
    """A game a line; or, where the first line is only the beginning of one, a single game."""
    record = _read(partial(decode, first))
    second = next((line for line in lines if line.strip()), b"")
    if isinstance(record, AcesAroundError) and second and not second.startswith(b"{"):
        whole = bytearray(first + second)
        for line in lines:
            whole += line
            _check(len(whole))
        yield _read(partial(decode, bytes(whole)))
        return
    yield record
    for line in chain([second], lines):
        if line.strip():
            yield _read(partial(decode, line))


def _read(read: Callable[[], GameRecord]) -> GameRecord | AcesAroundError:
    try:
        return read()
    except AcesAroundError as error:
        return error


def load(path: Path) -> GameRecord:
    """The first game of a file. Raises RecordError and OSError."""
    for record in read_games(path):
        if isinstance(record, AcesAroundError):
            raise record
        return record
    raise RecordError("The file is empty: there is no game in it.")
