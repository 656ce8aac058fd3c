"""Rule sheets are exported, deleted and cleaned up with their person."""

from __future__ import annotations

from pathlib import Path

from acesaround.retention.cleanup import Cleanup
from acesaround.retention.delete_person import delete_person
from acesaround.retention.export_person import export_person
from acesaround.retention.policy import DAY_MS, RetentionPolicy
from acesaround.store import Store, people, sheets
from acesaround.store.store import current_ms
from tests.retention.store_fixtures import count_rows, store_person
from tests.table.table_log import ANN


async def test_sheets_are_exported_and_deleted_with_the_person(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    for person_id in (ANN.id, "somebody-else"):
        assert await sheets.save_sheet(store, person_id, "ours", f"# of {person_id}", 1)
        assert not await sheets.save_sheet(store, person_id, "more", "", 1)
    person = await people.find_person(store, ANN.id)
    assert person is not None
    (row,) = (await export_person(store, person)).rows["sheets"]
    assert (row["key"], row["text"]) == ("ours", f"# of {ANN.id}")
    await delete_person(store, ANN.id, poll_grace_seconds=0)
    assert await sheets.sheets_of(store, ANN.id) == []
    assert [sheet.key for sheet in await sheets.sheets_of(store, "somebody-else")] == ["ours"]
    await store.close()


async def test_only_sheets_of_unknown_persons_are_cleaned_up(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    now = current_ms()
    await store_person(store, ANN, now + 40 * DAY_MS)
    for person_id in (ANN.id, "nameless"):
        assert await sheets.save_sheet(store, person_id, "ours", "", 9)
    cleanup = Cleanup(store, RetentionPolicy())
    await cleanup.run_once(now + DAY_MS)
    assert await count_rows(store, "sheets") == 2
    await cleanup.run_once(now + 40 * DAY_MS)
    assert [sheet.key for sheet in await sheets.sheets_of(store, ANN.id)] == ["ours"]
    assert await sheets.sheets_of(store, "nameless") == []
    await store.close()
