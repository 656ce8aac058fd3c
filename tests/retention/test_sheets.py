"""Games that persons have made: exported, deleted and cleared with who made them."""

from __future__ import annotations

from pathlib import Path

from acesaround.retention.cleanup import Cleanup
from acesaround.retention.delete_person import delete_person
from acesaround.retention.export_person import export_person
from acesaround.retention.policy import DAY_MS, RetentionPolicy
from acesaround.store import Store, people, retention_queries, sheets
from tests.retention.store_fixtures import call, rows
from tests.table.test_table import ANN


async def test_they_are_exported_and_deleted_with_the_person(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    for who in (ANN.id, "somebody-else"):
        assert await sheets.save_sheet(store, who, "ours", f"# of {who}", 1)
        assert not await sheets.save_sheet(store, who, "more", "", 1)
    person = await people.find_person(store, ANN.id)
    assert person is not None
    (row,) = (await export_person(store, person)).rows["sheets"]
    assert (row["key"], row["text"]) == ("ours", f"# of {ANN.id}")
    await delete_person(store, ANN.id, notice_seconds=0)
    assert await sheets.sheets_of(store, ANN.id) == []
    assert [one.key for one in await sheets.sheets_of(store, "somebody-else")] == ["ours"]
    await store.close()


async def test_those_of_nobody_are_cleared_and_those_of_who_is_known_stay(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    now = retention_queries.current_ms()
    await call(store, ANN, now + 40 * DAY_MS)
    for who in (ANN.id, "nameless"):
        assert await sheets.save_sheet(store, who, "ours", "", 9)
    clearing = Cleanup(store, RetentionPolicy())
    await clearing.run_once(now + DAY_MS)
    assert await rows(store, "sheets") == 2
    await clearing.run_once(now + 40 * DAY_MS)
    assert [one.key for one in await sheets.sheets_of(store, ANN.id)] == ["ours"]
    assert await sheets.sheets_of(store, "nameless") == []
    await store.close()
