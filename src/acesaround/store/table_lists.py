"""Lists of tables: the lobby, and the tables of a person. Lists never read a log."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec
from sqlalchemy import exists, func, select, update

from acesaround.store.schema import GAMES, LINKS, SEATS, TABLES
from acesaround.store.store import Store

_PLAY_LINK: Final = (
    select(LINKS.c.token)
    .where(LINKS.c.table_id == TABLES.c.id, LINKS.c.kind == "play", LINKS.c.is_current)
    .scalar_subquery()
)
_LISTING_QUERY: Final = select(
    TABLES.c.id,
    TABLES.c.created_ms,
    TABLES.c.changed_ms,
    TABLES.c.summary,
    TABLES.c.seat_on_turn,
    _PLAY_LINK.label("link"),
)
_LAST_GAME: Final = (
    select(GAMES.c.summary)
    .where(GAMES.c.table_id == TABLES.c.id)
    .order_by(GAMES.c.number.desc())
    .limit(1)
    .scalar_subquery()
)
_LOBBY_QUERY: Final = select(
    TABLES.c.id, TABLES.c.changed_ms, TABLES.c.host_id, TABLES.c.free_seats
)
_TABLES_PER_QUERY: Final = 500  # tables in one query

ListSection: TypeAlias = Literal["", "archived", "deleted"]
"""The place of a table in a person's own list: on top, put away, or nowhere."""


class TableListing(msgspec.Struct, frozen=True):
    """A table in a list. `summary` is the JSON that was stored with the last change.

    `link`: the token of the link to play. `turn`: the seat on turn when the last person left, if
    known. `list_section`: its place in a person's own list. `game`: the summary of its last game.
    """

    id: str
    created: int
    changed: int
    summary: msgspec.Raw
    link: str
    turn: int | None = None
    list_section: ListSection = ""
    game: bytes | None = None


class LobbyTable(msgspec.Struct, frozen=True):
    """A public table in the lobby. `free`: the number of seats without a person."""

    id: str
    changed: int
    host: str
    free: int


async def lobby_tables(
    store: Store, limit: int = 300, extra_ids: Collection[str] = ()
) -> list[LobbyTable]:
    """Return public tables that are not over, the last changed first.

    `limit`: the maximum number. `extra_ids`: ids of tables to include beyond that limit.
    """
    query = _LOBBY_QUERY.where(TABLES.c.is_public, ~TABLES.c.is_over).order_by(
        TABLES.c.changed_ms.desc()
    )
    async with store.begin_read() as connection:
        rows = list(await connection.execute(query.limit(limit)))
        missing_ids = sorted(set(extra_ids) - {row.id for row in rows})
        for start in range(0, len(missing_ids), _TABLES_PER_QUERY):
            extra_query = query.where(
                TABLES.c.id.in_(missing_ids[start : start + _TABLES_PER_QUERY])
            )
            rows += await connection.execute(extra_query)
    tables = [LobbyTable(row.id, row.changed_ms, row.host_id, row.free_seats) for row in rows]
    return sorted(tables, key=lambda spot: -spot.changed)


async def listings(store: Store, table_ids: Sequence[str]) -> list[TableListing]:
    """Return these tables as in a list, in this order, without deleted tables."""
    async with store.begin_read() as connection:
        result = await connection.execute(_LISTING_QUERY.where(TABLES.c.id.in_(table_ids)))
        by_id = {row.id: _listing(row) for row in result}
    return [by_id[table_id] for table_id in table_ids if table_id in by_id]


async def count_hosted(store: Store, person_id: str, since: int) -> int:
    """Count a host's tables that are not over and were opened since a time in ms."""
    query = select(func.count()).where(
        TABLES.c.host_id == person_id, TABLES.c.created_ms >= since, ~TABLES.c.is_over
    )
    async with store.begin_read() as connection:
        return (await connection.execute(query)).scalar_one()


async def tables_of_person(store: Store, person_id: str, limit: int = 50) -> list[TableListing]:
    """Return the tables at which a person has held a seat, the last changed first.

    Tables that the person has deleted from this list are left out.
    """
    query = (
        _LISTING_QUERY.add_columns(SEATS.c.list_section, _LAST_GAME.label("game"))
        .join(SEATS, SEATS.c.table_id == TABLES.c.id)
        .where(SEATS.c.person_id == person_id, SEATS.c.list_section != "deleted")
        .order_by(TABLES.c.changed_ms.desc())
        .limit(limit)
    )
    async with store.begin_read() as connection:
        rows = await connection.execute(query)
        return [
            msgspec.structs.replace(_listing(row), list_section=row.list_section, game=row.game)
            for row in rows
        ]


async def tables_in_common(store: Store, person_id: str, other_id: str) -> list[str]:
    """Return the ids of the tables that are not over where a person and another belong.

    A person belongs to a table after holding a seat there; the other also as its host.
    """
    seats, others = SEATS.alias(), SEATS.alias()
    sat = exists().where(seats.c.table_id == TABLES.c.id, seats.c.person_id == person_id)
    also = exists().where(others.c.table_id == TABLES.c.id, others.c.person_id == other_id)
    asked = select(TABLES.c.id).where(~TABLES.c.is_over, sat, also | (TABLES.c.host_id == other_id))
    async with store.begin_read() as connection:
        return list((await connection.execute(asked)).scalars())


async def set_list_section(
    store: Store, table_id: str, person_id: str, section: ListSection
) -> bool:
    """Move a table in a person's list; return whether it was there.

    Raises DatabaseUnavailable.
    """
    condition = (SEATS.c.table_id == table_id) & (SEATS.c.person_id == person_id)
    async with store.begin_write() as connection:
        updated = await connection.execute(
            update(SEATS).where(condition).values(list_section=section)
        )
        return updated.rowcount > 0


def _listing(row: Any) -> TableListing:
    summary = msgspec.Raw(row.summary)
    return TableListing(
        row.id, row.created_ms, row.changed_ms, summary, row.link or row.id, row.seat_on_turn
    )
