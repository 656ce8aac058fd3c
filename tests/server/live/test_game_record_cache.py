"""Lists and records: made from stored fields, with at most one read of the log."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from acesaround.record.model import encode
from acesaround.server.live.game_record_cache import RecordCache
from acesaround.server.live.log_reader import LogReader
from acesaround.store import Store
from acesaround.table import entries as log
from acesaround.table import fold_games, history_of, public_record, replay
from tests.server.http_client import create_table, make_app, open_clients, open_seat
from tests.server.visibility_oracle import make_random_log

SHORT_GAME: dict[str, Any] = {"options": {"target": 1}, "start": True}


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    yield store
    await store.close()


def record_log_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the ids of tables whose logs are read."""
    read: list[str] = []
    entries = Store.entries

    async def counted(self: Store, table_id: str, from_seq: int = 0) -> list[bytes]:
        read.append(table_id)
        return await entries(self, table_id, from_seq)

    monkeypatch.setattr(Store, "entries", counted)
    return read


def test_lists_read_no_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, public=True, **SHORT_GAME)
        with open_seat(ann, opened) as sitting:
            sitting.play(lambda state: state["table"]["over"])
        read = record_log_reads(monkeypatch)
        [line] = ann.get(f"/api/tables/{opened}/games").json()["games"]
        assert line["over"] is True
        for path in ("/api/tables", "/api/mine", f"/api/tables/{opened}/rules"):
            assert ann.get(path).status_code == 200
        assert ann.get(f"/r/{opened}/2").status_code == 404
        assert read == []


def test_downloads_of_a_finished_game_read_its_log_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann, **SHORT_GAME)
        with open_seat(ann, opened) as sitting:
            sitting.play(lambda state: state["table"]["over"])
        read = record_log_reads(monkeypatch)
        for path in ("record.json", "record.txt", "replay", "replay?deal=1", "why?step=0"):
            assert ann.get(f"/api/tables/{opened}/{path}").status_code == 200, path
        assert read == [opened]


@pytest.mark.parametrize("seed", range(6))
def test_replay_from_the_record_equals_that_from_the_log(seed: int) -> None:
    entries = make_random_log(random.Random(seed), 3)
    for number, line in enumerate(fold_games(entries)[1], 1):
        if line.is_over:
            again = history_of(public_record(line))
            for deal in range(1, line.deal_count + 1):
                assert replay(again, "t", number, deal, 1) == replay(line, "t", number, deal, 1)


async def store_logs(store: Store, names: str) -> list[log.Entry]:
    """Store the same log under several names."""
    entries = make_random_log(random.Random(1), 2)
    bodies = [log.encode(entry) for entry in entries]
    for name in names:
        await store.create(name, bodies, config=b"{}", public=False, summary=b"{}")
    return entries


async def test_requests_share_a_read_of_the_log(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = await store_logs(store, "t")
    line = fold_games(entries)[1][0]
    read, records = record_log_reads(monkeypatch), RecordCache(store, LogReader())
    try:
        key = "t", 1, line.deal_count, line.is_over
        found = await asyncio.gather(*(records.get(f"guest {n}", key) for n in range(20)))
        assert len(set(found)) == 1
        assert found[0] == encode(public_record(line))
        assert read == ["t"]
        assert await records.get("ann", ("t", 9, 0, False)) is None
        assert await records.get("ann", ("nowhere", 1, 0, False)) is None
        assert not records._locks
    finally:
        await records.close()


async def test_least_recently_used_record_is_evicted(
    store: Store,
) -> None:
    entries = await store_logs(store, "abc")
    line = fold_games(entries)[1][0]
    size = len((await measure_entry_sizes(store, line.deal_count, line.is_over))[0])
    records = RecordCache(store, LogReader(), max_bytes=int(2.5 * size))
    try:
        for name in "abac":
            await records.get("ann", (name, 1, line.deal_count, line.is_over))
            assert records.byte_count <= 2.5 * size
        assert sorted(key[0] for key in records._records) == ["a", "c"]
        assert records.byte_count == sum(len(kept) for kept in records._records.values())
    finally:
        await records.close()


async def measure_entry_sizes(store: Store, deals: int, over: bool) -> list[bytes]:
    records = RecordCache(store, LogReader())
    found = await records.get("ann", ("a", 1, deals, over))
    await records.close()
    assert found is not None
    return [found]
