"""Bots that search at tables: who plays meanwhile, who waits for whom, and what is told of why."""

from __future__ import annotations

import asyncio
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from acesaround import bots
from acesaround.bots.preparing import Preparation, preparation
from acesaround.record import faults
from acesaround.record.model import decode
from acesaround.server import thinkers
from acesaround.server.limits import TooMany
from acesaround.server.thinkers import Thinkers
from tests.server.browser import app, browsers, named, scored, seat, table

SHORT: dict[str, Any] = {"options": {"target": 1}, "start": True}


@pytest.fixture
def ready() -> None:
    """What bots search with is there."""
    preparation().begin()
    assert preparation().ready.wait(300)
    assert preparation().failed is None


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
            minds.player("expert", random.Random(1))

        many = [asyncio.create_task(minds.think(think)) for _ in range(40)]
        await asyncio.sleep(0.05)
        assert minds.busy == 40
        hold.set()
        await asyncio.gather(*many)
        assert minds.busy == 0
        assert min(shares) < 0.5
        minds.player("expert", random.Random(1))
        assert shares[-1] == 1.0
    finally:
        await minds.close()
