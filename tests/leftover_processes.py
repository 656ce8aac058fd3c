"""Find processes that an earlier run of this checkout's tests left behind.

Every process that tests start inherits a variable with the path of the checkout and the id of the
process that runs the tests. If that process has ended, the others are left over.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Final, NamedTuple

from tests.processes import is_running

ROOT: Final = Path(__file__).resolve().parent.parent
VARIABLE: Final = "ACESAROUND_TESTS_OF"
_POSTGRES: Final = "acesaround-pg-"  # in the names of its folders
_KILL_SECONDS: Final = 10.0


class Process(NamedTuple):
    """A process and its command line.

    `is_postgres`: it ends with the processes that it serves, and then leaves no folder.
    """

    pid: int
    command: str
    is_postgres: bool = False


def set_variable() -> None:
    """Set the variable for the processes that this one starts, unless it has inherited it."""
    os.environ.setdefault(VARIABLE, f"{ROOT}:{os.getpid()}")


def find_leftovers() -> list[Process]:
    """Return the processes of runs of this checkout that have ended."""
    return [process for process, owner in _all_processes() if not is_running(owner)]


def started_by(owner: int) -> list[Process]:
    """Return the processes of one run, without the one that runs the tests."""
    return [process for process, by in _all_processes() if by == owner and process.pid != owner]


def kill(processes: list[Process]) -> None:
    """Kill processes and wait until they have ended. PostgreSQL gets time to end by itself."""
    for batch in ([process for process in processes if not process.is_postgres], processes):
        for process in batch:
            try:
                os.kill(process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        until = time.monotonic() + _KILL_SECONDS
        while any(is_running(process.pid) for process in processes) and time.monotonic() < until:
            time.sleep(0.05)


def _all_processes() -> list[tuple[Process, int]]:
    """Return each process of this checkout's tests and the id of its run. Empty except on Linux."""
    prefix, found = f"{VARIABLE}={ROOT}:".encode(), []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
            raw_command = (folder / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended, or is another user's
        value = next((line for line in environment if line.startswith(prefix)), None)
        if value is not None and int(folder.name) != os.getpid():
            command = raw_command.replace(b"\0", b" ").decode(errors="replace").strip()
            process = Process(int(folder.name), command[:120], _POSTGRES in command)
            found.append((process, int(value.removeprefix(prefix))))
    return sorted(found)
