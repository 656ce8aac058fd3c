"""The pool on a Dask cluster: the same decisions, and thumb while the cluster is gone."""

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
from msgspec.structs import replace

from acesaround.bots.pool.request import NoAnswer, decide, decide_or_failure
from acesaround.errors import BotError, RulesError
from acesaround.server.bots.scheduler import BotScheduler
from tests import clusters
from tests.bots.pool.sample_requests import SumTask, bot_requests, first_bid_request
from tests.ports import free_port
from tests.waiting import PATIENCE_SECONDS, wait_until_async

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
dask_pool = pytest.importorskip("acesaround.bots.pool.dask")
pytestmark = clusters.LEFT_OPEN
nothing_left = clusters.nothing_left


@pytest.fixture(autouse=True)
def frequent_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Poll the cluster often, and give it enough time to answer."""
    monkeypatch.setattr(dask_pool, "_LOOK", 0.1)
    monkeypatch.setattr(dask_pool, "_PATIENCE", PATIENCE_SECONDS)
    monkeypatch.setattr("acesaround.workers.dask_client.PATIENCE", PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def cluster(nothing_left: None) -> Iterator[Any]:
    """Yield a scheduler and two worker processes, which are restarted when they are killed."""
    with clusters.of_bots(2) as pool:
        yield pool


@asynccontextmanager
async def pool_on(
    address: str, seconds: float = PATIENCE_SECONDS, **more: Any
) -> AsyncIterator[Any]:
    """Start a pool on a cluster, and close it afterwards."""
    pool = dask_pool.DaskPool(address, seconds, **more)
    try:
        pool.start()
        yield pool
    finally:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await pool.close()


async def test_decisions_equal_those_of_this_process(cluster: Any) -> None:
    async with pool_on(cluster.scheduler_address) as pool:
        assert not pool.ready
        with pytest.raises(NoAnswer):
            await pool.ask(first_bid_request("medium"))
        await wait_until_async(lambda: pool.max_running == 2)
        for bot in ("medium", "hard", "expert:time=0.1"):
            for request in bot_requests(bot, every=20):
                assert await pool.ask(request) == decide(request)


async def test_two_workers_take_two_requests_at_a_time(cluster: Any) -> None:
    async with pool_on(cluster.scheduler_address) as pool:
        await wait_until_async(lambda: pool.max_running == 2)
        decisions = [
            asyncio.create_task(pool.ask(first_bid_request("expert:time=0.1"))) for _ in range(3)
        ]
        results = await asyncio.gather(*decisions, return_exceptions=True)
        assert [type(result) for result in results].count(NoAnswer) == 1
        assert not pool._answers


async def test_several_servers_share_a_cluster(cluster: Any) -> None:
    async with pool_on(cluster.scheduler_address, servers=2) as pool:
        await wait_until_async(lambda: pool._threads == 2)
        assert pool.max_running == 1


async def test_failing_bot_raises_bot_error(cluster: Any) -> None:
    async with pool_on(cluster.scheduler_address) as pool:
        await wait_until_async(lambda: pool.ready)
        with pytest.raises(BotError, match="The bot 'nobody' failed: RulesError: 'nobody' is no"):
            await pool.ask(first_bid_request("nobody"))


@pytest.mark.parametrize("hangs", [False, True])
async def test_slow_worker_gets_no_request_until_it_answers(
    hangs: bool, cluster: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It computes too long, or is stopped."""
    async with pool_on(cluster.scheduler_address, seconds=1.0) as pool:
        await wait_until_async(lambda: pool.max_running == 2)
        pids = [worker.pid for worker in cluster.workers.values()]
        monkeypatch.setattr(pool, "_seconds", 0.01 if not hangs else 1.0)
        if hangs:
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(NoAnswer):
                await pool.ask(first_bid_request("expert"))
            assert pool.max_running == 1
            assert "seconds for expert: thumb plays instead" in caplog.text
        finally:
            for pid in pids:
                if hangs:
                    os.kill(pid, signal.SIGCONT)
        await wait_until_async(lambda: pool.max_running == 2)
        monkeypatch.setattr(pool, "_seconds", PATIENCE_SECONDS)
        request = first_bid_request("medium")
        assert await pool.ask(request) == decide(request)


async def test_request_of_a_killed_worker_goes_to_another(cluster: Any) -> None:
    async with pool_on(cluster.scheduler_address) as pool:
        await wait_until_async(lambda: pool.max_running == 2)
        pids = {worker.worker_address: worker.pid for worker in cluster.workers.values()}
        for pid in pids.values():
            os.kill(pid, signal.SIGSTOP)
        request = first_bid_request("medium")
        deciding = asyncio.create_task(pool.ask(request))
        tasks = cluster.scheduler.tasks
        addresses = await wait_until_async(
            lambda: [task.processing_on.address for task in tasks.values() if task.processing_on]
        )
        os.kill(pids.pop(addresses[0]), signal.SIGKILL)
        for pid in pids.values():
            os.kill(pid, signal.SIGCONT)
        assert await deciding == decide(request)
        workers = cluster.scheduler.workers
        await wait_until_async(
            lambda: len({*workers} - {addresses[0]}) == 2, "the worker is replaced"
        )


async def test_thumb_plays_while_the_cluster_is_gone(caplog: pytest.LogCaptureFixture) -> None:
    port = free_port()
    address, request = f"tcp://127.0.0.1:{port}", first_bid_request("hard")
    async with pool_on(address) as pool:
        scheduler = BotScheduler(pool)
        by_thumb = replace(decide(first_bid_request("thumb")), is_quick=True)
        by_search = decide(request)
        assert by_thumb != by_search
        assert await scheduler.decide_fairly("ann", request) == by_thumb
        await wait_until_async(lambda: "There is no cluster at" in caplog.text)
        with await asyncio.to_thread(clusters.of_bots, 1, port) as restarted:
            await wait_until_async(lambda: pool.ready)
            assert await scheduler.decide_fairly("ann", request) == by_search
            await asyncio.to_thread(restarted.close)
        await wait_until_async(lambda: not pool.ready)
        assert await scheduler.decide_fairly("ann", request) == by_thumb
        await wait_until_async(lambda: pool._client is None)
    changes = re.findall(r"Until it is back, thumb plays|: it runs the bots now", caplog.text)
    lost, back = "Until it is back, thumb plays", ": it runs the bots now"
    assert changes == [lost, back, lost]


async def test_worker_of_another_version_is_not_used_and_logged_once(
    cluster: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(dask_pool, "RESOURCE", "acesaround 0.0.1")
    async with pool_on(cluster.scheduler_address) as pool:
        polls, set_threads = list[int](), pool._set_threads

        def count_poll(threads: int) -> None:
            polls.append(threads)
            set_threads(threads)

        def unused_workers() -> list[str]:
            pattern = r"worker (\S+) is not used: .*acesaround 0\.0\.1"
            return re.findall(pattern, caplog.text)

        monkeypatch.setattr(pool, "_set_threads", count_poll)
        await wait_until_async(lambda: len(set(unused_workers())) >= 2, "both workers are named")
        before = len(polls)
        await wait_until_async(lambda: len(polls) > before + 3, "the cluster is polled again")
        assert not pool.ready
    assert len(unused_workers()) == len(set(unused_workers()))


@pytest.mark.parametrize("address", ["", "nowhere", "foo://x:1", "tcp://x", "tcp://127.0.0.1:x"])
def test_invalid_address_is_refused(address: str) -> None:
    with pytest.raises(RulesError, match="Expected the address of a Dask scheduler"):
        dask_pool.DaskPool(address, 1.0)


async def test_tasks_run_on_the_cluster(cluster: Any) -> None:
    async with pool_on(cluster.scheduler_address) as pool:
        await wait_until_async(lambda: pool.ready)
        found = await pool.run(SumTask((3, 4)))
        assert isinstance(found, tuple)
        assert found[0] == 7
        with pytest.raises(BotError, match="The bot 'a sum' failed: ValueError: no numbers"):
            await pool.run(SumTask(()))


async def test_only_the_request_is_sent(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    async with pool_on(cluster.scheduler_address) as pool:
        await wait_until_async(lambda: pool.ready)
        submit = pool._client.submit

        def record(*arguments: object, **options: object) -> object:
            sent.extend(arguments)
            return submit(*arguments, **options)

        monkeypatch.setattr(pool._client, "submit", record)
        request = first_bid_request("medium")
        await pool.ask(request)
    assert sent == [decide_or_failure, request]


async def test_dask_configuration_can_require_tls(tmp_path: Path) -> None:
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
        ) as cluster,
    ):
        assert cluster.scheduler_address.startswith("tls://")
        async with pool_on(cluster.scheduler_address) as pool:
            await wait_until_async(lambda: pool.ready)
            request = first_bid_request("medium")
            assert await pool.ask(request) == decide(request)
        await asyncio.to_thread(cluster.close)
