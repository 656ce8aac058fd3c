"""Process priorities: background work must not delay interactive work."""

from __future__ import annotations

import contextlib
import os
from typing import Final

_LOWEST: Final = 19


def lower_priority(nice: int) -> None:
    """Raise the niceness of this process to `nice` (at most 19), unless it is higher already."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, max(nice, os.getpriority(os.PRIO_PROCESS, 0)))


def set_idle_priority() -> None:
    """Give this process idle priority (SCHED_IDLE) if the system has it, else the lowest."""
    lower_priority(_LOWEST)
    if hasattr(os, "SCHED_IDLE"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
