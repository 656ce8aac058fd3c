"""Rescues readable data of a damaged SQLite database: `python -m acesaround.store.rescue OLD NEW`.

Of a damaged log only the entries before the damage are saved, because later entries cannot be
folded without them. Of every other database table all readable rows are saved.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

from acesaround.store import file_permissions

_SCHEMA_QUERY: Final = (
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
)
"""The query for our own tables and indexes. SQLite creates its internal ones itself."""
_ID_QUERIES: Final = (
    "SELECT id FROM tables ORDER BY rowid",
    "SELECT id FROM tables ORDER BY rowid DESC",
    "SELECT table_id FROM links ORDER BY rowid",
    "SELECT table_id FROM links ORDER BY rowid DESC",
    "SELECT table_id FROM seats ORDER BY rowid",
    "SELECT table_id FROM seats ORDER BY rowid DESC",
)
_NUMBERED_TABLES: Final = {"entries": ("seq", 0), "games": ("number", 1)}
"""Tables whose rows are useful only without gaps: the number column and its first value."""
Rows = Iterator[tuple[Any, ...]]


def rescue(old: Path, new: Path) -> dict[str, int]:
    """Copy all readable rows into a new database; return the row count of each table.

    Raises FileExistsError, and sqlite3.DatabaseError if not even the table names are readable.
    """
    if new.exists():
        raise FileExistsError(f"{new} already exists: name a new file")
    source = sqlite3.connect(f"{old.absolute().as_uri()}?mode=ro", uri=True)
    source.text_factory = lambda held: held.decode(errors="replace")
    result = source.execute(_SCHEMA_QUERY)
    statements = sorted(result.fetchall(), key=lambda one: one[0] != "table")
    file_permissions.create_owner_only(new)
    target = sqlite3.connect(new)
    row_counts: dict[str, int] = {}
    with target:
        for kind, name, sql in statements:
            target.execute(sql)
            if kind == "table":
                row_counts[name] = 0
                for row in _rows(source, name):
                    placeholders = ", ".join("?" * len(row))
                    inserted = target.execute(
                        f'INSERT OR IGNORE INTO "{name}" VALUES ({placeholders})', row
                    )
                    row_counts[name] += inserted.rowcount
    target.close()
    source.close()
    return row_counts


def _rows(source: sqlite3.Connection, name: str) -> Rows:
    if name in _NUMBERED_TABLES:
        yield from _rows_before_gap(source, name, *_NUMBERED_TABLES[name])
        return
    # Read from both ends up to the damage. Some rows come twice.
    for order in ("ASC", "DESC"):
        yield from _readable_rows(source, f'SELECT * FROM "{name}" ORDER BY rowid {order}', ())


def _rows_before_gap(source: sqlite3.Connection, name: str, number_column: str, first: int) -> Rows:
    """Yield the rows of each card table up to the first gap in their numbers.

    Each is read from both ends, because a row near the damage may be reachable from one end only.
    """
    ids = {row[0] for query in _ID_QUERIES for row in _readable_rows(source, query, ())}
    query = (
        f'SELECT "{number_column}", * FROM "{name}" WHERE table_id = ? ORDER BY "{number_column}"'
    )
    for table_id in sorted(ids):
        both_directions = (
            _readable_rows(source, f"{query} {order}", (table_id,)) for order in ("ASC", "DESC")
        )
        rows_by_number = {row[0]: row[1:] for direction in both_directions for row in direction}
        for seq in count(first):
            if seq not in rows_by_number:
                break
            yield rows_by_number[seq]


def _readable_rows(source: sqlite3.Connection, query: str, parameters: tuple[object, ...]) -> Rows:
    try:
        yield from source.execute(query, parameters)
    except sqlite3.DatabaseError:  # the damage begins here
        return


def _main(arguments: list[str]) -> int:
    try:
        old, new = map(Path, arguments)
    except ValueError:
        sys.stderr.write("usage: python -m acesaround.store.rescue OLD NEW\n")
        return 2
    try:
        row_counts = rescue(old, new)
    except (OSError, sqlite3.DatabaseError) as error:
        sys.stderr.write(f"{old} cannot be rescued: {error}\n")
        return 1
    for name, rows in row_counts.items():
        sys.stdout.write(f"{rows:9} {name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
