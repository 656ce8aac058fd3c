"""Seats at public tables before the first game: freed after a time, limited for each person."""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.testclient import TestClient

from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import AWAY_SECONDS, MAX_LOBBY_SEATS
from acesaround.server.table_client import TableClient
from acesaround.store import Store
from acesaround.table import Config, Person, begin, entries, fold
from tests.server.clock import Clock, get_clock
from tests.server.http_client import (
    NO_WAITING,
    Message,
    Seat,
    create_table,
    make_app,
    open_clients,
    open_seat,
    set_name,
)
from tests.waiting import wait_until, wait_until_async

ANN, BOB, EVE = Person("a", "Ann"), Person("b", "Bob"), Person("e", "Eve")


def sit(sitting: Seat, number: int) -> None:
    sitting.send(type="sit", seat=number)
    sitting.read_until(lambda m: m["type"] == "state" and m["table"]["you"] == number)


def list_seated(state: Message) -> list[bool]:
    return [held["person"] for held in state["table"]["seats"]]


def read_listed_free_seats(client: TestClient) -> int:
    """Return the number of free seats of the only table in the lobby."""
    [line] = client.get("/api/tables").json()
    return int(line["seats"].count(None))


def test_seat_of_an_absent_person_is_freed_after_a_minute(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 3) as [ann, bob, eve]:
        opened = create_table(set_name(ann, "Ann"), public=True)
        with open_seat(ann, opened) as host, open_seat(set_name(bob, "Bob"), opened) as guest:
            sit(guest, 2)
            with open_seat(set_name(eve, "Eve"), opened) as squatter:
                sit(squatter, 1)
            host.read_until(lambda m: not m["table"]["seats"][1]["present"] and list_seated(m)[1])
            get_clock(ann).advance(AWAY_SECONDS / 2)
            guest.send(type="talk", phrase="hello")
            assert list_seated(host.read_until(lambda m: m["table"]["chat"])) == [
                True,
                True,
                True,
                False,
            ]
            get_clock(ann).advance(AWAY_SECONDS / 2)
            host.read_until(lambda m: list_seated(m) == [True, False, True, False])
            assert host.state["table"]["seat_lost_by"] == ["Eve"]
            assert read_listed_free_seats(ann) == 2
            with open_seat(eve, opened) as again:
                assert again.state["table"]["seat_lost_by"] == ["Eve"]
                sit(again, 3)
                assert again.state["table"]["seat_lost_by"] == []


def test_each_seat_has_its_own_time_limit(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 3) as [ann, bob, eve]:
        opened = create_table(set_name(ann, "Ann"), public=True)
        with open_seat(ann, opened) as host:
            with (
                open_seat(set_name(bob, "Bob"), opened) as early,
                open_seat(set_name(eve, "Eve"), opened) as late,
            ):
                sit(early, 1)
                sit(late, 2)
                early.socket.close()
                host.read_until(
                    lambda m: list_seated(m)[2] and not m["table"]["seats"][1]["present"]
                )
                get_clock(ann).advance(AWAY_SECONDS / 2)
            host.read_until(lambda m: not m["table"]["seats"][2]["present"])
            get_clock(ann).advance(AWAY_SECONDS / 2)
            host.read_until(lambda m: not list_seated(m)[1])
            host.send(type="talk", phrase="hello")
            host.read_until(lambda m: m["table"]["chat"])
            assert list_seated(host.state) == [True, False, True, False]
            get_clock(ann).advance(AWAY_SECONDS / 2)
            host.read_until(lambda m: not list_seated(m)[2])


def test_seats_are_freed_at_an_empty_table(tmp_path: Path) -> None:
    """The seat of the host stays."""
    with open_clients(make_app(tmp_path), 2) as [ann, eve]:
        opened = create_table(set_name(ann, "Ann"), public=True)
        with open_seat(ann, opened), open_seat(eve, opened) as squatter:
            sit(squatter, 1)
        assert read_listed_free_seats(ann) == 2
        get_clock(ann).advance(AWAY_SECONDS + 1)
        wait_until(lambda: read_listed_free_seats(ann) == 3)
        with open_seat(ann, opened) as host:
            assert host.state["table"]["you"] == 0


def test_private_tables_and_begun_games_keep_their_seats(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        private, begun = create_table(set_name(ann, "Ann")), create_table(ann, public=True)
        for opened in (private, begun):
            with open_seat(ann, opened) as host:
                with open_seat(bob, opened) as guest:
                    sit(guest, 2)
                    if opened == begun:
                        host.send(type="start")
                        guest.read_until(lambda m: m["table"]["started"])
                get_clock(ann).advance(AWAY_SECONDS + 1)
                host.read_until(lambda m: m["table"]["allowed"]["substitute_bot"] == [2])
                host.send(type="talk", phrase="hello")
                assert list_seated(host.read_until(lambda m: m["table"]["chat"]))[2]


async def test_two_processes_free_a_seat_once(tmp_path: Path) -> None:
    clock = Clock(asyncio.get_running_loop())
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    links = (entries.LinkCreated("watch", "abcdef1"), entries.LinkCreated("replay", "abcdef2"))
    config = Config("partnership", 4, public=True)
    first = [*begin(config, ANN), entries.SeatTaken(1, EVE), entries.SeatTaken(2, BOB), *links]
    bodies = [entries.encode(entry) for entry in first]
    await store.create("t", bodies, config=b"{}", public=True, summary=b"{}")
    hubs = [TableRegistry(store, NO_WAITING, Metrics()) for _ in range(2)]
    async with hubs[0].acquire("t") as one, hubs[1].acquire("t") as two:
        assert one is not None
        assert two is not None
        await one.join(TableClient(ANN, "t"))
        await two.join(TableClient(ANN, "t"))
        clock.advance(AWAY_SECONDS + 1)
        await wait_until_async(lambda: one.table.occupied_seats == two.table.occupied_seats == (0,))
    for hub in hubs:
        await hub.close()
    log = [entries.decode(body) for body in await store.entries("t")]
    await store.close()
    assert log[len(first) :] == [entries.SeatLeft(seat, away=True) for seat in (1, 2)]
    assert one.table == two.table == fold(log)


def test_person_holds_few_lobby_seats(tmp_path: Path) -> None:
    """Own tables and begun games do not count. Requests come at the same time."""
    with open_clients(make_app(tmp_path), 2) as [ann, eve]:
        opened = [create_table(ann, public=True) for _ in range(MAX_LOBBY_SEATS + 2)]
        own = create_table(eve, public=True)
        with (
            open_seat(eve, own) as hosting,
            open_seat(eve, opened[0]) as first,
            open_seat(eve, opened[1]) as second,
            open_seat(eve, opened[2]) as third,
            open_seat(eve, opened[3]) as fourth,
            open_seat(eve, opened[4]) as fifth,
        ):
            sockets = (first, second, third, fourth, fifth)
            for sitting in sockets:
                sitting.send(type="sit", seat=1)
            for sitting in sockets:
                sitting.read_until(lambda m: m["type"] == "refused" or m["table"]["you"] == 1)
            held = [sitting for sitting in sockets if sitting.state["table"]["you"] == 1]
            refused = [sitting for sitting in sockets if sitting not in held]
            assert len(held) == MAX_LOBBY_SEATS
            refused[0].send(type="sit", seat=1)
            answer = refused[0].read_until(lambda m: m["type"] == "refused")
            assert answer["sentence"] == (
                "You have seats at 3 public tables that have not begun: leave one of them."
            )
            sit(held[0], 2)
            hosting.send(type="stand")
            hosting.read_until(lambda m: m["table"]["you"] is None)
            sit(hosting, 0)
            with open_seat(ann, opened[sockets.index(held[0])]) as host:
                host.send(type="start")
                held[0].read_until(lambda m: m["table"]["started"])
            sit(refused[0], 1)
            assert refused[1].send_refused(type="sit", seat=1) == "joining"
