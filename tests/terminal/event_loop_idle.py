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

from textual._context import active_app

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


def _has_exited() -> bool:
    """Return True if the terminal program of this test has exited."""
    app = active_app.get(None)
    return app is not None and app.return_code is not None


async def wait_for_idle(min_sleep: float = 0.0, max_sleep: float = 0.0) -> None:
    """Return when no callback or timer is due soon and no bot is thinking.

    Timers are not waited for after the program has exited: then nobody pauses the timer that draws
    the screen, and it runs until the test ends.

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
        if left > SOON_SECONDS or _has_exited():
            return
        await asyncio.sleep(max(0.0, left))
