"""The fair executor: order, limits of waiting jobs, cancelled and failing jobs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from acesaround.server.bots import fair_executor
from acesaround.server.bots.fair_executor import FairExecutor
from acesaround.server.limits.rate_limiters import RateLimited, ServerStopping
from tests.server.clock import wait_until_settled


class Work:
    """Jobs that end one at a time, when the test says so.

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
        """Submit a job for each person, and let those start that can."""
        added = [asyncio.create_task(self.turns.submit(who, self._job(who))) for who in persons]
        self._tasks += added
        await wait_until_settled()
        return added

    async def put_in_background(self, *names: str) -> None:
        """Submit background jobs, and let those start that can."""
        self._tasks += [
            asyncio.create_task(self.turns.run_in_background(self._job(name))) for name in names
        ]
        await wait_until_settled()

    def _job(self, who: str) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            self.begun.append(who)
            self._ends.append(asyncio.Event())
            await self._ends[-1].wait()
            return who

        return work

    async def end(self, at: int) -> None:
        """End a job, and let others start."""
        self._ends[at].set()
        await wait_until_settled()

    async def close(self) -> None:
        await self.turns.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@pytest.mark.parametrize("workers", [2, 8])
async def test_thirty_jobs_of_one_person_leave_a_worker_to_another(workers: int) -> None:
    work = Work(workers)
    await work.put(*["greedy"] * 30)
    assert work.begun == ["greedy"] * (workers - 1)
    await work.put("ann")
    assert work.begun[-1] == "ann"
    await work.close()


async def test_single_worker_takes_the_job_of_another_person_next() -> None:
    work = Work(1)
    await work.put(*["greedy"] * 30)
    assert work.begun == ["greedy"]
    await work.put("ann")
    await work.end(0)
    assert work.begun == ["greedy", "ann"]
    await work.close()


async def test_person_waits_for_one_job_of_each_greedy_person() -> None:
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


ADDRESSES_IN_ONE_56 = [f"guest@2001:db8:1:{number:x}::1" for number in range(50)]
"""Persons in one /56, each in another /64."""


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize(
    ("greedy", "other"),
    [
        ([f"guest {number}@203.0.113.7" for number in range(50)], "ann@198.51.100.1"),
        ([f"guest {number}@203.0.113.7" for number in range(50)], "ann@127.0.0.1"),
        (["203.0.113.7", *[f"{number}@203.0.113.7" for number in range(50)]], "ann"),
        (ADDRESSES_IN_ONE_56, "ann@2001:db8:2::1"),
        (ADDRESSES_IN_ONE_56, "ann@2001:db8:1:100::1"),  # in the same /48
        (
            [f"guest {number}@2001:db8:1:1::{number}" for number in range(50)],
            ADDRESSES_IN_ONE_56[0],
        ),
    ],
)
async def test_person_waits_for_one_job_of_a_crowded_address(
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
async def test_newcomers_leave_a_worker_to_others(workers: int) -> None:
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


async def test_cancelled_job_of_a_newcomer_frees_its_place() -> None:
    work = Work(1)
    _, second = await work.put("ann", "new bob")
    second.cancel()
    await work.put("new cleo")
    await work.end(0)
    assert work.begun == ["ann", "new cleo"]
    await work.close()


async def test_more_workers_leave_more_to_newcomers() -> None:
    work = Work(1)
    await work.put(*NEWCOMERS)
    work.turns.resize(4)
    await wait_until_settled()
    assert len(work.begun) == 3
    await work.close()


async def test_newcomers_share_one_time_share() -> None:
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


async def test_waiting_jobs_of_an_address_are_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fair_executor, "_MAX_WAITING_PER_ADDRESS", 3)
    work = Work(1)
    await work.put("guest 0@203.0.113.7")  # a running job does not wait
    await work.put(*[f"guest {number}@203.0.113.7" for number in range(1, 4)])
    [refused] = await work.put("ann@203.0.113.7")
    with pytest.raises(RateLimited, match="are waiting here"):
        await refused
    await work.put("ann@198.51.100.1")
    assert work.turns.waiting_count == 4
    await work.close()


async def test_persons_take_turns_whatever_their_number_of_jobs() -> None:
    """With equally long jobs, numbers of served jobs differ by at most one."""
    work = Work(2)
    await work.put(*["ann"] * 60, *["bob"] * 40, *["cleo"] * 40)
    for at in range(100):
        served = [work.begun.count(who) for who in ("ann", "bob", "cleo")]
        assert max(served) - min(served) <= 1
        await work.end(at)
    await work.close()


async def test_waiting_jobs_of_a_person_are_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fair_executor, "_MAX_WAITING_PER_PERSON", 3)
    work = Work(2)
    await work.put("greedy")  # a running job does not wait
    await work.put(*["greedy"] * 3)
    [refused] = await work.put("greedy")
    with pytest.raises(RateLimited, match="hints and bot moves waiting"):
        await refused
    await work.put("ann")
    assert work.begun == ["greedy", "ann"]
    await work.close()


async def test_all_waiting_jobs_are_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fair_executor, "_MAX_WAITING", 3)
    work = Work(2)
    await work.put("guest 0", "guest 1")  # a running job does not wait
    await work.put("guest 2", "guest 3", "guest 4")
    [refused] = await work.put("ann")
    with pytest.raises(RateLimited, match="are waiting here"):
        await refused
    await work.close()


async def test_person_without_jobs_is_forgotten() -> None:
    work = Work(2)
    pieces = await work.put(*[f"guest {number}" for number in range(100)])
    turns = work.turns
    assert (turns.waiting_count, turns.working_count, turns.person_count) == (98, 2, 100)
    for at in range(100):
        await work.end(at)
    assert await asyncio.gather(*pieces) == work.begun
    assert (turns.waiting_count, turns.working_count, turns.person_count) == (0, 0, 0)


async def test_workers_are_shared_among_persons_then_among_their_jobs() -> None:
    work = Work(2)
    await work.put("ann")
    assert work.turns.time_share("ann") == 1
    await work.put(*["greedy"] * 30)
    assert work.turns.time_share("ann") == 1
    assert work.turns.time_share("greedy") == pytest.approx(1 / 30)
    await work.put("bob")
    assert work.turns.time_share("ann") == pytest.approx(2 / 3)
    await work.close()


async def test_cancelled_job_is_not_started() -> None:
    work = Work(1)
    _, second, _ = await work.put("ann", "ann", "bob")
    second.cancel()
    await work.end(0)
    await work.end(1)
    assert work.begun == ["ann", "bob"]
    assert work.turns.person_count == 0


async def test_cancelled_running_job_is_finished() -> None:
    work = Work(1)
    [first] = await work.put("ann")
    first.cancel()
    await work.put("ann")
    assert work.turns.working_count == 1  # the cancelled job
    assert work.begun == ["ann"]
    await work.end(0)
    assert work.begun == ["ann", "ann"]
    await work.close()


async def test_failing_job_raises_and_frees_its_worker() -> None:
    work = Work(1)

    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await work.turns.submit("ann", fail)
    await work.put("ann")
    assert work.begun == ["ann"]
    await work.close()


async def test_resize_changes_the_number_of_workers() -> None:
    work = Work(0)
    await work.put(*"abcdef")
    assert len(work.begun) == 1  # at least one worker
    work.turns.resize(3)
    await wait_until_settled()
    assert len(work.begun) == 3
    work.turns.resize(0)
    for at in range(3):
        await work.end(at)
        assert len(work.begun) == max(3, at + 2)
    await work.close()


async def test_refuse_waiting_only_finishes_running_jobs() -> None:
    work = Work(1)
    first, second = await work.put("ann", "ann")
    work.turns.refuse_waiting()
    [third] = await work.put("bob")
    for refused in (second, third):
        with pytest.raises(ServerStopping):
            await refused
    await work.end(0)
    assert await first == "ann"


async def test_close_drops_all_jobs() -> None:
    work = Work(1)
    both = await work.put("ann", "ann")
    await work.turns.close()
    dropped = await asyncio.gather(*both, return_exceptions=True)
    assert [type(one) for one in dropped] == [ServerStopping] * 2
    assert work.begun == ["ann"]


@pytest.mark.parametrize("workers", [1, 2, 4])
async def test_background_jobs_leave_a_worker_to_persons(workers: int) -> None:
    work = Work(workers)
    await work.put_in_background(*["review"] * 5)
    assert work.begun == ["review"] * max(1, workers - 1)
    await work.put("ann")
    await work.end(0)
    assert work.begun[max(1, workers - 1)] == "ann"
    await work.close()


async def test_a_background_job_starts_after_all_jobs_of_persons() -> None:
    work = Work(1)
    await work.put("ann")
    await work.put_in_background("first review", "second review")
    await work.put("bob", "new cleo")
    for at in range(5):
        assert len(work.begun) == at + 1
        await work.end(at)
    assert work.begun == ["ann", "bob", "new cleo", "first review", "second review"]
    await work.close()


@pytest.mark.parametrize("person", ["greedy", "newcomer"])
async def test_a_background_job_takes_the_worker_that_a_greedy_person_may_not_use(
    person: str,
) -> None:
    work = Work(2)
    await work.put(*[person] * 5)
    await work.put_in_background("review")
    assert work.begun == [person, "review"]
    await work.end(1)
    await work.put_in_background("another review")
    assert work.begun[2:] == ["another review"]
    await work.close()


async def test_a_background_job_starts_when_workers_are_added() -> None:
    work = Work(2)
    await work.put_in_background("first", "second")
    assert work.begun == ["first"]
    work.turns.resize(3)
    await wait_until_settled()
    assert work.begun == ["first", "second"]
    await work.close()


async def test_background_jobs_end_when_the_server_stops() -> None:
    work = Work(2)
    await work.put_in_background("running", "waiting")
    work.turns.refuse_waiting()
    with pytest.raises(ServerStopping):
        await work.turns.run_in_background(work._job("late"))
    await work.close()
    ended = await asyncio.gather(*work._tasks, return_exceptions=True)
    assert [type(one) for one in ended] == [ServerStopping, ServerStopping]
    assert work.begun == ["running"]


async def test_a_failing_background_job_frees_its_worker() -> None:
    work = Work(1)

    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await work.turns.run_in_background(fail)
    await work.put_in_background("next")
    assert work.begun == ["next"]
    await work.close()
