"""Test whether a process runs, also one that this process did not start."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from tests.waiting import wait_until


def runs(pid: int) -> bool:
    """Return True if a process runs; a zombie does not.

    An orphan stays a zombie if its new parent does not wait for it.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with contextlib.suppress(OSError):  # there is no /proc, or the process has just gone
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state not in "ZX"
    return True


def until_gone(pid: int) -> None:
    """Wait until a process has ended."""
    wait_until(lambda: not runs(pid), f"process {pid} has ended")
