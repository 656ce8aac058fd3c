"""Waits until the program in the terminal is at rest, exactly and no longer.

Textual's pilot waits after each key until the process has used no processor for 20 ms, twice. That
takes most of the time of a test, and where a neighbour has the processor it ends too early. Here
the event loop itself is asked what it has still to do.
"""

from __future__ import annotations

import asyncio
import threading
from asyncio import TimerHandle
from collections import deque
from typing import Final, Protocol, cast

from acesaround.terminal import background_thread
from tests.waiting import PATIENCE_SECONDS

SOON: Final = 0.02
"""Seconds in which what a key has set off goes on: the screen is drawn 60 times a second."""
HELD: Final = "held by the test"
"""The name that a test gives to a thread which it lets think for as long as it likes."""


class _Loop(Protocol):
    """What asyncio's own loop has to do: at once, and at some time."""

    _ready: deque[object]
    _scheduled: list[TimerHandle]


def _thinking() -> bool:
    """Whether a bot thinks beside the screen."""
    return any(thread.name == background_thread.THREAD_NAME for thread in threading.enumerate())


async def at_rest(min_sleep: float = 0.0, max_sleep: float = 0.0) -> None:
    """Return when nothing is to be done at once or soon and no bot thinks.

    Takes what Textual's own `wait_for_idle` takes. Raises `AssertionError` after
    `PATIENCE_SECONDS`.
    """
    running = asyncio.get_running_loop()
    loop = cast(_Loop, running)
    deadline = running.time() + PATIENCE_SECONDS
    while True:
        await asyncio.sleep(0)
        assert running.time() < deadline, "The program does not come to rest."
        if loop._ready:
            continue
        if _thinking():
            await asyncio.sleep(0.001)
            continue
        due = (timer.when() for timer in loop._scheduled if not timer.cancelled())
        left = min(due, default=float("inf")) - running.time()
        if left > SOON:
            return
        await asyncio.sleep(max(0.0, left))
