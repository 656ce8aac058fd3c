"""Bots that search at tables: who plays meanwhile, who waits for whom, and what is told of why."""

from __future__ import annotations

import asyncio
import os
import random
import threading
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio
import pytest

from acesaround import bots
from acesaround.bots.preparing import Preparation, preparation
from acesaround.record import faults
from acesaround.record.model import decode
from acesaround.server import live, thinkers
from acesaround.server.limits import TooMany
from acesaround.server.live import Hub
from acesaround.server.metrics import Metrics
from acesaround.server.thinkers import Thinkers, account
from acesaround.server.watcher import Watcher
from acesaround.store import Store
from acesaround.table import Config, Person, Table, begin, fold
from acesaround.table import entries as log
from tests.server.browser import AT_ONCE, app, browsers, named, scored, seat, table

SHORT: dict[str, Any] = {"options": {"target": 1}, "start": True}


@pytest.fixture
def ready() -> None:
    """What bots search with is there."""
    preparation().begin()
    assert preparation().ready.wait(300)
    assert preparation().failed is None


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    yield store
    await store.close()


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_level_plays_a_deal_at_a_table(ready: None, level: str, tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        opened = table(named(ann, "Ann"), "five-card", players=3, bots=level, start=True)
        with seat(ann, opened) as sitting:
            assert level in sitting.state["table"]["bots"]
            sitting.play(scored())
            assert not any(one["failed"] for one in sitting.state["table"]["seats"])
        record = decode(ann.get(f"/api/tables/{opened}/record.json").content)
    assert faults(record) == []
    assert [one.name for one in record.seats] == ["Ann", f"bot:{level}", f"bot:{level}"]


def test_thumb_plays_until_a_level_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Slow(Preparation):
        def begin(self, told: Any = None) -> None:
            told()

    slow = Slow()
    monkeypatch.setattr(thinkers, "preparation", lambda: slow)
    monkeypatch.setattr(bots, "sharing", lambda *_: pytest.fail("it is not ready"))
    with browsers(app(tmp_path)) as [ann]:
        opened = table(ann, "five-card", players=3, bots="expert", start=True)
        with seat(ann, opened) as sitting:
            sitting.play(scored())
            assert sitting.state["table"]["seats"][1]["bot"] == "expert"
    assert "until then thumb plays" in caplog.text


def test_the_usual_bot_holds_the_seats_unless_another_is_named(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        opened = ann.post("/api/tables", json={"variant": "two-handed"}).json()["id"]
        with seat(ann, opened) as sitting:
            assert sitting.state["table"]["seats"][1]["bot"] == bots.usual()


def test_a_hint_tells_what_each_choice_brings(ready: None, tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        opened = table(ann, "two-handed", start=True)
        with seat(ann, opened) as sitting:
            sitting.play(lambda state: (state["decision"] or {}).get("kind") == "play")
            sitting.send(type="hint")
            hint = sitting.until(lambda m: m["type"] == "hint")
            sitting.send(type="hint")
            assert sitting.until(lambda m: m["type"] == "hint") == hint  # alike each time
    assert len(hint["tried"]) > 1
    assert hint["tried"][0]["action"] == hint["action"]
    assert all(0 <= one["chance"] <= 1 and one["made"] is None for one in hint["tried"])


def test_why_is_told_of_every_step_of_a_game_that_is_over(ready: None, tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        opened = table(ann, "five-card", players=3, **SHORT)
        address = f"/api/tables/{opened}/why"
        with seat(ann, opened) as sitting:
            sitting.play(lambda state: state["decision"])
            assert ann.get(address).status_code == 403
            sitting.play(lambda state: state["table"]["over"])
        replayed = ann.get(f"/api/tables/{opened}/replay").json()
        steps = replayed["steps"]
        for at in range(0, len(steps) - 1, 4):
            why = ann.get(address, params={"step": at}).json()
            assert why["seat"] == steps[at]["view"]["turn"] == steps[at + 1]["seat"]
            assert why["why"].endswith(".")
        assert ann.get(address, params={"step": len(steps) - 1}).status_code == 404
        assert ann.get(address, params={"step": 999}).status_code == 404
        assert ann.get(address, params={"deal": 99}).status_code == 404


async def test_one_question_of_each_at_a_time() -> None:
    minds, hold = Thinkers(), threading.Event()
    try:
        first = asyncio.create_task(minds.answer("ann", lambda: hold.wait(20)))
        await asyncio.sleep(0)
        with pytest.raises(TooMany):
            await minds.answer("ann", lambda: True)
        hold.set()
        assert await first
        assert await minds.answer("ann", lambda: True)
    finally:
        await minds.close()


async def test_where_many_think_each_thinks_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    shares: list[float] = []
    monkeypatch.setattr(bots, "sharing", lambda _name, _rng, share: shares.append(share))
    minds = Thinkers()
    try:
        hold = threading.Event()

        def think() -> None:
            hold.wait(20)
            minds.player("ann", "expert", random.Random(1))

        many = [asyncio.create_task(minds.think("ann", think)) for _ in range(40)]
        await asyncio.sleep(0.05)
        assert minds.busy == 40
        hold.set()
        await asyncio.gather(*many)
        assert minds.busy == 0
        assert min(shares) < 0.5
        minds.player("ann", "expert", random.Random(1))
        assert shares[-1] == 1.0
    finally:
        await minds.close()


def test_bots_think_on_the_account_of_who_plays_with_them() -> None:
    ann, bob = Person("ann", "Ann"), Person("bob", "Bob")
    opened = list(begin(Config(variant="partnership", players=4), ann))
    assert account(fold(opened)) == "ann"
    both = [*opened, log.Sat(1, bob)]
    assert account(fold(both)) == "ann"
    assert account(fold([*both, log.Covered(0)])) == "bob"
    assert account(fold([*both, log.Stood(0)])) == "bob"  # who opens tables for others pays nothing
    assert account(fold([*opened, log.Stood(0)])) == "ann"


def test_a_hint_is_given_while_nothing_of_thirty_greedy_tables_is_done(
    ready: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is timed: no step of the greedy guest's bots ends before the hint is there."""
    hold = threading.Event()

    def slow(name: str, rng: random.Random, share: float) -> Any:
        hold.wait(60)
        return bots.make("thumb", rng)

    monkeypatch.setattr(bots, "sharing", slow)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})  # a machine of two cores
    with ExitStack() as stack:
        [greedy, ann] = stack.enter_context(browsers(app(tmp_path, person_sockets=100), 2))
        stack.callback(hold.set)
        asking = stack.enter_context(seat(ann, table(ann, start=True)))
        asking.play(lambda state: state["decision"])
        for _ in range(30):
            stack.enter_context(seat(greedy, table(greedy, bots="expert", start=True)))
        minds = ann.app.state.parts.hub.players.thinkers  # type: ignore[attr-defined]
        asking.socket.portal.call(until_busy, minds, 10)
        asking.send(type="hint")
        hint = asking.until(lambda m: m["type"] == "hint")
        assert hint["why"].endswith(".")


async def until_busy(minds: Thinkers, number: int) -> None:
    with anyio.fail_after(20):
        while minds.busy < number:
            await asyncio.sleep(0.01)


async def test_a_table_whose_bots_may_not_think_says_so_and_goes_on_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(variant="partnership", players=4, bots="thumb")
    entries = [*begin(config, Person("ann", "Ann")), log.Begun(0)]
    bodies = [log.encode(entry) for entry in entries]
    await store.create("t", bodies, config=b"{}", public=False, summary=b"{}")
    hub = Hub(store, AT_ONCE, Metrics())
    refuse, think = [True, True], hub.players.think

    async def thought(table_id: str, table: Table) -> log.Entry:
        if refuse:
            refuse.pop()
            raise TooMany
        return await think(table_id, table)

    monkeypatch.setattr(hub.players, "think", thought)
    monkeypatch.setattr(live, "_RETRY", 0.01)
    watcher = Watcher(Person("ann", "Ann"), "t")
    async with hub.using("t") as sitting:
        assert sitting is not None
        await sitting.join(watcher)
        told = []
        async with asyncio.timeout(20):
            while sitting.table.seq < 6:  # three, two links, and the cards
                told.append(await watcher.queue.get())
        sitting.leave(watcher)
    await hub.close()
    said = [one for one in told if one is not None and b'"refused"' in one]
    assert len(said) == 1
    assert b'"rate"' in said[0]
