"""Search bots at tables: substitution by thumb, fairness, and explanations."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from acesaround import bots, game, variants
from acesaround.bots.advice import Advice
from acesaround.bots.pool import local
from acesaround.bots.pool.request import (
    BotFailure,
    BotRequest,
    NoAnswer,
    WorkerTask,
    decide,
    unwrap_answer,
)
from acesaround.errors import BotError
from acesaround.game.view import view_for
from acesaround.record import verify
from acesaround.record.model import decode
from acesaround.server.bots.fair_executor import FairExecutor
from acesaround.server.bots.scheduler import BotScheduler, person_charged
from acesaround.server.limits.rate_limiters import RateLimited
from acesaround.server.live import bot_turn_loop
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.server.table_client import TableClient
from acesaround.store import Store
from acesaround.table import Config, Person, Table, begin, fold
from acesaround.table import entries as log
from tests.bots.pool import fake_workers
from tests.server.clock import wait_until_settled
from tests.server.http_client import (
    NO_WAITING,
    create_table,
    has_scored_deals,
    make_app,
    open_clients,
    open_seat,
    set_name,
)
from tests.server.in_process_server import serve_in_process
from tests.server.random_client import Guest
from tests.waiting import PATIENCE_SECONDS, wait_until_async
from websocket_client import open_socket

T = TypeVar("T")

SHORT_GAME: dict[str, Any] = {"options": {"target": 1}, "start": True}


@pytest.fixture(scope="module")
def ann(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a browser at a server with ready bot workers."""
    with open_clients(make_app(tmp_path_factory.mktemp("scheduler"), start_bots_early=True)) as [
        client
    ]:
        _wait_until(client, lambda scheduler: scheduler.is_ready)
        yield set_name(client, "Ann")


def _scheduler(client: TestClient) -> BotScheduler:
    found: BotScheduler = client.app.state.server_context.registry.services.bot_dispatcher.scheduler  # type: ignore[attr-defined]
    return found


def _wait_until(client: TestClient, condition: Callable[[BotScheduler], object]) -> None:
    scheduler, portal = _scheduler(client), client.portal
    assert portal is not None

    async def waits() -> None:
        with anyio.fail_after(300):  # kernels may be compiled
            while not condition(scheduler):
                await asyncio.sleep(0.01)

    portal.call(waits)


class HeldPool:
    """A bot pool that decides like `thumb`, and only when it is released."""

    max_running = 2
    ready = True

    def __init__(self, *held: str) -> None:
        self.held = held
        self.shares: list[float] = []
        self.asked: list[BotRequest] = []
        self.hold = asyncio.Event()
        self.on_resize: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Do nothing."""

    async def ask(self, request: BotRequest) -> Advice:
        self.shares.append(request.time_share)
        self.asked.append(request)
        if not self.held or request.bot in self.held:
            await self.hold.wait()
        return decide(replace(request, bot="thumb"))

    async def run(self, task: WorkerTask[T]) -> T:
        return task.run()

    async def close(self) -> None:
        self.hold.set()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    yield store
    await store.close()


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_level_plays_a_deal_at_a_table(level: str, ann: TestClient) -> None:
    opened = create_table(ann, "five-card", players=3, bots=level, start=True)
    with open_seat(ann, opened) as sitting:
        assert level in sitting.state["table"]["bots"]
        sitting.play(has_scored_deals())
        assert not any(one["failed"] for one in sitting.state["table"]["seats"])
    record = decode(ann.get(f"/api/tables/{opened}/record.json").content)
    assert verify(record) == []
    assert [one.name for one in record.seats] == ["Ann", f"bot:{level}", f"bot:{level}"]


def test_thumb_plays_until_level_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(HeldPool):
        ready = False

        async def ask(self, request: BotRequest) -> Advice:
            pytest.fail("the pool is not ready")

    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: Slow())
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, "five-card", players=3, bots="expert", start=True)
        with open_seat(ann, opened) as sitting:
            sitting.play(has_scored_deals())
            assert sitting.state["table"]["seats"][1]["bot"] == "expert"
            assert "acesaround_bot_pool_ready 0.0" in ann.get("/metrics").text


def test_metrics_show_that_the_pool_is_ready(ann: TestClient) -> None:
    assert "acesaround_bot_pool_ready 1.0" in ann.get("/metrics").text


def test_default_bot_fills_the_seats(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = ann.post("/api/tables", json={"variant": "two-handed"}).json()["id"]
        with open_seat(ann, opened) as sitting:
            assert sitting.state["table"]["seats"][1]["bot"] == bots.default_bot()


def test_hint_has_the_value_of_each_choice(ann: TestClient) -> None:
    opened = create_table(ann, "two-handed", start=True)
    with open_seat(ann, opened) as sitting:
        sitting.play(lambda state: (state["decision"] or {}).get("kind") == "play")
        sitting.send(type="hint")
        hint = sitting.read_until(lambda m: m["type"] == "hint")
        sitting.send(type="hint")
        assert sitting.read_until(lambda m: m["type"] == "hint") == hint  # the same again
    assert len(hint["tried"]) > 1
    assert hint["tried"][0]["action"] == hint["action"]
    assert all(0 <= one["chance"] <= 1 and one["made"] is None for one in hint["tried"])


def test_why_explains_every_step_of_a_finished_game(ann: TestClient) -> None:
    opened = create_table(ann, "five-card", players=3, **SHORT_GAME)
    address = f"/api/tables/{opened}/why"
    with open_seat(ann, opened) as sitting:
        sitting.play(lambda state: state["decision"])
        assert ann.get(address).status_code == 403
        sitting.play(lambda state: state["table"]["over"])
    replayed = ann.get(f"/api/tables/{opened}/replay").json()
    steps = replayed["steps"]
    for at in range(0, len(steps) - 1, 4):
        why = ann.get(address, params={"step": at}).json()
        assert why["seat"] == steps[at]["view"]["turn"] == steps[at + 1]["seat"]
        assert why["sentence"].endswith(".")
    assert ann.get(address, params={"step": len(steps) - 1}).status_code == 404
    assert ann.get(address, params={"step": 999}).status_code == 404
    assert ann.get(address, params={"deal": 99}).status_code == 404


def first_bid_request(bot: str = "expert") -> BotRequest:
    state = game.start(variants.get("partnership"))
    deal = game.decision(state).legal.sample(random.Random(1))
    state, _ = game.apply(state, deal)
    decision = game.decision(state)
    return BotRequest(bot, view_for(state, decision.seat), decision, seed=1)


async def test_one_request_of_a_person_at_a_time() -> None:
    pool, request = HeldPool(), first_bid_request()
    scheduler = BotScheduler(pool)
    first = asyncio.create_task(scheduler.answer_one_at_a_time("ann", request))
    await wait_until_settled()
    with pytest.raises(RateLimited):
        await scheduler.answer_one_at_a_time("ann", request)
    pool.hold.set()
    found = await first
    assert found.action in request.decision.legal
    assert await scheduler.answer_one_at_a_time("ann", request) == found
    await scheduler.close()


async def test_many_requests_share_the_time() -> None:
    pool, request = HeldPool(), first_bid_request()
    scheduler = BotScheduler(pool)
    many = [asyncio.create_task(scheduler.decide_fairly("ann", request)) for _ in range(40)]
    await wait_until_settled()
    assert scheduler.pending_count == 40
    pool.hold.set()
    await asyncio.gather(*many)
    assert scheduler.pending_count == 0
    assert min(pool.shares) < 0.5
    await scheduler.decide_fairly("ann", request)
    assert pool.shares[-1] == 1.0
    await scheduler.close()


async def test_thumb_decides_when_the_pool_gives_no_answer() -> None:
    class Lost(HeldPool):
        async def ask(self, request: BotRequest) -> Advice:
            raise NoAnswer("it is gone")

    request = first_bid_request()
    scheduler = BotScheduler(Lost())
    by_thumb = replace(decide(replace(request, bot="thumb")), is_quick=True)
    assert await scheduler.answer_one_at_a_time("ann", request) == by_thumb
    assert await scheduler.decide_fairly("ann", request) == by_thumb
    await scheduler.close()


async def test_failing_bot_raises_at_tables_and_thumb_gives_hints(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken(HeldPool):
        async def ask(self, request: BotRequest) -> Advice:
            return unwrap_answer(request, BotFailure("KeyError: 7", "here it failed"))

    request = first_bid_request()
    scheduler = BotScheduler(Broken())
    with pytest.raises(BotError, match="The bot 'expert' failed: KeyError: 7"):
        await scheduler.decide_fairly("ann", request)
    by_thumb = replace(decide(replace(request, bot="thumb")), is_quick=True)
    assert await scheduler.answer_one_at_a_time("ann", request) == by_thumb
    assert "here it failed" in caplog.text
    await scheduler.close()


def test_bots_are_charged_to_a_player_of_the_table() -> None:
    ann, bob = Person("ann", "Ann"), Person("bob", "Bob")
    opened = list(begin(Config(variant="partnership", players=4), ann))
    assert person_charged(fold(opened)) == "ann"
    both = [*opened, log.SeatTaken(1, bob)]
    assert person_charged(fold(both)) == "ann"
    assert person_charged(fold([*both, log.BotSubstituted(0)])) == "bob"
    assert person_charged(fold([*both, log.SeatLeft(0)])) == "bob"  # not to the absent host
    assert person_charged(fold([*opened, log.SeatLeft(0)])) == "ann"


def test_greedy_tables_do_not_delay_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No step of the greedy guest's bots ends before the hint comes."""
    pool = HeldPool("expert")  # hints use another bot
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: pool)
    with ExitStack() as stack:
        [greedy, ann] = stack.enter_context(
            open_clients(make_app(tmp_path, max_websockets_per_person=100), 2)
        )
        asking = stack.enter_context(open_seat(ann, create_table(ann, start=True)))
        asking.play(has_scored_deals())
        asking.play(lambda state: state["decision"])
        for _ in range(30):
            stack.enter_context(open_seat(greedy, create_table(greedy, bots="expert", start=True)))
        _wait_until(greedy, lambda scheduler: scheduler.pending_count >= 10)
        asking.send(type="hint")
        hint = asking.read_until(lambda m: m["type"] == "hint")
        assert not pool.hold.is_set()
    assert hint["action"]


def test_table_goes_on_during_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = HeldPool()
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: pool)
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, start=True)
        with open_seat(ann, opened) as asking:
            asking.play(lambda state: state["decision"])
            asking.send(type="hint")
            _wait_until(ann, lambda scheduler: len(pool.asked) == 1)
            asking.send(type="pause")
            asking.read_until(lambda m: m["type"] == "state" and m["table"]["paused"])
            assert asking.send_refused(type="hint") == "rate"  # one at a time
            ann.portal.call(pool.hold.set)  # type: ignore[union-attr]
            asking.read_until(lambda m: m["type"] == "hint")
            pool.hold.clear()
            asking.send(type="hint")
            _wait_until(ann, lambda scheduler: len(pool.asked) == 2)
        with open_seat(ann, opened) as again:  # the hint ended with its socket
            again.send(type="hint")
            _wait_until(ann, lambda scheduler: scheduler.pending_count == 2)


async def _everybody_has_played(_store: Store, _person_id: str) -> bool:
    return True


def test_crowded_address_delays_a_hint_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order is that of requests to the pool."""
    pool = HeldPool("expert")  # hints use another bot
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: pool)
    monkeypatch.setattr("acesaround.server.accounts.sessions.has_played", _everybody_has_played)
    with ExitStack() as stack:
        greedy = stack.enter_context(open_clients(make_app(tmp_path), 20))
        ann = TestClient(greedy[0].app, client=("198.51.100.1", 1))
        ann.portal = greedy[0].portal
        asking = stack.enter_context(open_seat(ann, create_table(ann, start=True)))
        asking.play(lambda state: state["decision"])
        for client in greedy:
            stack.enter_context(open_seat(client, create_table(client, bots="expert", start=True)))
        # At other tables a guest is on turn.
        _wait_until(ann, lambda scheduler: scheduler.pending_count >= 8)
        asking.send(type="hint")
        _wait_until(ann, lambda scheduler: scheduler._people_waiting)
        assert len(pool.asked) == pool.max_running
        assert ann.portal is not None
        ann.portal.call(pool.hold.set)
        asking.read_until(lambda m: m["type"] == "hint")
        are_hints = [request.bot != "expert" for request in pool.asked]
        assert are_hints.index(True) == pool.max_running + 1
        ann.portal = None


def test_newcomers_do_not_delay_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No step at the tables of newcomers ends before the hint of a person who has played."""
    pool = HeldPool("expert")  # hints use another bot
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: pool)
    with ExitStack() as stack:
        first, *others = stack.enter_context(open_clients(make_app(tmp_path), 20))
        ann, *newcomers = (
            TestClient(client.app, client=(f"198.51.100.{number}", 1), cookies=client.cookies)
            for number, client in enumerate((first, *others))
        )
        for client in (ann, *newcomers):
            client.portal = first.portal
        sitting = stack.enter_context(open_seat(ann, create_table(ann, start=True)))
        sitting.play(has_scored_deals())
        for client in newcomers:
            stack.enter_context(open_seat(client, create_table(client, bots="expert", start=True)))
        # At other tables a guest is on turn.
        _wait_until(ann, lambda scheduler: scheduler.pending_count >= 8)
        assert len(pool.asked) == pool.max_running - 1
        sitting.play(lambda state: state["decision"])
        sitting.send(type="hint")
        sitting.read_until(lambda m: m["type"] == "hint")
        assert not pool.hold.is_set()
        for client in (ann, *newcomers):
            client.portal = None


async def test_waiting_hints_leave_no_traceback_when_the_server_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pool = HeldPool()
    monkeypatch.setattr("acesaround.server.app.make_bot_pool", lambda _: pool)
    server = make_app(tmp_path)

    async def end_steps_in_progress(executor: FairExecutor) -> None:
        try:
            await wait_until_async(lambda: executor.waiting_count == 0)
        finally:
            pool.hold.set()

    def is_on_turn(guest: Guest) -> bool:
        return b'"decision":{' in b"".join(guest.received[-1:])

    async with serve_in_process(server) as port:
        executor = server.state.server_context.registry.services.bot_dispatcher.scheduler.executor
        for number, bots_there in enumerate(["thumb"] * 5 + ["expert"] * 10):
            guest = Guest(f"Guest {number}", port, random.Random(number))
            await guest.enter()
            opened = await guest.open_table(variant="partnership", bots=bots_there, start=True)
            socket = await open_socket(port, f"/ws/{opened}", guest.received.append, guest.cookie)
            if bots_there == "thumb":
                await wait_until_async(partial(is_on_turn, guest))
                socket.send(type="hint")
        await wait_until_async(lambda: executor.waiting_count >= 6)
        ending = asyncio.create_task(end_steps_in_progress(executor))
    await ending
    assert [record for record in caplog.records if record.exc_info] == []


async def test_stopping_server_replaces_no_worker(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(local, "load_kernels", fake_workers.load_nothing)
    monkeypatch.setattr(local, "decide_or_failure", fake_workers.decide_or_hang)
    pool = local.LocalPool(1, PATIENCE_SECONDS)
    scheduler = BotScheduler(pool)
    await wait_until_async(scheduler.prepare, "a worker is ready")
    step = asyncio.create_task(scheduler.decide_fairly("ann", first_bid_request()))
    await wait_until_async(lambda: pool._pending and pool._requests.empty(), "a worker decides")
    await scheduler.close()
    with pytest.raises(RateLimited, match="is stopping"):
        await step
    assert not caplog.records


async def test_rate_limited_bots_are_reported_and_continue_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(variant="partnership", players=4, bots="thumb")
    entries = [*begin(config, Person("ann", "Ann")), log.Begun(0)]
    bodies = [log.encode(entry) for entry in entries]
    await store.create("t", bodies, config=b"{}", public=False, summary=b"{}")
    hub = TableRegistry(store, NO_WAITING, Metrics())
    refuse, think = [True, True], hub.services.bot_dispatcher.next_entry

    async def thought(table_id: str, table: Table) -> log.Entry:
        if refuse:
            refuse.pop()
            raise RateLimited
        return await think(table_id, table)

    monkeypatch.setattr(hub.services.bot_dispatcher, "next_entry", thought)
    monkeypatch.setattr(bot_turn_loop, "RETRY_SECONDS", 0.01)
    watcher = TableClient(Person("ann", "Ann"), "t")
    async with hub.acquire("t") as sitting:
        assert sitting is not None
        await sitting.join(watcher)
        messages = []
        async with asyncio.timeout(PATIENCE_SECONDS):
            while sitting.table.seq < 6:  # three first entries, two links and the deal
                messages.append(await watcher.queue.get())
        sitting.leave(watcher)
    await hub.close()
    said = [one for one in messages if one is not None and b'"refused"' in one]
    assert len(said) == 1
    assert b'"rate"' in said[0]
