"""Two servers behind nginx and behind Caddy, as configured in `deploy/`."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from typing import Any, NamedTuple

import pytest

import websocket_client as wire
from acesaround.record.model import decode
from acesaround.record.replay import verify
from acesaround.server.observability.logging import token_pseudonym
from acesaround.store import Store
from tests.deploy.proxies import proxy
from tests.multiprocess.client import Player
from tests.multiprocess.log_check import Log
from tests.multiprocess.server import Server
from tests.ports import free_port
from tests.postgres import Postgres
from tests.waiting import wait_until_async


class ProxiedServers(NamedTuple):
    """Servers on one database, and the port of their proxy."""

    url: str
    servers: list[Server]
    port: int

    @property
    def logs(self) -> list[str]:
        return [server.log.read_text() for server in self.servers]


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxied(
    request: pytest.FixtureRequest, postgres: Postgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ProxiedServers]:
    """Yield a proxy and two servers, which tests must leave running."""
    url, port, folder = postgres.url(), free_port(), tmp_path_factory.mktemp("proxied")
    public = f"http://127.0.0.1:{port}"
    servers = [
        Server(
            url, folder / f"log{n}", trusted_proxies="127.0.0.1", public_url=public, access_log=True
        )
        for n in range(2)
    ]
    ports = [server.port for server in servers]
    with ExitStack() as ending:
        ending.enter_context(proxy(request.param, folder / "proxy", port, ports))
        for server in servers:
            ending.callback(server.kill)
            server.start()
        yield ProxiedServers(url, servers, port)


class TroubleCountingPlayer(Player):
    """A player that notes each lost connection: after how many connections, and why."""

    def __init__(self, name: str, ports: list[int]) -> None:
        super().__init__(name, ports)
        self.trouble: list[tuple[int, str]] = []

    async def _switch_server(self, why: str) -> None:
        self.trouble.append((self.connections, why))
        await super()._switch_server(why)


async def view_table(proxied: ProxiedServers, player: Player, token: str) -> dict[str, Any]:
    """Open a table by a link, leave again, and return the state shown."""
    texts: list[bytes] = []
    socket = await wire.open_socket(proxied.port, f"/ws/{token}", texts.append, player.cookie)
    await wait_until_async(lambda: texts, "the table is shown")
    socket.close()
    await socket.closed
    shown: dict[str, Any] = json.loads(texts[0])
    return shown


async def test_all_links_of_a_table_lead_to_the_same_server(proxied: ProxiedServers) -> None:
    ann = Player("Ann", [proxied.port])
    await ann.enter()
    wanted: list[list[str]] = []  # of each table, what the log of one server has to say

    def served(line: str) -> list[bool]:
        return [line in log for log in proxied.logs]

    for number in count():  # until each server has had a table
        play = await ann.open_table(variant="partnership")
        state = await view_table(proxied, ann, play)
        links = state["table"]["links"]
        watch, replay = (links[kind].rpartition("/")[2] for kind in ("watch", "replay"))
        await view_table(proxied, ann, watch)
        for token in (play, replay):
            answer = await wire.ask(proxied.port, f"/api/tables/{token}/games", cookie=ann.cookie)
            assert answer.status == 200
        opened = [f" opened /ws/{token_pseudonym(token)} " for token in (play, watch)]
        listed = [f" GET /api/tables/{token_pseudonym(token)}/games " for token in (play, replay)]
        wanted.append([*opened, *listed])
        # A line is written when an answer is sent, or a little later.
        await wait_until_async(lambda: all(any(served(line)) for line in wanted[-1]), "log lines")
        served_by = [served(opened) for opened, *_ in wanted]
        if (
            number >= 3
            and any(flags[0] for flags in served_by)
            and any(flags[1] for flags in served_by)
        ):
            break
        assert number < 100
    for lines in wanted:
        places = [served(line) for line in lines]
        assert all(place == places[0] and sum(place) == 1 for place in places), (lines, places)


async def test_proxy_adds_request_ids_and_blocks_metrics(proxied: ProxiedServers) -> None:
    answer = await wire.ask(proxied.port, "/api/me")
    named = answer.headers["x-request-id"]
    assert len(named) in (32, 36)  # made by the proxy; ours have 16
    await wait_until_async(lambda: any(f"[{named}]" in log for log in proxied.logs), "its line")
    assert (await wire.ask(proxied.port, "/metrics")).status == 403


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGKILL])
async def test_game_loses_nothing_when_servers_end_in_turn(
    signal_number: signal.Signals, proxied: ProxiedServers
) -> None:
    ann, bob = (TroubleCountingPlayer(name, [proxied.port]) for name in ("Ann", "Bob"))
    for player in (ann, bob):
        await player.enter()
    table = await ann.open_table(variant="partnership", options={"target": 1000000})

    async def wait_for_states() -> None:
        seen = len(ann.seen)
        await wait_until_async(lambda: len(ann.seen) >= seen + 30, "they play on")

    async def end_servers() -> None:
        for server in proxied.servers:
            await wait_for_states()
            before = ann.connections, bob.connections
            await asyncio.to_thread(server.stop, signal_number)
            await wait_for_states()  # with one server
            assert ann.connections - before[0] <= 1, ann.trouble
            assert bob.connections - before[1] <= 1, bob.trouble
            await asyncio.to_thread(server.start)
        await wait_for_states()

    playing = [
        asyncio.create_task(player.play(table, place, waits))
        for player, place, waits in ((ann, 0, 2), (bob, 2, None))
    ]
    try:
        await end_servers()
    finally:
        for task in playing:
            task.cancel()
        await asyncio.wait(playing)
    assert ann.connections > 1
    for player in (ann, bob):  # every lost connection was replaced at the first try
        lost = [connections for connections, _ in player.trouble]
        assert len(lost) == len(set(lost)), player.trouble
    assert verify(decode(await ann.get(f"/api/tables/{table}/record.json"))) == []
    store = await Store.open(proxied.url)
    try:
        log = Log(await store.entries(table))
    finally:
        await store.close()
    assert log.check_player(ann) > 5
    assert log.check_player(bob) > 5
