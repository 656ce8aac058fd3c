"""Wait in tests for the condition that is asserted.

A test that waits for one condition and asserts another fails on a slow machine. Waiting ends when
the condition holds, so one long limit serves every test.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

PATIENCE_SECONDS: Final = 60.0
"""How long a test waits for a condition. Tests of time limits use their own clock instead."""

_POLL_SECONDS: Final = 0.01


def wait_until(condition: Callable[[], T], what: str = "") -> T:
    """Return the first true value of `condition`, which is polled.

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
    """Return the first true value of `condition`, polled while the event loop runs.

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
