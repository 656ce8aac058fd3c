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
    """The seed of all random generators of a game, and the settings of its table.

    `before`: the number of games that the same players played in a row before this log began.
    `counting`: the counting trainer asks. `count_questions`, `right_counts`: its questions that
    were answered, and those answered right. The last such line of a file applies.
    """

    seed: int
    before: int = 0
    pace: str = "normal"
    auto: bool = False
    counting: bool = False
    count_questions: int = 0
    right_counts: int = 0


Line: TypeAlias = Entry | SaveSettings

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Line)


def damaged_error(path: Path, cause: object) -> RecordError:
    """Return the error for a file without a readable game."""
    reason = str(cause).rstrip(".")
    return RecordError(f"The saved game {path} is damaged and was not changed ({reason}).")


def cannot_resume_error(path: Path, reason: object) -> RecordError:
    """Return the error for a valid game that this program cannot play now."""
    return RecordError(f"The saved game {path} cannot be continued: {reason}")


def read_lines(path: Path) -> tuple[list[Line], int]:
    """Return the complete lines of a file and their size in bytes. Raises RecordError."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise RecordError(f"There is no saved game at {path}.") from None
    except OSError as error:
        raise RecordError(f"The saved game {path} cannot be read: {error.strerror}.") from None
    complete_size = data.rfind(b"\n") + 1
    lines: list[Line] = []
    for line_number, data_line in enumerate(data[:complete_size].split(b"\n")[:-1], 1):
        try:
            lines.append(_DECODER.decode(data_line))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise damaged_error(path, f"line {line_number}: {error}") from None
    if lines and isinstance(lines[-1], RematchReady):
        complete_size = (
            data.rfind(b"\n", 0, complete_size - 1) + 1
        )  # cut off before the begin of the next game
        lines.pop()
    if not any(isinstance(data_line, SaveSettings) for data_line in lines):
        raise damaged_error(path, "its settings are missing")
    if not isinstance(next(log_entries(lines), None), Opened):
        raise damaged_error(path, "its first line does not open a table")
    return lines, complete_size


def log_entries(lines: Sequence[Line]) -> Iterator[Entry]:
    """Return the log entries among the lines of a file."""
    return (line for line in lines if not isinstance(line, SaveSettings))


def latest_settings(lines: Sequence[Line]) -> SaveSettings:
    """Return the settings that apply, which are the last ones in the lines of a file."""
    return next(line for line in reversed(lines) if isinstance(line, SaveSettings))


class SaveFile:
    """The file of a game that is being played. It is locked, and lines are added to its end.

    A new file is created with the first lines.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: FileIO | None = None
        self._size = 0
        self._pending = b""

    def read_lines(self) -> list[Line]:
        """Return the lines of the file. `append` continues after them. Raises RecordError."""
        lines, self._size = read_lines(self.path)
        return lines

    def lock(self) -> None:
        """Lock the file. Raises RecordError if another process has the lock, and OSError."""
        file = self.path.open("r+b", buffering=0)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise cannot_resume_error(self.path, "it is open in another window.") from None
        except OSError:
            pass  # a file system without locks
        self._file = file

    def append(self, lines: Iterable[Line]) -> None:
        """Append lines and sync them to disk. Raises OSError.

        Lines that could not be written are kept and written before the next ones.
        """
        self._pending += b"".join(_ENCODER.encode(line) + b"\n" for line in lines)
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(self.path) as out:
                out.write(self._pending)
            self.lock()
        else:
            self._write_pending(self._file)
        self._size += len(self._pending)
        self._pending = b""

    def _write_pending(self, file: FileIO) -> None:
        try:
            file.seek(self._size)
            remaining = memoryview(self._pending)
            while remaining:
                remaining = remaining[file.write(remaining) :]
            file.truncate()  # removes an incomplete last line
            os.fsync(file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                file.truncate(self._size)
            raise

    def close(self) -> None:
        """Close the file, which releases the lock."""
        if self._file is not None:
            self._file.close()
