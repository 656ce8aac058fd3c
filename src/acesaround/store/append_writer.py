"""Statements that write appends in one transaction, and a writer thread for SQLite.

An asynchronous driver passes each statement to a thread, which costs as much as SQLite itself. So
the writer passes a whole transaction at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, create_engine, delete, event, insert, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, Connection

from acesaround.store.append_queue import Append
from acesaround.store.schema import ENTRIES, GAMES, LINKS, SEATS, TABLES


class SqliteWriter:
    """A thread that writes appends to an SQLite database on its own connection.

    `set_up` sets up a new connection.
    """

    def __init__(
        self, url: URL, engine_options: Mapping[str, Any], set_up: Callable[[Any, object], None]
    ) -> None:
        self._engine = create_engine(url.set(drivername="sqlite"), **engine_options)
        event.listen(self._engine, "connect", set_up)
        self._thread = ThreadPoolExecutor(1, "appends")

    async def write(self, batch: Sequence[Append], now: int) -> None:
        """Write appends in one transaction. Raises the errors of SQLAlchemy."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._write, batch, now)

    def _write(self, batch: Sequence[Append], now: int) -> None:
        with self._engine.begin() as connection:
            write_appends(connection, batch, now)

    async def close(self) -> None:
        """Close the connection after running writes."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._engine.dispose)
        self._thread.shutdown()


# Built once, because building a statement takes longer than SQLite takes to execute it.
_INSERT_ENTRIES: Final = insert(ENTRIES)
_UPDATE_TABLE: Final = update(TABLES).where(TABLES.c.id == bindparam("row_id"))
"""The statement that sets the given columns of table `row_id`."""


def write_appends(connection: Connection, batch: Sequence[Append], now: int) -> None:
    """Write appends and update their tables. `now`: milliseconds since 1970."""
    insert_appends(connection, batch, now)
    for append in batch:
        columns = _changed_columns(append)
        if columns or append.games:
            values = {"row_id": append.table_id, "changed_ms": now, **columns}
            connection.execute(_UPDATE_TABLE, values)


def insert_appends(connection: Connection, batch: Sequence[Append], now: int) -> None:
    """Insert entries and their index rows."""
    insert_or_update = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    rows: list[dict[str, Any]] = [
        {"table_id": append.table_id, "seq": number, "appended_ms": now, "body": body}
        for append in batch
        for number, body in enumerate(append.bodies, append.seq)
    ]
    connection.execute(_INSERT_ENTRIES, rows)
    seated = [
        {"table_id": append.table_id, "person_id": person}
        for append in batch
        for person in sorted(append.seated_people)
    ]
    if seated:
        key, top_of_list = (
            ["table_id", "person_id"],
            {"list_section": ""},
        )  # back on top of the list
        seat_insert = insert_or_update(SEATS).on_conflict_do_update(
            index_elements=key, set_=top_of_list
        )
        connection.execute(seat_insert, seated)
    games = [
        {"table_id": append.table_id, "number": number, "summary": summary}
        for append in batch
        for number, summary in append.games.items()
    ]
    if games:
        game_insert = insert_or_update(GAMES)
        key, changed = ["table_id", "number"], {"summary": game_insert.excluded.summary}
        connection.execute(
            game_insert.on_conflict_do_update(index_elements=key, set_=changed), games
        )
    for append in batch:
        _update_indexes(connection, append)


def _update_indexes(connection: Connection, append: Append) -> None:
    """Update the index of seats for removed people, and the index of links."""
    if append.removed_people:
        condition = (SEATS.c.table_id == append.table_id) & SEATS.c.person_id.in_(
            append.removed_people
        )
        connection.execute(delete(SEATS).where(condition))
    for token, kind in append.links.items():
        older_links = (LINKS.c.table_id == append.table_id) & (LINKS.c.kind == kind)
        connection.execute(update(LINKS).where(older_links).values(is_current=False))
        row = {"token": token, "table_id": append.table_id, "kind": kind, "is_current": True}
        connection.execute(insert(LINKS), row)


def _changed_columns(append: Append) -> dict[str, Any]:
    """Return the columns of its table that an append changes."""
    columns: dict[str, Any] = (
        {} if append.list_columns is None else msgspec.structs.asdict(append.list_columns)
    )
    return columns if append.summary is None else {**columns, "summary": append.summary}
