"""The threads behind the fair queue: who is served, what is dropped, what fails."""

from __future__ import annotations

import asyncio
import threading

import pytest

from acesaround.server.crew import Crew


async def test_others_are_served_while_much_of_one_waits() -> None:
    crew, hold, order = Crew(2, "test"), threading.Event(), list[str]()
    try:

        def work(who: str) -> None:
            hold.wait(20)
            order.append(who)

        greedy = [asyncio.create_task(crew.do("greedy", lambda: work("greedy"))) for _ in range(30)]
        await asyncio.sleep(0)
        ann = asyncio.create_task(crew.do("ann", lambda: work("ann")))
        await asyncio.sleep(0)
        hold.set()
        await asyncio.gather(ann, *greedy)
        assert order.index("ann") <= 3  # two were begun before, and one may end beside it
        assert len(crew.queue) == 0
    finally:
        await crew.close()


async def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    crew, hold, done = Crew(1, "test"), threading.Event(), list[str]()
    try:
        first = asyncio.create_task(crew.do("ann", lambda: hold.wait(20)))
        second = asyncio.create_task(crew.do("ann", lambda: done.append("second")))
        third = asyncio.create_task(crew.do("ann", lambda: done.append("third")))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.sleep(0)
        hold.set()
        await asyncio.gather(first, third)
        assert done == ["third"]
        assert len(crew.queue) == 0
    finally:
        await crew.close()


async def test_an_error_is_that_of_who_asked_and_a_thread_is_free_after_it() -> None:
    crew = Crew(1, "test")
    try:

        def fail() -> None:
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            await crew.do("ann", fail)
        assert await crew.do("ann", lambda: 3) == 3
    finally:
        await crew.close()


async def test_whoever_waits_at_the_end_waits_no_longer() -> None:
    crew, hold = Crew(1, "test"), threading.Event()
    first = asyncio.create_task(crew.do("ann", lambda: hold.wait(20)))
    second = asyncio.create_task(crew.do("ann", lambda: True))
    await asyncio.sleep(0)
    closing = asyncio.create_task(crew.close())
    await asyncio.sleep(0)
    hold.set()
    await closing
    assert await first
    with pytest.raises(asyncio.CancelledError):
        await second
