"""Closing a table, so that no one can play there. Its data stays.

An entry in the log ends the table. Any process that appends later gets a sequence conflict, reads
on and finds that entry.
"""

from __future__ import annotations

from acesaround.retention.load_table import load_table
from acesaround.store import SequenceConflict, Store, admin_notices
from acesaround.table import apply_entry, entries
from acesaround.table.list_columns import list_columns, list_summary


async def close_table(store: Store, table_id: str) -> bool:
    """Close a table; return False if it has ended already.

    Raises CorruptLogError and DatabaseUnavailable.
    """
    while True:
        _, table = load_table(table_id, await store.entries(table_id))
        if table.ended is not None:
            return False
        closed = entries.Ended("closed")
        closed_table, _ = apply_entry(table, closed)
        try:
            await store.append(
                table_id,
                table.seq,
                [entries.encode(closed)],
                summary=list_summary(closed_table),
                list_columns=list_columns(closed_table),
            )
        except SequenceConflict:
            continue
        await admin_notices.publish_notice(store, "changed", table_id)
        return True
