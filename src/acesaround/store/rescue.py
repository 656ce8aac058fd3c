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

_MADE: Final = (
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
)
"""The query for our own tables and indexes. SQLite creates its internal ones itself."""
_IDS: Final = (
    "SELECT id FROM tables ORDER BY rowid",
    "SELECT id FROM tables ORDER BY rowid DESC",
    "SELECT table_id FROM links ORDER BY rowid",
    "SELECT table_id FROM links ORDER BY rowid DESC",
    "SELECT table_id FROM seats ORDER BY rowid",
    "SELECT table_id FROM seats ORDER BY rowid DESC",
)
_NUMBERED: Final = {"entries": ("seq", 0), "games": ("number", 1)}
"""Tables whose rows are useful only without gaps: the number column and its first value."""
Rows = Iterator[tuple[Any, ...]]


def rescue(old: Path, new: Path) -> dict[str, int]:
    """Copy all readable rows into a new database; return the row count of each table.

    Raises FileExistsError, and sqlite3.DatabaseError if not even the table names are readable.
    """
    if new.exists():
        raise FileExistsError(f"{new} is there already")
    source = sqlite3.connect(f"{old.absolute().as_uri()}?mode=ro", uri=True)
    source.text_factory = lambda held: held.decode(errors="replace")
    said = source.execute(_MADE)
    made = sorted(said.fetchall(), key=lambda one: one[0] != "table")
    file_permissions.create_owner_only(new)
    target = sqlite3.connect(new)
    saved: dict[str, int] = {}
    with target:
        for kind, name, sql in made:
            target.execute(sql)
            if kind == "table":
                saved[name] = 0
                for row in _rows(source, name):
                    marks = ", ".join("?" * len(row))
                    put = target.execute(f'INSERT OR IGNORE INTO "{name}" VALUES ({marks})', row)
                    saved[name] += put.rowcount
    target.close()
    source.close()
    return saved


def _rows(source: sqlite3.Connection, name: str) -> Rows:
    if name in _NUMBERED:
        yield from _numbered(source, name, *_NUMBERED[name])
        return
    # Read from both ends up to the damage. Some rows come twice.
    for order in ("ASC", "DESC"):
        yield from _readable(source, f'SELECT * FROM "{name}" ORDER BY rowid {order}', ())


def _numbered(source: sqlite3.Connection, name: str, number: str, first: int) -> Rows:
    """Yield the rows of each card table up to the first gap in their numbers.

    Each is read from both ends, because a row near the damage may be reachable from one end only.
    """
    ids = {row[0] for asked in _IDS for row in _readable(source, asked, ())}
    asked = f'SELECT "{number}", * FROM "{name}" WHERE table_id = ? ORDER BY "{number}"'
    for one in sorted(ids):
        ways = (_readable(source, f"{asked} {order}", (one,)) for order in ("ASC", "DESC"))
        found = {row[0]: row[1:] for way in ways for row in way}
        for at in count(first):
            if at not in found:
                break
            yield found[at]


def _readable(source: sqlite3.Connection, asked: str, given: tuple[object, ...]) -> Rows:
    try:
        yield from source.execute(asked, given)
    except sqlite3.DatabaseError:  # the damage begins here
        return


def _main(words: list[str]) -> int:
    try:
        old, new = map(Path, words)
    except ValueError:
        sys.stderr.write("usage: python -m acesaround.store.rescue OLD NEW\n")
        return 2
    try:
        saved = rescue(old, new)
    except (OSError, sqlite3.DatabaseError) as error:
        sys.stderr.write(f"{old} cannot be rescued: {error}\n")
        return 1
    for name, rows in saved.items():
        sys.stdout.write(f"{rows:9} {name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
