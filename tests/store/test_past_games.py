"""The last games of a person, and the people at the same tables."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import text, update

from acesaround.store import Store, past_games, table_lists
from acesaround.store.schema import GAMES, TABLES
from acesaround.table.list_columns import GameSummary, ListColumns, TableSummary, encode_summary

SIDES = ((0, 2), (1, 3))


async def store_games(
    store: Store,
    table_id: str,
    people: Sequence[str],
    games: int = 1,
    *,
    changed: int,
    at: int | None = None,
) -> None:
    """Store a table of some persons with so many games, of which the n-th has n deals."""
    summary = TableSummary("partnership", "Partnership", 4, False, "", (), True, True, games)
    played = [GameSummary(n, True, (0, 2), tuple(people), SIDES) for n in range(1, games + 1)]
    await store.create(
        table_id,
        [b'{"type":"none"}'],
        config=b"{}",
        public=False,
        summary=msgspec.json.encode(summary),
        list_columns=ListColumns(is_over=True),
        games={one.deals: encode_summary(one, changed if at is None else at) for one in played},
        people=people,
    )
    async with store.begin_write() as connection:
        change = text("UPDATE tables SET changed_ms = :at WHERE id = :id")
        await connection.execute(change, {"at": changed, "id": table_id})


async def deals_of(store: Store, max_games: int) -> tuple[list[tuple[int, int]], bool]:
    """Return the time and the number of each of Ann's last games, and whether there are more."""
    games, is_more = await past_games.games_of_person(store, "ann", max_games)
    return [(game.at, game.summary.deals) for game in games], is_more


async def test_the_last_games_of_the_tables_changed_last_are_read(store: Store) -> None:
    await store_games(store, "c-old", ["ann"], 2, changed=10)
    await store_games(store, "a-new", ["ann", "bob"], 3, changed=30)
    await store_games(store, "b-mid", ["ann"], 0, changed=20)
    await store_games(store, "others", ["bob"], 2, changed=40)
    new, old = [(30, 3), (30, 2), (30, 1)], [(10, 2), (10, 1)]
    for max_games, expected in (
        (9, (new + old, False)),
        (5, (new + old, False)),
        (4, (new + old[:1], True)),
        (3, (new, True)),
        (2, (new[:2], True)),
    ):
        assert await deals_of(store, max_games) == expected, max_games


async def test_games_have_dates_of_their_own(store: Store) -> None:
    await store_games(store, "dated", ["ann"], changed=30, at=7)
    assert await deals_of(store, 9) == ([(7, 1)], False)


async def test_games_of_tables_deleted_from_the_list_are_not_read(store: Store) -> None:
    await store_games(store, "t", ["ann", "bob"], changed=1)
    for section, is_read in (("archived", True), ("deleted", False), ("", True)):
        await table_lists.set_list_section(store, "t", "ann", section)  # type: ignore[arg-type]
        assert ((await deals_of(store, 9))[0] != []) is is_read


async def test_damaged_rows_are_left_out(store: Store) -> None:
    await store_games(store, "bad-table", ["ann"], changed=3)
    await store_games(store, "bad-game", ["ann"], 2, changed=2)
    async with store.begin_write() as connection:
        for damage in (
            update(TABLES).values(summary=b'{"variant": 3}').where(TABLES.c.id == "bad-table"),
            update(GAMES)
            .values(summary=b'{"deals": "?"}')
            .where(GAMES.c.table_id == "bad-game", GAMES.c.number == 1),
        ):
            await connection.execute(damage)
    assert await deals_of(store, 9) == ([(2, 2)], False)


async def test_people_at_the_same_tables_are_found_by_the_name_they_have_now(store: Store) -> None:
    await store_games(store, "t", ["ann", "bob", "nameless"], changed=1)
    await store_games(store, "u", ["cleo"], changed=1)
    await store.save_name("bob", "Bob", "owl")
    await store.save_name("bob", "Robert", "cat")
    await store.save_name("cleo", "Cleo")
    found = await past_games.people_at_tables_of(store, "ann", ["bob", "nameless", "cleo", "gone"])
    assert {one.id: (one.name, one.avatar) for one in found.values()} == {"bob": ("Robert", "cat")}
