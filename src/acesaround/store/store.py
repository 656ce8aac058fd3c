"""The store: appends to logs, reads them, lists tables. Every write is durable when it returns.

A log entry is the text of a JSON object (SQLite would convert a bare number). Lists use indexed
columns written with the entries, and never read a log.

If two writers append the same sequence number, the primary key accepts one of them. The other gets
SequenceConflict. A write that fails otherwise raises DatabaseUnavailable. Whether it reached the
disk is then unknown, so the caller must read the log again before it trusts its state.

Appends that arrive during a commit are committed together by the next one (`group_commit`). On
PostgreSQL the other processes are notified after the commit (`channel`). A notification inside the
transaction would serialize all commits of the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, Self, TypeAlias

import msgspec
from alembic.util import CommandError
from sqlalchemy import Connection, event, exists, func, insert, literal, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from acesaround.errors import AcesAroundError
from acesaround.store import file_permissions
from acesaround.store.channel import Channel
from acesaround.store.devices import Devices
from acesaround.store.entry_writer import SqliteWriter, insert_appends, write_appends
from acesaround.store.errors import CorruptData, DatabaseUnavailable, LockTimeout, SequenceConflict
from acesaround.store.group_commit import Append, GroupCommit
from acesaround.store.migrate import UnreleasedSchema, is_current, upgrade
from acesaround.store.schema import ENTRIES, GAMES, LINKS, PEOPLE, SEATS, TABLES
from acesaround.table.index_fields import IndexFields

_MAX_CONNECTIONS: Final = 10
"""The PostgreSQL connections of one process, not counting the channel's."""
NO_INDEX_FIELDS: Final = IndexFields()
NO_GAMES: Final[Mapping[int, bytes]] = {}
_MAX_LANES: Final = 2
"""The concurrent transactions with appends of one process on PostgreSQL."""
_LOCK_TIMEOUT_CODE: Final = "55P03"  # PostgreSQL's code for a lock timeout
_CORRUPT_CODES: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_MAX_REPORTED_DAMAGE: Final = 20  # damaged pages to report
_LOG: Final = logging.getLogger(__name__)
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


class StoreError(AcesAroundError):
    """The database cannot be used at all."""


Shelf: TypeAlias = Literal["", "archived", "deleted"]
"""The place of a table in a person's own list: on top, put away, or nowhere."""


class TableListing(msgspec.Struct, frozen=True):
    """A table in a list. `summary` is the JSON that was stored with the last change.

    `link`: the token of the link to play. `turn`: the seat on turn when the last person left,
    if known. `shelf`: the place in a person's own list. `game`: the stored line of its last game.
    """

    id: str
    created: int
    changed: int
    summary: msgspec.Raw
    link: str
    turn: int | None = None
    shelf: Shelf = ""
    game: bytes | None = None


class Link(msgspec.Struct, frozen=True):
    """The table of a token, and its purpose: `play`, `watch`, `replay`. `good`: not replaced."""

    table_id: str
    kind: str
    good: bool


class LobbyTable(msgspec.Struct, frozen=True):
    """A public table in the lobby. `free`: the number of seats without a person."""

    id: str
    changed: int
    host: str
    free: int


def now_ms() -> int:
    """Return the milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Store:
    """A database. Create it with `open`, and `close` it, or its threads outlive the event loop."""

    def __init__(
        self,
        engine: AsyncEngine,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._engine = engine
        self.now = clock
        """The clock, in milliseconds since 1970, that dates writes."""
        is_sqlite = engine.dialect.name == "sqlite"
        self._insert = sqlite.insert if is_sqlite else postgresql.insert
        self._channel = None if is_sqlite else _create_channel(engine, timeouts)
        # SQLite allows one writer at a time. This lock is fair, while SQLite itself would poll.
        self._write_lock = asyncio.Lock() if is_sqlite else None
        self._sqlite_writer = (
            SqliteWriter(engine.url, _SERIALIZERS, _sqlite_set_up(timeouts)) if is_sqlite else None
        )
        self._file = _FileIdentity(Path(engine.url.database or "")) if is_sqlite else None
        self._group_commit = GroupCommit(self._save, 1 if is_sqlite else _MAX_LANES)
        self._check_task: asyncio.Task[None] | None = None
        self._integrity_connection: Any = None  # the connection of that task
        self.damage: tuple[str, ...] = ()
        self.on_commit: Callable[[int], None] = lambda _: None
        """A callback with the number of entries in each commit."""
        self.devices = Devices(self._reading, self._writing, self._insert, clock)

    @classmethod
    async def open(
        cls,
        url: str,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        *,
        create: bool = True,
        clock: Callable[[], int] = now_ms,
    ) -> Self:
        """Open the database at a URL, creating or upgrading it first. Raises StoreError.

        `create`: if False, refuse a database that is missing or not of this version. `clock`:
        returns the milliseconds since 1970.
        """
        engine = _create_engine(async_url(url), timeouts)
        file = sqlite_file(url)
        try:
            if file is not None and create:
                file_permissions.create_owner_only(file)
            elif file is not None and not file.exists():
                raise StoreError(f"There is no database at {file}.")
            if create:
                await _migrate(engine, async_url(url), timeouts)
            else:
                async with engine.begin() as connection:
                    await connection.run_sync(_check_version)
            if file is not None:  # it is a database, so its permissions may be changed
                file_permissions.restrict_permissions(file_permissions.database_files(file))
            return cls(engine, timeouts, clock)
        except StoreError:
            await engine.dispose()
            raise
        except UnreleasedSchema:
            await engine.dispose()
            raise StoreError(
                "This database is from before the first release of Aces Around and cannot be read. "
                "It was left untouched: use another one (--database-url)."
            ) from None
        except CommandError:
            await engine.dispose()
            raise StoreError(
                "A newer version of Aces Around made this database: install that version."
            ) from None
        except (SQLAlchemyError, OSError, TypeError) as error:  # TypeError: unknown parameter
            await engine.dispose()
            raise StoreError(f"The database cannot be opened: {_error_message(error)}.") from None

    async def close(self) -> None:
        """Finish all appends and close every connection."""
        if self._integrity_connection is not None:
            await self._integrity_connection.interrupt()
        await self._group_commit.finish()
        if self._check_task is not None:
            await asyncio.wait([self._check_task])
        if self._sqlite_writer is not None:
            await self._sqlite_writer.close()
        await self._engine.dispose()

    def channel(self) -> Channel | None:
        """Return the channel to the other processes on this database; None for SQLite."""
        return self._channel

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use the database as well."""
        return self._channel is not None

    @contextlib.asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        async with self._guarded(), self._engine.begin() as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def _guarded(self) -> AsyncIterator[None]:
        async with self._write_lock or contextlib.nullcontext():
            try:
                self._check_file()
                yield
                self._check_file()  # or the write went to a file that has been replaced
            except IntegrityError:
                raise SequenceConflict from None
            except (SQLAlchemyError, OSError) as error:
                self._check_if_damaged(error)
                raise (LockTimeout if _is_lock_timeout(error) else DatabaseUnavailable)(
                    _error_message(error)
                ) from error

    def writing(self) -> contextlib.AbstractAsyncContextManager[AsyncConnection]:
        """Open a write transaction. Raises SequenceConflict and DatabaseUnavailable."""
        return self._writing()

    def reading(self) -> contextlib.AbstractAsyncContextManager[AsyncConnection]:
        """Open a connection for reading. Raises CorruptData and DatabaseUnavailable."""
        return self._reading()

    @property
    def engine(self) -> AsyncEngine:
        """The SQLAlchemy engine."""
        return self._engine

    @property
    def path(self) -> Path | None:
        """The file of an SQLite database, or None."""
        return None if self._file is None else self._file.path

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            self._check_file()
            async with self._engine.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            self._check_if_damaged(error)
            if _is_damage(error):
                raise CorruptData(_error_message(error)) from error
            raise DatabaseUnavailable(_error_message(error)) from error

    def _check_if_damaged(self, error: Exception) -> None:
        """Start an integrity check if an error reports damage."""
        if _is_damage(error):
            self.check_integrity()

    def check_integrity(self) -> None:
        """Start an integrity check of the whole database, unless one is running.

        The result goes to `damage` and to the log. Only for SQLite; PostgreSQL checks itself.
        """
        if self._file is not None and self._check_task is None:
            self._check_task = asyncio.create_task(self._run_integrity_check(), name="examination")

    async def _run_integrity_check(self) -> None:
        try:
            async with self._engine.connect() as connection:
                self._integrity_connection = (
                    await connection.get_raw_connection()
                ).driver_connection
                result = await connection.execute(
                    text(f"PRAGMA quick_check({_MAX_REPORTED_DAMAGE})")
                )
                messages = [str(line) for line in result.scalars()]
        except (SQLAlchemyError, OSError) as error:
            messages = [_error_message(error)] if _is_damage(error) else []
        damage = () if messages == ["ok"] else tuple(messages)
        if damage and damage != self.damage:
            _LOG.error(
                "%s is damaged; the server goes on with the undamaged part. Restore a backup "
                "(docs/hosting.md). %s",
                self._engine.url.database,
                "; ".join(" ".join(line.split()) for line in damage),
            )
        self.damage = damage
        self._integrity_connection = self._check_task = None

    def _check_file(self) -> None:
        if self._file is not None:
            self._file.check()

    async def create(
        self,
        table_id: str,
        bodies: Sequence[bytes],
        *,
        config: bytes,
        public: bool,
        summary: bytes,
        keys: IndexFields = NO_INDEX_FIELDS,
        games: Mapping[int, bytes] = NO_GAMES,
        people: Collection[str] = (),
        links: Mapping[str, str] | None = None,
    ) -> None:
        """Create a table with the first entries of its log.

        `links`: the kinds of the tokens that lead to it. Raises SequenceConflict and
        DatabaseUnavailable.
        """
        now = self.now()
        row = {
            "id": table_id,
            "created": now,
            "changed": now,
            "public": public,
            "config": config,
            "summary": summary,
            **msgspec.structs.asdict(keys),
        }
        first_append = Append(table_id, 0, bodies, people, games=games, links=links or {})
        async with self._writing() as connection:
            await connection.execute(insert(TABLES), row)
            await connection.run_sync(insert_appends, [first_append], now)

    async def append(
        self,
        table_id: str,
        seq: int,
        bodies: Sequence[bytes],
        *,
        summary: bytes | None = None,
        keys: IndexFields | None = None,
        games: Mapping[int, bytes] = NO_GAMES,
        people: Collection[str] = (),
        removed: Collection[str] = (),
        links: Mapping[str, str] | None = None,
    ) -> None:
        """Append entries to a log, the first as number `seq`; all of them or none.

        `count_people`: persons who take a seat. `removed`: persons who lose theirs permanently.
        `links`: the kinds of new tokens that lead to the table. `summary`, `keys`, `game_lines`:
        the data that lists show, the fields that they filter by, and the lines of games by number,
        each if changed. Raises SequenceConflict and DatabaseUnavailable.
        """
        entries_to_append = Append(
            table_id, seq, bodies, people, summary, keys, games, removed, links or {}
        )
        await self._group_commit.append(entries_to_append)

    async def _save(self, batch: Sequence[Append]) -> None:
        """Save appends in one transaction. Raises SequenceConflict and DatabaseUnavailable.

        Appends are sorted by table, so that two processes cannot deadlock on the same tables.
        """
        now = self.now()
        batch = sorted(batch, key=lambda one: one.table_id)
        if self._sqlite_writer is None:
            async with self._writing() as connection:
                await connection.run_sync(write_appends, batch, now)
        else:
            async with self._guarded():
                await self._sqlite_writer.write(batch, now)
        if self._channel is not None:
            self._channel.notify_appended({append.table_id: append.end_seq for append in batch})
        self.on_commit(sum(len(append.bodies) for append in batch))

    async def resolve_token(self, token: str) -> Link | None:
        """Return the link of a token, or None. A table without links is played by its id."""
        by_token = select(LINKS.c.table_id, LINKS.c.kind, LINKS.c.good).where(
            LINKS.c.token == token
        )
        is_linked = LINKS.c.table_id == TABLES.c.id
        by_id = select(
            TABLES.c.id, select(literal(1)).where(is_linked, _IS_PLAY_LINK).exists()
        ).where(TABLES.c.id == token)
        async with self._reading() as connection:
            if (row := (await connection.execute(by_token)).first()) is not None:
                return Link(row.table_id, row.kind, row.good)
            if (row := (await connection.execute(by_id)).first()) is not None:
                return Link(token, "play", not row[1])
            return None

    async def entries(self, table_id: str, from_seq: int = 0) -> list[bytes]:
        """Return the log of a table from a number on; empty if there is no such table.

        Raises CorruptData and DatabaseUnavailable.
        """
        query = (
            select(ENTRIES.c.body)
            .where(ENTRIES.c.table_id == table_id, ENTRIES.c.seq >= from_seq)
            .order_by(ENTRIES.c.seq)
        )
        async with self._reading() as connection:
            return list((await connection.execute(query)).scalars())

    async def link_token(self, table_id: str, kind: str) -> str | None:
        """Return the token of a table's good link of a kind, or None."""
        condition = (LINKS.c.table_id == table_id) & (LINKS.c.kind == kind) & LINKS.c.good
        async with self._reading() as connection:
            return (
                await connection.execute(select(LINKS.c.token).where(condition))
            ).scalar_one_or_none()

    async def has_sat(self, table_id: str, person_id: str) -> bool:
        """Return whether a person has held a seat at a table and was not removed from it."""
        condition = (SEATS.c.table_id == table_id) & (SEATS.c.person_id == person_id)
        async with self._reading() as connection:
            return (
                await connection.execute(select(literal(1)).where(condition))
            ).first() is not None

    async def first_entry(self, table_id: str) -> bytes | None:
        """Return the first entry of a table's log, or None if there is no such table."""
        query = select(ENTRIES.c.body).where(ENTRIES.c.table_id == table_id, ENTRIES.c.seq == 0)
        async with self._reading() as connection:
            return (await connection.execute(query)).scalar_one_or_none()

    async def game_lines(self, table_id: str) -> list[bytes]:
        """Return the lines of a table's games, oldest first."""
        query = select(GAMES.c.line).where(GAMES.c.table_id == table_id).order_by(GAMES.c.number)
        async with self._reading() as connection:
            return list((await connection.execute(query)).scalars())

    async def lobby_tables(
        self, limit: int = 300, extra_ids: Collection[str] = ()
    ) -> list[LobbyTable]:
        """Return public tables that are not over, the last changed first.

        `limit`: the maximum number. `extra_ids`: ids of tables to include beyond that limit.
        """
        query = _LOBBY_QUERY.where(TABLES.c.public, ~TABLES.c.over).order_by(
            TABLES.c.changed.desc()
        )
        async with self._reading() as connection:
            rows = list(await connection.execute(query.limit(limit)))
            missing_ids = sorted(set(extra_ids) - {row.id for row in rows})
            for start in range(0, len(missing_ids), _TABLES_PER_QUERY):
                extra_query = query.where(
                    TABLES.c.id.in_(missing_ids[start : start + _TABLES_PER_QUERY])
                )
                rows += await connection.execute(extra_query)
        tables = [LobbyTable(row.id, row.changed, row.host, row.free) for row in rows]
        return sorted(tables, key=lambda spot: -spot.changed)

    async def listings(self, table_ids: Sequence[str]) -> list[TableListing]:
        """Return these tables as in a list, in this order, without deleted tables."""
        async with self._reading() as connection:
            result = await connection.execute(_LISTING_QUERY.where(TABLES.c.id.in_(table_ids)))
            by_id = {row.id: _listing(row) for row in result}
        return [by_id[table_id] for table_id in table_ids if table_id in by_id]

    async def count_hosted(self, person_id: str, since: int) -> int:
        """Count a host's tables that are not over and were opened since a time in ms."""
        query = select(func.count()).where(
            TABLES.c.host == person_id, TABLES.c.created >= since, ~TABLES.c.over
        )
        async with self._reading() as connection:
            return (await connection.execute(query)).scalar_one()

    async def tables_of_person(self, person_id: str, limit: int = 50) -> list[TableListing]:
        """Return the tables at which a person has held a seat, the last changed first.

        Tables that the person has deleted from this list are left out.
        """
        query = (
            _LISTING_QUERY.add_columns(SEATS.c.shelf, _LAST_GAME.label("game"))
            .join(SEATS, SEATS.c.table_id == TABLES.c.id)
            .where(SEATS.c.person_id == person_id, SEATS.c.shelf != "deleted")
            .order_by(TABLES.c.changed.desc())
            .limit(limit)
        )
        async with self._reading() as connection:
            rows = await connection.execute(query)
            return [
                msgspec.structs.replace(_listing(row), shelf=row.shelf, game=row.game)
                for row in rows
            ]

    async def tables_in_common(self, person_id: str, other_id: str) -> list[str]:
        """Return the ids of the tables that are not over where a person and another belong.

        A person belongs to a table after holding a seat there; the other also as its host.
        """
        seats, others = SEATS.alias(), SEATS.alias()
        sat = exists().where(seats.c.table_id == TABLES.c.id, seats.c.person_id == person_id)
        also = exists().where(others.c.table_id == TABLES.c.id, others.c.person_id == other_id)
        asked = select(TABLES.c.id).where(~TABLES.c.over, sat, also | (TABLES.c.host == other_id))
        async with self._reading() as connection:
            return list((await connection.execute(asked)).scalars())

    async def set_shelf(self, table_id: str, person_id: str, shelf: Shelf) -> bool:
        """Move a table in a person's list; return whether it was there.

        Raises DatabaseUnavailable.
        """
        condition = (SEATS.c.table_id == table_id) & (SEATS.c.person_id == person_id)
        async with self._writing() as connection:
            updated = await connection.execute(update(SEATS).where(condition).values(shelf=shelf))
            return updated.rowcount > 0

    async def save_turn(self, table_id: str, turn: int | None) -> None:
        """Save the seat on turn at a table that everybody has left. Raises DatabaseUnavailable."""
        table_update = update(TABLES).where(TABLES.c.id == table_id)
        async with self._writing() as connection:
            await connection.execute(table_update.values(turn=turn))

    async def save_name(self, person_id: str, name: str, avatar: str = "") -> None:
        """Save the name and avatar of a person. Raises DatabaseUnavailable."""
        now = self.now()
        row = {"id": person_id, "name": name, "avatar": avatar, "created": now, "seen": now}
        insert_person = self._insert(PEOPLE).values(row)
        new_values = {"name": name, "avatar": avatar, "seen": now}
        async with self._writing() as connection:
            await connection.execute(
                insert_person.on_conflict_do_update(index_elements=["id"], set_=new_values)
            )

    async def count_people(self) -> int:
        """Count the persons who have given a name."""
        async with self._reading() as connection:
            return (await connection.execute(select(func.count()).select_from(PEOPLE))).scalar_one()

    async def count_tables(self) -> int:
        """Count the tables."""
        async with self._reading() as connection:
            return (await connection.execute(select(func.count()).select_from(TABLES))).scalar_one()

    async def ping(self) -> None:
        """Send an empty query to see whether the database answers. Raises DatabaseUnavailable."""
        async with self._reading() as connection:
            await connection.execute(select(literal(1)))


_IS_PLAY_LINK: Final = LINKS.c.kind == "play"
_PLAY_LINK: Final = (
    select(LINKS.c.token)
    .where(LINKS.c.table_id == TABLES.c.id, _IS_PLAY_LINK, LINKS.c.good)
    .scalar_subquery()
)
_LISTING_QUERY: Final = select(
    TABLES.c.id,
    TABLES.c.created,
    TABLES.c.changed,
    TABLES.c.summary,
    TABLES.c.turn,
    _PLAY_LINK.label("link"),
)
_LAST_GAME: Final = (
    select(GAMES.c.line)
    .where(GAMES.c.table_id == TABLES.c.id)
    .order_by(GAMES.c.number.desc())
    .limit(1)
    .scalar_subquery()
)
_LOBBY_QUERY: Final = select(TABLES.c.id, TABLES.c.changed, TABLES.c.host, TABLES.c.free)
_TABLES_PER_QUERY: Final = 500  # tables in one query


def _listing(row: Any) -> TableListing:
    summary = msgspec.Raw(row.summary)
    return TableListing(row.id, row.created, row.changed, summary, row.link or row.id, row.turn)


class _FileIdentity:
    """The identity of an SQLite file at the time of opening.

    SQLite does not notice that its file was deleted and keeps writing to it. A file put in its
    place is another database, which this process has not read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known = self._identity()

    def check(self) -> None:
        """Raise OSError if the file is missing or has been replaced."""
        if self._identity() != self._known:
            raise OSError(f"{self.path} was replaced by another file: restart the server")

    def _identity(self) -> tuple[int, int]:
        status = self.path.stat()
        return status.st_dev, status.st_ino


async def _migrate(engine: AsyncEngine, url: URL, timeouts: Timeouts) -> None:
    """Upgrade a database without a statement timeout, because building an index may take long."""
    migration_engine = (
        engine
        if engine.dialect.name == "sqlite"
        else _create_engine(url, timeouts, limit_statements=False)
    )
    try:
        async with migration_engine.begin() as connection:
            await connection.run_sync(upgrade)
    finally:
        if migration_engine is not engine:
            await migration_engine.dispose()


def _create_engine(url: URL, timeouts: Timeouts, *, limit_statements: bool = True) -> AsyncEngine:
    """Return an engine with timeouts that notices lost connections.

    `limit_statements`: if False, statements have no timeout.
    """
    if url.get_backend_name() == "sqlite":
        engine = create_async_engine(url, **_SERIALIZERS)
        event.listen(engine.sync_engine, "connect", _sqlite_set_up(timeouts))
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
        **_SERIALIZERS,
    )
    event.listen(engine.sync_engine, "checkout", _check_connection)
    return engine


def _check_connection(connection: Any, _record: object, _proxy: object) -> None:
    """Have the pool replace a connection that PostgreSQL has closed."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def async_url(url: str) -> URL:
    """Return the URL with our async driver. Raises StoreError."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        parsed = None
    driver = None if parsed is None else _DRIVERS.get(parsed.drivername.partition("+")[0])
    if parsed is None or driver is None:
        raise StoreError(
            f"{url!r} is not a database: expected such as sqlite:///tables.sqlite"
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


def _create_channel(engine: AsyncEngine, timeouts: Timeouts) -> Channel:
    _, options = engine.dialect.create_connect_args(engine.url)
    limits = {"timeout": timeouts.connection, "command_timeout": timeouts.statement}
    return Channel({**options, **limits})


def _is_lock_timeout(error: Exception) -> bool:
    """Return whether an error is a lock timeout."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) == _LOCK_TIMEOUT_CODE


def _check_version(connection: Connection) -> None:
    """Raise StoreError if a database has another version, because somebody may be serving it."""
    if not is_current(connection):
        raise StoreError(
            "Another version of Aces Around made this database: start the server once to update it."
        )


def _is_damage(error: Exception) -> bool:
    """Return whether an error reports damage of the database."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _CORRUPT_CODES


def _json_bytes(value: object) -> bytes:
    """Return a JSON column's value as bytes; empty if it is not text."""
    return value.encode(errors="surrogateescape") if isinstance(value, str) else b""


_SERIALIZERS: Final[dict[str, Any]] = {
    "hide_parameters": True,  # values contain cards, and errors may be logged
    "json_serializer": bytes.decode,
    "json_deserializer": _json_bytes,
}
"""Options that pass log entries through as text."""


def _sqlite_set_up(timeouts: Timeouts) -> Callable[[Any, object], None]:
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


def _error_message(error: Exception) -> str:
    """Return the database's own error message, without SQLAlchemy's additions."""
    message = str(getattr(error, "orig", None) or error).strip().rstrip(".")
    return message or (
        "it does not answer" if isinstance(error, TimeoutError) else type(error).__name__
    )
