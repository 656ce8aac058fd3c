"""Servers killed with SIGKILL in mid-game: what was acknowledged is there, and play goes on."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import msgspec
import pytest

from acesaround.record.model import decode
from acesaround.record.replay import faults
from acesaround.store import Store
from acesaround.variants import VARIANTS
from tests.postgres import Postgres
from tests.processes.player import Player
from tests.processes.server import Server
from tests.processes.witness import Log
from tests.referee import replay as referee

AT_ONCE = 8
"""Games that are played at the same time."""
FEW, MORE, MANY = 7, 28, 200


class Tally(msgspec.Struct):
    """What a run came to."""

    games: int = 0
    kills: int = 0
    actions: int = 0
    states: int = 0
    connections: int = 0
    refused: int = 0

    def line(self, seconds: float) -> str:
        return (
            f"{self.games} games finished and verified, {self.kills} kills,"
            f" {self.connections} connections, {self.actions} acknowledged actions of persons and"
            f" {self.states} states shown, all in the log; {self.refused} refused;"
            f" {seconds:.0f} s"
        )


async def one_game(
    number: int, servers: list[Server], people: int, store: Store, tally: Tally
) -> None:
    """A game to its end, then everything that is to be true of it."""
    rng = random.Random(number)
    ports = deque(server.port for server in servers)
    ports.rotate(number)
    players = []
    for place in range(people):
        players.append(Player(f"Player {number}.{place}", list(ports)))
        ports.rotate()  # where there are several servers, the next person begins at another
    host = players[0]
    for player in players:
        await player.enter()
    variant = list(VARIANTS)[number % len(VARIANTS)]
    table_id = await host.open_table(variant=variant, options={"hands": rng.choice([1, 1, 2])})
    waits = None if people == 1 else 1
    async with asyncio.TaskGroup() as together:
        for seat, player in enumerate(players):
            together.create_task(player.play(table_id, seat, waits))
    written = await host.get(f"/api/tables/{table_id}/record.json")
    assert faults(decode(written)) == []
    assert referee.check(json.loads(written)) == []
    assert json.loads(written)["winner"] is not None
    log = Log(await store.entries(table_id))
    for player in players:
        tally.actions += log.holds(player)
        tally.states += len(player.seen)
        tally.connections += player.connections
        tally.refused += sum(player.refused.values())
    tally.games += 1


async def games(number: int, servers: list[Server], people: int, url: str, tally: Tally) -> None:
    """That many games, some at the same time."""
    left = iter(range(number))
    store = await Store.open(url)

    async def play_on() -> None:
        for game in left:
            await one_game(game, servers, people, store, tally)

    try:
        async with asyncio.TaskGroup() as together:
            for _ in range(min(AT_ONCE, number)):
                together.create_task(play_on())
    finally:
        await store.close()


async def killed(
    servers: list[Server], playing: Callable[[], Awaitable[None]], tally: Tally, rng: random.Random
) -> None:
    """Play while the servers are killed in turn at random moments and started again."""
    done = asyncio.create_task(_as_coroutine(playing))
    while True:
        for server in servers:
            await asyncio.wait([done], timeout=rng.uniform(0.05, 1.0))
            if done.done() and tally.kills:
                return await done
            await asyncio.to_thread(server.kill)
            tally.kills += 1
            await asyncio.to_thread(server.start)


async def _as_coroutine(playing: Callable[[], Awaitable[None]]) -> None:
    await playing()


def run(number: int, urls: list[str], people: int, folder: Path, seed: int) -> Tally:
    """Games on servers that are killed; the servers are all on one database."""
    tally, began = Tally(), monotonic()
    with ExitStack() as ending:
        servers = [Server(url, folder / f"log{place}") for place, url in enumerate(urls)]
        for server in servers:
            server.start()
            ending.callback(server.kill)
        asyncio.run(
            killed(
                servers,
                lambda: games(number, servers, people, urls[0], tally),
                tally,
                random.Random(seed),
            )
        )
    where = urls[0].partition(":")[0]
    sys.stdout.write(f"\n{len(urls)} process(es), {where}: {tally.line(monotonic() - began)}\n")
    return tally


def lite(folder: Path) -> list[str]:
    return [f"sqlite:///{folder / 'tables.sqlite'}"]


def test_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    assert run(FEW, lite(tmp_path), 1, tmp_path, 1).games == FEW


def test_two_processes_on_postgresql_killed_in_turn_lose_nothing(
    tmp_path: Path, postgres: Postgres
) -> None:
    assert run(MORE, [postgres.url()] * 2, 2, tmp_path, 2).games == MORE


def test_three_processes_on_postgresql_killed_in_turn_lose_nothing(
    tmp_path: Path, postgres: Postgres
) -> None:
    assert run(MORE, [postgres.url()] * 3, 2, tmp_path, 5).games == MORE


@pytest.mark.soak
def test_kills_during_many_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        assert run(MANY, lite(tmp_path), 1, tmp_path, 3).games == MANY


@pytest.mark.soak
def test_two_processes_killed_in_turn_during_many_games(
    tmp_path: Path, postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        assert run(MANY, [postgres.url()] * 2, 2, tmp_path, 4).games == MANY


@pytest.mark.soak
def test_three_processes_killed_in_turn_during_many_games(
    tmp_path: Path, postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        assert run(MANY, [postgres.url()] * 3, 2, tmp_path, 6).games == MANY
