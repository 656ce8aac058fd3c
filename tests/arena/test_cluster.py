"""A cluster on this machine: the same result, whatever becomes of a worker."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from acesaround.arena.ledger import Ledger
from acesaround.arena.match import Match
from acesaround.arena.playing import play
from acesaround.errors import RulesError
from tests.arena.helper import match, played, timeless

distributed = pytest.importorskip("distributed")
pytestmark = [
    # Its servers and sockets are collected whenever the collector comes by.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def cluster_of(of: Match, address: str) -> Any:
    from acesaround.arena.cluster import Cluster

    return Cluster(of, address)


def one_worker() -> Any:
    """A cluster within this process, for a test that takes its worker or all of it away."""
    return distributed.LocalCluster(
        n_workers=1,
        processes=False,
        protocol="tcp://",
        dashboard_address=":0",
        silence_logs=60,
    )


def until(so: Callable[[], bool]) -> None:
    """Wait for something; fails where it never comes, and does not hang."""
    for _ in range(6000):
        if so():
            return
        time.sleep(0.01)
    raise AssertionError("It never came.")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A scheduler and two worker processes, which are started again when they are killed."""
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
        silence_logs=60,
    ) as found:
        yield found


def test_a_cluster_comes_to_the_same_result(cluster: Any) -> None:
    of = match("random", "thumb", seed=2)
    ledger = Ledger(of, 30)
    crew = cluster_of(of, cluster.scheduler_address)
    try:
        play(crew, ledger)
    finally:
        crew.close()
    assert timeless(of, ledger) == timeless(of, played(of, 30))


def test_the_deals_of_a_worker_that_is_killed_are_played_again(cluster: Any) -> None:
    of = match("thumb", "random", seed=3)
    ledger = Ledger(of, 30)
    crew = cluster_of(of, cluster.scheduler_address)
    killed: list[int] = []

    def told() -> None:
        if len(ledger.boards) == 1 and not killed:
            worker = next(iter(cluster.workers.values()))
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    try:
        play(crew, ledger, told=told)
    finally:
        crew.close()
    assert killed
    assert timeless(of, ledger) == timeless(of, played(of, 30))


def test_deals_that_were_over_are_played_again_when_their_worker_is_killed_before_they_are_taken(
    cluster: Any,
) -> None:
    of = match("thumb", "random", seed=4)
    jobs = [(board, seating) for board in (0, 1) for seating in (0, 1)]
    crew = cluster_of(of, cluster.scheduler_address)
    try:
        for job in jobs:
            crew.give(job)
        futures = list(crew._legs)
        until(lambda: {future.status for future in futures} == {"finished"})
        for worker in cluster.workers.values():
            os.kill(worker.pid, signal.SIGKILL)
        until(lambda: "lost" in {future.status for future in futures})
        legs = [crew.take() for _ in jobs]
    finally:
        crew.close()
    assert sorted((leg.board, leg.seating) for leg in legs) == jobs


def test_a_limit_holds_in_the_threads_of_a_worker(cluster: Any) -> None:
    of = match("thumb", "random", limit=1e-9)
    crew = cluster_of(of, cluster.scheduler_address)
    try:
        crew.give((0, 0))
        leg = crew.take()
    finally:
        crew.close()
    timed = sum(clock.count for clock in leg.conduct[0].clocks.values())
    assert leg.conduct[0].faults["late"].count >= timed > 0


def test_a_program_of_this_machine_does_not_play_there(cluster: Any) -> None:
    with pytest.raises(RulesError, match="program of this machine and cannot play on a cluster"):
        cluster_of(match("cmd:cat", "random"), cluster.scheduler_address)


def test_a_worker_with_another_version_is_told_of(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("acesaround.arena.cluster.__version__", "0.0.1")
    crew = cluster_of(match("thumb", "random"), cluster.scheduler_address)
    try:
        crew.give((0, 0))
        with pytest.raises(RulesError, match=r"and here is 0\.0\.1: they must be the same"):
            crew.take()
    finally:
        crew.close()


@pytest.mark.parametrize("address", ["", "nowhere", "foo://x:1", "tcp://x", "tcp://127.0.0.1:x"])
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    began = time.monotonic()
    with pytest.raises(RulesError, match="Expected the address of a Dask scheduler"):
        cluster_of(match("thumb", "random"), address)
    assert time.monotonic() - began < 30  # that it ends at all


def test_a_cluster_that_does_not_answer_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acesaround.elsewhere.cluster.PATIENCE", 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(RulesError, match=f"There is no cluster at '{address}'"):
        cluster_of(match("thumb", "random"), address)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (None, "nothing there answers within 0.5 seconds"),
        (b"", "."),
        (b"HTTP/1.0 400 Bad Request\r\n\r\n", "what answers there is no scheduler"),
    ],
)
def test_something_else_at_that_address_is_told_of(
    said: bytes | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be silent, hang up, or speak another language."""
    monkeypatch.setattr("acesaround.elsewhere.cluster.PATIENCE", 0.5)
    connections: list[socket.socket] = []

    def serve() -> None:
        with contextlib.suppress(OSError):  # it is closed at the end
            while True:
                connection, _ = other.accept()
                connections.append(connection)
                if said is not None:
                    connection.sendall(said)
                    connection.close()

    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        with pytest.raises(RulesError, match=f"There is no cluster at '{address}': .*{why}"):
            cluster_of(match("thumb", "random"), address)
        other.shutdown(socket.SHUT_RDWR)
    thread.join()
    for connection in connections:
        connection.close()


def test_a_cluster_without_workers_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acesaround.arena.cluster._PATIENCE", 2.0)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=60) as empty,
        pytest.raises(RulesError, match="has no workers"),
    ):
        cluster_of(match("thumb", "random"), empty.scheduler_address)


def test_a_cluster_whose_workers_are_gone_is_waited_for_and_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from acesaround.arena.cluster import Cluster

    said: list[str] = []
    with one_worker() as shrunk:

        def told(sentence: str) -> None:
            said.append(sentence)
            shrunk.scale(1)

        crew = Cluster(match("thumb", "random"), shrunk.scheduler_address, told=told)
        monkeypatch.setattr("acesaround.arena.cluster._PATIENCE", 0.5)
        try:
            shrunk.scale(0)
            until(lambda: not shrunk.scheduler.workers)
            crew.give((0, 0))
            assert crew.take().board == 0
        finally:
            crew.close()
    assert len(said) == 1
    assert "has no workers any more: the match waits for a new one" in said[0]


def test_a_cluster_that_goes_away_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acesaround.arena.cluster._PATIENCE", 1.0)
    of = match("thumb", "random")
    with one_worker() as short_lived:
        crew = cluster_of(of, short_lived.scheduler_address)
        crew.give((0, 0))
        crew.take()
    try:
        with pytest.raises(RulesError, match=r"is lost\. A match with --out FILE goes on"):
            play(crew, Ledger(of, 1000))
    finally:
        crew.close()
