"""Record files: JSON (one game, or one a line) and text, read one game at a time.

A file is written completely or not at all: it gets its name only when it is complete.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, Final

from acesaround.errors import AcesAroundError, RecordError
from acesaround.record.model import GameRecord, decode, encode
from acesaround.record.text import from_text, split_games

MAX_GAME_BYTES: Final = 1 << 27
"""The most bytes of a game: the JSON of a game of 10,000 deals takes less than a third of it."""


@contextlib.contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Yield a binary file that appears under `path` only if the block ends without an error.

    A device or pipe is written to directly. Raise OSError.
    """
    try:
        is_regular = stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        is_regular = True
    if not is_regular:
        with path.open("wb") as out:
            yield out
        return
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(target)
    except OSError as error:
        if error.filename == str(temporary):
            error.filename = str(path)  # the name the caller knows
        raise
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def write_games(path: Path, records: Iterable[GameRecord]) -> None:
    """Write games as JSON lines, one at a time. Raise OSError."""
    with atomic_write(path) as out:
        for record in records:
            out.write(encode(record) + b"\n")


def read_games(path: Path | None) -> Iterator[GameRecord | AcesAroundError]:
    """Yield the games of a file (None: standard input), one by one. Raise OSError.

    For a game that cannot be read, yield the error instead.
    """
    with contextlib.ExitStack() as stack:
        lines = _read_lines(
            standard_input() if path is None else stack.enter_context(path.open("rb"))
        )
        try:
            yield from _parse_games(lines)
        except RecordError as error:  # the beginning of the next game is unknown
            yield error


def read_game(path: Path | None, number: int = 1) -> GameRecord:
    """Return a game of a file (None: standard input) by its number from 1.

    Raise OSError, and RecordError if there is no such game or it cannot be read.
    """
    file = "standard input" if path is None else str(path)
    record = next(islice(read_games(path), number - 1, None), None)
    if record is None:
        raise RecordError(f"{file}: there is no game {number} in it.")
    if isinstance(record, AcesAroundError):
        raise RecordError(f"{file}: game {number}: {record}") from record
    return record


def _parse_games(lines: Iterator[bytes]) -> Iterator[GameRecord | AcesAroundError]:
    """Yield the games of these lines. Raise RecordError for one that is too long."""
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
        # Invalid UTF-8 becomes lone surrogates, which `from_text` rejects with their line.
        text = (line.decode(errors="surrogateescape") for line in chain([first], lines))
        for line_number, game in split_games(text, MAX_GAME_BYTES):
            yield _record_or_error(partial(from_text, game, skipped + line_number))


def standard_input() -> IO[bytes]:
    """Return standard input as a binary file. Raise OSError."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer


def _read_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file, without a byte order mark before the first."""
    byte_order_mark = codecs.BOM_UTF8
    while line := file.readline(MAX_GAME_BYTES + 1):
        _check_game_size(len(line))
        yield line.removeprefix(byte_order_mark)
        byte_order_mark = b""


def _check_game_size(size: int) -> None:
    if size > MAX_GAME_BYTES:
        raise RecordError(f"It is too long for a game: over {MAX_GAME_BYTES >> 20} MiB.")


def _json_games(first: bytes, lines: Iterator[bytes]) -> Iterator[GameRecord | AcesAroundError]:
    """Yield one game a line, or a single game that begins on the first line and spans several."""
    record = _record_or_error(partial(decode, first))
    second = next((line for line in lines if line.strip()), b"")
    if isinstance(record, AcesAroundError) and second and not second.startswith(b"{"):
        text = bytearray(first + second)
        for line in lines:
            text += line
            _check_game_size(len(text))
        yield _record_or_error(partial(decode, bytes(text)))
        return
    yield record
    for line in chain([second], lines):
        if line.strip():
            yield _record_or_error(partial(decode, line))


def _record_or_error(parse: Callable[[], GameRecord]) -> GameRecord | AcesAroundError:
    try:
        return parse()
    except AcesAroundError as error:
        return error


def load(path: Path) -> GameRecord:
    """Return the first game of a file. Raise RecordError and OSError."""
    for record in read_games(path):
        if isinstance(record, AcesAroundError):
            raise record
        return record
    raise RecordError("The file is empty: there is no game in it.")
