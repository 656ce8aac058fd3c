"""Connections to a database: its URL, its engine with timeouts, and its upgrade at opening."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from acesaround.store.errors import StoreError
from acesaround.store.migrate import is_current, upgrade
from acesaround.store.postgres_notifications import NotificationChannel

_MAX_CONNECTIONS: Final = 10
"""The PostgreSQL connections of one process, not counting the channel's."""
_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}


class Timeouts(msgspec.Struct, frozen=True):
    """Timeouts in seconds.

    `connection`: opening a connection to PostgreSQL. `free`: waiting for a connection of the pool.
    `statement`: a statement. `lock`: waiting for another transaction. `idle`: a transaction without
    statements, which PostgreSQL then ends. `busy`: waiting for another process that writes to an
    SQLite file.
    """

    connection: float = 5.0
    free: float = 5.0
    statement: float = 5.0
    lock: float = 1.0
    idle: float = 10.0
    busy: float = 5.0


DEFAULT_TIMEOUTS: Final = Timeouts()


def async_url(url: str) -> URL:
    """Return the URL with our async driver. Raises StoreError."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        parsed = None
    driver = None if parsed is None else _DRIVERS.get(parsed.drivername.partition("+")[0])
    if parsed is None or driver is None:
        raise StoreError(
            f"{url!r} is not a database: expected a URL such as sqlite:///tables.sqlite"
            " or postgresql://user:password@host/name."
        )
    if sqlite_file(url) is None and driver == _DRIVERS["sqlite"]:
        raise StoreError(f"{url!r} names no file: expected one, such as sqlite:///tables.sqlite.")
    if "sslmode" in parsed.query:  # the name that PostgreSQL's own programs use
        mode = parsed.query["sslmode"]
        parsed = parsed.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})
    return parsed.set(drivername=driver)


def sqlite_file(url: str) -> Path | None:
    """Return the file of an SQLite database, or None for any other and for one in memory."""
    parsed = make_url(url)
    name = parsed.database or ""
    is_in_memory = (
        not name or name == ":memory:" or name.startswith("file:") or "mode" in parsed.query
    )
    return None if is_in_memory or not parsed.drivername.startswith("sqlite") else Path(name)


def create_engine(url: URL, timeouts: Timeouts, *, limit_statements: bool = True) -> AsyncEngine:
    """Return an engine with timeouts that notices lost connections.

    `limit_statements`: if False, statements have no timeout.
    """
    if url.get_backend_name() == "sqlite":
        engine = create_async_engine(url, **SERIALIZERS)
        event.listen(engine.sync_engine, "connect", sqlite_set_up(timeouts))
        return engine
    if importlib.util.find_spec("asyncpg") is None:
        raise StoreError("PostgreSQL needs asyncpg: pip install 'acesaround[postgres]'.")
    # A process whose machine vanished during a write must not block the others. A sequence number
    # that another transaction is about to take must not block the other appends of a batch.
    limits = {
        "idle_in_transaction_session_timeout": f"{1000 * timeouts.idle:.0f}ms",
        "lock_timeout": f"{1000 * timeouts.lock:.0f}ms",
    }
    engine = create_async_engine(
        url,
        pool_size=_MAX_CONNECTIONS,
        max_overflow=0,
        pool_timeout=timeouts.free,
        connect_args={
            "timeout": timeouts.connection,
            "command_timeout": timeouts.statement if limit_statements else None,
            "server_settings": limits,
        },
        **SERIALIZERS,
    )
    event.listen(engine.sync_engine, "checkout", _check_connection)
    return engine


def _check_connection(connection: Any, _record: object, _proxy: object) -> None:
    """Have the pool replace a connection that PostgreSQL has closed."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def sqlite_set_up(timeouts: Timeouts) -> Callable[[Any, object], None]:
    """Return the setup function for a new SQLite connection.

    Readers do not wait for the writer, and a commit is on the disk when it returns.
    """

    def set_up(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute(f"PRAGMA busy_timeout = {1000 * timeouts.busy:.0f}")
        cursor.close()
        # Bytes that are not text must fail for their own value, not for a whole list.
        driver = getattr(connection, "driver_connection", connection)
        driver.text_factory = lambda held: held.decode(errors="surrogateescape")

    return set_up


def _json_bytes(value: object) -> bytes:
    """Return a JSON column's value as bytes; empty if it is not text."""
    return value.encode(errors="surrogateescape") if isinstance(value, str) else b""


SERIALIZERS: Final[dict[str, Any]] = {
    "hide_parameters": True,  # values contain cards, and errors may be logged
    "json_serializer": bytes.decode,
    "json_deserializer": _json_bytes,
}
"""Options that pass log entries through as text."""


async def migrate_database(engine: AsyncEngine, url: URL, timeouts: Timeouts) -> None:
    """Upgrade a database without a statement timeout, because building an index may take long."""
    migration_engine = (
        engine
        if engine.dialect.name == "sqlite"
        else create_engine(url, timeouts, limit_statements=False)
    )
    try:
        async with migration_engine.begin() as connection:
            await connection.run_sync(upgrade)
    finally:
        if migration_engine is not engine:
            await migration_engine.dispose()


def check_version(connection: Connection) -> None:
    """Raise StoreError if a database has another version, because somebody may be serving it."""
    if not is_current(connection):
        raise StoreError(
            "Another version of Aces Around made this database: start the server once to update it."
        )


def create_notification_channel(engine: AsyncEngine, timeouts: Timeouts) -> NotificationChannel:
    """Return the channel to the other processes on a PostgreSQL database."""
    _, options = engine.dialect.create_connect_args(engine.url)
    limits = {"timeout": timeouts.connection, "command_timeout": timeouts.statement}
    return NotificationChannel({**options, **limits})
