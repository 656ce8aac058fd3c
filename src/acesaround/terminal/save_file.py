"""One game in its file: a line of JSON for each entry of its table's log, and for each setting.

An entry counts once its line is written, newline and all: a kill at any moment leaves every line
before it, and a last line that was cut off is dropped. While a game is played nobody else has its
file open.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from io import FileIO
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from acesaround.errors import RecordError
from acesaround.record.files import atomic_write
from acesaround.table.entries import Entry, Opened, RematchReady


class SaveSettings(msgspec.Struct, frozen=True, tag="playing"):
    """How a game is played here: the seed of all chance, and the table's settings.

    `before`: how many games the same people had played in a row before this log began. The last
    such line of a file is the one that holds.
    """

    seed: int
    before: int = 0
    pace: str = "normal"
    auto: bool = False


Line: TypeAlias = Entry | SaveSettings

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Line)


def damaged(path: Path, why: object) -> RecordError:
    """The error for a file that holds no game that can be shown."""
    reason = str(why).rstrip(".")
    return RecordError(f"The saved game {path} is damaged and was left as it is ({reason}).")


def cannot_go_on(path: Path, why: object) -> RecordError:
    """The error for a sound game that cannot be played here now."""
    return RecordError(f"The saved game {path} cannot go on: {why}")


def read(path: Path) -> tuple[list[Line], int]:
    """The whole lines of a file, and how many bytes they take. Raises RecordError."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise RecordError(f"There is no saved game at {path}.") from None
    except OSError as error:
        raise RecordError(f"The saved game {path} cannot be read: {error.strerror}.") from None
    whole = data.rfind(b"\n") + 1
    found: list[Line] = []
    for number, line in enumerate(data[:whole].split(b"\n")[:-1], 1):
        try:
            found.append(_DECODER.decode(line))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise damaged(path, f"line {number}: {error}") from None
    if found and isinstance(found[-1], RematchReady):
        whole = (
            data.rfind(b"\n", 0, whole - 1) + 1
        )  # the begin of the next game was cut off with it
        found.pop()
    if not any(isinstance(line, SaveSettings) for line in found):
        raise damaged(path, "it does not say how it is played")
    if not isinstance(next(entries(found), None), Opened):
        raise damaged(path, "it does not begin with a table that is opened")
    return found, whole


def entries(found: Sequence[Line]) -> Iterator[Entry]:
    """The log in the lines of a file."""
    return (line for line in found if not isinstance(line, SaveSettings))


def playing(found: Sequence[Line]) -> SaveSettings:
    """How the game in the lines of a file is played."""
    return next(line for line in reversed(found) if isinstance(line, SaveSettings))


class SaveFile:
    """The file of a game that is being played: lines are added to its end, and it is held.

    A new one is there from the first lines on.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: FileIO | None = None
        self._end = 0
        self._waiting = b""

    def lines(self) -> list[Line]:
        """What the file holds; further lines come after that. Raises RecordError."""
        found, self._end = read(self.path)
        return found

    def lock(self) -> None:
        """Hold the file. Raises RecordError where somebody else does, and OSError."""
        file = self.path.open("r+b", buffering=0)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise cannot_go_on(self.path, "it is being played in another window.") from None
        except OSError:
            pass  # a file system without locks
        self._file = file

    def add(self, lines: Iterable[Line]) -> None:
        """Write more lines, to the disk itself. Raises OSError.

        What could not be written is written before the next lines are.
        """
        self._waiting += b"".join(_ENCODER.encode(line) + b"\n" for line in lines)
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(self.path) as out:
                out.write(self._waiting)
            self.lock()
        else:
            self._append(self._file)
        self._end += len(self._waiting)
        self._waiting = b""

    def _append(self, file: FileIO) -> None:
        try:
            file.seek(self._end)
            left = memoryview(self._waiting)
            while left:
                left = left[file.write(left) :]
            file.truncate()  # a line that was cut off
            os.fsync(file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                file.truncate(self._end)
            raise

    def close(self) -> None:
        """Hold it no longer."""
        if self._file is not None:
            self._file.close()
