"""Cleanup removes unused tables, guests and chat, and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random

import pytest
from sqlalchemy import insert, select

from acesaround.retention.cleanup import Cleanup, CleanupCounts
from acesaround.retention.policy import DAY_MS, RetentionPolicy
from acesaround.retention.remove_table import remove_table
from acesaround.store import Store, admin_notices, retention_queries, reviews, table_lists
from acesaround.store import people as persons
from acesaround.store.schema import DEVICES, PAIRING_CODES
from acesaround.store.store import current_ms
from acesaround.table import Entry, commands, entries, fold, game_records
from tests.retention.store_fixtures import NOW, count_rows, entries_of, store_person, store_table
from tests.server.visibility_oracle import make_random_log
from tests.store import opening as databases
from tests.table.table_log import ANN, BOB, CLEO, TableLog, make_finished_game, table_config

POLICY = RetentionPolicy(90 * DAY_MS)
HOUR_MS = DAY_MS // 24
"""In ms: the tolerance for a clock that is changed."""


def opened_log() -> list[Entry]:
    return TableLog(table_config()).entries


def unfinished_deal_log() -> list[Entry]:
    log = TableLog(table_config())
    log.send(ANN, commands.Start())
    log.play_bots()
    return log.entries


def halfway_log() -> list[Entry]:
    """Return the log of a table left in mid-game, after its first deal."""
    log = TableLog(table_config(options={"target": 5000}))
    log.send(ANN, commands.Start())
    log.play_deals(ANN, deals=1)
    assert log.table.is_playing
    return log.entries


def finished_log() -> list[Entry]:
    return make_finished_game().entries


async def listed_tables(store: Store) -> set[str]:
    names = ("opened", "begun", "halfway", "over", "again")
    return {line.id for line in await table_lists.listings(store, names)}


async def store_all_tables(store: Store, days: int) -> None:
    at = NOW - days * DAY_MS
    await store_table(store, "opened", opened_log(), at)
    await store_table(store, "begun", unfinished_deal_log(), at)
    await store_table(store, "halfway", halfway_log(), at)
    await store_table(store, "over", finished_log(), at)
    await store_table(store, "again", [*finished_log(), entries.Begun(0)], at)


@pytest.mark.parametrize(
    ("days", "stays"),
    [
        (29, {"opened", "begun", "halfway", "over", "again"}),
        (31, {"halfway", "over", "again"}),
        (89, {"halfway", "over", "again"}),
        (91, {"over", "again"}),
        (40_000, {"over", "again"}),
    ],
)
async def test_unused_tables_are_removed(store: Store, days: int, stays: set[str]) -> None:
    """A finished game keeps its table, even if another was begun there."""
    await store_all_tables(store, days)
    done = await Cleanup(store, POLICY).run_once(NOW)
    assert await listed_tables(store) == stays
    assert done is not None
    assert done.tables == 5 - len(stays)
    for name in stays:
        assert await store.resolve_token(f"link-{name}") is not None
        assert await table_lists.tables_of_person(store, ANN.id) != []


async def test_removed_table_leaves_one_entry_for_a_day(store: Store) -> None:
    await store_table(store, "t", halfway_log(), NOW - 100 * DAY_MS)
    await reviews.save_review(store, "t", 1, 0, 1, "{}")
    await Cleanup(store, POLICY).run_once(NOW)
    assert await count_rows(store, "reviews") == 0
    assert await store.resolve_token("link-t") is None
    assert await store.resolve_token("t") is None
    assert await store.game_summaries("t") == []
    assert await table_lists.tables_of_person(store, ANN.id) == []
    assert await entries_of(store, "t") == [entries.Ended("cleared")]
    later = current_ms() + DAY_MS + HOUR_MS
    assert await Cleanup(store, POLICY).run_once(later) == CleanupCounts()
    assert [await count_rows(store, name) for name in ("entries", "notices")] == [0, 0]


async def test_finished_games_are_removed_if_configured(store: Store) -> None:
    await store_all_tables(store, 366)
    await Cleanup(store, RetentionPolicy(90 * DAY_MS, 365 * DAY_MS)).run_once(NOW)
    assert await listed_tables(store) == set()


async def test_nothing_is_removed_without_a_retention_time(store: Store) -> None:
    await store_all_tables(store, 10_000)
    await store_person(store, CLEO, 1)
    assert await Cleanup(store, RetentionPolicy(None)).run_once(NOW) == CleanupCounts()
    assert len(await listed_tables(store)) == 5
    assert await count_rows(store, "people") == 1


async def test_table_in_use_keeps_its_log(store: Store) -> None:
    log = TableLog(table_config())
    log.send(ANN, commands.SendChat("hello"))
    await store_table(store, "opened", log.entries, NOW - 100 * DAY_MS)
    assert await Cleanup(store, POLICY, {"opened"}.__contains__).run_once(NOW) == CleanupCounts()
    assert await entries_of(store, "opened") == log.entries


async def test_table_with_a_recent_entry_stays(store: Store) -> None:
    """Lists do not show played cards; the last entry of the log does."""
    await store_table(store, "halfway", halfway_log(), NOW - 100 * DAY_MS)
    seq = len(await store.entries("halfway"))
    await store.append("halfway", seq, [entries.encode(entries.Paused())])  # at the present time
    assert await Cleanup(store, POLICY).run_once(NOW) == CleanupCounts()
    assert await listed_tables(store) == {"halfway"}


async def test_entry_before_the_removal_keeps_the_table(store: Store) -> None:
    await store_table(store, "halfway", halfway_log(), NOW - 100 * DAY_MS)
    end = await retention_queries.last_entry(store, "halfway")
    assert end is not None
    await store.append("halfway", end.seq + 1, [entries.encode(entries.Paused())])
    assert not await remove_table(
        store, "halfway", "cleared", expected_last=end, poll_grace_seconds=0
    )
    assert await listed_tables(store) == {"halfway"}
    assert len(await store.entries("halfway")) == end.seq + 2


async def test_interrupted_removal_is_finished_later(store: Store) -> None:
    """As if the process was killed after the first step."""
    await store_table(store, "halfway", halfway_log())
    seq = len(await store.entries("halfway"))
    await store.append("halfway", seq, [entries.encode(entries.Ended("removed"))])
    await admin_notices.publish_notice(store, "removed", "halfway")
    await Cleanup(store, POLICY).run_once(current_ms() + HOUR_MS)
    assert await listed_tables(store) == set()
    assert await entries_of(store, "halfway") == [entries.Ended("removed")]


@pytest.mark.parametrize("pieces", range(9))
async def test_interrupted_cleanup_is_continued(
    store: Store, pieces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the process was killed between two pieces."""
    monkeypatch.setattr(retention_queries, "ROWS_PER_PIECE", 10)
    log = make_finished_game()
    log.send(ANN, commands.SendChat("hello"))
    await store_table(store, "begun", unfinished_deal_log(), NOW - 100 * DAY_MS)
    await store_table(store, "halfway", halfway_log(), NOW - 100 * DAY_MS)
    await store_table(store, "over", log.entries, NOW - 100 * DAY_MS)
    left_over = [pieces]

    async def pause(_took: float) -> None:
        left_over[0] -= 1
        if left_over[0] < 0:
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        await Cleanup(store, POLICY, pause=pause).run_once(NOW)
    again = Cleanup(store, POLICY)
    await again.run_once(NOW)
    await again.run_once(current_ms() + HOUR_MS)
    assert await listed_tables(store) == {"over"}
    for name in ("begun", "halfway"):
        assert await entries_of(store, name) == [entries.Ended("cleared")]
    assert game_records(await entries_of(store, "over")) == game_records(log.entries)
    await again.run_once(current_ms() + 2 * DAY_MS)
    assert await count_rows(store, "entries") == len(log.entries)


async def test_long_log_is_removed_in_pieces(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention_queries, "ROWS_PER_PIECE", 10)
    log = unfinished_deal_log()
    await store_table(store, "begun", log, NOW - 100 * DAY_MS)
    pauses: list[float] = []

    async def pause(took: float) -> None:
        pauses.append(took)

    await Cleanup(store, POLICY, pause=pause).run_once(NOW)
    assert len(pauses) >= len(log) // 10
    assert await entries_of(store, "begun") == [entries.Ended("cleared")]


async def test_old_chat_is_removed_and_the_game_unchanged(store: Store) -> None:
    log = TableLog(table_config(options={"hands": 1}))
    for number in range(30):
        log.send(ANN, commands.SendChat("hello" if number % 2 else "oops"))
    log.send(ANN, commands.Start())
    log.play_deals(ANN, deals=1)
    await store_table(store, "over", log.entries, NOW - 91 * DAY_MS)
    await store_table(store, "again", log.entries, NOW - 89 * DAY_MS)
    before = fold(log.entries)
    done = await Cleanup(store, POLICY).run_once(NOW)
    assert done == CleanupCounts(chat_lines=30)
    found = await entries_of(store, "over")
    assert not [entry for entry in found if isinstance(entry, entries.ChatSent)]
    after = fold(found)
    assert (after.game, after.seq, after.sheet, after.chat) == (
        before.game, before.seq, before.sheet, (),
    )  # fmt: skip
    assert game_records(found) == game_records(log.entries)
    assert await entries_of(store, "again") == log.entries
    assert await Cleanup(store, POLICY).run_once(NOW) == CleanupCounts()


async def test_chat_is_removed_in_pieces(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """All is removed except at a table in use, in any number of pieces."""
    monkeypatch.setattr(retention_queries, "ROWS_PER_PIECE", 3)
    log = make_finished_game()
    for _ in range(7):
        log.send(ANN, commands.SendChat("hello"))
    for name in ("a", "b", "c"):
        await store_table(store, name, log.entries, NOW - 20 * DAY_MS)
    done = await Cleanup(store, RetentionPolicy(10 * DAY_MS), {"b"}.__contains__).run_once(NOW)
    assert done is not None
    assert done.chat_lines == 14
    assert await entries_of(store, "b") == log.entries


async def test_inactive_guests_without_games_are_deleted(store: Store) -> None:
    await store_table(store, "over", finished_log(), NOW - 300 * DAY_MS)  # of Ann and Bob
    for person in (ANN, BOB):
        await store_person(store, person, NOW - 300 * DAY_MS)
    await store_person(store, CLEO, NOW - 31 * DAY_MS)
    await store_person(store, entries.Person("d4", "Dan"), NOW - 29 * DAY_MS)
    done = await Cleanup(store, POLICY).run_once(NOW)
    assert done == CleanupCounts(guests=1)
    assert await count_rows(store, "people") == 3


async def test_nameless_guests_are_deleted_with_their_devices(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guests with a name, a table or a recently seen device stay."""
    monkeypatch.setattr(retention_queries, "ROWS_PER_PIECE", 2)
    await store_table(store, "over", finished_log(), NOW - 300 * DAY_MS)  # of Ann and Bob
    old, late = NOW - 31 * DAY_MS, NOW - 29 * DAY_MS
    seen: list[tuple[str, str | None, int]]
    seen = [("x1", "x1", old), ("x2", "x2", old), ("x3", "x3", old), ("x4", "x3", old)]
    seen += [("x5", None, old), ("x6", None, old), ("y6", "x6", old)]
    seen += [("y1", "y1", old), ("y2", "y1", late), ("a1", ANN.id, old), ("d1", "d4", old)]
    async with store.begin_write() as connection:
        for device, person, at in seen:
            times = dict.fromkeys(("first_seen_ms", "last_seen_ms", "changed_ms"), at)
            who = {"device_id": device, "person_id": person, "name": "Firefox"}
            await connection.execute(insert(DEVICES), {**times, **who})
        code = {"code_hash": "c", "person_id": "x1", "expires_ms": late}
        await connection.execute(insert(PAIRING_CODES), code)
    await store_person(store, entries.Person("d4", "Dan"), NOW - DAY_MS)
    assert await Cleanup(store, POLICY).run_once(NOW) == CleanupCounts(guests=4)
    async with store.begin_read() as connection:
        listed_tables = await connection.execute(select(DEVICES.c.device_id, DEVICES.c.person_id))
        assert dict(listed_tables.all()) == {
            **{"y1": "y1", "y2": "y1", "a1": ANN.id, "d1": "d4"},
            **{"x4": None, "x5": None, "y6": None},  # without a row they would be other persons
        }
        assert not (await connection.execute(select(PAIRING_CODES))).all()


async def test_guests_are_deleted_in_pieces(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guests with a table are among them, and stay."""
    monkeypatch.setattr(retention_queries, "ROWS_PER_PIECE", 2)
    await store_table(store, "over", finished_log(), NOW - 300 * DAY_MS)
    people = [entries.Person(f"p{number}", f"P{number}") for number in range(5)]
    for number, person in enumerate((ANN, *people[:2], BOB, *people[2:])):
        await store_person(store, person, NOW - (300 - number) * DAY_MS)
    assert await Cleanup(store, POLICY).run_once(NOW) == CleanupCounts(guests=5)
    assert await count_rows(store, "people") == 2


async def test_guest_who_returns_in_the_last_moment_stays(store: Store) -> None:
    await store_person(store, CLEO, NOW - 100 * DAY_MS)
    (found,) = await persons.inactive_guests(store, NOW)
    await retention_queries.touch_person(store, CLEO.id)
    assert await persons.delete_inactive(store, [found.id], NOW) == 0
    assert await count_rows(store, "people") == 1


async def test_cleanup_is_logged(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    await store_all_tables(store, 100)
    with caplog.at_level(logging.INFO, "acesaround.retention"):
        await Cleanup(store, POLICY).run_once(NOW)
        await Cleanup(store, POLICY).run_once(NOW)
    assert [record.getMessage() for record in caplog.records] == [
        "removed by --retention 90d: 3 tables, 0 chat messages, 0 guests"
    ]


@pytest.mark.parametrize("url", ["postgresql", "memory-shared"], indirect=True)
async def test_only_one_process_cleans_up(store: Store, url: str) -> None:
    async with databases.opened(url) as other:
        async with retention_queries.CleanupLock(store) as mine:
            assert mine
            assert await Cleanup(other, POLICY).run_once(NOW) is None
        assert await Cleanup(other, POLICY).run_once(NOW) == CleanupCounts()


async def test_appends_are_possible_during_a_cleanup(store: Store) -> None:
    """Entries are appended between the pieces, and none is refused."""
    rng = random.Random(5)
    for number in range(15):
        await store_table(store, f"old{number}", make_random_log(rng, 1, 150), NOW - 4000 * DAY_MS)
    await store_table(store, "mine", opened_log(), current_ms())
    cleanup = asyncio.create_task(
        Cleanup(store, RetentionPolicy(90 * DAY_MS, 90 * DAY_MS)).run_once(NOW)
    )
    appended = 0
    seq = len(await store.entries("mine"))
    while not cleanup.done():
        await store.append("mine", seq + appended, [entries.encode(entries.ChatSent(0, "hello"))])
        appended += 1
    done = await cleanup
    assert done is not None
    assert done.tables == 15
    assert len(await store.entries("mine")) == seq + appended
