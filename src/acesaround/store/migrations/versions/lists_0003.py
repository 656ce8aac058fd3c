"""Lists need no log: who hosts a table, what is free there, and its games stand in columns.

What is there already is filled in from the logs, each read once. A log that cannot be read leaves
its table as it is: it could not be opened before.
"""

import logging
from collections.abc import Iterator

import msgspec
import sqlalchemy as sa
from alembic import op

from acesaround.table import Table, apply_entry, fold
from acesaround.table import entries as log
from acesaround.table.index_fields import GameSummary, games_kept, keys

revision = "0003"
down_revision = "0002"

_LOG = logging.getLogger("acesaround.store")
_SOME = 1000  # tables from one line in the log to the next
_TABLES = sa.table(
    "tables",
    sa.column("id", sa.String),
    sa.column("host", sa.String),
    sa.column("free", sa.Integer),
    sa.column("over", sa.Boolean),
)
_ENTRIES = sa.table(
    "entries",
    sa.column("table_id", sa.String),
    sa.column("seq", sa.Integer),
    sa.column("body", sa.JSON),  # as bytes in and out, as the store sets its connections up
)
_GAMES = sa.table(
    "games",
    sa.column("table_id", sa.String),
    sa.column("number", sa.Integer),
    sa.column("line", sa.JSON),
)


def upgrade() -> None:
    """Make the columns and fill them."""
    op.add_column("tables", sa.Column("host", sa.String(32), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("free", sa.Integer, nullable=False, server_default="0"))
    op.add_column(
        "tables", sa.Column("over", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.drop_index("tables_lobby", "tables")
    op.create_index("tables_lobby", "tables", ["public", "over", "changed"])
    op.create_index("tables_host", "tables", ["host", "created"])
    op.create_table(
        "games",
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("line", sa.JSON, nullable=False),
        sqlite_with_rowid=False,
    )
    _fill(op.get_bind())


def _fill(connection: sa.Connection) -> None:
    names = list(connection.execute(sa.select(_TABLES.c.id).order_by(_TABLES.c.id)).scalars())
    for at, name in enumerate(names):
        if at % _SOME == 0:
            _LOG.info("Reading the logs of tables %d to %d.", at + 1, min(at + _SOME, len(names)))
        its = _ENTRIES.c.table_id == name
        asked = sa.select(_ENTRIES.c.body).where(its).order_by(_ENTRIES.c.seq)
        try:
            table, games = _read(list(connection.execute(asked).scalars()))
        except Exception as error:  # what is garbled may fail in any way
            _LOG.warning("table %s: its log cannot be read: %s", name, type(error).__name__)
            continue
        found = keys(table)
        row = {"host": found.host, "free": found.free, "over": found.over}
        connection.execute(sa.update(_TABLES).where(_TABLES.c.id == name).values(row))
        if games:
            rows = [
                {"table_id": name, "number": number, "line": msgspec.json.encode(line)}
                for number, line in games.items()
            ]
            connection.execute(sa.insert(_GAMES), rows)


def _read(bodies: list[bytes]) -> tuple[Table, dict[int, GameSummary]]:
    """The table that a log makes, and what is kept of its games, by number."""
    tables = [fold([log.decode(bodies[0])])]

    def onward() -> Iterator[Table]:
        for body in bodies[1:]:
            tables[0], _ = apply_entry(tables[0], log.decode(body))
            yield tables[0]

    games = games_kept(onward())
    return tables[0], games
