"""Servers killed or terminated in mid-game: acknowledged actions are stored, and play goes on."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import deque
from collections.abc import Coroutine
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from time import monotonic

import msgspec
import pytest

from acesaround.record.model import decode
from acesaround.record.replay import verify
from acesaround.store import Store
from acesaround.variants import VARIANTS
from tests.multiprocess.client import Message, Player
from tests.multiprocess.log_check import Log
from tests.multiprocess.server import Server
from tests.postgres import Postgres
from tests.referee import replay as referee

CONCURRENT_GAMES = 8
"""The number of games at the same time."""
FEW_GAMES, MANY_GAMES = 6, 200
MAX_STATES_OF_LIFE = 90
"""The most states that all players see between the ends of two servers."""
_KILL_SHARE = 0.75  # the rest is terminated


class Tally(msgspec.Struct):
    games: int = 0
    kills: int = 0
    stops: int = 0
    shown: int = 0
    actions: int = 0
    states: int = 0
    connections: int = 0
    refused: int = 0

    def line(self, seconds: float) -> str:
        return (
            f"{self.games} games finished and verified, {self.kills} SIGKILLs and {self.stops}"
            " SIGTERMs,"
            f" {self.connections} connections, {self.actions} acknowledged actions of persons and"
            f" {self.states} states shown, all in the log; {self.refused} refused;"
            f" {seconds:.0f} s"
        )


class CountingPlayer(Player):
    """A player that counts the states that all players together have seen."""

    def __init__(self, name: str, ports: list[int], tally: Tally) -> None:
        super().__init__(name, ports)
        self._tally = tally

    def saw(self, state: Message) -> None:
        super().saw(state)
        self._tally.shown += 1


async def play_one(
    number: int, servers: list[Server], people: int, store: Store, tally: Tally
) -> None:
    """Play a game to its end, and check its record and log."""
    rng = random.Random(number)
    ports = deque(server.port for server in servers)
    ports.rotate(number)
    players = []
    for place in range(people):
        players.append(CountingPlayer(f"Player {number}.{place}", list(ports), tally))
        ports.rotate()  # with several servers, the next player begins at another
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
    assert verify(decode(written)) == []
    assert referee.check(json.loads(written)) == []
    assert json.loads(written)["winner"] is not None
    log = Log(await store.entries(table_id))
    for player in players:
        tally.actions += log.check_player(player)
        tally.states += len(player.seen)
        tally.connections += player.connections
        tally.refused += sum(player.refused.values())
    tally.games += 1


async def play_games(
    number: int, servers: list[Server], people: int, url: str, tally: Tally
) -> None:
    """Play `number` games, some at the same time."""
    left = iter(range(number))
    store = await Store.open(url)

    async def play_on() -> None:
        for game in left:
            await play_one(game, servers, people, store, tally)

    try:
        async with asyncio.TaskGroup() as together:
            for _ in range(min(CONCURRENT_GAMES, number)):
                together.create_task(play_on())
    finally:
        await store.close()


async def end_servers_in_turn(
    servers: list[Server], playing: Coroutine[None, None, None], tally: Tally, rng: random.Random
) -> None:
    """Play while the servers end in turn, each after a number of states, and are restarted.

    Lifetimes are counted in states, so that a slow machine ends no more servers than a fast one,
    and the games progress in each.
    """
    done = asyncio.create_task(playing)
    for server in cycle(servers):
        until = tally.shown + rng.randint(1, MAX_STATES_OF_LIFE)
        while not done.done() and tally.shown < until:  # steady: the games have their own limits
            await asyncio.sleep(0.001)
        if done.done():
            break
        if rng.random() < _KILL_SHARE:
            await asyncio.to_thread(server.kill)
            tally.kills += 1
        else:
            await asyncio.to_thread(server.stop)
            tally.stops += 1
        await asyncio.to_thread(server.start)
    await done


def run(number: int, urls: list[str], people: int, folder: Path, rng: random.Random) -> Tally:
    """Play games on servers that end again and again, all on one database."""
    tally, began = Tally(), monotonic()
    with ExitStack() as ending:
        servers = [Server(url, folder / f"log{place}") for place, url in enumerate(urls)]
        for server in servers:
            server.start()
            ending.callback(server.kill)
        asyncio.run(
            end_servers_in_turn(
                servers, play_games(number, servers, people, urls[0], tally), tally, rng
            )
        )
    where = urls[0].partition(":")[0]
    sys.stdout.write(f"\n{len(urls)} process(es), {where}: {tally.line(monotonic() - began)}\n")
    return tally


def lite(folder: Path) -> list[str]:
    return [f"sqlite:///{folder / 'tables.sqlite'}"]


def test_kills_lose_nothing_that_was_acknowledged(tmp_path: Path, chance: random.Random) -> None:
    tally = run(FEW_GAMES, lite(tmp_path), 1, tmp_path, chance)
    assert tally.games == FEW_GAMES
    assert tally.kills > 0


@pytest.mark.soak
def test_kills_during_many_games(
    tmp_path: Path, chance: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        assert run(MANY_GAMES, lite(tmp_path), 1, tmp_path, chance).games == MANY_GAMES


@pytest.mark.soak
@pytest.mark.parametrize("servers", [2, 3])
def test_servers_that_end_in_turn_during_many_games(
    servers: int,
    tmp_path: Path,
    postgres: Postgres,
    chance: random.Random,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with capsys.disabled():
        assert run(MANY_GAMES, [postgres.url()] * servers, 2, tmp_path, chance).games == MANY_GAMES
