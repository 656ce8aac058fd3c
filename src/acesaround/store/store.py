"""The store: appends to logs, reads them, lists tables. Every write is durable when it returns.

A log entry is the text of a JSON object (SQLite would take a bare number for one of its own).
Lists are answered by index from what was written beside the entries, never from a log.

Two writers of one seq: the database's primary key lets one of them in and the other gets `Taken`.
A write that fails in any other way is `Unsaved`; whether it reached the disk is then unknown, so
the caller reads the log again before it trusts what it holds.

Appends that come during a commit are committed together by the next one (`appends`). On PostgreSQL
the other processes are told of them once they are there (`channel`). In the transaction itself a
notification would make all commits of the database wait for each other.
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
from typing import Any, Final, Self

import msgspec
from alembic.util import CommandError
from sqlalchemy import Connection, event, func, insert, literal, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from acesaround.errors import AcesAroundError
from acesaround.store import file_permissions
from acesaround.store.channel import Channel
from acesaround.store.devices import Devices
from acesaround.store.entry_writer import SqliteWriter, add, write
from acesaround.store.errors import CorruptData, DatabaseUnavailable, LockTimeout, SequenceConflict
from acesaround.store.group_commit import Append, GroupCommit
from acesaround.store.migrate import current, upgrade
from acesaround.store.schema import ENTRIES, GAMES, LINKS, PEOPLE, SEATS, TABLES
from acesaround.table.index_fields import IndexFields

_CONNECTIONS: Final = 10
"""Connections to PostgreSQL of one process, besides the one of its channel."""
NO_KEYS: Final = IndexFields()
NO_GAMES: Final[Mapping[int, bytes]] = {}
_LANES: Final = 2
"""Transactions with appends that one process has under way at once on PostgreSQL."""
_HELD: Final = "55P03"  # what PostgreSQL calls a lock that did not come in time
_CORRUPT: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_MOST_DAMAGE: Final = 20  # pages that are named; more would say no more
_LOG: Final = logging.getLogger(__name__)
_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}


class Patience(msgspec.Struct, frozen=True):
    """Seconds after which what is waited for is given up, by what that is.

    `connection`: a new connection to PostgreSQL; `free`: one of those that others use; `statement`:
    the answer to a statement; `lock`: what another transaction holds; `idle`: a process that says
    no more in its transaction, which PostgreSQL ends then; `busy`: another process that writes to
    an SQLite file.
    """

    connection: float = 5.0
    free: float = 5.0
    statement: float = 5.0
    lock: float = 1.0
    idle: float = 10.0
    busy: float = 5.0


PATIENCE: Final = Patience()


class StoreError(AcesAroundError):
    """A database that cannot be used at all."""


class TableListing(msgspec.Struct, frozen=True):
    """A table in a list. `summary` is the JSON that was given with the last change.

    `link`: the token by which people come to play; `turn`: the seat that was to act when everybody
    had left, if that is known. `shelf`: where it lies in a person's own list, and `game` what was
    kept of its last game.
    """

    id: str
    created: int
    changed: int
    summary: msgspec.Raw
    link: str
    turn: int | None = None
    shelf: str = ""
    game: bytes | None = None


class Link(msgspec.Struct, frozen=True):
    """Where a token leads, and for what: `play`, `watch`, `replay`. `good`: it has no successor."""

    table_id: str
    kind: str
    good: bool


class LobbyTable(msgspec.Struct, frozen=True):
    """An open table that anybody may find. `free`: seats that no person holds."""

    id: str
    changed: int
    host: str
    free: int


def milliseconds() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Store:
    """One database. Made by `open`; `close` it, or its threads outlive the loop."""

    def __init__(
        self,
        engine: AsyncEngine,
        patience: Patience = PATIENCE,
        clock: Callable[[], int] = milliseconds,
    ) -> None:
        self._engine = engine
        self.now = clock
        """Milliseconds since 1970, as what is written is dated."""
        lite = engine.dialect.name == "sqlite"
        self._insert = sqlite.insert if lite else postgresql.insert
        self._channel = None if lite else _channel(engine, patience)
        # SQLite takes one writer at a time. Waiting here is fair; waiting there is polling.
        self._one = asyncio.Lock() if lite else None
        self._hand = SqliteWriter(engine.url, _SERIALIZERS, _sqlite(patience)) if lite else None
        self._file = _File(Path(engine.url.database or "")) if lite else None
        self._appends = GroupCommit(self._save, 1 if lite else _LANES)
        self._examining: asyncio.Task[None] | None = None
        self._looking: Any = None  # the connection by which that is done
        self.damage: tuple[str, ...] = ()
        self.committed: Callable[[int], None] = lambda _: None
        """Hears how many entries were saved together."""
        self.devices = Devices(self._reading, self._writing, self._insert, clock)

    @classmethod
    async def open(
        cls,
        url: str,
        patience: Patience = PATIENCE,
        *,
        make: bool = True,
        clock: Callable[[], int] = milliseconds,
    ) -> Self:
        """The database at a URL, made or brought up to date first. Raises StoreError.

        `make`: without it a database that is not there, or is not of this version, is refused;
        `clock`: says the milliseconds since 1970.
        """
        engine = _engine(async_url(url), patience)
        file = sqlite_file(url)
        try:
            if file is not None and make:
                file_permissions.create_owner_only(file)
            elif file is not None and not file.exists():
                raise StoreError(f"There is no database at {file}.")
            if make:
                await _make(engine, async_url(url), patience)
            else:
                async with engine.begin() as connection:
                    await connection.run_sync(_checked)
            if file is not None:  # it is a database, so its rights are for this process to mend
                file_permissions.restrict_permissions(file_permissions.database_files(file))
            return cls(engine, patience, clock)
        except StoreError:
            await engine.dispose()
            raise
        except CommandError:
            await engine.dispose()
            raise StoreError(
                "The database was made by a newer version of Aces Around: install that one."
            ) from None
        except (SQLAlchemyError, OSError, TypeError) as error:  # TypeError: for no such parameter
            await engine.dispose()
            raise StoreError(f"The database cannot be opened: {_said(error)}.") from None

    async def close(self) -> None:
        """Close every connection, when what was to be appended is."""
        if self._looking is not None:
            await self._looking.interrupt()
        await self._appends.finish()
        if self._examining is not None:
            await asyncio.wait([self._examining])
        if self._hand is not None:
            await self._hand.close()
        await self._engine.dispose()

    def channel(self) -> Channel | None:
        """What hears of the other processes on this database; None where there can be none."""
        return self._channel

    @property
    def shared(self) -> bool:
        """Whether other processes may use the database as well."""
        return self._channel is not None

    @contextlib.asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        async with self._guarded(), self._engine.begin() as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def _guarded(self) -> AsyncIterator[None]:
        async with self._one or contextlib.nullcontext():
            try:
                self._check_file()
                yield
                self._check_file()  # or it has been saved to a file that nobody will find again
            except IntegrityError:
                raise SequenceConflict from None
            except (SQLAlchemyError, OSError) as error:
                self._suspect(error)
                raise (LockTimeout if _held(error) else DatabaseUnavailable)(
                    _said(error)
                ) from error

    def writing(self) -> contextlib.AbstractAsyncContextManager[AsyncConnection]:
        """A transaction for what else is written to the same tables. Raises Taken and Unsaved."""
        return self._writing()

    def reading(self) -> contextlib.AbstractAsyncContextManager[AsyncConnection]:
        """A connection for what else is asked of the same tables. Raises Damaged and Unsaved."""
        return self._reading()

    @property
    def engine(self) -> AsyncEngine:
        """What connects to the database."""
        return self._engine

    @property
    def path(self) -> Path | None:
        """The file of an SQLite database, None for any other."""
        return None if self._file is None else self._file.path

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            self._check_file()
            async with self._engine.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            self._suspect(error)
            if _damaged(error):
                raise CorruptData(_said(error)) from error
            raise DatabaseUnavailable(_said(error)) from error

    def _suspect(self, error: Exception) -> None:
        """Look for damage where the database says that it has some."""
        if _damaged(error):
            self.check_integrity()

    def check_integrity(self) -> None:
        """Begin to look through the whole database for damage, unless that is being done.

        What is found stands in `damage` and in the log. Only SQLite: PostgreSQL sees to its own.
        """
        if self._file is not None and self._examining is None:
            self._examining = asyncio.create_task(self._examine(), name="examination")

    async def _examine(self) -> None:
        try:
            async with self._engine.connect() as connection:
                self._looking = (await connection.get_raw_connection()).driver_connection
                found = await connection.execute(text(f"PRAGMA quick_check({_MOST_DAMAGE})"))
                said = [str(line) for line in found.scalars()]
        except (SQLAlchemyError, OSError) as error:
            said = [_said(error)] if _damaged(error) else []
        damage = () if said == ["ok"] else tuple(said)
        if damage and damage != self.damage:
            _LOG.error(
                "%s is damaged; what is sound is served on. Restore a backup, as docs/hosting.md"
                " says. %s",
                self._engine.url.database,
                "; ".join(" ".join(line.split()) for line in damage),
            )
        self.damage = damage
        self._looking = self._examining = None

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
        keys: IndexFields = NO_KEYS,
        games: Mapping[int, bytes] = NO_GAMES,
        people: Collection[str] = (),
        links: Mapping[str, str] | None = None,
    ) -> None:
        """A new table with the first entries of its log. Raises Taken and Unsaved.

        `links`: tokens that lead to it, each with its kind.
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
        first = Append(table_id, 0, bodies, people, games=games, links=links or {})
        async with self._writing() as connection:
            await connection.execute(insert(TABLES), row)
            await connection.run_sync(add, [first], now)

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

        `people`: persons who took a seat by them, `removed`: who lost one for good; `links`: tokens
        that lead to the table from now on, each with its kind; `summary`: what lists show, `keys`:
        by what they find it, and `games`: the lines of games by number, where that changed. Raises
        Taken and Unsaved.
        """
        wanted = Append(table_id, seq, bodies, people, summary, keys, games, removed, links or {})
        await self._appends.append(wanted)

    async def _save(self, together: Sequence[Append]) -> None:
        """Save appends in one transaction. Raises Taken and Unsaved.

        In the order of their tables: two processes that write to the same ones never wait for each
        other in a ring.
        """
        now = self.now()
        together = sorted(together, key=lambda one: one.table_id)
        if self._hand is None:
            async with self._writing() as connection:
                await connection.run_sync(write, together, now)
        else:
            async with self._guarded():
                await self._hand.write(together, now)
        if self._channel is not None:
            self._channel.notify_appended({one.table_id: one.end for one in together})
        self.committed(sum(len(one.bodies) for one in together))

    async def resolve_token(self, token: str) -> Link | None:
        """Where a token leads, None for nowhere. A table without links is played by its id."""
        found = select(LINKS.c.table_id, LINKS.c.kind, LINKS.c.good).where(LINKS.c.token == token)
        linked = LINKS.c.table_id == TABLES.c.id
        by_id = select(TABLES.c.id, select(literal(1)).where(linked, _TO_PLAY).exists()).where(
            TABLES.c.id == token
        )
        async with self._reading() as connection:
            if (row := (await connection.execute(found)).first()) is not None:
                return Link(row.table_id, row.kind, row.good)
            if (row := (await connection.execute(by_id)).first()) is not None:
                return Link(token, "play", not row[1])
            return None

    async def entries(self, table_id: str, from_seq: int = 0) -> list[bytes]:
        """The log of a table from a number on; empty where there is no such table.

        Raises Damaged and Unsaved.
        """
        asked = (
            select(ENTRIES.c.body)
            .where(ENTRIES.c.table_id == table_id, ENTRIES.c.seq >= from_seq)
            .order_by(ENTRIES.c.seq)
        )
        async with self._reading() as connection:
            return list((await connection.execute(asked)).scalars())

    async def link(self, table_id: str, kind: str) -> str | None:
        """The token of a table's link of a kind; None where it has none."""
        its = (LINKS.c.table_id == table_id) & (LINKS.c.kind == kind) & LINKS.c.good
        async with self._reading() as connection:
            return (await connection.execute(select(LINKS.c.token).where(its))).scalar_one_or_none()

    async def has_sat(self, table_id: str, person_id: str) -> bool:
        """Whether a person has held a seat at a table, and was not removed from it."""
        theirs = (SEATS.c.table_id == table_id) & (SEATS.c.person_id == person_id)
        async with self._reading() as connection:
            return (await connection.execute(select(literal(1)).where(theirs))).first() is not None

    async def entry_time(self, table_id: str, seq: int) -> int | None:
        """When an entry was appended, in milliseconds; None for one that there is not."""
        its = (ENTRIES.c.table_id == table_id) & (ENTRIES.c.seq == seq)
        async with self._reading() as connection:
            return (await connection.execute(select(ENTRIES.c.at).where(its))).scalar_one_or_none()

    async def first_entry(self, table_id: str) -> bytes | None:
        """The first entry of a table's log; None where there is no such table."""
        asked = select(ENTRIES.c.body).where(ENTRIES.c.table_id == table_id, ENTRIES.c.seq == 0)
        async with self._reading() as connection:
            return (await connection.execute(asked)).scalar_one_or_none()

    async def games(self, table_id: str) -> list[bytes]:
        """The lines of a table's games, oldest first."""
        asked = select(GAMES.c.line).where(GAMES.c.table_id == table_id).order_by(GAMES.c.number)
        async with self._reading() as connection:
            return list((await connection.execute(asked)).scalars())

    async def lobby(self, limit: int = 300, among: Collection[str] = ()) -> list[LobbyTable]:
        """The public tables that are not over, the one changed last first.

        `limit`: so many of all; `among`: tables to be found however many have changed since.
        """
        asked = _SPOTS.where(TABLES.c.public, ~TABLES.c.over).order_by(TABLES.c.changed.desc())
        async with self._reading() as connection:
            rows = list(await connection.execute(asked.limit(limit)))
            more = sorted(set(among) - {row.id for row in rows})
            for at in range(0, len(more), _AT_ONCE):
                some = asked.where(TABLES.c.id.in_(more[at : at + _AT_ONCE]))
                rows += await connection.execute(some)
        spots = [LobbyTable(row.id, row.changed, row.host, row.free) for row in rows]
        return sorted(spots, key=lambda spot: -spot.changed)

    async def lines(self, table_ids: Sequence[str]) -> list[TableListing]:
        """These tables in a list, in this order; those that are no more are left out."""
        async with self._reading() as connection:
            found = await connection.execute(_LINES.where(TABLES.c.id.in_(table_ids)))
            lines = {row.id: _line(row) for row in found}
        return [lines[table_id] for table_id in table_ids if table_id in lines]

    async def hosted(self, person_id: str, since: int) -> int:
        """How many tables a person hosts that are not over, of those opened since a time in ms."""
        asked = select(func.count()).where(
            TABLES.c.host == person_id, TABLES.c.created >= since, ~TABLES.c.over
        )
        async with self._reading() as connection:
            return (await connection.execute(asked)).scalar_one()

    async def tables_of_person(self, person_id: str, limit: int = 50) -> list[TableListing]:
        """The tables at which a person has held a seat, the one changed last first.

        Without those that the person has deleted from this list.
        """
        asked = (
            _LINES.add_columns(SEATS.c.shelf, _LAST_GAME.label("game"))
            .join(SEATS, SEATS.c.table_id == TABLES.c.id)
            .where(SEATS.c.person_id == person_id, SEATS.c.shelf != "deleted")
            .order_by(TABLES.c.changed.desc())
            .limit(limit)
        )
        async with self._reading() as connection:
            rows = await connection.execute(asked)
            return [
                msgspec.structs.replace(_line(row), shelf=row.shelf, game=row.game) for row in rows
            ]

    async def set_shelf(self, table_id: str, person_id: str, shelf: str) -> bool:
        """Put a table elsewhere in a person's list; whether it stood there. Raises Unsaved."""
        theirs = (SEATS.c.table_id == table_id) & (SEATS.c.person_id == person_id)
        async with self._writing() as connection:
            put = await connection.execute(update(SEATS).where(theirs).values(shelf=shelf))
            return put.rowcount > 0

    async def save_turn(self, table_id: str, turn: int | None) -> None:
        """Note whose turn it is at a table that everybody has left. Raises Unsaved."""
        its = update(TABLES).where(TABLES.c.id == table_id)
        async with self._writing() as connection:
            await connection.execute(its.values(turn=turn))

    async def save_name(self, person_id: str, name: str, avatar: str = "") -> None:
        """Keep the name of a person, and the chosen avatar. Raises Unsaved."""
        now = self.now()
        row = {"id": person_id, "name": name, "avatar": avatar, "created": now, "seen": now}
        kept = self._insert(PEOPLE).values(row)
        anew = {"name": name, "avatar": avatar, "seen": now}
        async with self._writing() as connection:
            await connection.execute(kept.on_conflict_do_update(index_elements=["id"], set_=anew))

    async def people(self) -> int:
        """How many persons have given a name."""
        async with self._reading() as connection:
            return (await connection.execute(select(func.count()).select_from(PEOPLE))).scalar_one()

    async def count(self) -> int:
        """How many tables are kept."""
        async with self._reading() as connection:
            return (await connection.execute(select(func.count()).select_from(TABLES))).scalar_one()

    async def ping(self) -> None:
        """Ask the database for nothing, to see that it answers. Raises Unsaved."""
        async with self._reading() as connection:
            await connection.execute(select(literal(1)))


_TO_PLAY: Final = LINKS.c.kind == "play"
_LINK: Final = (
    select(LINKS.c.token)
    .where(LINKS.c.table_id == TABLES.c.id, _TO_PLAY, LINKS.c.good)
    .scalar_subquery()
)
_LINES: Final = select(
    TABLES.c.id,
    TABLES.c.created,
    TABLES.c.changed,
    TABLES.c.summary,
    TABLES.c.turn,
    _LINK.label("link"),
)
_LAST_GAME: Final = (
    select(GAMES.c.line)
    .where(GAMES.c.table_id == TABLES.c.id)
    .order_by(GAMES.c.number.desc())
    .limit(1)
    .scalar_subquery()
)
_SPOTS: Final = select(TABLES.c.id, TABLES.c.changed, TABLES.c.host, TABLES.c.free)
_AT_ONCE: Final = 500  # tables asked for by name


def _line(row: Any) -> TableListing:
    summary = msgspec.Raw(row.summary)
    return TableListing(row.id, row.created, row.changed, summary, row.link or row.id, row.turn)


class _File:
    """The file of an SQLite database, as it was when it was opened.

    SQLite does not notice that its file is gone: it writes on into what no name leads to. And a
    file put in its place is another log, which this process has not read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known = self._identity()

    def check(self) -> None:
        """Raise OSError unless the file is where it was."""
        if self._identity() != self._known:
            raise OSError(f"{self.path} is another file than before: start the server again")

    def _identity(self) -> tuple[int, int]:
        status = self.path.stat()
        return status.st_dev, status.st_ino


async def _make(engine: AsyncEngine, url: URL, patience: Patience) -> None:
    """Bring a database up to date, which may take as long as it takes: an index of all entries."""
    making = engine if engine.dialect.name == "sqlite" else _engine(url, patience, hurry=False)
    try:
        async with making.begin() as connection:
            await connection.run_sync(upgrade)
    finally:
        if making is not engine:
            await making.dispose()


def _engine(url: URL, patience: Patience, *, hurry: bool = True) -> AsyncEngine:
    """Connections that wait no longer than they should and notice when they are lost.

    `hurry`: without it a statement may take as long as it takes.
    """
    if url.get_backend_name() == "sqlite":
        engine = create_async_engine(url, **_SERIALIZERS)
        event.listen(engine.sync_engine, "connect", _sqlite(patience))
        return engine
    if importlib.util.find_spec("asyncpg") is None:
        raise StoreError("PostgreSQL needs asyncpg: pip install 'acesaround[postgres]'.")
    # A process whose machine vanished in mid-write is not to hold up the others.
    # Nor is a seq that another transaction is about to take to hold up all that is saved with it.
    limits = {
        "idle_in_transaction_session_timeout": f"{1000 * patience.idle:.0f}ms",
        "lock_timeout": f"{1000 * patience.lock:.0f}ms",
    }
    engine = create_async_engine(
        url,
        pool_size=_CONNECTIONS,
        max_overflow=0,
        pool_timeout=patience.free,
        connect_args={
            "timeout": patience.connection,
            "command_timeout": patience.statement if hurry else None,
            "server_settings": limits,
        },
        **_SERIALIZERS,
    )
    event.listen(engine.sync_engine, "checkout", _still_open)
    return engine


def _still_open(connection: Any, _record: object, _proxy: object) -> None:
    """A connection that PostgreSQL has closed meanwhile is replaced before it is used."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def async_url(url: str) -> URL:
    """The URL with the driver this package uses, its SQLite folder made. Raises StoreError."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        parsed = None
    driver = None if parsed is None else _DRIVERS.get(parsed.drivername.partition("+")[0])
    if parsed is None or driver is None:
        raise StoreError(
            f"{url!r} is no database: expected such as sqlite:///tables.sqlite"
            " or postgresql://user:password@host/name."
        )
    path = sqlite_file(url)
    if path is None and driver == _DRIVERS["sqlite"]:
        raise StoreError(
            f"{url!r} keeps nothing: expected a file, such as sqlite:///tables.sqlite."
        )
    if path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise StoreError(f"The database cannot be opened: {_said(error)}.") from None
    if "sslmode" in parsed.query:  # what PostgreSQL's own programs call it
        mode = parsed.query["sslmode"]
        parsed = parsed.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})
    return parsed.set(drivername=driver)


def sqlite_file(url: str) -> Path | None:
    """The file of an SQLite database; None for any other, and for one in memory."""
    parsed = make_url(url)
    name = parsed.database or ""
    memory = not name or name == ":memory:" or name.startswith("file:") or "mode" in parsed.query
    return None if memory or not parsed.drivername.startswith("sqlite") else Path(name)


def _channel(engine: AsyncEngine, patience: Patience) -> Channel:
    _, options = engine.dialect.create_connect_args(engine.url)
    limits = {"timeout": patience.connection, "command_timeout": patience.statement}
    return Channel({**options, **limits})


def _held(error: Exception) -> bool:
    """Whether another transaction holds what was to be written."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) == _HELD


def _checked(connection: Connection) -> None:
    """Refuse a database that is not of this version: somebody else may be serving it."""
    if not current(connection):
        raise StoreError(
            "The database is of another version of Aces Around: start the server of this one first,"
            " which brings it up to date."
        )


def _damaged(error: Exception) -> bool:
    """Whether the database says that it is damaged where it was asked."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _CORRUPT


def _bytes(value: object) -> bytes:
    """A value of JSON as the bytes that are kept; nothing for what no one wrote as JSON."""
    return value.encode(errors="surrogateescape") if isinstance(value, str) else b""


_SERIALIZERS: Final[dict[str, Any]] = {
    "hide_parameters": True,  # what is saved holds cards, and an error may come into a log
    "json_serializer": bytes.decode,
    "json_deserializer": _bytes,
}
"""A log entry goes in and out as the text it is."""


def _sqlite(patience: Patience) -> Callable[[Any, object], None]:
    """What sets up a new connection to SQLite.

    Readers do not wait for the writer, and a commit is on the disk when it returns.
    """

    def set_up(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute(f"PRAGMA busy_timeout = {1000 * patience.busy:.0f}")
        cursor.close()
        # Bytes that are no text are the trouble of whoever reads that value, not of a whole list.
        driver = getattr(connection, "driver_connection", connection)
        driver.text_factory = lambda held: held.decode(errors="surrogateescape")

    return set_up


def _said(error: Exception) -> str:
    """What the database itself said, without SQLAlchemy's frame round it."""
    said = str(getattr(error, "orig", None) or error).strip().rstrip(".")
    return said or (
        "it does not answer" if isinstance(error, TimeoutError) else type(error).__name__
    )
