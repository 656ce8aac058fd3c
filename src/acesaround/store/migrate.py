"""Migration of a database to the current schema by Alembic, inside a given transaction."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

_LOCK = 0x41434553  # any number, the same in every process that migrates


def upgrade(connection: Connection) -> None:
    """Apply the missing migrations. Processes that start at the same time take turns."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def current(connection: Connection) -> bool:
    """Return whether a database has the current schema."""
    latest = ScriptDirectory.from_config(_config()).get_heads()
    return MigrationContext.configure(connection).get_current_heads() == tuple(latest)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "acesaround.store:migrations")
    return config
