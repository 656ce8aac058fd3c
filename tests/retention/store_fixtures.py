"""Tables stored as a server would have left them, at a chosen time."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import text

from acesaround.retention.policy import DAY_MS
from acesaround.store import Store
from acesaround.table import Entry, apply_entry, fold
from acesaround.table import entries as log
from acesaround.table.list_columns import changed_summaries, list_columns, list_summary

NOW = 2_000_000 * DAY_MS // 100
"""The time of the cleanup in these tests, in ms."""


async def store_table(store: Store, name: str, entries: Sequence[Entry], at: int = NOW) -> None:
    """Store a table with a log, all of it appended at a time."""
    tables = [fold(entries[:1])]
    for entry in entries[1:]:
        tables.append(apply_entry(tables[-1], entry)[0])
    links = {e.token: e.link for e in entries if isinstance(e, log.LinkCreated)}
    await store.create(
        name,
        [log.encode(entry) for entry in entries],
        config=b"{}",
        public=True,
        summary=list_summary(tables[-1]),
        list_columns=list_columns(tables[-1]),
        games={n: msgspec.json.encode(line) for n, line in changed_summaries(tables).items()},
        people={entry.person.id for entry in entries if isinstance(entry, log.SeatTaken)},
        links=links or {f"link-{name}": "play"},
    )
    async with store.begin_write() as connection:
        values = {"at": at, "name": name}
        for change in (
            "UPDATE tables SET created_ms = :at, changed_ms = :at WHERE id = :name",
            "UPDATE entries SET appended_ms = :at WHERE table_id = :name",
        ):
            await connection.execute(text(change), values)


async def store_person(store: Store, person: log.Person, seen: int = NOW) -> None:
    """Store a person with a name, last seen at a time."""
    await store.save_name(person.id, person.name)
    async with store.begin_write() as connection:
        change = text("UPDATE people SET last_seen_ms = :seen, created_ms = :seen WHERE id = :id")
        await connection.execute(change, {"seen": seen, "id": person.id})


async def entries_of(store: Store, name: str) -> list[Entry]:
    return [log.decode(body) for body in await store.entries(name)]


async def count_rows(store: Store, table: str) -> int:
    async with store.begin_read() as connection:
        found: int = (await connection.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one()
        return found
