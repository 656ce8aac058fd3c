"""What is cleared is found by index: tables by how far they came, talk and guests by their time.

How far a table came is read from the lines of its games; one whose log could not be read, when
those were made, counts as one with a finished game, and is not cleared. When somebody was here last
was not kept before: everybody counts as having been here now, so that nobody is cleared early.
"""

import time

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_AT_ONCE = 5000
_TABLES = sa.table(
    "tables",
    sa.column("id", sa.String),
    sa.column("host", sa.String),
    sa.column("played", sa.Boolean),
    sa.column("finished", sa.Boolean),
)
_GAMES = sa.table(
    "games",
    sa.column("table_id", sa.String),
    sa.column("number", sa.Integer),
    sa.column("line", sa.JSON),  # as bytes in and out, as the store sets its connections up
)


def upgrade() -> None:
    """Make the columns and indexes and fill them."""
    op.add_column(
        "tables", sa.Column("played", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column(
        "tables", sa.Column("finished", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_index("tables_kept", "tables", ["finished", "played", "changed"])
    op.create_index(
        "entries_talk",
        "entries",
        ["at"],
        sqlite_where=sa.text("""substr(body, 1, 14) = '{"type":"said"'"""),
        postgresql_where=sa.text("(body ->> 'type') = 'said'"),
    )
    now = time.time_ns() // 1_000_000
    op.add_column("people", sa.Column("seen", sa.BigInteger, nullable=False, server_default="0"))
    op.execute(sa.text("UPDATE people SET seen = :now").bindparams(now=now))
    op.create_index("people_seen", "people", ["seen"])
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("what", sa.String(64), nullable=False),
        sqlite_autoincrement=True,
    )
    unread = _TABLES.c.host == ""  # since "0003"
    op.execute(sa.update(_TABLES).where(unread).values(played=True, finished=True))
    _fill(op.get_bind())


def _fill(connection: sa.Connection) -> None:
    last = ("", 0)
    while True:
        key = sa.tuple_(_GAMES.c.table_id, _GAMES.c.number)
        asked = sa.select(_GAMES).where(key > last).order_by(_GAMES.c.table_id, _GAMES.c.number)
        rows = connection.execute(asked.limit(_AT_ONCE)).all()
        if not rows:
            return
        last = (rows[-1].table_id, rows[-1].number)
        far = [(row.table_id, *_far(row.line)) for row in rows]
        for column, some in (
            ("played", [{"name": name} for name, played, _ in far if played]),
            ("finished", [{"name": name} for name, _, finished in far if finished]),
        ):
            if some:
                its = sa.update(_TABLES).where(_TABLES.c.id == sa.bindparam("name"))
                connection.execute(its.values({column: True}), some)


def _far(line: bytes) -> tuple[bool, bool]:
    """Whether a deal of a game was played to its end, and the game was."""
    try:
        kept = msgspec.json.decode(line)
        return kept["deals"] > 0 or bool(kept["over"]), bool(kept["over"])
    except (msgspec.DecodeError, KeyError, TypeError, UnicodeError):
        return True, True  # what cannot be read is not cleared
