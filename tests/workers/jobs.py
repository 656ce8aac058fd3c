"""What workers of the tests do: fail, step back, hang, or end their process."""

from __future__ import annotations

import os
import time

from acesaround.workers.priority import lower_priority, set_idle_priority


def priority(by: int) -> int:
    """Step back by so much, and say by how much that is."""
    if by:
        lower_priority(by)
    else:
        set_idle_priority()
    return os.getpriority(os.PRIO_PROCESS, 0)


def hang(seconds: float) -> None:
    """Take so long, and hold on to Python most of the time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


class Never:
    """A process that is told of it comes to an end before the begin."""

    def __call__(self) -> None:
        """Is never called."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (4,)
