"""Blocking work in a daemon thread, which is abandoned when the table is left."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

THREAD_NAME: Final = "apart"
"""The name of these threads."""


async def run_in_thread(work: Callable[[], T]) -> T:
    """Run `work` in a daemon thread. Return its result or raise its exception."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def tell(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]  # there is one without an error
        else:
            future.set_exception(error)

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as raised:
            error = raised
        with contextlib.suppress(RuntimeError):  # the table was left, the loop is closed
            loop.call_soon_threadsafe(tell, result, error)

    threading.Thread(target=run, name=THREAD_NAME, daemon=True).start()
    return await future
