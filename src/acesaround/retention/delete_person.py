"""One person deleted: what was played stays, by a former player, and nothing tells who that was.

First every process that serves is told, and knows the person no more: sockets are closed, and the
cookie is good for nothing. Then each log that tells of the person is written anew, in one
transaction with an entry that says so: a process that holds the table finds that number taken,
and reads the whole log again before it does anything. What was written meanwhile is found when all
logs are looked through once more.

At each table another id stands for the person, so that nobody can say that two tables had the same.
"""

from __future__ import annotations

import secrets
from typing import Final

import msgspec

from acesaround.errors import AcesAroundError
from acesaround.retention import hearing
from acesaround.retention.close_table import GarbledError, load_table
from acesaround.store import SequenceConflict, Store, admin_notices, people
from acesaround.store.admin_notices import HEARD
from acesaround.table import apply_entry
from acesaround.table import entries as log
from acesaround.table.anonymize import anonymized_log, entries_on_deletion
from acesaround.table.index_fields import keys, summary

_TURNS: Final = 5


class Deleted(msgspec.Struct):
    """The tables that told of somebody, and those that still do: their logs are damaged."""

    tables: list[str]
    garbled: list[str]


async def delete(store: Store, person: str, heard: float | None = None) -> Deleted:
    """Delete a person, by id. Raises Unsaved.

    `heard`: seconds after which every process that serves knows of it.
    """
    await admin_notices.publish(store, "person", admin_notices.person_hash(person))
    await hearing.heard(HEARD if heard is None else heard)
    done = Deleted([], [])
    for _ in range(_TURNS):
        await people.forget(store, person)
        left = [one for one in await people.mentions(store, person) if one not in done.garbled]
        if not left:
            return done
        found = False
        for table_id in left:
            try:
                if await _rewrite(store, table_id, person):
                    found = True
                    done.tables.append(table_id)
            except GarbledError:
                done.garbled.append(table_id)
        if not found:  # what is left tells of somebody whose name is the id of this one
            return done
    raise AcesAroundError("Somebody goes on to write of that person: stop the server first.")


async def _rewrite(store: Store, table_id: str, person: str) -> bool:
    """Take a person out of a table, by another id that stands for him there; False: he is not."""
    stands_for = secrets.token_urlsafe(16)
    while True:
        bodies = await store.entries(table_id)
        entries, _ = load_table(table_id, bodies)
        found = anonymized_log(entries, person, stands_for)
        if not found.changed:
            return False
        left = (*entries_on_deletion(found.table, stands_for), log.LogRewritten())
        table = found.table
        for entry in left:
            table, _ = apply_entry(table, entry)
        try:
            await people.rewrite(
                store,
                table_id,
                {number: log.encode(entry) for number, entry in found.changed.items()},
                len(bodies),
                [log.encode(entry) for entry in left],
                summary=summary(table),
                keys=keys(table),
                person_id=person,
                stands_for=stands_for,
            )
        except SequenceConflict:
            continue
        return True
