"""Clearing: what nobody comes back to goes, and nothing else does."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random

import pytest
from sqlalchemy import insert, select

from acesaround.retention.cleanup import Cleanup, CleanupCounts
from acesaround.retention.close_table import remove_table
from acesaround.retention.policy import DAY_MS, RetentionPolicy
from acesaround.store import Store, admin_notices, retention_queries, table_lists
from acesaround.store import people as persons
from acesaround.store.schema import CODES, DEVICES
from acesaround.table import Entry, entries, fold, records
from acesaround.table import commands as say
from tests.retention.store_fixtures import NOW, call, entries_of, put, rows
from tests.server.visibility_oracle import a_log
from tests.store import opening as databases
from tests.table.test_games import finished
from tests.table.test_table import ANN, BOB, CLEO, Log, config

RULE = RetentionPolicy(90 * DAY_MS)
HOUR = DAY_MS // 24
"""In ms: so much a clock that is set anew meanwhile may differ, and nothing else is said of it."""


def opened() -> list[Entry]:
    return Log(config()).entries


def begun() -> list[Entry]:
    """A table where the first deal was not played to its end."""
    log = Log(config())
    log.do(ANN, say.Start())
    log.bots()
    return log.entries


def halfway() -> list[Entry]:
    """A table left in mid-game, after its first deal."""
    log = Log(config(options={"target": 5000}))
    log.do(ANN, say.Start())
    log.play(ANN, deals=1)
    assert log.table.is_playing
    return log.entries


def over() -> list[Entry]:
    return finished().entries


async def left(store: Store) -> set[str]:
    """The tables that are in lists."""
    names = ("opened", "begun", "halfway", "over", "again")
    return {line.id for line in await table_lists.listings(store, names)}


async def all_of_them(store: Store, days: int) -> None:
    at = NOW - days * DAY_MS
    await put(store, "opened", opened(), at)
    await put(store, "begun", begun(), at)
    await put(store, "halfway", halfway(), at)
    await put(store, "over", over(), at)
    await put(store, "again", [*over(), entries.Begun(0)], at)


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
async def test_tables_that_nobody_came_back_to_are_cleared(
    store: Store, days: int, stays: set[str]
) -> None:
    """A finished game keeps its table, also where another one was begun there."""
    await all_of_them(store, days)
    done = await Cleanup(store, RULE).run_once(NOW)
    assert await left(store) == stays
    assert done is not None
    assert done.tables == 5 - len(stays)
    for name in stays:
        assert await store.resolve_token(f"link-{name}") is not None
        assert await table_lists.tables_of_person(store, ANN.id) != []


async def test_of_a_cleared_table_nothing_is_left_but_a_last_word_and_a_day_later_nothing(
    store: Store,
) -> None:
    await put(store, "t", halfway(), NOW - 100 * DAY_MS)
    await Cleanup(store, RULE).run_once(NOW)
    assert await store.resolve_token("link-t") is None
    assert await store.resolve_token("t") is None
    assert await store.game_lines("t") == []
    assert await table_lists.tables_of_person(store, ANN.id) == []
    assert await entries_of(store, "t") == [entries.Ended("cleared")]
    later = retention_queries.current_ms() + DAY_MS + HOUR
    assert await Cleanup(store, RULE).run_once(later) == CleanupCounts()
    assert [await rows(store, name) for name in ("entries", "notices")] == [0, 0]


async def test_finished_games_go_where_the_operator_says_so(store: Store) -> None:
    await all_of_them(store, 366)
    await Cleanup(store, RetentionPolicy(90 * DAY_MS, 365 * DAY_MS)).run_once(NOW)
    assert await left(store) == set()


async def test_for_ever_is_for_ever(store: Store) -> None:
    await all_of_them(store, 10_000)
    await call(store, CLEO, 1)
    assert await Cleanup(store, RetentionPolicy(None)).run_once(NOW) == CleanupCounts()
    assert len(await left(store)) == 5
    assert await store.count_people() == 1


async def test_a_table_in_use_is_left_alone_and_its_talk_too(store: Store) -> None:
    log = Log(config())
    log.do(ANN, say.Talk("hello"))
    await put(store, "opened", log.entries, NOW - 100 * DAY_MS)
    assert await Cleanup(store, RULE, {"opened"}.__contains__).run_once(NOW) == CleanupCounts()
    assert await entries_of(store, "opened") == log.entries


async def test_a_table_at_which_anything_happened_meanwhile_stays(store: Store) -> None:
    """Lists do not show a card that was played: the last entry of the log says it."""
    await put(store, "halfway", halfway(), NOW - 100 * DAY_MS)
    seq = len(await store.entries("halfway"))
    await store.append("halfway", seq, [entries.encode(entries.Paused())])  # now, which is later
    assert await Cleanup(store, RULE).run_once(NOW) == CleanupCounts()
    assert await left(store) == {"halfway"}


async def test_who_plays_while_a_table_is_about_to_be_cleared_wins(store: Store) -> None:
    await put(store, "halfway", halfway(), NOW - 100 * DAY_MS)
    end = await retention_queries.last_entry(store, "halfway")
    assert end is not None
    await store.append("halfway", end.seq + 1, [entries.encode(entries.Paused())])
    assert not await remove_table(store, "halfway", "cleared", expected_last=end, notice_seconds=0)
    assert await left(store) == {"halfway"}
    assert len(await store.entries("halfway")) == end.seq + 2


async def test_what_was_half_removed_is_removed_later(store: Store) -> None:
    """As where the process was killed after the first word of it."""
    await put(store, "halfway", halfway())
    seq = len(await store.entries("halfway"))
    await store.append("halfway", seq, [entries.encode(entries.Ended("removed"))])
    await admin_notices.publish_notice(store, "removed", "halfway")
    await Cleanup(store, RULE).run_once(retention_queries.current_ms() + HOUR)
    assert await left(store) == set()
    assert await entries_of(store, "halfway") == [entries.Ended("removed")]


@pytest.mark.parametrize("pieces", range(9))
async def test_clearing_that_is_cut_short_is_gone_on_with(
    store: Store, pieces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the process is killed between two pieces: nothing is lost, nothing is left."""
    monkeypatch.setattr(retention_queries, "ROWS_PER_PIECE", 10)
    log = finished()
    log.do(ANN, say.Talk("hello"))
    await put(store, "begun", begun(), NOW - 100 * DAY_MS)
    await put(store, "halfway", halfway(), NOW - 100 * DAY_MS)
    await put(store, "over", log.entries, NOW - 100 * DAY_MS)
    left_over = [pieces]

    async def pause(_took: float) -> None:
        left_over[0] -= 1
        if left_over[0] < 0:
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        await Cleanup(store, RULE, pause=pause).run_once(NOW)
    again = Cleanup(store, RULE)
    await again.run_once(NOW)
    await again.run_once(retention_queries.current_ms() + HOUR)
    assert await left(store) == {"over"}
    for name in ("begun", "halfway"):
        assert await entries_of(store, name) == [entries.Ended("cleared")]
    assert records(await entries_of(store, "over")) == records(log.entries)
    await again.run_once(retention_queries.current_ms() + 2 * DAY_MS)
    assert await rows(store, "entries") == len(log.entries)


async def test_a_long_log_goes_in_small_pieces(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention_queries, "ROWS_PER_PIECE", 10)
    log = begun()
    await put(store, "begun", log, NOW - 100 * DAY_MS)
    pauses: list[float] = []

    async def pause(took: float) -> None:
        pauses.append(took)

    await Cleanup(store, RULE, pause=pause).run_once(NOW)
    assert len(pauses) >= len(log) // 10
    assert await entries_of(store, "begun") == [entries.Ended("cleared")]


async def test_old_talk_is_cleared_and_the_game_is_the_same(store: Store) -> None:
    log = Log(config(options={"hands": 1}))
    for number in range(30):
        log.do(ANN, say.Talk("hello" if number % 2 else "oops"))
    log.do(ANN, say.Start())
    log.play(ANN, deals=1)
    await put(store, "over", log.entries, NOW - 91 * DAY_MS)
    await put(store, "again", log.entries, NOW - 89 * DAY_MS)
    before = fold(log.entries)
    done = await Cleanup(store, RULE).run_once(NOW)
    assert done == CleanupCounts(talk=30)
    found = await entries_of(store, "over")
    assert not [entry for entry in found if isinstance(entry, entries.Said)]
    after = fold(found)
    assert (after.game, after.seq, after.sheet, after.chat) == (
        before.game, before.seq, before.sheet, (),
    )  # fmt: skip
    assert records(found) == records(log.entries)
    assert await entries_of(store, "again") == log.entries
    assert await Cleanup(store, RULE).run_once(NOW) == CleanupCounts()


async def test_more_talk_than_goes_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it goes, but where somebody is, however the pieces fall."""
    monkeypatch.setattr(retention_queries, "ROWS_PER_PIECE", 3)
    log = finished()
    for _ in range(7):
        log.do(ANN, say.Talk("hello"))
    for name in ("a", "b", "c"):
        await put(store, name, log.entries, NOW - 20 * DAY_MS)
    done = await Cleanup(store, RetentionPolicy(10 * DAY_MS), {"b"}.__contains__).run_once(NOW)
    assert done is not None
    assert done.talk == 14
    assert await entries_of(store, "b") == log.entries


async def test_guests_without_games_who_did_not_come_back_are_forgotten(store: Store) -> None:
    await put(store, "over", over(), NOW - 300 * DAY_MS)  # of Ann and Bob
    for person in (ANN, BOB):
        await call(store, person, NOW - 300 * DAY_MS)
    await call(store, CLEO, NOW - 31 * DAY_MS)
    await call(store, entries.Person("d4", "Dan"), NOW - 29 * DAY_MS)
    done = await Cleanup(store, RULE).run_once(NOW)
    assert done == CleanupCounts(guests=1)
    assert await store.count_people() == 3


async def test_guests_without_a_name_are_forgotten_with_their_devices(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has a name or a table stays, and so does who came lately by one device of several."""
    monkeypatch.setattr(retention_queries, "ROWS_PER_PIECE", 2)
    await put(store, "over", over(), NOW - 300 * DAY_MS)  # of Ann and Bob
    old, late = NOW - 31 * DAY_MS, NOW - 29 * DAY_MS
    seen: list[tuple[str, str | None, int]]
    seen = [("x1", "x1", old), ("x2", "x2", old), ("x3", "x3", old), ("x4", "x3", old)]
    seen += [("x5", None, old), ("x6", None, old), ("y6", "x6", old)]
    seen += [("y1", "y1", old), ("y2", "y1", late), ("a1", ANN.id, old), ("d1", "d4", old)]
    async with store.writing() as connection:
        for device, person, at in seen:
            times = dict.fromkeys(("first", "seen", "changed"), at)
            who = {"device_id": device, "person_id": person, "name": "Firefox"}
            await connection.execute(insert(DEVICES), {**times, **who})
        code = {"code": "c", "person_id": "x1", "expires": late}
        await connection.execute(insert(CODES), code)
    await call(store, entries.Person("d4", "Dan"), NOW - DAY_MS)
    assert await Cleanup(store, RULE).run_once(NOW) == CleanupCounts(guests=4)
    async with store.reading() as connection:
        left = await connection.execute(select(DEVICES.c.device_id, DEVICES.c.person_id))
        assert dict(left.all()) == {
            **{"y1": "y1", "y2": "y1", "a1": ANN.id, "d1": "d4"},
            **{"x4": None, "x5": None, "y6": None},  # which would be other persons without a row
        }
        assert not (await connection.execute(select(CODES))).all()


async def test_more_guests_than_go_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who have a table stand between, and stay."""
    monkeypatch.setattr(retention_queries, "ROWS_PER_PIECE", 2)
    await put(store, "over", over(), NOW - 300 * DAY_MS)
    people = [entries.Person(f"p{number}", f"P{number}") for number in range(5)]
    for number, person in enumerate((ANN, *people[:2], BOB, *people[2:])):
        await call(store, person, NOW - (300 - number) * DAY_MS)
    assert await Cleanup(store, RULE).run_once(NOW) == CleanupCounts(guests=5)
    assert await store.count_people() == 2


async def test_who_comes_back_in_the_last_moment_stays(store: Store) -> None:
    await call(store, CLEO, NOW - 100 * DAY_MS)
    (found,) = await persons.inactive_guests(store, NOW)
    await retention_queries.touch_person(store, CLEO.id)
    assert await persons.delete_inactive(store, [found.id], NOW) == 0
    assert await store.count_people() == 1


async def test_it_says_in_the_log_what_it_did(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await all_of_them(store, 100)
    with caplog.at_level(logging.INFO, "acesaround.retention"):
        await Cleanup(store, RULE).run_once(NOW)
        await Cleanup(store, RULE).run_once(NOW)
    assert [record.getMessage() for record in caplog.records] == [
        "removed by --retention 90d: 3 tables, 0 chat messages, 0 guests"
    ]


@pytest.mark.parametrize("url", ["postgresql", "memory-shared"], indirect=True)
async def test_of_several_processes_one_clears(store: Store, url: str) -> None:
    async with databases.opened(url) as other:
        async with retention_queries.CleanupLock(store) as mine:
            assert mine
            assert await Cleanup(other, RULE).run_once(NOW) is None
        assert await Cleanup(other, RULE).run_once(NOW) == CleanupCounts()


async def test_play_goes_on_while_much_is_cleared(store: Store) -> None:
    """Appends are made between the pieces: none is refused, and each is in the log."""
    rng = random.Random(5)
    for number in range(15):
        await put(store, f"old{number}", a_log(rng, 1, 150), NOW - 4000 * DAY_MS)
    await put(store, "mine", opened(), retention_queries.current_ms())
    clearing = asyncio.create_task(
        Cleanup(store, RetentionPolicy(90 * DAY_MS, 90 * DAY_MS)).run_once(NOW)
    )
    said = 0
    seq = len(await store.entries("mine"))
    while not clearing.done():
        await store.append("mine", seq + said, [entries.encode(entries.Said(0, "hello"))])
        said += 1
    done = await clearing
    assert done is not None
    assert done.tables == 15
    assert len(await store.entries("mine")) == seq + said
