"""The store: appends to logs and reads them. Every write is durable when it returns.

A log entry is the text of a JSON object (SQLite would convert a bare number). Lists use indexed
columns written with the entries, and never read a log.

If two writers append the same sequence number, the primary key accepts one of them. The other gets
SequenceConflict. A write that fails otherwise raises DatabaseUnavailable. Whether it reached the
disk is then unknown, so the caller must read the log again before it trusts its state.

Appends that arrive during a commit are committed together by the next one (`append_queue`). On
PostgreSQL the other processes are notified after the commit (`postgres_notifications`). A
notification inside the transaction would serialize all commits of the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Final, Self

import msgspec
from alembic.util import CommandError
from sqlalchemy import bindparam, insert, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from acesaround.store import file_permissions
from acesaround.store.append_queue import Append, AppendQueue
from acesaround.store.append_writer import SqliteWriter, insert_appends, write_appends
from acesaround.store.devices import Devices
from acesaround.store.engine import (
    DEFAULT_TIMEOUTS,
    SERIALIZERS,
    Timeouts,
    async_url,
    check_version,
    create_engine,
    create_notification_channel,
    migrate_database,
    sqlite_file,
    sqlite_set_up,
)
from acesaround.store.errors import (
    CorruptData,
    DatabaseUnavailable,
    LockTimeout,
    SequenceConflict,
    StoreError,
    error_message,
    is_damage,
    is_lock_timeout,
)
from acesaround.store.integrity import FileIdentity, IntegrityCheck
from acesaround.store.migrate import UnreleasedSchema
from acesaround.store.pairing_codes import PairingCodes
from acesaround.store.postgres_notifications import NotificationChannel
from acesaround.store.schema import ENTRIES, GAMES, LINKS, PEOPLE, SEATS, TABLES
from acesaround.table.list_columns import ListColumns

NO_LIST_COLUMNS: Final = ListColumns()
NO_GAMES: Final[Mapping[int, bytes]] = {}
_MAX_APPEND_TASKS: Final = 2
"""The tasks of one process on PostgreSQL that append at the same time, each in its transaction."""


class Link(msgspec.Struct, frozen=True):
    """The table of a token, and its purpose: "play", "watch" or "replay".

    `is_current`: the link was not replaced.
    """

    table_id: str
    kind: str
    is_current: bool


def current_ms() -> int:
    """Return the milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Store:
    """A database. Create it with `open`, and `close` it, or its threads outlive the event loop."""

    def __init__(
        self,
        engine: AsyncEngine,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        clock: Callable[[], int] = current_ms,
    ) -> None:
        self._engine = engine
        self.now = clock
        """The clock, in milliseconds since 1970, that dates writes."""
        is_sqlite = engine.dialect.name == "sqlite"
        self._insert = sqlite.insert if is_sqlite else postgresql.insert
        self._channel = None if is_sqlite else create_notification_channel(engine, timeouts)
        # SQLite allows one writer at a time. This lock is fair, while SQLite itself would poll.
        self._write_lock = asyncio.Lock() if is_sqlite else None
        self._sqlite_writer = (
            SqliteWriter(engine.url, SERIALIZERS, sqlite_set_up(timeouts)) if is_sqlite else None
        )
        self._file = FileIdentity(Path(engine.url.database or "")) if is_sqlite else None
        self._append_queue = AppendQueue(self._save, 1 if is_sqlite else _MAX_APPEND_TASKS)
        self._integrity_check = IntegrityCheck(engine) if is_sqlite else None
        self.on_commit: Callable[[int], None] = lambda _: None
        """A callback with the number of entries in each commit."""
        self.devices = Devices(self.begin_read, self.begin_write, clock)
        self.pairing_codes = PairingCodes(self.begin_read, self.begin_write, self._insert, clock)

    @classmethod
    async def open(
        cls,
        url: str,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        *,
        create: bool = True,
        clock: Callable[[], int] = current_ms,
    ) -> Self:
        """Open the database at a URL, creating or upgrading it first. Raises StoreError.

        `create`: if False, refuse a database that is missing or not of this version. `clock`:
        returns the milliseconds since 1970.
        """
        engine = create_engine(async_url(url), timeouts)
        file = sqlite_file(url)
        try:
            if file is not None and create:
                file_permissions.create_owner_only(file)
            elif file is not None and not file.exists():
                raise StoreError(f"There is no database at {file}.")
            if create:
                await migrate_database(engine, async_url(url), timeouts)
            else:
                async with engine.begin() as connection:
                    await connection.run_sync(check_version)
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
            raise StoreError(f"The database cannot be opened: {error_message(error)}.") from None

    async def close(self) -> None:
        """Finish all appends and close every connection."""
        if self._integrity_check is not None:
            await self._integrity_check.interrupt()
        await self._append_queue.finish()
        if self._integrity_check is not None:
            await self._integrity_check.wait()
        if self._sqlite_writer is not None:
            await self._sqlite_writer.close()
        await self._engine.dispose()

    def notification_channel(self) -> NotificationChannel | None:
        """Return the channel to the other processes on this database; None for SQLite."""
        return self._channel

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use the database as well."""
        return self._channel is not None

    @contextlib.asynccontextmanager
    async def begin_write(self) -> AsyncIterator[AsyncConnection]:
        """Open a write transaction. Raises SequenceConflict and DatabaseUnavailable."""
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
                raise (LockTimeout if is_lock_timeout(error) else DatabaseUnavailable)(
                    error_message(error)
                ) from error

    @property
    def engine(self) -> AsyncEngine:
        """The SQLAlchemy engine."""
        return self._engine

    @property
    def path(self) -> Path | None:
        """The file of an SQLite database, or None."""
        return None if self._file is None else self._file.path

    @contextlib.asynccontextmanager
    async def begin_read(self) -> AsyncIterator[AsyncConnection]:
        """Open a connection for reading. Raises CorruptData and DatabaseUnavailable."""
        try:
            self._check_file()
            async with self._engine.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            self._check_if_damaged(error)
            if is_damage(error):
                raise CorruptData(error_message(error)) from error
            raise DatabaseUnavailable(error_message(error)) from error

    def _check_if_damaged(self, error: Exception) -> None:
        """Start an integrity check if an error reports damage."""
        if is_damage(error):
            self.check_integrity()

    def check_integrity(self) -> None:
        """Start a check of the whole database. PostgreSQL checks itself."""
        if self._integrity_check is not None:
            self._integrity_check.start()

    @property
    def damage(self) -> tuple[str, ...]:
        """The known damage of the database."""
        return () if self._integrity_check is None else self._integrity_check.damage

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
        list_columns: ListColumns = NO_LIST_COLUMNS,
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
            "created_ms": now,
            "changed_ms": now,
            "is_public": public,
            "config": config,
            "summary": summary,
            **msgspec.structs.asdict(list_columns),
        }
        first_append = Append(table_id, 0, bodies, people, games=games, links=links or {})
        async with self.begin_write() as connection:
            await connection.execute(insert(TABLES), row)
            await connection.run_sync(insert_appends, [first_append], now)

    async def append(
        self,
        table_id: str,
        seq: int,
        bodies: Sequence[bytes],
        *,
        summary: bytes | None = None,
        list_columns: ListColumns | None = None,
        games: Mapping[int, bytes] = NO_GAMES,
        people: Collection[str] = (),
        removed: Collection[str] = (),
        links: Mapping[str, str] | None = None,
    ) -> None:
        """Append entries to a log, the first as number `seq`; all of them or none.

        `people`: persons who take a seat. `removed`: persons who lose theirs permanently. `links`:
        the kinds of new tokens that lead to the table. `summary`, `list_columns`, `games`: the data
        that lists show, the fields that they filter by, and the summaries of games by number, each
        if changed. Raises SequenceConflict and DatabaseUnavailable.
        """
        entries_to_append = Append(
            table_id, seq, bodies, people, summary, list_columns, games, removed, links or {}
        )
        await self._append_queue.append(entries_to_append)

    async def _save(self, batch: Sequence[Append]) -> None:
        """Save appends in one transaction. Raises SequenceConflict and DatabaseUnavailable.

        Appends are sorted by table, so that two processes cannot deadlock on the same tables.
        """
        now = self.now()
        batch = sorted(batch, key=lambda one: one.table_id)
        if self._sqlite_writer is None:
            async with self.begin_write() as connection:
                await connection.run_sync(write_appends, batch, now)
        else:
            async with self._guarded():
                await self._sqlite_writer.write(batch, now)
        if self._channel is not None:
            self._channel.notify_appended({append.table_id: append.end_seq for append in batch})
        self.on_commit(sum(len(append.bodies) for append in batch))

    async def resolve_token(self, token: str) -> Link | None:
        """Return the link of a token, or None. A table without links is played by its id."""
        by_token = select(LINKS.c.table_id, LINKS.c.kind, LINKS.c.is_current).where(
            LINKS.c.token == token
        )
        is_linked = LINKS.c.table_id == TABLES.c.id
        by_id = select(
            TABLES.c.id, select(literal(1)).where(is_linked, LINKS.c.kind == "play").exists()
        ).where(TABLES.c.id == token)
        async with self.begin_read() as connection:
            if (row := (await connection.execute(by_token)).first()) is not None:
                return Link(row.table_id, row.kind, row.is_current)
            if (row := (await connection.execute(by_id)).first()) is not None:
                return Link(token, "play", not row[1])
            return None

    async def entries(self, table_id: str, from_seq: int = 0) -> list[bytes]:
        """Return the log of a table from a number on; empty if there is no such table.

        Raises CorruptData and DatabaseUnavailable.
        """
        parameters = {"of_table": table_id, "from_seq": from_seq}
        async with self.begin_read() as connection:
            return list((await connection.execute(_LOG_QUERY, parameters)).scalars())

    async def link_token(self, table_id: str, kind: str) -> str | None:
        """Return the token of a table's current link of a kind, or None."""
        condition = (LINKS.c.table_id == table_id) & (LINKS.c.kind == kind) & LINKS.c.is_current
        async with self.begin_read() as connection:
            return (
                await connection.execute(select(LINKS.c.token).where(condition))
            ).scalar_one_or_none()

    async def has_sat(self, table_id: str, person_id: str) -> bool:
        """Return whether a person has held a seat at a table and was not removed from it."""
        condition = (SEATS.c.table_id == table_id) & (SEATS.c.person_id == person_id)
        async with self.begin_read() as connection:
            return (
                await connection.execute(select(literal(1)).where(condition))
            ).first() is not None

    async def first_entry(self, table_id: str) -> bytes | None:
        """Return the first entry of a table's log, or None if there is no such table."""
        query = select(ENTRIES.c.body).where(ENTRIES.c.table_id == table_id, ENTRIES.c.seq == 0)
        async with self.begin_read() as connection:
            return (await connection.execute(query)).scalar_one_or_none()

    async def game_summaries(self, table_id: str) -> list[bytes]:
        """Return the stored summaries of a table's games, oldest first."""
        query = select(GAMES.c.summary).where(GAMES.c.table_id == table_id).order_by(GAMES.c.number)
        async with self.begin_read() as connection:
            return list((await connection.execute(query)).scalars())

    async def save_turn(self, table_id: str, turn: int | None) -> None:
        """Save the seat on turn at a table that everybody has left. Raises DatabaseUnavailable."""
        table_update = update(TABLES).where(TABLES.c.id == table_id)
        async with self.begin_write() as connection:
            await connection.execute(table_update.values(seat_on_turn=turn))

    async def save_name(self, person_id: str, name: str, avatar: str = "") -> None:
        """Save the name and avatar of a person. Raises DatabaseUnavailable."""
        now = self.now()
        row = {"id": person_id, "created_ms": now}
        new_values = {"name": name, "avatar": avatar, "last_seen_ms": now}
        insert_person = self._insert(PEOPLE).values(row | new_values)
        async with self.begin_write() as connection:
            await connection.execute(
                insert_person.on_conflict_do_update(index_elements=["id"], set_=new_values)
            )

    async def ping(self) -> None:
        """Send an empty query to see whether the database answers. Raises DatabaseUnavailable."""
        async with self.begin_read() as connection:
            await connection.execute(select(literal(1)))


_LOG_QUERY: Final = (
    select(ENTRIES.c.body)
    .where(ENTRIES.c.table_id == bindparam("of_table"), ENTRIES.c.seq >= bindparam("from_seq"))
    .order_by(ENTRIES.c.seq)
)
