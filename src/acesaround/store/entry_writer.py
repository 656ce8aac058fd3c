"""Statements that write appends in one transaction, and a writer thread for SQLite.

An asynchronous driver passes each statement to a thread, which costs as much as SQLite itself. So
the writer passes a whole transaction at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
from sqlalchemy import create_engine, delete, event, insert, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, Connection

from acesaround.store.group_commit import Append
from acesaround.store.schema import ENTRIES, GAMES, LINKS, SEATS, TABLES


class SqliteWriter:
    """A thread that writes appends to an SQLite database on its own connection.

    `ready` sets up a new connection.
    """

    def __init__(
        self, url: URL, how: Mapping[str, Any], ready: Callable[[Any, object], None]
    ) -> None:
        self._engine = create_engine(url.set(drivername="sqlite"), **how)
        event.listen(self._engine, "connect", ready)
        self._thread = ThreadPoolExecutor(1, "appends")

    async def write(self, together: Sequence[Append], now: int) -> None:
        """Write appends in one transaction. Raises the errors of SQLAlchemy."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._write, together, now)

    def _write(self, together: Sequence[Append], now: int) -> None:
        with self._engine.begin() as connection:
            write(connection, together, now)

    async def close(self) -> None:
        """Close the connection after running writes."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._engine.dispose)
        self._thread.shutdown()


def write(connection: Connection, together: Sequence[Append], now: int) -> None:
    """Write appends and update their tables. `now`: milliseconds since 1970."""
    add(connection, together, now)
    for one in together:
        changed = _changed(one)
        if changed or one.games:
            its = update(TABLES).where(TABLES.c.id == one.table_id)
            connection.execute(its.values(changed=now, **changed))


def add(connection: Connection, together: Sequence[Append], now: int) -> None:
    """Insert entries and their index rows."""
    fresh = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    rows: list[dict[str, Any]] = [
        {"table_id": one.table_id, "seq": number, "at": now, "body": body}
        for one in together
        for number, body in enumerate(one.bodies, one.seq)
    ]
    connection.execute(insert(ENTRIES), rows)
    seated = [
        {"table_id": one.table_id, "person_id": person}
        for one in together
        for person in sorted(one.people)
    ]
    if seated:
        key, again = ["table_id", "person_id"], {"shelf": ""}  # back on top of the list
        sitting = fresh(SEATS).on_conflict_do_update(index_elements=key, set_=again)
        connection.execute(sitting, seated)
    games = [
        {"table_id": one.table_id, "number": number, "line": line}
        for one in together
        for number, line in one.games.items()
    ]
    if games:
        kept = fresh(GAMES)
        key, line = ["table_id", "number"], {"line": kept.excluded.line}
        connection.execute(kept.on_conflict_do_update(index_elements=key, set_=line), games)
    for one in together:
        _index(connection, one)


def _index(connection: Connection, one: Append) -> None:
    """Update the index of seats for removed people, and the index of links."""
    if one.removed:
        theirs = (SEATS.c.table_id == one.table_id) & SEATS.c.person_id.in_(one.removed)
        connection.execute(delete(SEATS).where(theirs))
    for token, kind in one.links.items():
        before = (LINKS.c.table_id == one.table_id) & (LINKS.c.kind == kind)
        connection.execute(update(LINKS).where(before).values(good=False))
        row = {"token": token, "table_id": one.table_id, "kind": kind, "good": True}
        connection.execute(insert(LINKS), row)


def _changed(one: Append) -> dict[str, Any]:
    """Return the columns of its table that an append changes."""
    changed: dict[str, Any] = {} if one.keys is None else msgspec.structs.asdict(one.keys)
    return changed if one.summary is None else {**changed, "summary": one.summary}
