"""The games that a person has played, and the people at the same tables.

Both read at most a given number of rows, however much a person has played.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, exists, false, select

from acesaround.store.people import StoredPerson
from acesaround.store.schema import GAMES, PEOPLE, SEATS, TABLES
from acesaround.store.store import Store
from acesaround.table.list_columns import GameSummary, TableSummary
from acesaround.table.person_results import PastGame


async def games_of_person(
    store: Store, person_id: str, max_games: int
) -> tuple[list[PastGame], bool]:
    """Return the last games at the tables in a person's list, and whether there are more.

    Tables that changed last come first, and the last games of each. Damaged rows are left out.
    Raises DatabaseUnavailable.
    """
    query = (
        select(TABLES.c.id, TABLES.c.is_over, TABLES.c.summary)
        .join(SEATS, SEATS.c.table_id == TABLES.c.id)
        .where(SEATS.c.person_id == person_id, SEATS.c.list_section != "deleted")
        .order_by(TABLES.c.changed_ms.desc(), TABLES.c.id)
        .limit(max_games + 1)
    )
    async with store.begin_read() as connection:
        tables = (await connection.execute(query)).all()
    left, is_more = max_games, len(tables) > max_games
    chosen: dict[str, tuple[Any, TableSummary]] = {}
    whole: list[str] = []  # the tables of which all games are wanted
    last_games: ColumnElement[bool] = false()  # those of the next table that are still wanted
    for row in tables[:max_games]:
        with contextlib.suppress(msgspec.DecodeError, UnicodeError):
            table = msgspec.json.decode(row.summary, type=TableSummary)
            chosen[row.id] = row, table
            if table.games > left:
                is_more = True
                last_games = (GAMES.c.table_id == row.id) & (GAMES.c.number > table.games - left)
                break
            whole.append(row.id)
            left -= table.games
    lines_query = (
        select(GAMES.c.table_id, GAMES.c.summary)
        .where(GAMES.c.table_id.in_(whole) | last_games)
        .order_by(GAMES.c.table_id, GAMES.c.number.desc())
        .limit(max_games)
    )
    async with store.begin_read() as connection:
        lines = (await connection.execute(lines_query)).all()
    return await asyncio.to_thread(_decode_games, chosen, lines), is_more


def _decode_games(
    tables: Mapping[str, tuple[Any, TableSummary]], lines: Sequence[Any]
) -> list[PastGame]:
    """Return the games of some tables in the order of the tables."""
    games: dict[str, list[PastGame]] = {table_id: [] for table_id in tables}
    for table_id, line in lines:
        row, table = tables[table_id]
        with contextlib.suppress(msgspec.DecodeError, UnicodeError):
            summary = msgspec.json.decode(line, type=GameSummary)
            games[table_id].append(
                PastGame(table.variant, table.title, table.public, row.is_over, summary.at, summary)
            )
    return [game for played in games.values() for game in played]


async def people_at_tables_of(
    store: Store, person_id: str, other_ids: Sequence[str]
) -> dict[str, StoredPerson]:
    """Return those of some persons who have a name and belong to a table of a person, by id.

    Removed and deleted persons belong to no table. Raises DatabaseUnavailable.
    """
    own, theirs = SEATS.alias(), SEATS.alias()
    shares_table = (
        exists()
        .where(theirs.c.person_id == PEOPLE.c.id)
        .where(own.c.table_id == theirs.c.table_id, own.c.person_id == person_id)
    )
    query = select(PEOPLE).where(PEOPLE.c.id.in_(other_ids), shares_table)
    async with store.begin_read() as connection:
        rows = await connection.execute(query)
        return {
            row.id: StoredPerson(row.id, row.name, row.created_ms, row.last_seen_ms, row.avatar)
            for row in rows
        }
