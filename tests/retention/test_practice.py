"""Answers to practice positions are exported, deleted and cleaned up with their person."""

from __future__ import annotations

from pathlib import Path

from acesaround.retention.cleanup import Cleanup
from acesaround.retention.delete_person import delete_person
from acesaround.retention.export_person import export_person
from acesaround.retention.policy import DAY_MS, RetentionPolicy
from acesaround.store import Store, people, practice
from acesaround.store.store import current_ms
from tests.retention.store_fixtures import count_rows, store_person
from tests.table.table_log import ANN


async def test_answers_are_exported_and_deleted_with_the_person(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    for person_id in (ANN.id, "somebody-else"):
        await practice.save_answer(store, person_id, "auction.1", "leads", is_right=True)
        await practice.save_answer(store, person_id, "auction.1", "leads", is_right=False)
    person = await people.find_person(store, ANN.id)
    assert person is not None
    (row,) = (await export_person(store, person)).rows["practice"]
    assert (row["position"], row["right_count"], row["wrong_count"]) == ("auction.1", 1, 1)
    await delete_person(store, ANN.id, poll_grace_seconds=0)
    assert await practice.answers_of(store, ANN.id) == []
    (answers,) = await practice.answers_of(store, "somebody-else")
    assert (answers.right, answers.wrong, answers.was_right) == (1, 1, False)
    await store.close()


async def test_only_answers_of_unknown_persons_are_cleaned_up(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    now = current_ms()
    await store_person(store, ANN, now + 40 * DAY_MS)
    for person_id in (ANN.id, "nameless"):
        await practice.save_answer(store, person_id, "auction.1", "leads", is_right=True)
    cleanup = Cleanup(store, RetentionPolicy())
    await cleanup.run_once(now + DAY_MS)
    assert await count_rows(store, "practice") == 2
    await cleanup.run_once(now + 40 * DAY_MS)
    assert len(await practice.answers_of(store, ANN.id)) == 1
    assert await practice.answers_of(store, "nameless") == []
    await store.close()
