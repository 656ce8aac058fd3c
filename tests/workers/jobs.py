"""What helpers of the tests make: things that do a job, fail, hang, or end their process."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from acesaround.errors import RecordError


def doubling() -> Callable[[int], int]:
    """A job is doubled."""
    return lambda job: 2 * job


def priority() -> Callable[[int], int]:
    """Step back by so much, and say by how much that is."""
    from acesaround.workers.priority import lower_priority, set_idle_priority

    def lowered(by: int) -> int:
        if by:
            lower_priority(by)
        else:
            set_idle_priority()
        return os.getpriority(os.PRIO_PROCESS, 0)

    return lowered


def failing() -> Callable[[Any], object]:
    """A job is raised."""

    def fails(job: str) -> object:
        raise {"record": RecordError, "number": ZeroDivisionError}[job]("oh")

    return fails


def unable() -> Callable[[Any], object]:
    """Nothing can be made."""
    raise RecordError("not here")


def hanging() -> Callable[[float], object]:
    """A job takes so many seconds, and holds on to Python most of the time."""

    def hangs(job: float) -> object:
        until = time.monotonic() + job
        while time.monotonic() < until:
            pass
        return True

    return hangs


def ending() -> Callable[[int], object]:
    """A job is the status with which the process ends."""
    return lambda job: os._exit(job)
