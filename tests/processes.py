"""Test whether a process runs, also one that this process did not start."""

from __future__ import annotations

import os
from pathlib import Path

from tests.waiting import wait_until


def is_running(pid: int) -> bool:
    """Return True if a process runs; a zombie does not.

    An orphan stays a zombie if its new parent does not wait for it.
    """
    try:
        if not Path("/proc/self").exists():  # as on macOS
            os.kill(pid, 0)
            return True
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until_ended(pid: int) -> None:
    """Wait until a process has ended."""
    wait_until(lambda: not is_running(pid), f"process {pid} has ended")
