"""Work that waits in the fair queue: who is served, what is dropped, what fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from acesaround.server.bots.fair_queue import FairExecutor
from tests.server.clock import settled


def held(by: asyncio.Event, order: list[str], who: str) -> Callable[[], Awaitable[str]]:
    """Work that is done when something has happened."""

    async def work() -> str:
        await by.wait()
        order.append(who)
        return who

    return work


async def test_others_are_served_while_much_of_one_waits() -> None:
    turns, hold, order = FairExecutor(2), asyncio.Event(), list[str]()
    work = held(hold, order, "greedy")
    greedy = [asyncio.create_task(turns.submit("greedy", work)) for _ in range(30)]
    await settled()
    ann = asyncio.create_task(turns.submit("ann", held(hold, order, "ann")))
    await settled()
    hold.set()
    await asyncio.gather(ann, *greedy)
    assert order.index("ann") <= 3  # two were begun before, and one may end beside it
    assert len(turns.queue) == 0


async def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    turns, hold, order = FairExecutor(1), asyncio.Event(), list[str]()
    first, second, third = [
        asyncio.create_task(turns.submit("ann", held(hold, order, who))) for who in "123"
    ]
    await settled()
    second.cancel()
    await settled()
    hold.set()
    assert [await first, await third] == ["1", "3"]
    assert order == ["1", "3"]
    assert len(turns.queue) == 0


async def test_what_is_begun_is_done_to_its_end_though_nobody_waits_for_it() -> None:
    turns, hold, order = FairExecutor(1), asyncio.Event(), list[str]()
    first = asyncio.create_task(turns.submit("ann", held(hold, order, "first")))
    await settled()
    first.cancel()
    await settled()
    assert len(turns.queue) == 1  # it still holds its place
    hold.set()
    assert await turns.submit("ann", held(hold, order, "second")) == "second"
    assert order == ["first", "second"]


async def test_an_error_is_that_of_who_asked_and_there_is_room_after_it() -> None:
    turns, free = FairExecutor(1), asyncio.Event()
    free.set()

    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await turns.submit("ann", fail)
    assert await turns.submit("ann", held(free, [], "done")) == "done"


async def test_there_may_be_more_room_and_less_later() -> None:
    turns, hold, order = FairExecutor(0), asyncio.Event(), list[str]()
    begun = 0

    async def work() -> None:
        nonlocal begun
        begun += 1
        await held(hold, order, "done")()

    waiting = [asyncio.create_task(turns.submit(who, work)) for who in "abcdef"]
    await settled()
    assert begun == 1  # where there is no room, one after the other
    turns.resize(3)
    await settled()
    assert begun == 3
    turns.resize(0)
    hold.set()
    await asyncio.gather(*waiting)
    assert len(order) == 6


async def test_whoever_waits_at_the_end_waits_no_longer() -> None:
    turns, hold = FairExecutor(1), asyncio.Event()
    first, second = [asyncio.create_task(turns.submit("ann", held(hold, [], who))) for who in "12"]
    await settled()
    closing = asyncio.create_task(turns.close())
    await settled()
    hold.set()
    await closing
    assert await first == "1"
    with pytest.raises(asyncio.CancelledError):
        await second


async def test_nobody_is_waited_for_any_more_where_all_is_dropped() -> None:
    turns, hold, order = FairExecutor(1), asyncio.Event(), list[str]()
    both = [asyncio.create_task(turns.submit("ann", held(hold, order, who))) for who in "12"]
    await settled()
    turns.clear()
    assert [type(one) for one in await asyncio.gather(*both, return_exceptions=True)] == [
        asyncio.CancelledError
    ] * 2
    hold.set()
    await turns.close()
    assert order == ["1"]
