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
from acesaround.retention.load_table import CorruptLogError, load_table
from acesaround.store import SequenceConflict, Store, admin_notices, people
from acesaround.store.admin_notices import POLL_GRACE_SECONDS
from acesaround.table import apply_entry, entries
from acesaround.table.anonymize import anonymized_log, entries_on_deletion
from acesaround.table.list_columns import list_columns, list_summary

_MAX_PASSES: Final = 5


class DeletionResult(msgspec.Struct):
    """The tables that mentioned the person, and those with damaged logs that still do."""

    tables: list[str]
    garbled: list[str]


async def delete_person(
    store: Store, person: str, poll_grace_seconds: float | None = None
) -> DeletionResult:
    """Delete a person, given by id. Raises DatabaseUnavailable.

    `poll_grace_seconds`: seconds after which every server process has noticed it.
    """
    await admin_notices.publish_notice(store, "person", admin_notices.person_hash(person))
    await admin_notices.wait_until_noticed(
        POLL_GRACE_SECONDS if poll_grace_seconds is None else poll_grace_seconds
    )
    result = DeletionResult([], [])
    for _ in range(_MAX_PASSES):
        await people.delete_rows(store, person)
        remaining = [
            one
            for one in await people.tables_mentioning(store, person)
            if one not in result.garbled
        ]
        if not remaining:
            return result
        has_rewritten = False
        for table_id in remaining:
            try:
                if await _anonymize_log(store, table_id, person):
                    has_rewritten = True
                    result.tables.append(table_id)
            except CorruptLogError:
                result.garbled.append(table_id)
        if not has_rewritten:  # the remaining mentions are of a person whose name equals this id
            return result
    raise AcesAroundError("A server keeps writing about that person: stop it first.")


async def _anonymize_log(store: Store, table_id: str, person: str) -> bool:
    """Replace a person in a log by a new random id; return False if the log has no mention."""
    replacement_id = secrets.token_urlsafe(16)
    while True:
        bodies = await store.entries(table_id)
        log_entries, _ = load_table(table_id, bodies)
        anonymized = anonymized_log(log_entries, person, replacement_id)
        if not anonymized.changed_entries:
            return False
        final_entries = (
            *entries_on_deletion(anonymized.table, replacement_id),
            entries.LogRewritten(),
        )
        table = anonymized.table
        for entry in final_entries:
            table, _ = apply_entry(table, entry)
        try:
            await people.rewrite_log(
                store,
                table_id,
                {
                    number: entries.encode(entry)
                    for number, entry in anonymized.changed_entries.items()
                },
                len(bodies),
                [entries.encode(entry) for entry in final_entries],
                summary=list_summary(table),
                list_columns=list_columns(table),
                person_id=person,
                replacement_id=replacement_id,
            )
        except SequenceConflict:
            continue
        return True
