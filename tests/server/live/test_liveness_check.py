"""The person on turn is asked for an answer, and the others read that none comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from acesaround.server.settings import ANSWER_SECONDS, PING_SECONDS
from acesaround.server.table_client import CONNECTION_EXTENSION
from tests.server.clock import get_clock
from tests.server.http_client import (
    Message,
    Seat,
    create_table,
    make_app,
    open_clients,
    open_seat,
    set_name,
)

STEP_SECONDS = 0.5
SILENT_SECONDS = PING_SECONDS + ANSWER_SECONDS + 2
"""Seconds after which a frozen connection is certainly noticed."""


class FakeConnection:
    """The connection of a test client. `is_frozen`: pings get no answer."""

    def __init__(self) -> None:
        self.ping_count = 0
        self.is_frozen = False
        self.is_being_read = True
        self.on_received: Callable[[], None] = lambda: None

    def send_ping(self) -> None:
        self.ping_count += 1
        if not self.is_frozen:
            asyncio.get_running_loop().call_soon(self.on_received)


class GiveConnections:
    """Gives each WebSocket a `FakeConnection`, as the server's protocol gives it its own."""

    def __init__(self, app: ASGIApp, made: list[FakeConnection]) -> None:
        self.app, self.made = app, made

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            self.made.append(FakeConnection())
            scope["extensions"][CONNECTION_EXTENSION] = self.made[-1]
        await self.app(scope, receive, send)


class Table:
    """A game of Ann and Bob. `awaited`: the one on turn; `waiting`: the other."""

    def __init__(
        self,
        table_id: str,
        clients: list[TestClient],
        seats: list[Seat],
        connections: list[FakeConnection],
    ) -> None:
        self.id = table_id
        self.clock = get_clock(seats[0].socket)
        while not any(seat.state["decision"] for seat in seats):
            min(seats, key=lambda seat: seat.state["seq"]).receive()
        turn = next(n for n, seat in enumerate(seats) if seat.state["decision"])
        self.awaited, self.waiting = seats[turn], seats[1 - turn]
        self.connection, self.other_connection = connections[turn], connections[1 - turn]
        self.awaited_client = clients[turn]
        self.number: int = self.awaited.state["table"]["you"]

    def pass_seconds(self, seconds: float) -> None:
        """Advance the clock in small steps, so that each ping can be answered."""
        for _ in range(round(seconds / STEP_SECONDS)):
            self.clock.advance(STEP_SECONDS)
            self.waiting.send(type="ping")
            self.waiting.read_until(lambda m: m["type"] == "pong")

    def is_silent(self) -> bool:
        """Return whether the other person is shown the person on turn as silent."""
        return bool(self.waiting.state["table"]["seats"][self.number]["silent"])

    def read_until_silent(self, *, is_silent: bool) -> None:
        self.waiting.read_until(lambda m: m["type"] == "state" and self.is_silent() is is_silent)


@contextmanager
def open_table(folder: Path, *, bob_sits: bool = True, **changes: Any) -> Iterator[Table]:
    """Yield a begun game of Ann, with Bob in seat 2 or watching."""
    made: list[FakeConnection] = []
    server = make_app(folder, **changes)
    server.add_middleware(GiveConnections, made=made)
    with open_clients(server, 2) as [one, other]:
        opened = create_table(set_name(one, "Ann"))
        set_name(other, "Bob")
        with open_seat(one, opened) as host, open_seat(other, opened) as guest:
            if bob_sits:
                guest.send(type="sit", seat=2)
                host.read_until(lambda m: m["table"]["seats"][2]["person"])
            host.send(type="start")
            yield Table(opened, [one, other], [host, guest], made)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with open_table(tmp_path) as opened:
        yield opened


def read_guidance(message: Message) -> str:
    """Return the short sentence, with seats as numbers."""
    return "".join(map(str, message["guidance"]["short"]))


def test_others_read_that_the_person_on_turn_does_not_answer(table: Table) -> None:
    assert read_guidance(table.waiting.state).startswith(f"Waiting for {table.number} to")
    table.connection.is_frozen = True
    table.pass_seconds(SILENT_SECONDS)
    assert table.is_silent()
    assert table.waiting.state["table"]["seats"][table.number]["present"]
    assert read_guidance(table.waiting.state) == (
        f"The connection of {table.number} does not answer"
    )


def test_silence_ends_with_the_first_bytes(table: Table) -> None:
    table.connection.is_frozen = True
    table.pass_seconds(SILENT_SECONDS)
    table.connection.is_frozen = False
    assert table.awaited.socket.portal is not None
    table.awaited.socket.portal.call(table.connection.on_received)
    table.read_until_silent(is_silent=False)
    assert read_guidance(table.waiting.state).startswith(f"Waiting for {table.number} to")


def test_person_who_answers_each_ping_is_never_silent(table: Table) -> None:
    before = table.connection.ping_count
    table.pass_seconds(10 * PING_SECONDS)
    assert 7 <= table.connection.ping_count - before <= 11
    assert not any(
        seat["silent"] for state in table.waiting.seen for seat in state["table"]["seats"]
    )


def test_silent_connection_has_one_ping_under_way(table: Table) -> None:
    table.pass_seconds(2 * PING_SECONDS)
    table.connection.is_frozen = True
    before = table.connection.ping_count
    states = len(table.waiting.seen)
    table.pass_seconds(20 * PING_SECONDS)
    assert table.connection.ping_count - before == 1
    assert len(table.waiting.seen) - states == 1


def test_only_the_person_on_turn_is_asked(table: Table) -> None:
    before = table.other_connection.ping_count
    table.pass_seconds(5 * PING_SECONDS)
    assert table.other_connection.ping_count == before


def test_nobody_is_asked_while_the_table_is_paused(table: Table) -> None:
    table.awaited.send(type="pause")
    table.waiting.read_until(lambda m: m["type"] == "state" and m["table"]["paused"])
    before = table.connection.ping_count
    table.pass_seconds(5 * PING_SECONDS)
    assert table.connection.ping_count == before


def test_person_whose_bytes_the_server_does_not_read_is_not_silent(table: Table) -> None:
    table.connection.is_frozen, table.connection.is_being_read = True, False
    table.pass_seconds(3 * SILENT_SECONDS)
    assert not table.is_silent()


def test_silent_person_on_turn_again_is_silent_at_once(table: Table) -> None:
    """The turn passes to a bot, and comes back while the ping is still without an answer."""
    table.connection.is_frozen = True
    table.pass_seconds(SILENT_SECONDS)
    table.awaited.act()
    seq = table.waiting.state["seq"]
    table.waiting.read_past_seq(seq)
    while (
        table.waiting.state["view"]["turn"] != table.number or table.waiting.state["seq"] == seq + 1
    ):
        assert table.waiting.state["view"]["turn"] == table.number or not table.is_silent()
        if table.waiting.state["decision"] is not None:
            table.waiting.act()
        table.waiting.read_past_seq(table.waiting.state["seq"])
    assert table.is_silent()


def test_person_who_answers_on_another_device_is_not_silent(table: Table) -> None:
    table.connection.is_frozen = True
    table.pass_seconds(SILENT_SECONDS)
    assert table.is_silent()
    with open_seat(table.awaited_client, table.id):
        table.read_until_silent(is_silent=False)
        table.pass_seconds(3 * PING_SECONDS)
        assert not table.is_silent()
    table.read_until_silent(is_silent=True)


def test_nobody_is_asked_where_no_other_player_waits(tmp_path: Path) -> None:
    with open_table(tmp_path, bob_sits=False) as table:
        table.pass_seconds(5 * PING_SECONDS)
        assert table.connection.ping_count == table.other_connection.ping_count == 0


def test_both_times_are_settings(tmp_path: Path) -> None:
    with open_table(tmp_path, ping_seconds=50.0, answer_seconds=100.0) as table:
        table.connection.is_frozen = True
        table.pass_seconds(90)
        assert not table.is_silent()
        table.pass_seconds(65)
        assert table.is_silent()


def test_connection_that_cannot_send_pings_is_never_silent(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [one, other]:
        opened = create_table(set_name(one, "Ann"))
        with open_seat(one, opened) as host, open_seat(set_name(other, "Bob"), opened) as guest:
            guest.send(type="sit", seat=2)
            host.read_until(lambda m: m["table"]["seats"][2]["person"])
            host.send(type="start")
            unused = [FakeConnection(), FakeConnection()]
            table = Table(opened, [one, other], [host, guest], unused)
            table.pass_seconds(5 * ANSWER_SECONDS)
            assert not table.is_silent()
