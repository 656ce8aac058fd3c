"""Several processes that serve the same tables: by `--workers`, and side by side."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from acesaround.record.model import decode
from acesaround.record.replay import faults
from tests.postgres import Postgres
from tests.processes.player import Message, Player
from tests.processes.server import Server


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.url()


@pytest.fixture
def two(url: str, tmp_path: Path) -> Iterator[list[Server]]:
    """Two servers on one database."""
    servers = [Server(url, tmp_path / f"log{place}") for place in range(2)]
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        server.kill()


@pytest.fixture
def workers(url: str, tmp_path: Path) -> Iterator[Server]:
    """One server with two workers."""
    server = Server(url, tmp_path / "log", workers=2)
    server.start()
    yield server
    server.kill()
    for worker in children(server):
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)


def children(server: Server) -> list[int]:
    """The workers of a server, by what /proc says; not the helper that multiprocessing keeps."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == server.process.pid and fields[0] != "Z":
                line = (stat.parent / "cmdline").read_bytes()
                if b"spawn_main" in line:
                    found.append(int(stat.parent.name))
    return sorted(found)


def until(true: object, seconds: float = 30.0) -> None:
    """Wait until something holds; fail after a long while."""
    assert callable(true)
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)


async def guest(name: str, *ports: int) -> Player:
    player = Player(name, list(ports))
    await player.enter()
    return player


async def test_two_people_at_two_servers_play_a_whole_game(two: list[Server]) -> None:
    ann = await guest("Ann", two[0].port)
    bob = await guest("Bob", two[1].port)
    table = await ann.open_table(variant="partnership", options={"hands": 2})
    async with asyncio.timeout(120), asyncio.TaskGroup() as together:
        together.create_task(ann.play(table, 0, waits=2))
        together.create_task(bob.play(table, 2))
    assert ann.seen[-1]["view"]["winner"] == bob.seen[-1]["view"]["winner"] is not None
    assert ann.connections == bob.connections == 1
    record = await bob.get(f"/api/tables/{table}/record.json")
    assert record == await ann.get(f"/api/tables/{table}/record.json")
    assert faults(decode(record)) == []
    for player in (ann, bob):  # each saw every entry since the table was full, in order
        seqs = list(dict.fromkeys(state["seq"] for state in player.seen))
        assert seqs == list(range(seqs[0], seqs[-1] + 1))
    # Who is there is told beside the log: perhaps a little later, and he may leave before her.
    there = [state["table"]["seats"][2]["present"] for state in ann.seen]
    assert there[len(there) // 2]


async def test_who_is_connected_to_a_server_that_dies_is_soon_seen_as_gone(
    two: list[Server],
) -> None:
    ann = await guest("Ann", two[0].port)
    bob = await guest("Bob", two[1].port)
    table = await ann.open_table(variant="partnership")

    def where(player: Player, server: Server) -> connect:
        address = f"ws://127.0.0.1:{server.port}/ws/{table}"
        return connect(address, additional_headers={"cookie": player.cookie}, proxy=None)

    async def shows(socket: object, present: bool) -> None:
        async for text in socket:  # type: ignore[attr-defined]
            state: Message = json.loads(text)
            if state["table"]["seats"][1]["present"] is present:
                return

    async with asyncio.timeout(60), where(ann, two[0]) as hers:
        async with where(bob, two[1]) as his:
            await his.send('{"type":"sit","seat":1}')
            await shows(hers, True)
            [line] = json.loads(await bob.get("/api/mine"))
            assert line["present"] == 2
        await shows(hers, False)  # he went
        async with where(bob, two[1]):
            await shows(hers, True)
            await asyncio.to_thread(two[1].kill)
            await shows(hers, False)
        await asyncio.to_thread(two[1].start)
        async with where(bob, two[1]):
            await shows(hers, True)


async def test_each_process_tells_the_figures_of_all(two: list[Server]) -> None:
    ann = await guest("Ann", two[0].port)
    bob = await guest("Bob", two[1].port)
    table = await ann.open_table(variant="partnership", options={"hands": 1})
    async with asyncio.timeout(120):
        async with asyncio.TaskGroup() as together:
            together.create_task(ann.play(table, 0, waits=2))
            together.create_task(bob.play(table, 2))
        entries = ann.seen[-1]["seq"] - 4  # the first four came with the table
        for player in (ann, bob):
            wanted = (b"acesaround_processes 2\n", b"acesaround_entries_total %d\n" % entries)
            told = b""
            while not all(line in told for line in wanted):
                await asyncio.sleep(0.1)
                told = await player.get("/metrics")


async def test_a_process_whose_listening_was_cut_off_hears_again(
    two: list[Server], url: str, postgres: Postgres
) -> None:
    ann = await guest("Ann", two[0].port)
    bob = await guest("Bob", two[1].port)
    table = await ann.open_table(variant="partnership", options={"hands": 1})

    async def cut() -> None:
        """Every connection of both servers is closed, again and again."""
        for _ in range(5):
            await asyncio.sleep(0.15)
            await asyncio.to_thread(
                postgres.sql,
                url,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )

    async with asyncio.timeout(120), asyncio.TaskGroup() as together:
        together.create_task(cut())
        together.create_task(ann.play(table, 0, waits=2))
        together.create_task(bob.play(table, 2))
    assert ann.seen[-1]["view"]["winner"] == bob.seen[-1]["view"]["winner"] is not None


async def until_or_for(condition: Callable[[], bool], seconds: float) -> None:
    """Wait until it holds, but no longer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.01)


async def test_play_goes_on_when_postgresql_returns(two: list[Server], postgres: Postgres) -> None:
    ann = await guest("Ann", two[0].port)
    bob = await guest("Bob", two[1].port)
    table = await ann.open_table(variant="two-handed", options={"hands": 9})

    def refused() -> bool:
        return bool(ann.refused or bob.refused)

    async def restart() -> None:
        while len(ann.seen) < 10:
            await asyncio.sleep(0.01)
        while not refused():
            assert not ann.seen[-1]["table"]["over"]
            await asyncio.to_thread(postgres.stop)
            try:
                # Where an action was saved and the other server not told of it any more, nobody
                # acts until PostgreSQL returns: then it is stopped once more.
                await until_or_for(refused, 3)
            finally:
                await asyncio.to_thread(postgres.start)
            before = len(ann.seen)
            await until_or_for(lambda: refused() or len(ann.seen) > before + 5, 5)  # noqa: B023

    async with asyncio.timeout(120), asyncio.TaskGroup() as together:
        together.create_task(restart())
        together.create_task(ann.play(table, 0, waits=1))
        together.create_task(bob.play(table, 1))
    reasons = ann.refused.keys() | bob.refused.keys()
    assert "unsaved" in reasons
    assert reasons <= {"unsaved", "stale"}  # stale: what could not be acknowledged, but was saved
    assert ann.connections == bob.connections == 1
    record = decode(await bob.get(f"/api/tables/{table}/record.json"))
    assert record.winner is not None
    assert faults(record) == []


async def test_workers_share_an_address_and_a_dead_one_is_replaced(workers: Server) -> None:
    before = children(workers)
    assert len(before) == 2
    assert workers.log.read_text().count("the table is open") == 1
    people = [await guest(f"Player {number}", workers.port) for number in range(2)]
    table = await people[0].open_table(variant="partnership", options={"hands": 1})
    async with asyncio.timeout(120), asyncio.TaskGroup() as together:
        together.create_task(people[0].play(table, 0, waits=2))
        together.create_task(people[1].play(table, 2))
    os.kill(before[0], signal.SIGKILL)
    until(lambda: len(set(children(workers)) - {before[0]}) == 2)
    assert before[1] in children(workers)
    until(workers.answers)


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_workers_end_when_told(workers: Server, told: signal.Signals) -> None:
    mine = children(workers)
    assert workers.stop(told) == 0
    assert not any(Path(f"/proc/{worker}").exists() for worker in mine)
    assert "Traceback" not in workers.log.read_text()


def test_workers_do_not_outlive_the_process_that_started_them(workers: Server) -> None:
    mine = children(workers)
    workers.kill()
    until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in mine))
    workers.start()  # the address is free


def test_whoever_comes_while_workers_end_is_refused_at_once(workers: Server) -> None:
    """A proxy then asks another server; it would wait for nobody as long as they end."""
    with socket.create_connection(("127.0.0.1", workers.port)) as slow:
        slow.sendall(b"POST /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
        time.sleep(0.5)  # until somebody waits for the rest, for seconds
        workers.process.send_signal(signal.SIGTERM)

        def refused() -> bool:
            with socket.socket() as asking:
                return asking.connect_ex(("127.0.0.1", workers.port)) != 0

        until(refused)
        assert children(workers)
