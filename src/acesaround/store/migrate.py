"""Migration of a database to the current schema by Alembic, inside a given transaction."""

from __future__ import annotations

import re
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

_LOCK_ID: Final = 0x41434553  # any number, the same in every process that migrates


_UNRELEASED: Final = re.compile(r"00\d\d|initial")
"""The revisions of databases from before the first release."""


class UnreleasedSchema(Exception):  # noqa: N818 - a state of the database, named as such
    """The database has a schema from before the first release."""


def upgrade(connection: Connection) -> None:
    """Apply the missing migrations. Processes that start at the same time take turns."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK_ID})
    _check_released(connection)
    config = _alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _check_released(connection: Connection) -> None:
    heads = MigrationContext.configure(connection).get_current_heads()
    if any(map(_UNRELEASED.fullmatch, heads)):
        raise UnreleasedSchema


def is_current(connection: Connection) -> bool:
    """Return whether a database has the present schema. Raise UnreleasedSchema."""
    _check_released(connection)
    latest = ScriptDirectory.from_config(_alembic_config()).get_heads()
    return MigrationContext.configure(connection).get_current_heads() == tuple(latest)


def _alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", "acesaround.store:migrations")
    return config
