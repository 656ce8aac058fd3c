"""Wait until the event loop of the terminal program is idle.

Textual's pilot waits after each key until the process has used no processor for 20 ms, twice. That
is slow, and on a busy machine it ends too early. Here the event loop's queues are read instead.
"""

from __future__ import annotations

import asyncio
import threading
from asyncio import TimerHandle
from collections import deque
from typing import Final, Protocol, cast

from acesaround.terminal import background_thread
from tests.waiting import PATIENCE_SECONDS

SOON_SECONDS: Final = 0.02
"""A timer within so many seconds counts as work: the screen is drawn 60 times a second."""
IGNORED_THREAD: Final = "ignored by wait_for_idle"
"""The name of a bot's thread that a test blocks and that is not waited for."""


class _Loop(Protocol):
    """The callbacks and timers of asyncio's own loop."""

    _ready: deque[object]
    _scheduled: list[TimerHandle]


def _is_bot_thinking() -> bool:
    """Return True if a bot runs in the background thread."""
    return any(thread.name == background_thread.THREAD_NAME for thread in threading.enumerate())


async def wait_for_idle(min_sleep: float = 0.0, max_sleep: float = 0.0) -> None:
    """Return when no callback or timer is due soon and no bot is thinking.

    The parameters are those of Textual's `wait_for_idle`. Raises `AssertionError` after
    `PATIENCE_SECONDS`.
    """
    running = asyncio.get_running_loop()
    loop = cast(_Loop, running)
    deadline = running.time() + PATIENCE_SECONDS
    while True:
        await asyncio.sleep(0)
        assert running.time() < deadline, "The event loop does not become idle."
        if loop._ready:
            continue
        if _is_bot_thinking():
            await asyncio.sleep(0.001)
            continue
        due = (timer.when() for timer in loop._scheduled if not timer.cancelled())
        left = min(due, default=float("inf")) - running.time()
        if left > SOON_SECONDS:
            return
        await asyncio.sleep(max(0.0, left))
