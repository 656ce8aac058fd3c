"""Record files: JSON (one game, or one a line) and text, read one game at a time.

A file is written whole or not at all: it takes its name only when it is complete.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

from acesaround.errors import AcesAroundError, RecordError
from acesaround.record.model import GameRecord, decode, encode
from acesaround.record.text import from_text, split_games


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that appears under `path` when the block ends well, and else not at all.

    A device or pipe is written to directly. Raises OSError.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as out:
            yield out
        return
    path = path.resolve()
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_games(path: Path, records: Iterable[GameRecord]) -> None:
    """Write games as JSON lines, one at a time. Raises OSError."""
    with replacing(path) as out:
        for record in records:
            out.write(encode(record) + b"\n")


def read_games(path: Path | None) -> Iterator[GameRecord | AcesAroundError]:
    """The games of a file (None: standard input), one by one. Raises OSError.

    In place of a game that cannot be read comes the error that says why.
    """
    with contextlib.ExitStack() as stack:
        lines: IO[bytes]
        lines = sys.stdin.buffer if path is None else stack.enter_context(path.open("rb"))
        first = next((line for line in lines if line.strip()), b"")
        if not first:
            yield RecordError("The file is empty: there is no game in it.")
        elif first.lstrip().startswith((b"{", b"[")):
            yield from _json_games(first, lines)
        else:
            rest = (_text(line) for line in _chain(first, lines))
            for game in split_games(rest):
                yield _read(partial(from_text, game))


def _json_games(first: bytes, lines: Iterable[bytes]) -> Iterator[GameRecord | AcesAroundError]:
    """A game a line; or, where the first line is only the beginning of one, a single game."""
    record = _read(partial(decode, first))
    if isinstance(record, AcesAroundError) and not first.rstrip().endswith(b"}"):
        whole = first + b"".join(lines)
        yield _read(partial(decode, whole))
        return
    yield record
    for line in lines:
        if line.strip():
            yield _read(partial(decode, line))


def _chain(first: bytes, lines: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from lines


def _text(line: bytes) -> str:
    return line.decode("utf-8", errors="replace")


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
