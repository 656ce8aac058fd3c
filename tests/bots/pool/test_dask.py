"""A cluster that thinks: the same answers, and rules of thumb for as long as it is gone."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from acesaround.bots.pool.request import NoAnswer, decide, decide_or_failure
from acesaround.errors import BotError, RulesError
from acesaround.server.bots.scheduler import BotScheduler
from tests import clusters
from tests.bots.pool.sample_requests import question, questions
from tests.ports import free_port
from tests.waiting import PATIENCE_SECONDS, wait_until_async

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
afar = pytest.importorskip("acesaround.bots.pool.dask")
pytestmark = clusters.LEFT_OPEN
nothing_left = clusters.nothing_left


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cluster is looked at more often than otherwise, and has time enough to answer."""
    monkeypatch.setattr(afar, "_LOOK", 0.1)
    monkeypatch.setattr(afar, "_PATIENCE", PATIENCE_SECONDS)
    monkeypatch.setattr("acesaround.workers.dask_client.PATIENCE", PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def cluster(nothing_left: None) -> Iterator[Any]:
    """A scheduler and two worker processes, which are started again when they are killed."""
    with clusters.of_bots(2) as found:
        yield found


@asynccontextmanager
async def minds(address: str, seconds: float = PATIENCE_SECONDS, **more: Any) -> AsyncIterator[Any]:
    """Those of a cluster, left afterwards."""
    found = afar.DaskPool(address, seconds, **more)
    try:
        found.start()
        yield found
    finally:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await found.close()


async def test_an_answer_is_the_one_that_this_process_would_give(cluster: Any) -> None:
    async with minds(cluster.scheduler_address) as found:
        assert not found.ready
        with pytest.raises(NoAnswer):
            await found.ask(question("medium"))
        await wait_until_async(lambda: found.number == 2)
        for bot in ("medium", "hard", "expert:time=0.1"):
            for asked in questions(bot, every=20):
                assert await found.ask(asked) == decide(asked)


async def test_two_are_asked_at_a_time_and_more_find_nobody(cluster: Any) -> None:
    async with minds(cluster.scheduler_address) as found:
        await wait_until_async(lambda: found.number == 2)
        asked = [asyncio.create_task(found.ask(question("expert:time=0.1"))) for _ in range(3)]
        done = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(one) for one in done].count(NoAnswer) == 1
        assert not found._answers


async def test_several_who_serve_share_a_cluster(cluster: Any) -> None:
    async with minds(cluster.scheduler_address, servers=2) as found:
        await wait_until_async(lambda: found._threads == 2)
        assert found.number == 1


async def test_a_bot_that_fails_is_told_of(cluster: Any) -> None:
    async with minds(cluster.scheduler_address) as found:
        await wait_until_async(lambda: found.ready)
        with pytest.raises(BotError, match="The bot 'nobody' failed: RulesError: 'nobody' is no"):
            await found.ask(question("nobody"))


@pytest.mark.parametrize("hangs", [False, True])
async def test_a_worker_that_takes_too_long_is_given_nothing_more_until_it_answers(
    hangs: bool, cluster: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It thinks and thinks, or does nothing at all any more."""
    async with minds(cluster.scheduler_address, seconds=1.0) as found:
        await wait_until_async(lambda: found.number == 2)
        pids = [worker.pid for worker in cluster.workers.values()]
        monkeypatch.setattr(found, "_seconds", 0.01 if not hangs else 1.0)
        if hangs:
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(NoAnswer):
                await found.ask(question("expert"))
            assert found.number == 1
            assert "seconds for expert: thumb plays instead" in caplog.text
        finally:
            for pid in pids:
                if hangs:
                    os.kill(pid, signal.SIGCONT)
        await wait_until_async(lambda: found.number == 2)
        monkeypatch.setattr(found, "_seconds", PATIENCE_SECONDS)
        asked = question("medium")
        assert await found.ask(asked) == decide(asked)


async def test_what_a_worker_was_asked_that_is_killed_is_answered_by_another(cluster: Any) -> None:
    async with minds(cluster.scheduler_address) as found:
        await wait_until_async(lambda: found.number == 2)
        pids = {worker.worker_address: worker.pid for worker in cluster.workers.values()}
        for pid in pids.values():
            os.kill(pid, signal.SIGSTOP)
        asked = question("medium")
        thinking = asyncio.create_task(found.ask(asked))
        tasks = cluster.scheduler.tasks
        given = await wait_until_async(
            lambda: [its.processing_on.address for its in tasks.values() if its.processing_on]
        )
        os.kill(pids.pop(given[0]), signal.SIGKILL)
        for pid in pids.values():
            os.kill(pid, signal.SIGCONT)
        assert await thinking == decide(asked)
        there = cluster.scheduler.workers
        await wait_until_async(lambda: len({*there} - {given[0]}) == 2, "another has come")


async def test_while_the_cluster_is_gone_thumb_plays_and_it_comes_back_by_itself(
    caplog: pytest.LogCaptureFixture,
) -> None:
    port = free_port()
    address, asked = f"tcp://127.0.0.1:{port}", question("hard")
    async with minds(address) as found:
        thinkers = BotScheduler(found)
        by_thumb, by_search = decide(question("thumb")), decide(asked)
        assert by_thumb != by_search
        assert await thinkers.decide_fairly("ann", asked) == by_thumb
        await wait_until_async(lambda: "There is no cluster at" in caplog.text)
        for _ in range(2):
            with await asyncio.to_thread(clusters.of_bots, 1, port) as there:
                await wait_until_async(lambda: found.ready)
                assert await thinkers.decide_fairly("ann", asked) == by_search
                await asyncio.to_thread(there.close)
            await wait_until_async(lambda: not found.ready)
            assert await thinkers.decide_fairly("ann", asked) == by_thumb
            await wait_until_async(lambda: found._client is None)
    changes = re.findall(r"Until it is back, thumb plays|: it runs the bots now", caplog.text)
    gone, there = "Until it is back, thumb plays", ": it runs the bots now"
    assert changes == [gone, there, gone, there, gone]


async def test_a_worker_that_has_not_prepared_is_left_out_and_told_of_once(
    cluster: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It may have another version, or lack the extra `fast`."""
    monkeypatch.setattr(afar, "RESOURCE", "acesaround 0.0.1")
    async with minds(cluster.scheduler_address) as found:
        polls, set_threads = list[int](), found._set_threads

        def counted(threads: int) -> None:
            polls.append(threads)
            set_threads(threads)

        def left_out() -> list[str]:
            pattern = r"worker (\S+) is not used: .*acesaround 0\.0\.1"
            return re.findall(pattern, caplog.text)

        monkeypatch.setattr(found, "_set_threads", counted)
        await wait_until_async(lambda: len(set(left_out())) >= 2, "both workers are named")
        before = len(polls)
        await wait_until_async(lambda: len(polls) > before + 3, "the cluster is looked at again")
        assert not found.ready
    assert len(left_out()) == len(set(left_out()))


@pytest.mark.parametrize("address", ["", "nowhere", "foo://x:1", "tcp://x", "tcp://127.0.0.1:x"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(RulesError, match="Expected the address of a Dask scheduler"):
        afar.DaskPool(address, 1.0)


async def test_no_more_than_the_question_is_sent(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[object] = []
    async with minds(cluster.scheduler_address) as found:
        await wait_until_async(lambda: found.ready)
        submit = found._client.submit

        def noted(*given: object, **options: object) -> object:
            sent.extend(given)
            return submit(*given, **options)

        monkeypatch.setattr(found._client, "submit", noted)
        asked = question("medium")
        await found.ask(asked)
    assert sent == [decide_or_failure, asked]


async def test_a_cluster_may_be_secured_by_the_configuration_of_dask(tmp_path: Path) -> None:
    key, cert = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    subprocess.run(
        f"openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=us -keyout {key} -out {cert}".split(),
        check=True,
        capture_output=True,
    )
    tls: dict[str, object] = {
        f"distributed.comm.tls.{role}.{kind}": file
        for role in ("scheduler", "worker", "client")
        for kind, file in (("key", key), ("cert", cert))
    }
    tls |= {"distributed.comm.tls.ca-file": cert, "distributed.comm.require-encryption": True}
    with (
        dask.config.set(tls),
        await asyncio.to_thread(
            clusters.of_bots, 1, protocol="tls://", security=distributed.Security()
        ) as there,
    ):
        assert there.scheduler_address.startswith("tls://")
        async with minds(there.scheduler_address) as found:
            await wait_until_async(lambda: found.ready)
            asked = question("medium")
            assert await found.ask(asked) == decide(asked)
        await asyncio.to_thread(there.close)
