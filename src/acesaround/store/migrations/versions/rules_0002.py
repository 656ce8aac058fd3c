"""Every table carries its own rules: a log that has none gets those it has been played by.

Until now the first entry of a log named a variant and options, and the presets were looked up. A
table whose variant or options were never possible stays as it is: it could not be read before.
"""

import logging

import msgspec
import sqlalchemy as sa
from alembic import op

from acesaround.errors import RulesError
from acesaround.variants.legacy_presets import legacy_rules

revision = "0002"
down_revision = "0001"

_LOG = logging.getLogger("acesaround.store")
_AT_ONCE = 500
_ENTRIES = sa.table(
    "entries",
    sa.column("table_id", sa.String),
    sa.column("seq", sa.Integer),
    sa.column("body", sa.JSON),  # as bytes in and out, as the store sets its connections up
)


def upgrade() -> None:
    """Write the rules into the first entry of each log."""
    connection = op.get_bind()
    first = _ENTRIES.c.seq == 0
    tables = list(connection.execute(sa.select(_ENTRIES.c.table_id).where(first)).scalars())
    if tables:
        _LOG.info("Writing the rules of %d tables into their logs.", len(tables))
    for at in range(0, len(tables), _AT_ONCE):
        some = first & _ENTRIES.c.table_id.in_(tables[at : at + _AT_ONCE])
        rows = connection.execute(sa.select(_ENTRIES.c.table_id, _ENTRIES.c.body).where(some)).all()
        for table_id, body in rows:
            whole = _with_rules(body)
            if whole is not None:
                its = first & (_ENTRIES.c.table_id == table_id)
                connection.execute(sa.update(_ENTRIES).where(its).values(body=whole))


def _with_rules(body: bytes) -> bytes | None:
    """The entry with the rules in it; None where it says no game that can be played."""
    try:
        opened = msgspec.json.decode(body)
        config = opened["config"]
        rules = legacy_rules(config["variant"], config["players"], config.get("options", {}))
    except (RulesError, msgspec.DecodeError, KeyError, TypeError, AttributeError):
        return None
    return msgspec.json.encode({**opened, "rules": msgspec.to_builtins(rules)})
