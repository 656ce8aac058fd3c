"""Entries appended by another process reach a table here, at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from acesaround.server.cluster import peers
from acesaround.server.live.live_table import LiveTable
from acesaround.server.live.peer_presence import PeerPresence
from acesaround.server.live.table_registry import TableRegistry
from acesaround.server.observability.metrics import Metrics
from acesaround.server.settings import BotDelays
from acesaround.server.table_client import TableClient
from acesaround.store import Store
from acesaround.store.postgres_notifications import PRESENCE_CHANNEL
from acesaround.table import Config, Person, begin, entries
from tests.waiting import wait_until_async

CHAT_ENTRY = entries.encode(entries.ChatSent(0, "hello"))


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    bodies = [entries.encode(e) for e in begin(Config("partnership", 4), Person("a", "Ann"))]
    await store.create("t", bodies, config=b"{}", public=False, summary=b"{}")
    yield store
    await store.close()


@pytest.fixture
def registry(store: Store) -> TableRegistry:
    return TableRegistry(store, BotDelays(0, 0, 0, 0, 0), Metrics())


@pytest.fixture
async def live_table(registry: TableRegistry) -> AsyncIterator[LiveTable]:
    async with registry.acquire("t") as live_table:
        assert live_table is not None
        yield live_table
    await registry.close()


async def wait_for_seq(live_table: LiveTable, seq: int) -> None:
    await wait_until_async(lambda: live_table.table.seq >= seq)


async def test_announced_entry_is_read(store: Store, live_table: LiveTable) -> None:
    await store.append("t", 2, [CHAT_ENTRY])
    live_table.note_log_advance(3)
    await wait_for_seq(live_table, 3)


async def test_unknown_length_causes_a_read(store: Store, live_table: LiveTable) -> None:
    await store.append("t", 2, [CHAT_ENTRY])
    live_table.note_log_advance(None)
    await wait_for_seq(live_table, 3)


def append_late(store: Store, monkeypatch: pytest.MonkeyPatch, then: Callable[[], object]) -> None:
    """Append another entry after the next read of the log."""
    read = store.entries

    async def entries(table_id: str, from_seq: int = 0) -> list[bytes]:
        bodies = await read(table_id, from_seq)
        monkeypatch.setattr(store, "entries", read)
        await store.append("t", 3, [CHAT_ENTRY])
        then()
        return bodies

    monkeypatch.setattr(store, "entries", entries)


@pytest.mark.parametrize("seq", [4, None])
async def test_entry_announced_during_a_read_is_read_too(
    seq: int | None, store: Store, live_table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.append("t", 2, [CHAT_ENTRY])
    append_late(store, monkeypatch, lambda: live_table.note_log_advance(seq))
    live_table.note_log_advance(3)
    await wait_for_seq(live_table, 4)


async def test_entry_announced_at_the_end_of_a_read_is_read_too(
    store: Store, live_table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.append("t", 2, [CHAT_ENTRY])
    loop = asyncio.get_running_loop()
    append_late(store, monkeypatch, lambda: loop.call_soon(live_table.note_log_advance, 4))
    live_table.note_log_advance(3)
    await wait_for_seq(live_table, 4)


async def test_announcement_beyond_the_log_is_checked_once(
    store: Store, live_table: LiveTable
) -> None:
    live_table.note_log_advance(99)
    await wait_until_async(lambda: not live_table._log.is_behind)
    await store.append("t", 2, [CHAT_ENTRY])
    live_table.note_log_advance(3)
    await wait_for_seq(live_table, 3)


async def test_table_that_changes_during_its_first_read_is_read_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = TableRegistry(store, BotDelays(0, 0, 0, 0, 0), Metrics())
    await store.append("t", 2, [CHAT_ENTRY])
    append_late(store, monkeypatch, lambda: registry.note_log_advance("t", 4))
    async with registry.acquire("t") as live_table:
        assert live_table is not None
        await wait_for_seq(live_table, 4)
    await registry.close()


class SilentChannel:
    """A channel that delivers nothing, and records what is sent."""

    def __init__(self) -> None:
        self.grown: list[dict[str, int | None]] = []
        self.said: list[str] = []
        self.is_wanted: Callable[[str], bool] = lambda _: True

    async def run(self, heard: object, back: object) -> None:
        await asyncio.Event().wait()

    def notify(self, said: str) -> None:
        self.said.append(said)

    def notify_appended(self, grown: dict[str, int | None]) -> None:
        if any(self.is_wanted(table) for table in grown):
            self.grown.append(grown)

    async def finish(self) -> None:
        pass


async def test_unannounced_entry_of_a_dead_process_is_found(
    store: Store, registry: TableRegistry, live_table: LiveTable
) -> None:
    registry.services.peers.heartbeat_seconds = 0.02
    other = PeerPresence()
    async with peers.sync_with_peers(registry, SilentChannel()):  # type: ignore[arg-type]
        await store.append("t", 2, [CHAT_ENTRY])
        for said in other.presence_messages({"t": ["bob"]}, 7900):
            registry.services.peers.receive(said, now=0.0)  # long ago, so it is soon dropped
        await live_table.join(TableClient(None, "t"))
        await wait_for_seq(live_table, 3)


async def test_process_that_loads_a_table_is_told_to_read(
    registry: TableRegistry, live_table: LiveTable
) -> None:
    other, channel = PeerPresence(), SilentChannel()
    listener = peers._PeerSync(registry, channel)  # type: ignore[arg-type]
    assert not channel.is_wanted("t")  # no other process holds it
    for said in other.presence_messages({"t": ["bob"]}, 7900):
        listener._on_message(PRESENCE_CHANNEL, said)
    assert channel.is_wanted("t")
    assert channel.grown == [{"t": None}]


async def test_dropped_process_is_asked_for_presence_when_it_returns(
    registry: TableRegistry, live_table: LiveTable
) -> None:
    other, channel = PeerPresence(), SilentChannel()
    listener = peers._PeerSync(registry, channel)  # type: ignore[arg-type]
    for said in other.presence_messages({"t": ["bob"]}, 7900):
        listener._on_message(PRESENCE_CHANNEL, said)
    registry.broadcast_states(registry.services.peers.drop_silent_peers(1e12))
    assert not channel.is_wanted("t")
    listener._on_message(PRESENCE_CHANNEL, other.encode_message("alive"))
    assert any('"hello"' in said for said in channel.said)
