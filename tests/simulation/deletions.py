"""Checks that the database has no id and no name of a deleted person."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from acesaround.store.people import PERSON_IDS

if TYPE_CHECKING:
    from tests.simulation.memory_store import MemoryDatabase


def check_rewrite(
    old_bodies: Sequence[bytes], new_bodies: Sequence[bytes], deleted: Collection[str]
) -> str | None:
    """Return the data of a deleted person that a rewritten log still contains, if there is any.

    Of several deleted persons some may still be to come.
    """
    for old, new in zip(old_bodies, new_bodies, strict=False):
        if old == new:
            continue
        for person in deleted:
            named = re.search(rb'"id":"%s","name":("[^"]*")' % re.escape(person.encode()), old)
            if named is not None and person.encode() not in new and named[1] in new:
                return f"{old!r} was rewritten to {new!r}"
    return None


def traces_of(database: MemoryDatabase, person: str) -> list[str]:
    """Return where a database still holds the id of a person."""
    places = [(column.table.name, column.name, "=", person) for column in PERSON_IDS]
    places += [
        ("entries", "body", "LIKE", f'%"{person}"%'),
        ("games", "summary", "LIKE", f'%"{person}"%'),
    ]
    return [
        f"{table}.{column}"
        for table, column, operator, value in places
        if database.raw.execute(
            f"SELECT 1 FROM {table} WHERE CAST({column} AS TEXT) {operator} ?", (value,)
        ).fetchone()
    ]
