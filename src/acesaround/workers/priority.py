"""Who goes first on a core: what is in no hurry steps back for what people wait for."""

from __future__ import annotations

import contextlib
import os
from typing import Final

_LOWEST: Final = 19


def lower_priority(nice: int) -> None:
    """Let this process come after others of this machine, by so much (19 is the most)."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, nice)


def set_idle_priority() -> None:
    """Let this process run where nobody else wants to, as far as the system knows such a thing."""
    lower_priority(_LOWEST)
    if hasattr(os, "SCHED_IDLE"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
