"""The pool of local processes: the same decisions, whatever happens to a process."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from acesaround.bots.pool import local
from acesaround.bots.pool.local import LocalPool, default_pool_size
from acesaround.bots.pool.request import NoAnswer, decide
from acesaround.errors import BotError
from tests.bots.pool import fake_workers
from tests.bots.pool.sample_requests import SumTask, bot_requests, first_bid_request
from tests.processes import wait_until_ended
from tests.waiting import PATIENCE_SECONDS, wait_until_async

ENDLESS = "expert"
"""The name of a bot that never decides in a quick process."""


@pytest.fixture
def quick_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make processes ready at once, with bots that do not search."""
    monkeypatch.setattr(local, "load_kernels", fake_workers.load_nothing)
    monkeypatch.setattr(local, "decide_or_failure", fake_workers.decide_or_hang)


@asynccontextmanager
async def running_pool(
    number: int = 1, seconds: float = PATIENCE_SECONDS
) -> AsyncIterator[LocalPool]:
    """Start a pool with a ready process, and close it afterwards."""
    pool = LocalPool(number, seconds)
    try:
        await wait_until_ready(pool)
        yield pool
    finally:
        await pool.close()
        assert not process_ids(pool)


async def wait_until_ready(pool: LocalPool) -> None:
    """Start a pool and wait until a process is ready."""
    pool.start()
    await wait_until_async(lambda: pool.ready and process_ids(pool), "a process is ready")


def process_ids(pool: LocalPool) -> list[int]:
    return [worker.pid for worker in pool._workers if worker.pid is not None]


async def wait_until_busy(pool: LocalPool) -> None:
    await wait_until_async(
        lambda: pool._pending and pool._requests.empty(), "the requests are worked on"
    )


async def test_decisions_equal_those_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "load_kernels", fake_workers.load_at_normal_priority)
    async with running_pool() as pool:
        for bot in ("medium", "hard", "expert:time=0.1"):
            for request in bot_requests(bot, every=20):
                request = replace(request, time_share=0.5)
                assert await pool.ask(request) == decide(request)
        for variant in ("double-deck", "seven-card", "two-handed", "three-handed"):
            request = bot_requests("medium", variant)[-1]
            assert await pool.ask(request) == decide(request)


async def test_tasks_run_in_a_worker(quick_processes: None) -> None:
    async with running_pool() as pool:
        assert await pool.run(SumTask((3, 4))) == (7, process_ids(pool)[0])
        with pytest.raises(BotError, match="The bot 'a sum' failed: ValueError: no numbers"):
            await pool.run(SumTask(()))


async def test_process_killed_during_a_request_is_replaced(
    quick_processes: None, caplog: pytest.LogCaptureFixture
) -> None:
    async with running_pool() as pool:
        [pid] = process_ids(pool)
        deciding = asyncio.create_task(pool.ask(first_bid_request(ENDLESS)))
        await wait_until_busy(pool)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(NoAnswer, match="ended by signal 9"):
            await deciding
        request = first_bid_request("thumb")
        assert await pool.ask(request) == decide(request)  # by a new process
        assert process_ids(pool) != [pid]
    assert f"process {pid} ended by signal 9: another one replaces it" in caplog.text
    assert "Traceback" not in caplog.text
    assert len(caplog.records) == 1


async def test_idle_process_that_dies_is_replaced_at_once(
    quick_processes: None, caplog: pytest.LogCaptureFixture
) -> None:
    async with running_pool() as pool:
        [pid] = process_ids(pool)
        os.kill(pid, signal.SIGKILL)
        await wait_until_async(lambda: process_ids(pool) not in ([], [pid]), "another has come")
        request = first_bid_request("thumb")
        assert await pool.ask(request) == decide(request)
    assert [record.message for record in caplog.records] == [
        f"worker process {pid} ended by signal 9: another one replaces it"
    ]


@pytest.mark.parametrize("hangs", [False, True])
async def test_slow_process_is_killed_and_replaced(
    hangs: bool, quick_processes: None, caplog: pytest.LogCaptureFixture
) -> None:
    """It computes too long, or is stopped."""
    async with running_pool(seconds=1.0) as pool:
        [pid] = process_ids(pool)
        if hangs:
            os.kill(pid, signal.SIGSTOP)
        with pytest.raises(NoAnswer, match="took more than 1 seconds"):
            await pool.ask(first_bid_request("thumb" if hangs else ENDLESS))
        await wait_until_async(lambda: pid not in process_ids(pool), "the process is removed")
        wait_until_ended(pid)
        await wait_until_ready(pool)
        pool._seconds = PATIENCE_SECONDS
        request = first_bid_request("thumb")
        assert await pool.ask(request) == decide(request)
    assert f"process {pid} took more than 1 seconds" in caplog.text


async def test_process_of_a_cancelled_request_is_replaced(quick_processes: None) -> None:
    async with running_pool() as pool:
        [pid] = process_ids(pool)
        deciding = asyncio.create_task(pool.ask(first_bid_request(ENDLESS)))
        await wait_until_busy(pool)
        deciding.cancel()
        request = first_bid_request("thumb")
        assert await pool.ask(request) == decide(request)
        assert process_ids(pool) != [pid]
    with pytest.raises(asyncio.CancelledError):
        await deciding


async def test_failing_bot_does_not_end_a_process(quick_processes: None) -> None:
    async with running_pool() as pool:
        before = process_ids(pool)
        with pytest.raises(BotError, match="The bot 'nobody' failed: RulesError: 'nobody' is no"):
            await pool.ask(first_bid_request("nobody"))
        assert process_ids(pool) == before


async def test_one_spare_process_up_to_the_maximum(quick_processes: None) -> None:
    async with running_pool(3) as pool:
        deciding = [asyncio.create_task(pool.ask(first_bid_request(ENDLESS)))]
        await wait_until_busy(pool)
        await wait_until_async(lambda: len(process_ids(pool)) == 2, "a spare process is ready")
        deciding += [asyncio.create_task(pool.ask(first_bid_request(ENDLESS))) for _ in range(3)]
        await wait_until_async(lambda: len(process_ids(pool)) == 3, "all processes run")
        assert len(pool._tasks) == 3
        pids = process_ids(pool)
        await pool.close()
        for task in deciding:
            with pytest.raises(NoAnswer):
                await task
    for pid in pids:
        wait_until_ended(pid)


async def test_close_does_not_wait_for_a_starting_process() -> None:
    pool = LocalPool(1, PATIENCE_SECONDS)
    pool.start()
    await wait_until_async(pool._starting.locked, "a process starts")
    await pool.close()
    assert not pool.ready
    pool.start()  # a closed pool does not start
    with pytest.raises(NoAnswer):
        await pool.ask(first_bid_request("medium"))


async def test_kernels_are_compiled_at_idle_priority_and_logged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    note = tmp_path / "compiled"
    monkeypatch.setattr(local, "compile_at_idle_priority", fake_workers.Compiler(note))
    monkeypatch.setattr(local, "load_kernels", fake_workers.Loader(note))
    pool = LocalPool(2, PATIENCE_SECONDS)
    try:
        pool.start()
        assert not pool.ready
        await wait_until_ready(pool)
        messages = [record.message for record in caplog.records]
        assert messages[0] == (
            "preparing the strong bots, once: until they are ready, thumb plays for them"
        )
        assert re.fullmatch(r"compiled the kernels in \d+ s: search bots can play now", messages[1])
        assert len(messages) == 2
        nice, policy = note.read_text().split()
        assert nice == "19"
        if hasattr(os, "SCHED_IDLE"):
            assert int(policy) == os.SCHED_IDLE
            [pid] = process_ids(pool)
            assert os.sched_getscheduler(pid) == os.sched_getscheduler(
                0
            )  # normal priority for deciding
            own = os.getpriority(os.PRIO_PROCESS, 0)
            assert os.getpriority(os.PRIO_PROCESS, pid) == max(10, own)
    finally:
        await pool.close()


async def test_process_that_cannot_load_is_retried_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(local, "_PAUSE", 0.01)
    monkeypatch.setattr(local, "load_kernels", fake_workers.load_broken)
    pool = LocalPool(1, PATIENCE_SECONDS)
    try:
        pool.start()
        await wait_until_async(lambda: caplog.records, "the failure is logged")
        assert not pool.ready
        assert "numba needs another numpy" in caplog.text
        monkeypatch.setattr(local, "load_kernels", fake_workers.load_nothing)
        await wait_until_ready(pool)
    finally:
        await pool.close()


def test_cores_are_shared_among_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "available_cores", lambda: 17)
    assert [default_pool_size(servers) for servers in (1, 2, 4, 16)] == [16, 8, 4, 2]
    monkeypatch.setattr(local, "available_cores", lambda: 1)
    assert default_pool_size() == 2
