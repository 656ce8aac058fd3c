"""A cluster on this machine: the same result, whatever becomes of a worker."""

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
from acesaround.arena.results_ledger import Ledger
from acesaround.arena.run_match import play_match
from acesaround.errors import RulesError
from tests import clusters
from tests.arena.fixtures import match, played, timeless
from tests.waiting import PATIENCE_SECONDS, wait_until

distributed = pytest.importorskip("distributed")
pytestmark = clusters.LEFT_OPEN
nothing_left = clusters.nothing_left


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is there has time enough to answer."""
    monkeypatch.setattr("acesaround.workers.dask_client.PATIENCE", PATIENCE_SECONDS)
    monkeypatch.setattr("acesaround.arena.dask_executor._WORKER_WAIT_SECONDS", PATIENCE_SECONDS)


def cluster_of(of: Match, address: str) -> Any:
    from acesaround.arena.dask_executor import DaskExecutor

    return DaskExecutor(of, address)


@pytest.fixture(scope="module")
def cluster(nothing_left: None) -> Iterator[Any]:
    """A scheduler and two worker processes, which are started again when they are killed."""
    with clusters.of_processes(2) as found:
        yield found


def test_a_cluster_comes_to_the_same_result(cluster: Any) -> None:
    of = match("random", "thumb", seed=2)
    ledger = Ledger(of, 30)
    crew = cluster_of(of, cluster.scheduler_address)
    try:
        play_match(crew, ledger)
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
        play_match(crew, ledger, on_leg_done=told)
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
            crew.submit(job)
        futures = list(crew._legs)
        wait_until(lambda: {future.status for future in futures} == {"finished"}, "all are over")
        for worker in cluster.workers.values():
            os.kill(worker.pid, signal.SIGKILL)
        wait_until(lambda: "lost" in {future.status for future in futures}, "one is lost")
        legs = [crew.next_result() for _ in jobs]
    finally:
        crew.close()
    assert sorted((leg.board, leg.seating) for leg in legs) == jobs


def test_a_limit_holds_on_a_worker(cluster: Any) -> None:
    of = match("thumb", "random", limit=1e-9)
    crew = cluster_of(of, cluster.scheduler_address)
    try:
        crew.submit((0, 0))
        leg = crew.next_result()
    finally:
        crew.close()
    timed = sum(clock.count for clock in leg.conduct[0].clocks.values())
    assert leg.conduct[0].faults["late"].count >= timed > 0


def test_a_program_of_this_machine_does_not_play_there(cluster: Any) -> None:
    with pytest.raises(RulesError, match="program on this machine: it cannot play on a cluster"):
        cluster_of(match("cmd:cat", "random"), cluster.scheduler_address)


def test_a_worker_with_another_version_is_told_of(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("acesaround.arena.dask_executor.__version__", "0.0.1")
    crew = cluster_of(match("thumb", "random"), cluster.scheduler_address)
    try:
        crew.submit((0, 0))
        with pytest.raises(RulesError, match=r"this machine 0\.0\.1: install the same"):
            crew.next_result()
    finally:
        crew.close()


@pytest.mark.parametrize("address", ["", "nowhere", "foo://x:1", "tcp://x", "tcp://127.0.0.1:x"])
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    with pytest.raises(RulesError, match="Expected the address of a Dask scheduler") as raised:
        cluster_of(match("thumb", "random"), address)
    assert str(raised.value).count("Expected") == 1


def test_a_cluster_that_does_not_answer_is_told_of() -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))  # and nobody listens
        address = f"tcp://127.0.0.1:{deaf.getsockname()[1]}"
        with pytest.raises(RulesError, match=f"There is no cluster at '{address}'"):
            cluster_of(match("thumb", "random"), address)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (None, "it does not answer within 0.5 seconds"),
        (b"", "."),
        (b"HTTP/1.0 400 Bad Request\r\n\r\n", "it is not a Dask scheduler"),
    ],
)
def test_something_else_at_that_address_is_told_of(
    said: bytes | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be silent, hang up, or speak another language."""
    if said is None:
        monkeypatch.setattr("acesaround.workers.dask_client.PATIENCE", 0.5)
    connections: list[socket.socket] = []

    def serve() -> None:
        with contextlib.suppress(OSError):  # it is closed at the end
            while True:  # steady: accept fails when the socket is shut below
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
    monkeypatch.setattr("acesaround.arena.dask_executor._WORKER_WAIT_SECONDS", 0.2)
    with (
        clusters.in_this_process(0) as empty,
        pytest.raises(RulesError, match="has no workers"),
    ):
        cluster_of(match("thumb", "random"), empty.scheduler_address)


def test_a_cluster_whose_workers_are_gone_is_waited_for_and_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from acesaround.arena.dask_executor import DaskExecutor

    said: list[str] = []
    with clusters.in_this_process(1) as shrunk:

        def told(sentence: str) -> None:
            said.append(sentence)
            shrunk.scale(1)

        crew = DaskExecutor(match("thumb", "random"), shrunk.scheduler_address, on_stall=told)
        monkeypatch.setattr("acesaround.arena.dask_executor._WORKER_WAIT_SECONDS", 0.1)
        try:
            shrunk.scale(0)
            wait_until(lambda: not shrunk.scheduler.workers, "the worker is gone")
            crew.submit((0, 0))
            assert crew.next_result().board == 0
        finally:
            crew.close()
    assert len(said) == 1
    assert "has lost all workers: the match waits for a new one" in said[0]


def test_a_cluster_that_goes_away_ends_the_match() -> None:
    of = match("thumb", "random")
    with clusters.in_this_process(1) as short_lived:
        crew = cluster_of(of, short_lived.scheduler_address)
        crew.submit((0, 0))
        crew.next_result()
        crew._client._timeout = 0.1  # Dask looks for what is gone no longer than that
    try:
        with pytest.raises(RulesError, match=r"is lost\. You can continue a match with --out FILE"):
            play_match(crew, Ledger(of, 1000))
    finally:
        crew.close()
