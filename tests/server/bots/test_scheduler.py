"""Bots that search at tables: who plays meanwhile, who waits for whom, and what is told of why."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from acesaround import bots, game, variants
from acesaround.bots.advice import Advice
from acesaround.bots.pool import local
from acesaround.bots.pool.request import BotFailure, BotRequest, NoAnswer, decide, unwrap_answer
from acesaround.errors import BotError
from acesaround.game.view import view_for
from acesaround.record import verify
from acesaround.record.model import decode
from acesaround.server.bots.fair_executor import FairExecutor
from acesaround.server.bots.scheduler import BotScheduler, person_charged
from acesaround.server.client import TableClient
from acesaround.server.limits.rates import RateLimited
from acesaround.server.live import automatic_steps
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.store import Store
from acesaround.table import Config, Person, Table, begin, fold
from acesaround.table import entries as log
from tests.bots.pool import fake_workers
from tests.server.clock import settled
from tests.server.http_client import AT_ONCE, app, browsers, named, scored, seat, table
from tests.server.inside import inside
from tests.server.random_client import Guest
from tests.waiting import PATIENCE_SECONDS, wait_until_async
from websocket_client import open_socket

SHORT: dict[str, Any] = {"options": {"target": 1}, "start": True}


@pytest.fixture(scope="module")
def ann(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A browser at a server whose bots think already."""
    with browsers(app(tmp_path_factory.mktemp("thinking"), start_bots_early=True)) as [client]:
        _until(client, lambda minds: minds.is_ready)
        yield named(client, "Ann")


def _minds(client: TestClient) -> BotScheduler:
    found: BotScheduler = client.app.state.parts.registry.services.bot_runner.scheduler  # type: ignore[attr-defined]
    return found


def _until(client: TestClient, so: Callable[[BotScheduler], object]) -> None:
    minds, portal = _minds(client), client.portal
    assert portal is not None

    async def waits() -> None:
        with anyio.fail_after(300):  # something may be compiled
            while not so(minds):
                await asyncio.sleep(0.01)

    portal.call(waits)


class Held:
    """Somebody who thinks about nothing, and answers as `thumb` would when told to."""

    number = 2
    ready = True

    def __init__(self, *held: str) -> None:
        self.held = held
        self.shares: list[float] = []
        self.asked: list[BotRequest] = []
        self.hold = asyncio.Event()
        self.changed: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Nothing has to be begun."""

    async def ask(self, question: BotRequest) -> Advice:
        self.shares.append(question.share)
        self.asked.append(question)
        if not self.held or question.bot in self.held:
            await self.hold.wait()
        return decide(replace(question, bot="thumb"))

    async def close(self) -> None:
        self.hold.set()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    yield store
    await store.close()


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_a_level_plays_a_deal_at_a_table(level: str, ann: TestClient) -> None:
    opened = table(ann, "five-card", players=3, bots=level, start=True)
    with seat(ann, opened) as sitting:
        assert level in sitting.state["table"]["bots"]
        sitting.play(scored())
        assert not any(one["failed"] for one in sitting.state["table"]["seats"])
    record = decode(ann.get(f"/api/tables/{opened}/record.json").content)
    assert verify(record) == []
    assert [one.name for one in record.seats] == ["Ann", f"bot:{level}", f"bot:{level}"]


def test_thumb_plays_until_a_level_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(Held):
        ready = False

        async def ask(self, question: BotRequest) -> Advice:
            pytest.fail("it is not ready")

    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: Slow())
    with browsers(app(tmp_path)) as [ann]:
        opened = table(ann, "five-card", players=3, bots="expert", start=True)
        with seat(ann, opened) as sitting:
            sitting.play(scored())
            assert sitting.state["table"]["seats"][1]["bot"] == "expert"
            assert "acesaround_bot_pool_ready 0.0" in ann.get("/metrics").text


def test_metrics_tell_when_a_level_is_ready(ann: TestClient) -> None:
    assert "acesaround_bot_pool_ready 1.0" in ann.get("/metrics").text


def test_the_usual_bot_holds_the_seats_unless_another_is_named(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        opened = ann.post("/api/tables", json={"variant": "two-handed"}).json()["id"]
        with seat(ann, opened) as sitting:
            assert sitting.state["table"]["seats"][1]["bot"] == bots.default_bot()


def test_a_hint_tells_what_each_choice_brings(ann: TestClient) -> None:
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


def test_why_is_told_of_every_step_of_a_game_that_is_over(ann: TestClient) -> None:
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


def a_question(bot: str = "expert") -> BotRequest:
    """What a bot is asked about its first bid."""
    state = game.start(variants.get("partnership"))
    deal = game.decision(state).legal.sample(random.Random(1))
    state, _ = game.apply(state, deal)
    decision = game.decision(state)
    return BotRequest(bot, view_for(state, decision.seat), decision, seed=1)


async def test_one_question_of_each_at_a_time() -> None:
    mind, asked = Held(), a_question()
    minds = BotScheduler(mind)
    first = asyncio.create_task(minds.answer_one_at_a_time("ann", asked))
    await settled()
    with pytest.raises(RateLimited):
        await minds.answer_one_at_a_time("ann", asked)
    mind.hold.set()
    found = await first
    assert found.action in asked.decision.legal
    assert await minds.answer_one_at_a_time("ann", asked) == found
    await minds.close()


async def test_where_many_think_each_thinks_for_less() -> None:
    mind, asked = Held(), a_question()
    minds = BotScheduler(mind)
    many = [asyncio.create_task(minds.decide_fairly("ann", asked)) for _ in range(40)]
    await settled()
    assert minds.pending_count == 40
    mind.hold.set()
    await asyncio.gather(*many)
    assert minds.pending_count == 0
    assert min(mind.shares) < 0.5
    await minds.decide_fairly("ann", asked)
    assert mind.shares[-1] == 1.0
    await minds.close()


async def test_a_question_that_is_left_unanswered_is_answered_by_thumb() -> None:
    class Lost(Held):
        async def ask(self, question: BotRequest) -> Advice:
            raise NoAnswer("it is gone")

    asked = a_question()
    minds = BotScheduler(Lost())
    by_thumb = decide(replace(asked, bot="thumb"))
    assert await minds.answer_one_at_a_time("ann", asked) == by_thumb
    assert await minds.decide_fairly("ann", asked) == by_thumb
    await minds.close()


async def test_a_bot_that_fails_is_told_of_and_a_question_is_answered_by_thumb(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken(Held):
        async def ask(self, question: BotRequest) -> Advice:
            return unwrap_answer(question, BotFailure("KeyError: 7", "here it failed"))

    asked = a_question()
    minds = BotScheduler(Broken())
    with pytest.raises(BotError, match="The bot 'expert' failed: KeyError: 7"):
        await minds.decide_fairly("ann", asked)
    assert await minds.answer_one_at_a_time("ann", asked) == decide(replace(asked, bot="thumb"))
    assert "here it failed" in caplog.text
    await minds.close()


def test_bots_think_on_the_account_of_who_plays_with_them() -> None:
    ann, bob = Person("ann", "Ann"), Person("bob", "Bob")
    opened = list(begin(Config(variant="partnership", players=4), ann))
    assert person_charged(fold(opened)) == "ann"
    both = [*opened, log.SeatTaken(1, bob)]
    assert person_charged(fold(both)) == "ann"
    assert person_charged(fold([*both, log.BotSubstituted(0)])) == "bob"
    assert (
        person_charged(fold([*both, log.SeatLeft(0)])) == "bob"
    )  # who opens tables for others pays nothing
    assert person_charged(fold([*opened, log.SeatLeft(0)])) == "ann"


def test_a_hint_is_given_while_nothing_of_thirty_greedy_tables_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is timed: no step of the greedy guest's bots ends before the hint is there."""
    mind = Held("expert")  # a hint is asked of another, that takes less time
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: mind)
    with ExitStack() as stack:
        [greedy, ann] = stack.enter_context(browsers(app(tmp_path, person_sockets=100), 2))
        asking = stack.enter_context(seat(ann, table(ann, start=True)))
        asking.play(scored())
        asking.play(lambda state: state["decision"])
        for _ in range(30):
            stack.enter_context(seat(greedy, table(greedy, bots="expert", start=True)))
        _until(greedy, lambda minds: minds.pending_count >= 10)
        asking.send(type="hint")
        hint = asking.until(lambda m: m["type"] == "hint")
        assert not mind.hold.is_set()
    assert hint["action"]


def test_a_table_goes_on_while_a_hint_is_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind = Held()
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: mind)
    with browsers(app(tmp_path)) as [ann]:
        opened = table(ann, start=True)
        with seat(ann, opened) as asking:
            asking.play(lambda state: state["decision"])
            asking.send(type="hint")
            _until(ann, lambda minds: len(mind.asked) == 1)
            asking.send(type="pause")
            asking.until(lambda m: m["type"] == "state" and m["table"]["paused"])
            assert asking.refused(type="hint") == "rate"  # one at a time
            ann.portal.call(mind.hold.set)  # type: ignore[union-attr]
            asking.until(lambda m: m["type"] == "hint")
            mind.hold.clear()
            asking.send(type="hint")
            _until(ann, lambda minds: len(mind.asked) == 2)
        with seat(ann, opened) as again:  # the socket's hint ended with it
            again.send(type="hint")
            _until(ann, lambda minds: minds.pending_count == 2)


async def _everybody_has_played(_store: Store, _person_id: str) -> bool:
    return True


def test_a_hint_waits_for_one_step_of_many_persons_of_another_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is timed: the order is that in which bots are asked."""
    mind = Held("expert")  # a hint is asked of another
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: mind)
    monkeypatch.setattr("acesaround.server.accounts.sessions.has_played", _everybody_has_played)
    with ExitStack() as stack:
        greedy = stack.enter_context(browsers(app(tmp_path), 20))
        ann = TestClient(greedy[0].app, client=("198.51.100.1", 1))
        ann.portal = greedy[0].portal
        asking = stack.enter_context(seat(ann, table(ann, start=True)))
        asking.play(lambda state: state["decision"])
        for client in greedy:
            stack.enter_context(seat(client, table(client, bots="expert", start=True)))
        _until(ann, lambda minds: minds.pending_count >= 8)  # at the others a guest is on turn
        asking.send(type="hint")
        _until(ann, lambda minds: minds._people_waiting)
        assert len(mind.asked) == mind.number
        assert ann.portal is not None
        ann.portal.call(mind.hold.set)
        asking.until(lambda m: m["type"] == "hint")
        asked = [question.bot != "expert" for question in mind.asked]
        assert asked.index(True) == mind.number + 1
        ann.portal = None


def test_a_hint_of_a_person_who_has_played_waits_for_no_newcomer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is timed: no step at the newcomers' tables ends before the hint is there."""
    mind = Held("expert")  # a hint is asked of another
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: mind)
    with ExitStack() as stack:
        first, *others = stack.enter_context(browsers(app(tmp_path), 20))
        ann, *newcomers = (
            TestClient(client.app, client=(f"198.51.100.{number}", 1), cookies=client.cookies)
            for number, client in enumerate((first, *others))
        )
        for client in (ann, *newcomers):
            client.portal = first.portal
        asking = stack.enter_context(seat(ann, table(ann, start=True)))
        asking.play(scored())
        for client in newcomers:
            stack.enter_context(seat(client, table(client, bots="expert", start=True)))
        _until(ann, lambda minds: minds.pending_count >= 8)  # at the others a guest is on turn
        assert len(mind.asked) == mind.number - 1
        asking.play(lambda state: state["decision"])
        asking.send(type="hint")
        asking.until(lambda m: m["type"] == "hint")
        assert not mind.hold.is_set()
        for client in (ann, *newcomers):
            client.portal = None


async def test_hints_that_wait_when_the_server_stops_leave_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    mind = Held()
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: mind)
    server = app(tmp_path)

    async def end_steps_in_progress(executor: FairExecutor) -> None:
        try:
            await wait_until_async(lambda: executor.waiting_count == 0)
        finally:
            mind.hold.set()

    def is_on_turn(guest: Guest) -> bool:
        return b'"decision":{' in b"".join(guest.heard[-1:])

    async with inside(server) as port:
        executor = server.state.parts.registry.services.bot_runner.scheduler.executor
        for number, bots_there in enumerate(["thumb"] * 5 + ["expert"] * 10):
            guest = Guest(f"Guest {number}", port, random.Random(number))
            await guest.enter()
            opened = await guest.opens(variant="partnership", bots=bots_there, start=True)
            socket = await open_socket(port, f"/ws/{opened}", guest.heard.append, guest.cookie)
            if bots_there == "thumb":
                await wait_until_async(partial(is_on_turn, guest))
                socket.send(type="hint")
        await wait_until_async(lambda: executor.waiting_count >= 6)
        ending = asyncio.create_task(end_steps_in_progress(executor))
    await ending
    assert [record for record in caplog.records if record.exc_info] == []


async def test_no_worker_is_replaced_when_the_server_stops(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(local, "load_kernels", fake_workers.load_nothing)
    monkeypatch.setattr(local, "decide_or_failure", fake_workers.decide_or_hang)
    pool = local.LocalPool(1, PATIENCE_SECONDS)
    minds = BotScheduler(pool)
    await wait_until_async(minds.prepare, "a worker is ready")
    step = asyncio.create_task(minds.decide_fairly("ann", a_question()))
    await wait_until_async(lambda: pool._pending and pool._requests.empty(), "it is thought about")
    await minds.close()
    with pytest.raises(RateLimited, match="is stopping"):
        await step
    assert not caplog.records


async def test_a_table_whose_bots_may_not_think_says_so_and_goes_on_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(variant="partnership", players=4, bots="thumb")
    entries = [*begin(config, Person("ann", "Ann")), log.Begun(0)]
    bodies = [log.encode(entry) for entry in entries]
    await store.create("t", bodies, config=b"{}", public=False, summary=b"{}")
    hub = TableRegistry(store, AT_ONCE, Metrics())
    refuse, think = [True, True], hub.services.bot_runner.next_entry

    async def thought(table_id: str, table: Table) -> log.Entry:
        if refuse:
            refuse.pop()
            raise RateLimited
        return await think(table_id, table)

    monkeypatch.setattr(hub.services.bot_runner, "next_entry", thought)
    monkeypatch.setattr(automatic_steps, "RETRY_SECONDS", 0.01)
    watcher = TableClient(Person("ann", "Ann"), "t")
    async with hub.acquire("t") as sitting:
        assert sitting is not None
        await sitting.join(watcher)
        told = []
        async with asyncio.timeout(PATIENCE_SECONDS):
            while sitting.table.seq < 6:  # three, two links, and the cards
                told.append(await watcher.queue.get())
        sitting.leave(watcher)
    await hub.close()
    said = [one for one in told if one is not None and b'"refused"' in one]
    assert len(said) == 1
    assert b'"rate"' in said[0]
