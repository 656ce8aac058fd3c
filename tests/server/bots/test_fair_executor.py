"""Work of several persons: who is served next, how much may wait, what is dropped, what fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from acesaround.server.bots import fair_executor
from acesaround.server.bots.fair_executor import FairExecutor
from acesaround.server.limits.rates import RateLimited
from tests.server.clock import settled


class Work:
    """Pieces of work that end one at a time, when the test says so.

    A person is a name, or a name with an address: "ann@192.0.2.1". Newcomers are named "new".
    """

    def __init__(self, workers: int) -> None:
        self.turns = FairExecutor(workers)
        self.turns.has_played = self._has_played
        self.turns.find_address = lambda who: who.partition("@")[2] or None
        self.begun: list[str] = []
        self._ends: list[asyncio.Event] = []
        self._tasks: list[asyncio.Task[str]] = []

    async def _has_played(self, who: str) -> bool:
        return not who.startswith("new")

    async def put(self, *persons: str) -> list[asyncio.Task[str]]:
        """Submit a piece for each of these persons, and let begin what can."""
        added = [asyncio.create_task(self.turns.submit(who, self._piece(who))) for who in persons]
        self._tasks += added
        await settled()
        return added

    def _piece(self, who: str) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            self.begun.append(who)
            self._ends.append(asyncio.Event())
            await self._ends[-1].wait()
            return who

        return work

    async def end(self, at: int) -> None:
        """End a piece, and let begin what can."""
        self._ends[at].set()
        await settled()

    async def close(self) -> None:
        await self.turns.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@pytest.mark.parametrize("workers", [2, 8])
async def test_thirty_pieces_of_one_leave_a_worker_to_another(workers: int) -> None:
    work = Work(workers)
    await work.put(*["greedy"] * 30)
    assert work.begun == ["greedy"] * (workers - 1)
    await work.put("ann")
    assert work.begun[-1] == "ann"
    await work.close()


async def test_a_single_worker_takes_what_waits_for_another_next() -> None:
    work = Work(1)
    await work.put(*["greedy"] * 30)
    assert work.begun == ["greedy"]
    await work.put("ann")
    await work.end(0)
    assert work.begun == ["greedy", "ann"]
    await work.close()


async def test_beside_many_greedy_ones_a_person_waits_for_one_piece_of_each() -> None:
    work = Work(4)
    greedy = [f"greedy {number}" for number in range(8)]
    await work.put(*greedy * 30)
    await work.put("ann")
    at = 0
    while work.begun[-1] != "ann":
        await work.end(at)
        at += 1
    assert work.begun == [*greedy, *greedy[:4], "ann"]
    await work.close()


HOMES = [f"guest@2001:db8:1:{number:x}::1" for number in range(50)]
"""Persons in one /56, each in another /64."""


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize(
    ("greedy", "other"),
    [
        ([f"guest {number}@203.0.113.7" for number in range(50)], "ann@198.51.100.1"),
        ([f"guest {number}@203.0.113.7" for number in range(50)], "ann@127.0.0.1"),
        (["203.0.113.7", *[f"{number}@203.0.113.7" for number in range(50)]], "ann"),
        (HOMES, "ann@2001:db8:2::1"),
        (HOMES, "ann@2001:db8:1:100::1"),  # in the same /48
        ([f"guest {number}@2001:db8:1:1::{number}" for number in range(50)], HOMES[0]),
    ],
)
async def test_beside_many_persons_of_an_address_a_person_waits_for_one_piece_of_it(
    greedy: list[str], other: str, workers: int
) -> None:
    work = Work(workers)
    await work.put(*greedy * 3)
    assert len(work.begun) == workers
    await work.put(other)
    await work.end(0)
    await work.end(1)
    assert work.begun.index(other) <= workers + 1
    await work.close()


NEWCOMERS = [f"new {number}@192.0.2.{number}" for number in range(50)]


@pytest.mark.parametrize("workers", [2, 8])
async def test_newcomers_of_many_addresses_leave_a_worker_to_a_person(workers: int) -> None:
    work = Work(workers)
    await work.put(*NEWCOMERS)
    assert len(work.begun) == workers - 1
    await work.put("ann")
    assert work.begun[-1] == "ann"
    await work.close()


@pytest.mark.parametrize("workers", [1, 2])
async def test_newcomers_together_take_turns_like_one_address(workers: int) -> None:
    work = Work(workers)
    await work.put(*NEWCOMERS, *["ann@198.51.100.1"] * 30, *["bob@203.0.113.7"] * 30)
    for at in range(30):
        await work.end(at)
    begun = [who.split(" ")[0] for who in work.begun]
    assert begun.count("new") == pytest.approx(10, abs=2)
    assert begun.count("ann@198.51.100.1") == pytest.approx(10, abs=2)
    await work.close()


async def test_newcomers_take_turns_by_address_among_themselves() -> None:
    work = Work(1)
    await work.put(*[f"new {number}@203.0.113.7" for number in range(50)], "new ann@198.51.100.1")
    await work.end(0)
    await work.end(1)
    assert "new ann@198.51.100.1" in work.begun
    await work.close()


async def test_a_piece_of_a_newcomer_that_nobody_waits_for_any_more_frees_its_place() -> None:
    work = Work(1)
    _, second = await work.put("ann", "new bob")
    second.cancel()
    await work.put("new cleo")
    await work.end(0)
    assert work.begun == ["ann", "new cleo"]
    await work.close()


async def test_newcomers_have_more_workers_where_there_are_more() -> None:
    work = Work(1)
    await work.put(*NEWCOMERS)
    work.turns.resize(4)
    await settled()
    assert len(work.begun) == 3
    await work.close()


async def test_the_share_of_newcomers_does_not_grow_with_their_number() -> None:
    work = Work(3)
    await work.put(*NEWCOMERS, "ann", "bob")
    assert work.turns.time_share("ann") == 1
    assert work.turns.time_share(NEWCOMERS[0]) == pytest.approx(2 / 3 / 50)
    await work.close()


async def test_persons_of_an_address_take_turns() -> None:
    work = Work(1)
    await work.put(*["greedy@203.0.113.7"] * 30, *["ann@203.0.113.7"] * 2)
    for at in range(4):
        await work.end(at)
    assert work.begun.count("ann@203.0.113.7") == 2
    await work.close()


async def test_workers_are_shared_among_addresses_then_among_their_persons() -> None:
    work = Work(2)
    await work.put(*[f"guest {number}@203.0.113.7" for number in range(50)], "ann", "203.0.113.7")
    assert work.turns.time_share("ann") == 1
    assert work.turns.time_share("guest 7@203.0.113.7") == pytest.approx(1 / 51)
    await work.close()


async def test_what_may_wait_for_an_address_has_an_end_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fair_executor, "_MAX_WAITING_PER_ADDRESS", 3)
    work = Work(1)
    await work.put("guest 0@203.0.113.7")  # what is being done does not wait
    await work.put(*[f"guest {number}@203.0.113.7" for number in range(1, 4)])
    [refused] = await work.put("ann@203.0.113.7")
    with pytest.raises(RateLimited, match="are waiting here"):
        await refused
    await work.put("ann@198.51.100.1")
    assert work.turns.waiting_count == 4
    await work.close()


async def test_persons_take_turns_whatever_waits_for_each() -> None:
    """Where pieces take equally long, no two who wait differ by more than one."""
    work = Work(2)
    await work.put(*["ann"] * 60, *["bob"] * 40, *["cleo"] * 40)
    for at in range(100):
        served = [work.begun.count(who) for who in ("ann", "bob", "cleo")]
        assert max(served) - min(served) <= 1
        await work.end(at)
    await work.close()


async def test_what_may_wait_for_a_person_has_an_end_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fair_executor, "_MAX_WAITING_PER_PERSON", 3)
    work = Work(2)
    await work.put("greedy")  # what is being done does not wait
    await work.put(*["greedy"] * 3)
    [refused] = await work.put("greedy")
    with pytest.raises(RateLimited, match="hints and bot moves waiting"):
        await refused
    await work.put("ann")
    assert work.begun == ["greedy", "ann"]
    await work.close()


async def test_what_may_wait_for_all_has_an_end_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fair_executor, "_MAX_WAITING", 3)
    work = Work(2)
    await work.put("guest 0", "guest 1")  # what is being done does not wait
    await work.put("guest 2", "guest 3", "guest 4")
    [refused] = await work.put("ann")
    with pytest.raises(RateLimited, match="are waiting here"):
        await refused
    await work.close()


async def test_nothing_is_kept_of_who_has_nothing_left() -> None:
    work = Work(2)
    pieces = await work.put(*[f"guest {number}" for number in range(100)])
    turns = work.turns
    assert (turns.waiting_count, turns.working_count, turns.person_count) == (98, 2, 100)
    for at in range(100):
        await work.end(at)
    assert await asyncio.gather(*pieces) == work.begun
    assert (turns.waiting_count, turns.working_count, turns.person_count) == (0, 0, 0)


async def test_workers_are_shared_among_persons_and_their_parts_among_pieces() -> None:
    work = Work(2)
    await work.put("ann")
    assert work.turns.time_share("ann") == 1
    await work.put(*["greedy"] * 30)
    assert work.turns.time_share("ann") == 1
    assert work.turns.time_share("greedy") == pytest.approx(1 / 30)
    await work.put("bob")
    assert work.turns.time_share("ann") == pytest.approx(2 / 3)
    await work.close()


async def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    work = Work(1)
    _, second, _ = await work.put("ann", "ann", "bob")
    second.cancel()
    await work.end(0)
    await work.end(1)
    assert work.begun == ["ann", "bob"]
    assert work.turns.person_count == 0


async def test_what_is_begun_is_done_to_its_end_though_nobody_waits_for_it() -> None:
    work = Work(1)
    [first] = await work.put("ann")
    first.cancel()
    await work.put("ann")
    assert work.turns.working_count == 1  # it still holds its place
    assert work.begun == ["ann"]
    await work.end(0)
    assert work.begun == ["ann", "ann"]
    await work.close()


async def test_an_error_is_that_of_who_asked_and_there_is_room_after_it() -> None:
    work = Work(1)

    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await work.turns.submit("ann", fail)
    await work.put("ann")
    assert work.begun == ["ann"]
    await work.close()


async def test_there_may_be_more_room_and_less_later() -> None:
    work = Work(0)
    await work.put(*"abcdef")
    assert len(work.begun) == 1  # where there is no room, one after the other
    work.turns.resize(3)
    await settled()
    assert len(work.begun) == 3
    work.turns.resize(0)
    for at in range(3):
        await work.end(at)
        assert len(work.begun) == max(3, at + 2)
    await work.close()


async def test_what_waits_at_the_end_is_refused_and_what_is_begun_is_done() -> None:
    work = Work(1)
    first, second = await work.put("ann", "ann")
    work.turns.refuse_waiting()
    [third] = await work.put("bob")
    for refused in (second, third):
        with pytest.raises(RateLimited, match="is stopping"):
            await refused
    await work.end(0)
    assert await first == "ann"


async def test_nobody_is_waited_for_any_more_where_all_is_dropped() -> None:
    work = Work(1)
    both = await work.put("ann", "ann")
    await work.turns.close()
    dropped = await asyncio.gather(*both, return_exceptions=True)
    assert [type(one) for one in dropped] == [RateLimited] * 2
    assert work.begun == ["ann"]
