"""Wait in tests for the very thing that is asserted.

A test that waits for one thing and asserts another fails on a slow machine. Waiting costs nothing
when the condition holds, so one patience serves every test.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

PATIENCE_SECONDS: Final = 60.0
"""How long a test waits for what must happen.

Where a time limit is itself the subject, the test owns the clock instead."""

_POLL_SECONDS: Final = 0.01


def wait_until(condition: Callable[[], T], what: str = "") -> T:
    """Return the first true value of `condition`, asked again and again.

    Raises `AssertionError` with `what` and the last value after `PATIENCE_SECONDS`.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < deadline, _complaint(what, found)
        time.sleep(_POLL_SECONDS)


async def wait_until_async(condition: Callable[[], T], what: str = "") -> T:
    """Return the first true value of `condition`, while the event loop goes on.

    Raises `AssertionError` with `what` and the last value after `PATIENCE_SECONDS`.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + PATIENCE_SECONDS
    while True:
        found = condition()
        if found:
            return found
        assert clock() < deadline, _complaint(what, found)
        await asyncio.sleep(_POLL_SECONDS)


def _complaint(what: str, found: object) -> str:
    waited_for = what or "the condition"
    return f"after {PATIENCE_SECONDS:g} s still not so: {waited_for}; last seen: {found!r}"
