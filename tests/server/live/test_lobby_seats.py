"""Seats at public tables before the first game: freed after a time, limited for each person."""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.testclient import TestClient

from acesaround.server.client import TableClient
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import AWAY_SECONDS, MAX_LOBBY_SEATS
from acesaround.store import Store
from acesaround.table import Config, Person, begin, entries, fold
from tests.server.clock import Clock, clock_of
from tests.server.http_client import AT_ONCE, Message, Seat, app, browsers, named, seat, table
from tests.waiting import wait_until, wait_until_async

ANN, BOB, EVE = Person("a", "Ann"), Person("b", "Bob"), Person("e", "Eve")


def sit(sitting: Seat, number: int) -> None:
    sitting.send(type="sit", seat=number)
    sitting.until(lambda m: m["type"] == "state" and m["table"]["you"] == number)


def persons(state: Message) -> list[bool]:
    return [held["person"] for held in state["table"]["seats"]]


def listed_free(client: TestClient) -> int:
    """Return the number of free seats of the only table in the lobby."""
    [line] = client.get("/api/tables").json()
    return int(line["seats"].count(None))


def test_seat_of_an_absent_person_is_freed_after_a_minute(tmp_path: Path) -> None:
    with browsers(app(tmp_path), 3) as [ann, bob, eve]:
        opened = table(named(ann, "Ann"), public=True)
        with seat(ann, opened) as host, seat(named(bob, "Bob"), opened) as guest:
            sit(guest, 2)
            with seat(named(eve, "Eve"), opened) as squatter:
                sit(squatter, 1)
            host.until(lambda m: not m["table"]["seats"][1]["present"] and persons(m)[1])
            clock_of(ann).forward(AWAY_SECONDS / 2)
            guest.send(type="talk", phrase="hello")
            assert persons(host.until(lambda m: m["table"]["talk"])) == [True, True, True, False]
            clock_of(ann).forward(AWAY_SECONDS / 2)
            host.until(lambda m: persons(m) == [True, False, True, False])
            assert host.state["table"]["unseated"] == ["Eve"]
            assert listed_free(ann) == 2
            with seat(eve, opened) as again:
                assert again.state["table"]["unseated"] == ["Eve"]
                sit(again, 3)
                assert again.state["table"]["unseated"] == []


def test_each_seat_has_its_own_time_limit(tmp_path: Path) -> None:
    with browsers(app(tmp_path), 3) as [ann, bob, eve]:
        opened = table(named(ann, "Ann"), public=True)
        with seat(ann, opened) as host:
            with seat(named(bob, "Bob"), opened) as early, seat(named(eve, "Eve"), opened) as late:
                sit(early, 1)
                sit(late, 2)
                early.socket.close()
                host.until(lambda m: persons(m)[2] and not m["table"]["seats"][1]["present"])
                clock_of(ann).forward(AWAY_SECONDS / 2)
            host.until(lambda m: not m["table"]["seats"][2]["present"])
            clock_of(ann).forward(AWAY_SECONDS / 2)
            host.until(lambda m: not persons(m)[1])
            host.send(type="talk", phrase="hello")
            host.until(lambda m: m["table"]["talk"])
            assert persons(host.state) == [True, False, True, False]
            clock_of(ann).forward(AWAY_SECONDS / 2)
            host.until(lambda m: not persons(m)[2])


def test_seats_are_freed_at_an_empty_table(tmp_path: Path) -> None:
    """The seat of the host stays."""
    with browsers(app(tmp_path), 2) as [ann, eve]:
        opened = table(named(ann, "Ann"), public=True)
        with seat(ann, opened), seat(eve, opened) as squatter:
            sit(squatter, 1)
        assert listed_free(ann) == 2
        clock_of(ann).forward(AWAY_SECONDS + 1)
        wait_until(lambda: listed_free(ann) == 3)
        with seat(ann, opened) as host:
            assert host.state["table"]["you"] == 0


def test_private_tables_and_begun_games_keep_their_seats(tmp_path: Path) -> None:
    with browsers(app(tmp_path), 2) as [ann, bob]:
        private, begun = table(named(ann, "Ann")), table(ann, public=True)
        for opened in (private, begun):
            with seat(ann, opened) as host:
                with seat(bob, opened) as guest:
                    sit(guest, 2)
                    if opened == begun:
                        host.send(type="start")
                        guest.until(lambda m: m["table"]["started"])
                clock_of(ann).forward(AWAY_SECONDS + 1)
                host.until(lambda m: m["table"]["may"]["cover"] == [2])
                host.send(type="talk", phrase="hello")
                assert persons(host.until(lambda m: m["table"]["talk"]))[2]


async def test_two_processes_free_a_seat_once(tmp_path: Path) -> None:
    clock = Clock(asyncio.get_running_loop())
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    links = (entries.LinkCreated("watch", "abcdef1"), entries.LinkCreated("replay", "abcdef2"))
    config = Config("partnership", 4, public=True)
    first = [*begin(config, ANN), entries.SeatTaken(1, EVE), entries.SeatTaken(2, BOB), *links]
    bodies = [entries.encode(entry) for entry in first]
    await store.create("t", bodies, config=b"{}", public=True, summary=b"{}")
    hubs = [TableRegistry(store, AT_ONCE, Metrics()) for _ in range(2)]
    async with hubs[0].acquire("t") as one, hubs[1].acquire("t") as two:
        assert one is not None
        assert two is not None
        await one.join(TableClient(ANN, "t"))
        await two.join(TableClient(ANN, "t"))
        clock.forward(AWAY_SECONDS + 1)
        await wait_until_async(lambda: one.table.occupied_seats == two.table.occupied_seats == (0,))
    for hub in hubs:
        await hub.close()
    log = [entries.decode(body) for body in await store.entries("t")]
    await store.close()
    assert log[len(first) :] == [entries.SeatLeft(seat, away=True) for seat in (1, 2)]
    assert one.table == two.table == fold(log)


def test_person_holds_few_lobby_seats(tmp_path: Path) -> None:
    """Own tables and begun games do not count. Requests come at the same time."""
    with browsers(app(tmp_path), 2) as [ann, eve]:
        opened = [table(ann, public=True) for _ in range(MAX_LOBBY_SEATS + 2)]
        own = table(eve, public=True)
        with (
            seat(eve, own) as hosting,
            seat(eve, opened[0]) as first,
            seat(eve, opened[1]) as second,
            seat(eve, opened[2]) as third,
            seat(eve, opened[3]) as fourth,
            seat(eve, opened[4]) as fifth,
        ):
            sockets = (first, second, third, fourth, fifth)
            for sitting in sockets:
                sitting.send(type="sit", seat=1)
            for sitting in sockets:
                sitting.until(lambda m: m["type"] == "refused" or m["table"]["you"] == 1)
            held = [sitting for sitting in sockets if sitting.state["table"]["you"] == 1]
            refused = [sitting for sitting in sockets if sitting not in held]
            assert len(held) == MAX_LOBBY_SEATS
            refused[0].send(type="sit", seat=1)
            answer = refused[0].until(lambda m: m["type"] == "refused")
            assert answer["sentence"] == (
                "You have seats at 3 open tables that have not begun: leave one of them."
            )
            sit(held[0], 2)
            hosting.send(type="stand")
            hosting.until(lambda m: m["table"]["you"] is None)
            sit(hosting, 0)
            with seat(ann, opened[sockets.index(held[0])]) as host:
                host.send(type="start")
                held[0].until(lambda m: m["table"]["started"])
            sit(refused[0], 1)
            assert refused[1].refused(type="sit", seat=1) == "joining"
