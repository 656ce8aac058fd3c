"""The executor on a Dask cluster: the same result, even if a worker is killed."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from acesaround.arena.match import Match
from acesaround.arena.match_progress import MatchProgress
from acesaround.arena.run_match import play_match
from acesaround.errors import RulesError
from tests import clusters
from tests.arena.fixtures import match, play_all_legs, result_without_times
from tests.waiting import PATIENCE_SECONDS, wait_until

distributed = pytest.importorskip("distributed")
pytestmark = clusters.LEFT_OPEN
nothing_left = clusters.nothing_left


@pytest.fixture(autouse=True)
def long_time_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acesaround.workers.dask_client.PATIENCE", PATIENCE_SECONDS)
    monkeypatch.setattr("acesaround.arena.dask_executor._WORKER_WAIT_SECONDS", PATIENCE_SECONDS)


def executor_on(of: Match, address: str) -> Any:
    from acesaround.arena.dask_executor import DaskExecutor

    return DaskExecutor(of, address)


@pytest.fixture(scope="module")
def cluster(nothing_left: None) -> Iterator[Any]:
    """Yield a scheduler and two worker processes, which are restarted when they are killed."""
    with clusters.of_processes(2) as found:
        yield found


def test_cluster_gives_the_same_result(cluster: Any) -> None:
    of = match("random", "thumb", seed=2)
    progress = MatchProgress(of, 30)
    executor = executor_on(of, cluster.scheduler_address)
    try:
        play_match(executor, progress)
    finally:
        executor.close()
    assert result_without_times(of, progress) == result_without_times(of, play_all_legs(of, 30))


def test_legs_of_a_killed_worker_are_played_again(cluster: Any) -> None:
    of = match("thumb", "random", seed=3)
    progress = MatchProgress(of, 30)
    executor = executor_on(of, cluster.scheduler_address)
    killed: list[int] = []

    def kill_first_worker() -> None:
        if len(progress.boards) == 1 and not killed:
            worker = next(iter(cluster.workers.values()))
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    try:
        play_match(executor, progress, on_leg_done=kill_first_worker)
    finally:
        executor.close()
    assert killed
    assert result_without_times(of, progress) == result_without_times(of, play_all_legs(of, 30))


def test_finished_legs_of_a_killed_worker_are_played_again(cluster: Any) -> None:
    of = match("thumb", "random", seed=4)
    jobs = [(board, seating) for board in (0, 1) for seating in (0, 1)]
    executor = executor_on(of, cluster.scheduler_address)
    try:
        for job in jobs:
            executor.submit(job)
        futures = list(executor._legs)
        wait_until(
            lambda: {future.status for future in futures} == {"finished"}, "all legs are finished"
        )
        for worker in cluster.workers.values():
            os.kill(worker.pid, signal.SIGKILL)
        wait_until(lambda: "lost" in {future.status for future in futures}, "a leg is lost")
        legs = [executor.next_result() for _ in jobs]
    finally:
        executor.close()
    assert sorted((leg.board, leg.seating) for leg in legs) == jobs


def test_time_limit_applies_on_a_worker(cluster: Any) -> None:
    of = match("thumb", "random", limit_seconds=1e-9)  # steady: the limit is tested
    executor = executor_on(of, cluster.scheduler_address)
    try:
        executor.submit((0, 0))
        leg = executor.next_result()
    finally:
        executor.close()
    timed = sum(times.count for times in leg.bot_stats[0].times.values())
    assert leg.bot_stats[0].failures["late"].count >= timed > 0


def test_program_is_refused_on_a_cluster(cluster: Any) -> None:
    with pytest.raises(RulesError, match="program on this machine: it cannot play on a cluster"):
        executor_on(match("cmd:cat", "random"), cluster.scheduler_address)


def test_worker_of_other_version_is_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acesaround.arena.dask_executor.__version__", "0.0.1")
    executor = executor_on(match("thumb", "random"), cluster.scheduler_address)
    try:
        executor.submit((0, 0))
        with pytest.raises(RulesError, match=r"this machine 0\.0\.1: install the same"):
            executor.next_result()
    finally:
        executor.close()


@pytest.mark.parametrize("address", ["", "nowhere", "foo://x:1", "tcp://x", "tcp://127.0.0.1:x"])
def test_invalid_address_is_refused(address: str) -> None:
    with pytest.raises(RulesError, match="Expected the address of a Dask scheduler") as raised:
        executor_on(match("thumb", "random"), address)
    assert str(raised.value).count("Expected") == 1


def test_closed_port_is_refused() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # without listening
        address = f"tcp://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(RulesError, match=f"There is no cluster at '{address}'"):
            executor_on(match("thumb", "random"), address)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "it does not answer within 0.5 seconds"),
        (b"", "."),
        (b"HTTP/1.0 400 Bad Request\r\n\r\n", "it is not a Dask scheduler"),
    ],
)
def test_server_that_is_no_scheduler_is_refused(
    answer: bytes | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may not answer, close the connection, or use another protocol."""
    if answer is None:
        monkeypatch.setattr("acesaround.workers.dask_client.PATIENCE", 0.5)
    connections: list[socket.socket] = []

    def serve() -> None:
        with contextlib.suppress(OSError):  # it is closed at the end
            while True:  # steady: accept fails when the socket is shut below
                connection, _ = server.accept()
                connections.append(connection)
                if answer is not None:
                    connection.sendall(answer)
                    connection.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        with pytest.raises(RulesError, match=f"There is no cluster at '{address}': .*{why}"):
            executor_on(match("thumb", "random"), address)
        server.shutdown(socket.SHUT_RDWR)
    thread.join()
    for connection in connections:
        connection.close()


def test_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acesaround.arena.dask_executor._WORKER_WAIT_SECONDS", 0.2)
    with clusters.in_this_process(0) as empty, pytest.raises(RulesError, match="has no workers"):
        executor_on(match("thumb", "random"), empty.scheduler_address)


def test_executor_waits_for_workers_that_are_gone_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from acesaround.arena.dask_executor import DaskExecutor

    sentences: list[str] = []
    with clusters.in_this_process(1) as cluster:

        def add_worker(sentence: str) -> None:
            sentences.append(sentence)
            cluster.scale(1)

        executor = DaskExecutor(
            match("thumb", "random"), cluster.scheduler_address, on_stall=add_worker
        )
        monkeypatch.setattr("acesaround.arena.dask_executor._WORKER_WAIT_SECONDS", 0.1)
        try:
            cluster.scale(0)
            wait_until(lambda: not cluster.scheduler.workers, "the worker is gone")
            executor.submit((0, 0))
            assert executor.next_result().board == 0
        finally:
            executor.close()
    assert len(sentences) == 1
    assert "has lost all workers: the match waits for a new one" in sentences[0]


def test_lost_cluster_ends_the_match() -> None:
    of = match("thumb", "random")
    with clusters.in_this_process(1) as short_lived:
        executor = executor_on(of, short_lived.scheduler_address)
        executor.submit((0, 0))
        executor.next_result()
        executor._client._timeout = 0.1  # Dask tries to reconnect no longer
    try:
        with pytest.raises(RulesError, match=r"is lost\. You can continue a match with --out FILE"):
            play_match(executor, MatchProgress(of, 1000))
    finally:
        executor.close()
