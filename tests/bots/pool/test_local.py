"""Processes that think beside this one: the same answers, whatever becomes of a process."""

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
from tests.bots.pool.sample_requests import question, questions
from tests.orphans import until_gone
from tests.waiting import PATIENCE_SECONDS, wait_until_async

ENDLESS = "expert"
"""The name of a bot that never comes to an end in a quick process."""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that are ready at once, and whose bots are not those that search."""
    monkeypatch.setattr(local, "load_kernels", fake_workers.load_nothing)
    monkeypatch.setattr(local, "decide_or_failure", fake_workers.decide_or_hang)


@asynccontextmanager
async def minds(number: int = 1, seconds: float = PATIENCE_SECONDS) -> AsyncIterator[LocalPool]:
    """Processes that think already, ended afterwards."""
    found = LocalPool(number, seconds)
    try:
        await ready(found)
        yield found
    finally:
        await found.close()
        assert not processes(found)


async def ready(found: LocalPool) -> None:
    """Wait until a process thinks."""
    found.start()
    await wait_until_async(lambda: found.ready and processes(found), "a process thinks")


def processes(found: LocalPool) -> list[int]:
    """The processes that think now."""
    return [worker.pid for worker in found._workers if worker.pid is not None]


async def busy(found: LocalPool) -> None:
    """Wait until all that is asked is thought about."""
    await wait_until_async(
        lambda: found._pending and found._requests.empty(), "it is thought about"
    )


async def test_an_answer_is_the_one_that_this_process_would_give(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local, "load_kernels", fake_workers.load_in_a_hurry)
    async with minds() as found:
        for bot in ("medium", "hard", "expert:time=0.1"):
            for asked in questions(bot):
                asked = replace(asked, share=0.5)
                assert await found.ask(asked) == decide(asked)
        for variant in ("double-deck", "seven-card", "two-handed", "three-handed"):
            asked = questions("medium", variant)[-1]
            assert await found.ask(asked) == decide(asked)


async def test_a_process_that_is_killed_in_the_midst_of_it_is_replaced(
    quick: None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with minds() as found:
        [pid] = processes(found)
        thinking = asyncio.create_task(found.ask(question(ENDLESS)))
        await busy(found)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(NoAnswer, match="ended by signal 9"):
            await thinking
        asked = question("thumb")
        assert await found.ask(asked) == decide(asked)  # another has come
        assert processes(found) != [pid]
    assert f"process {pid} ended by signal 9: another one replaces it" in caplog.text
    assert "Traceback" not in caplog.text
    assert len(caplog.records) == 1


async def test_a_process_that_dies_while_it_has_nothing_to_do_is_replaced_at_once(
    quick: None, caplog: pytest.LogCaptureFixture
) -> None:
    async with minds() as found:
        [pid] = processes(found)
        os.kill(pid, signal.SIGKILL)
        await wait_until_async(lambda: processes(found) not in ([], [pid]), "another has come")
        asked = question("thumb")
        assert await found.ask(asked) == decide(asked)
    assert [record.message for record in caplog.records] == [
        f"worker process {pid} ended by signal 9: another one replaces it"
    ]


@pytest.mark.parametrize("hangs", [False, True])
async def test_a_process_that_takes_too_long_is_ended_and_replaced(
    hangs: bool, quick: None, caplog: pytest.LogCaptureFixture
) -> None:
    """It thinks and thinks, or does nothing at all any more."""
    async with minds(seconds=1.0) as found:
        [pid] = processes(found)
        if hangs:
            os.kill(pid, signal.SIGSTOP)
        with pytest.raises(NoAnswer, match="took more than 1 seconds"):
            await found.ask(question("thumb" if hangs else ENDLESS))
        await wait_until_async(lambda: pid not in processes(found), "it is given up")
        until_gone(pid)
        await ready(found)
        found._seconds = PATIENCE_SECONDS
        asked = question("thumb")
        assert await found.ask(asked) == decide(asked)
    assert f"process {pid} took more than 1 seconds" in caplog.text


async def test_a_process_whose_answer_nobody_waits_for_is_ended_and_replaced(quick: None) -> None:
    async with minds() as found:
        [pid] = processes(found)
        thinking = asyncio.create_task(found.ask(question(ENDLESS)))
        await busy(found)
        thinking.cancel()
        asked = question("thumb")
        assert await found.ask(asked) == decide(asked)
        assert processes(found) != [pid]
    with pytest.raises(asyncio.CancelledError):
        await thinking


async def test_a_bot_that_fails_ends_no_process(quick: None) -> None:
    async with minds() as found:
        before = processes(found)
        with pytest.raises(BotError, match="The bot 'nobody' failed: RulesError: 'nobody' is no"):
            await found.ask(question("nobody"))
        assert processes(found) == before


async def test_there_is_one_more_than_think_and_never_more_than_there_may_be(quick: None) -> None:
    async with minds(3) as found:
        thinking = [asyncio.create_task(found.ask(question(ENDLESS)))]
        await busy(found)
        await wait_until_async(lambda: len(processes(found)) == 2, "one more is at hand")
        thinking += [asyncio.create_task(found.ask(question(ENDLESS))) for _ in range(3)]
        await wait_until_async(lambda: len(processes(found)) == 3, "all are there")
        assert len(found._tasks) == 3
        pids = processes(found)
        await found.close()
        for one in thinking:
            with pytest.raises(NoAnswer):
                await one
    for pid in pids:
        until_gone(pid)


async def test_the_end_does_not_wait_for_one_that_starts() -> None:
    found = LocalPool(1, PATIENCE_SECONDS)
    found.start()
    await wait_until_async(found._starting.locked, "a process starts")
    await found.close()
    assert not found.ready
    found.start()  # nothing begins any more
    with pytest.raises(NoAnswer):
        await found.ask(question("medium"))


async def test_what_has_to_be_compiled_is_compiled_last_of_all_and_told_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    note = tmp_path / "compiled"
    monkeypatch.setattr(local, "compile_at_idle_priority", fake_workers.Compiler(note))
    monkeypatch.setattr(local, "load_kernels", fake_workers.Loader(note))
    found = LocalPool(2, PATIENCE_SECONDS)
    try:
        found.start()
        assert not found.ready
        await ready(found)
        said = [record.message for record in caplog.records]
        assert said[0] == (
            "compiling the kernels of the search bots, once: until then thumb plays for them"
        )
        assert re.fullmatch(r"compiled the kernels in \d+ s: search bots can play now", said[1])
        assert len(said) == 2
        nice, policy = note.read_text().split()
        assert nice == "19"
        if hasattr(os, "SCHED_IDLE"):
            assert int(policy) == os.SCHED_IDLE
            [pid] = processes(found)
            assert os.sched_getscheduler(pid) == os.sched_getscheduler(0)  # that one thinks
            own = os.getpriority(os.PRIO_PROCESS, 0)
            assert os.getpriority(os.PRIO_PROCESS, pid) == max(10, own)
    finally:
        await found.close()


async def test_processes_that_cannot_think_are_tried_again_and_told_of(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(local, "_PAUSE", 0.01)
    monkeypatch.setattr(local, "load_kernels", fake_workers.load_broken)
    found = LocalPool(1, PATIENCE_SECONDS)
    try:
        found.start()
        await wait_until_async(lambda: caplog.records, "it is said that none starts")
        assert not found.ready
        assert "numba needs another numpy" in caplog.text
        monkeypatch.setattr(local, "load_kernels", fake_workers.load_nothing)
        await ready(found)
    finally:
        await found.close()


def test_cores_are_shared_among_those_who_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "cores", lambda: 17)
    assert [default_pool_size(servers) for servers in (1, 2, 4, 16)] == [16, 8, 4, 2]
    monkeypatch.setattr(local, "cores", lambda: 1)
    assert default_pool_size() == 2
