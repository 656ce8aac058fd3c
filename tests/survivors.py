"""Find processes that an earlier run of this checkout's tests left behind.

Every process that tests start inherits a variable that names the checkout and the process that runs
the tests. Where that one has ended, whatever still carries its mark lives on for nobody.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
VARIABLE: Final = "ACESAROUND_TESTS_OF"
_POSTGRES: Final = "acesaround-pg-"  # in the names of its folders
_WHILE: Final = 10.0  # seconds
_PROCESSES: Final = Path("/proc")


class Survivor(NamedTuple):
    """A process that is left. `words`: the command by which it was started.

    `ends`: it belongs to a PostgreSQL, which ends with those that it serves and leaves no folder.
    """

    pid: int
    words: str
    ends: bool = False


def mark() -> None:
    """Let what this process starts carry its mark, unless it carries that of another itself."""
    os.environ.setdefault(VARIABLE, f"{ROOT}:{os.getpid()}")


def survivors() -> list[Survivor]:
    """The processes that carry the mark of a run of this checkout that has ended."""
    return [found for found, owner in _marked() if not runs(owner)]


def started_by(owner: int) -> list[Survivor]:
    """The processes that carry the mark of that one, without it."""
    return [found for found, its in _marked() if its == owner and found.pid != owner]


def end(those: list[Survivor]) -> None:
    """Kill them, and wait a while until they are gone. What ends by itself may do so first."""
    for these in ([one for one in those if not one.ends], those):
        for one in these:
            try:
                os.kill(one.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        until = time.monotonic() + _WHILE
        while any(runs(one.pid) for one in those) and time.monotonic() < until:
            time.sleep(0.05)


def _marked() -> list[tuple[Survivor, int]]:
    """Each process with a mark of this checkout, and who has made the mark. Only Linux tells."""
    begin, found = f"{VARIABLE}={ROOT}:".encode(), []
    for folder in _PROCESSES.glob("[0-9]*"):
        try:
            told = (folder / "environ").read_bytes().split(b"\0")
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended, or is another user's
        its = next((line for line in told if line.startswith(begin)), None)
        if its is not None and int(folder.name) != os.getpid():
            owner = int(its.removeprefix(begin))
            ends = _POSTGRES in words
            found.append((Survivor(int(folder.name), words.strip()[:120], ends), owner))
    return sorted(found)


def runs(pid: int) -> bool:
    """Whether a process runs. One that has ended and that nobody has asked for does not."""
    try:
        state = (_PROCESSES / str(pid) / "stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state not in "ZX"
