"""Cleanup in a running server removes old tables and does not disturb players."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from starlette.websockets import WebSocketDisconnect

from acesaround.retention.policy import DAY_MS, RetentionPolicy
from acesaround.server.background import retention
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import BotDelays
from acesaround.store import Store, retention_queries
from acesaround.store.store import current_ms
from acesaround.table import Entry, commands
from acesaround.table.entries import LinkCreated
from tests.retention.store_fixtures import store_table
from tests.server.clock import Clock, get_clock
from tests.server.http_client import (
    create_table,
    has_scored_deals,
    make_app,
    open_clients,
    open_seat,
    set_name,
)
from tests.table.table_log import ANN, TableLog, make_finished_game, table_config
from tests.waiting import PATIENCE_SECONDS, wait_until, wait_until_async


def store_old_tables(folder: Path, **logs: Sequence[Entry]) -> None:
    """Store tables that were last changed 100 days ago."""

    async def filled() -> None:
        store = await Store.open(f"sqlite:///{folder / 'tables.sqlite'}")
        for name, entries in logs.items():
            links = (
                LinkCreated("play", f"link-{name}"),
                LinkCreated("watch", f"watch-{name}"),
                LinkCreated("replay", f"replay-{name}"),
            )
            await store_table(store, name, [*entries, *links], current_ms() - 100 * DAY_MS)
        await store.close()

    asyncio.run(filled())


def wait_with_clock(clock: Clock, holds: Callable[[], object], step_seconds: float = 0.1) -> None:
    """Wait for a condition while the clock goes forward, so that pauses of the cleanup pass."""

    def advance_and_check() -> object:
        clock.advance(step_seconds)
        return holds()

    wait_until(advance_and_check)


def cleanup_messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage()
        for record in caplog.records
        if record.name == "acesaround.retention.cleanup"
    ]


def test_cleanup_removes_old_tables_but_not_those_in_use(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    begun = TableLog(table_config())
    begun.send(ANN, commands.Start())
    store_old_tables(
        tmp_path,
        watched=TableLog(table_config()).entries,
        left=begun.entries,
        over=make_finished_game().entries,
    )
    line = "removed by --retention 90d: 1 tables, 0 chat messages, 0 guests"
    server = make_app(tmp_path, retention=RetentionPolicy(90 * DAY_MS))
    with caplog.at_level(logging.INFO), open_clients(server, 2) as [zoe, bob]:
        clock = get_clock(zoe)
        with open_seat(bob, "link-watched") as looking:
            opened = create_table(set_name(zoe, "Zoe"), start=True)
            with open_seat(zoe, opened) as playing:
                playing.play(has_scored_deals())
            clock.advance(retention.FIRST_CLEANUP_SECONDS)
            wait_with_clock(clock, lambda: cleanup_messages(caplog) == [line])
            assert zoe.get("/api/tables/link-left/games").status_code == 404
            assert looking.state["table"]["seats"][0]["name"] == "Ann"
            assert zoe.get("/api/tables/link-watched/games").status_code == 200
        wait_until(lambda: not server.state.server_context.registry.is_in_use("watched"))
        # The pause after the first cleanup may begin later, so the clock is advanced each time.
        wait_with_clock(
            clock, lambda: cleanup_messages(caplog) == [line, line], retention.CLEANUP_SECONDS
        )
        assert zoe.get("/api/tables/link-watched/games").status_code == 404
        with (
            pytest.raises(WebSocketDisconnect) as left,
            bob.websocket_connect("/ws/link-watched?seq=2") as socket,
        ):
            socket.receive_json()
        assert left.value.code == 4404
        assert zoe.get("/api/tables/link-over/games").json()["games"][0]["over"]
        assert [one["id"] for one in zoe.get("/api/mine").json()] == [opened]
        # A running count may pause after the clock was advanced, so it is advanced each time.
        wait_with_clock(
            clock,
            lambda: "acesaround_database_tables 2.0\n" in zoe.get("/metrics").text,
            retention.COUNT_SECONDS,
        )


def test_failing_cleanup_is_logged_and_retried(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_old_tables(tmp_path, left=TableLog(table_config()).entries)
    stale_tables, failing = retention_queries.stale_tables, [True]

    async def fail_once(*given: object, **more: object) -> list[retention_queries.StaleTable]:
        if failing:
            failing.clear()
            raise RuntimeError("a slip")
        return await stale_tables(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(retention_queries, "stale_tables", fail_once)
    with open_clients(make_app(tmp_path, retention=RetentionPolicy(90 * DAY_MS))) as [ann]:
        clock = get_clock(ann)
        clock.advance(retention.FIRST_CLEANUP_SECONDS)
        wait_with_clock(clock, lambda: "cleanup failed" in caplog.text)
        assert ann.get("/api/tables/link-left/games").status_code == 200
        wait_with_clock(
            clock,
            lambda: ann.get("/api/tables/link-left/games").status_code == 404,
            retention.CLEANUP_SECONDS,
        )


async def test_server_ends_during_a_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_CLEANUP_SECONDS", "CLEANUP_SECONDS", "COUNT_SECONDS"):
        monkeypatch.setattr(retention, name, 1e9)
    store, metrics = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}"), Metrics()
    hub = TableRegistry(store, BotDelays(), metrics)
    async with asyncio.timeout(PATIENCE_SECONDS):
        async with retention.run_retention(store, hub, metrics, RetentionPolicy(90 * DAY_MS)):
            await wait_until_async(lambda: metrics.database_size)
    await store.close()


async def test_table_is_in_use_if_anybody_is_connected_to_any_process(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    await store_table(store, "t", TableLog(table_config()).entries)
    hub, other = (TableRegistry(store, BotDelays(), Metrics()) for _ in range(2))
    assert not hub.is_in_use("t")
    for said in other.services.peers.presence_messages({"t": ["a1"], "u": [""]}, 7000):
        hub.services.peers.receive(said)
    assert hub.is_in_use("t")
    assert hub.is_in_use("u"), "there may be an anonymous spectator"
    async with other.acquire("t"):
        assert other.is_in_use("t")
    assert not other.is_in_use("t")
    await store.close()
