"""Lists and records: made of what is kept beside the log, and of the log at most once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from acesaround.record.model import encode
from acesaround.server.live.log_reader import LogReader
from acesaround.server.live.records_cache import RecordCache
from acesaround.store import Store
from acesaround.table import entries as log
from acesaround.table import fold_games, history_of, public_record, replay
from tests.server.http_client import app, browsers, seat, table
from tests.server.visibility_oracle import a_log

SHORT: dict[str, Any] = {"options": {"target": 1}, "start": True}


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    yield store
    await store.close()


def read_logs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the tables whose logs are read from now on."""
    read: list[str] = []
    entries = Store.entries

    async def counted(self: Store, table_id: str, from_seq: int = 0) -> list[bytes]:
        read.append(table_id)
        return await entries(self, table_id, from_seq)

    monkeypatch.setattr(Store, "entries", counted)
    return read


def test_no_list_reads_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a log is, as after a flood of talk: nobody who looks at a list waits for it."""
    with browsers(app(tmp_path)) as [ann]:
        opened = table(ann, public=True, **SHORT)
        with seat(ann, opened) as sitting:
            sitting.play(lambda state: state["table"]["over"])
        read = read_logs(monkeypatch)
        [line] = ann.get(f"/api/tables/{opened}/games").json()["games"]
        assert line["over"] is True
        for path in ("/api/tables", "/api/mine", f"/api/tables/{opened}/rules"):
            assert ann.get(path).status_code == 200
        assert ann.get(f"/r/{opened}/2").status_code == 404
        assert read == []


def test_what_is_made_of_a_finished_game_reads_its_log_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with browsers(app(tmp_path)) as [ann]:
        opened = table(ann, **SHORT)
        with seat(ann, opened) as sitting:
            sitting.play(lambda state: state["table"]["over"])
        read = read_logs(monkeypatch)
        for path in ("record.json", "record.txt", "replay", "replay?deal=1", "why?step=0"):
            assert ann.get(f"/api/tables/{opened}/{path}").status_code == 200, path
        assert read == [opened]


@pytest.mark.parametrize("seed", range(6))
def test_a_replay_made_of_the_record_is_that_made_of_the_log(seed: int) -> None:
    entries = a_log(random.Random(seed), 3)
    for number, line in enumerate(fold_games(entries)[1], 1):
        if line.is_over:
            again = history_of(public_record(line))
            for deal in range(1, line.deal_count + 1):
                assert replay(again, "t", number, deal, 1) == replay(line, "t", number, deal, 1)


async def filled(store: Store, names: str) -> list[log.Entry]:
    """The same log under several names."""
    entries = a_log(random.Random(1), 2)
    bodies = [log.encode(entry) for entry in entries]
    for name in names:
        await store.create(name, bodies, config=b"{}", public=False, summary=b"{}")
    return entries


async def test_of_many_who_want_a_record_at_once_one_reads_the_log(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = await filled(store, "t")
    line = fold_games(entries)[1][0]
    read, records = read_logs(monkeypatch), RecordCache(store, LogReader())
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


async def test_records_take_bounded_memory_and_the_least_asked_for_goes_first(
    store: Store,
) -> None:
    entries = await filled(store, "abc")
    line = fold_games(entries)[1][0]
    size = len((await sizes(store, line.deal_count, line.is_over))[0])
    records = RecordCache(store, LogReader(), max_bytes=int(2.5 * size))
    try:
        for name in "abac":
            await records.get("ann", (name, 1, line.deal_count, line.is_over))
            assert records.byte_count <= 2.5 * size
        assert sorted(key[0] for key in records._records) == ["a", "c"]
        assert records.byte_count == sum(len(kept) for kept in records._records.values())
    finally:
        await records.close()


async def sizes(store: Store, deals: int, over: bool) -> list[bytes]:
    records = RecordCache(store, LogReader())
    found = await records.get("ann", ("a", 1, deals, over))
    await records.close()
    assert found is not None
    return [found]
