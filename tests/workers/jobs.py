"""Jobs for worker processes of tests."""

from __future__ import annotations

import os
import time

from acesaround.workers.priority import lower_priority, set_idle_priority


def priority(by: int) -> int:
    """Lower the priority, to idle for 0, and return it."""
    if by:
        lower_priority(by)
    else:
        set_idle_priority()
    return os.getpriority(os.PRIO_PROCESS, 0)


def hang(seconds: float) -> None:
    """Compute for so many seconds, holding the GIL."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


class ExitsAtStart:
    """A callable that exits the process which unpickles it."""

    def __call__(self) -> None:
        """Do nothing; unpickling exits before."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (4,)
