"""The file of a game: a line of JSON for each entry of its table's log and each settings change.

An entry counts once its line is complete with its newline. If the process is killed, all complete
lines survive, and an incomplete last line is dropped. The file is locked while its game is played.
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
    """How a game is played here: the seed of all random generators, and the table's settings.

    `before`: the number of games that the same players played in a row before this log began. The
    last such line of a file applies.
    """

    seed: int
    before: int = 0
    pace: str = "normal"
    auto: bool = False


Line: TypeAlias = Entry | SaveSettings

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Line)


def damaged(path: Path, why: object) -> RecordError:
    """Return the error for a file without a readable game."""
    reason = str(why).rstrip(".")
    return RecordError(f"The saved game {path} is damaged and was left as it is ({reason}).")


def cannot_go_on(path: Path, why: object) -> RecordError:
    """Return the error for a valid game that cannot be played here now."""
    return RecordError(f"The saved game {path} cannot go on: {why}")


def read(path: Path) -> tuple[list[Line], int]:
    """Return the complete lines of a file and their size in bytes. Raises RecordError."""
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
        whole = data.rfind(b"\n", 0, whole - 1) + 1  # cut off before the begin of the next game
        found.pop()
    if not any(isinstance(line, SaveSettings) for line in found):
        raise damaged(path, "it does not say how it is played")
    if not isinstance(next(entries(found), None), Opened):
        raise damaged(path, "it does not begin with a table that is opened")
    return found, whole


def entries(found: Sequence[Line]) -> Iterator[Entry]:
    """Return the log entries among the lines of a file."""
    return (line for line in found if not isinstance(line, SaveSettings))


def playing(found: Sequence[Line]) -> SaveSettings:
    """Return the settings that apply, which are the last ones in the lines of a file."""
    return next(line for line in reversed(found) if isinstance(line, SaveSettings))


class SaveFile:
    """The file of a game that is being played. It is locked, and lines are added to its end.

    A new file is created with the first lines.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: FileIO | None = None
        self._end = 0
        self._waiting = b""

    def lines(self) -> list[Line]:
        """Return the lines of the file. `add` continues after them. Raises RecordError."""
        found, self._end = read(self.path)
        return found

    def lock(self) -> None:
        """Lock the file. Raises RecordError if another process has the lock, and OSError."""
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
        """Append lines and sync them to disk. Raises OSError.

        Lines that could not be written are kept and written before the next ones.
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
            file.truncate()  # removes an incomplete last line
            os.fsync(file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                file.truncate(self._end)
            raise

    def close(self) -> None:
        """Close the file, which releases the lock."""
        if self._file is not None:
            self._file.close()
