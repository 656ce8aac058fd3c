"""Deletion of a person: games stay under "former player", and no stored data identifies the person.

First a notice tells every server process, which then closes the person's WebSockets and rejects the
cookie. Then each log that mentions the person is rewritten. The same transaction appends an entry
that says so. A process that has the table loaded gets a sequence conflict and reads the whole log
again. Entries written in the mean time are found by another pass over all logs.

Each table gets its own replacement id, so that no one can tell that two tables had the same person.
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
    """The tables that mentioned the person, and those with damaged logs that still do."""

    tables: list[str]
    garbled: list[str]


async def delete(store: Store, person: str, heard: float | None = None) -> Deleted:
    """Delete a person, given by id. Raises DatabaseUnavailable.

    `heard`: seconds after which every server process has noticed it.
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
        if not found:  # the remaining mentions are of a person whose name equals this id
            return done
    raise AcesAroundError("Somebody goes on to write of that person: stop the server first.")


async def _rewrite(store: Store, table_id: str, person: str) -> bool:
    """Replace a person in a log by a new random id; return False if the log has no mention."""
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
