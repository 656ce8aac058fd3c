"""The real store on a database in memory, without threads, sockets or real time.

`MemoryDatabase` is an SQLite database in memory. `MemoryStore` is `Store` itself, so that its code
is simulated too. Its statements run inside the event loop, each transaction without a pause. Stores
that share a database notify each other by the real `NotificationChannel`, on a connection of this
module.

Every operation passes through `StoreFaults`, which may delay it, fail it, or report a failure of
what has succeeded.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final, Literal, TypeAlias, TypeVar

import msgspec
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateIndex, CreateTable

from acesaround.store import Store
from acesaround.store.append_queue import Append, AppendQueue
from acesaround.store.append_writer import write_appends
from acesaround.store.devices import Devices
from acesaround.store.engine import SERIALIZERS
from acesaround.store.pairing_codes import PairingCodes
from acesaround.store.postgres_notifications import NotificationChannel
from acesaround.store.schema import METADATA
from acesaround.store.store import _MAX_APPEND_TASKS

START_MS: Final = 1_800_000_000_000
"""The time at which the clock of a simulated loop begins, in milliseconds since 1970."""
OperationKind: TypeAlias = Literal["append", "write", "read", "connect", "notify", "lock"]
_T = TypeVar("_T")


class Operation(msgspec.Struct, frozen=True):
    """An operation of the store with a name. `table_ids`: the tables that appends are for.

    `append`: a commit of appends; `write`: any other transaction. `connect`: opening the connection
    for notices; `notify`: sending some. `lock`: opening the connection of the cleanup's lock.
    """

    store: str
    kind: OperationKind
    table_ids: tuple[str, ...] = ()


class StoreFaults:
    """Decides which operations fail. This class lets none fail; a subclass draws faults from a
    seed.

    A method fails an operation by raising OSError. Except for `connect` and `notify`, it may also
    raise DatabaseUnavailable, LockTimeout or CorruptData.
    """

    async def before(self, operation: Operation) -> None:
        """Delay an operation, or raise so that it does not happen."""

    async def after(self, operation: Operation) -> None:
        """Delay the result of an operation that has happened, or raise to report a failure."""

    def notice_delay(self, sender: str, receiver: str, message: str) -> float | None:
        """Return the seconds until a notice arrives, or None to lose it.

        A store hears its own notices too. Later notices never overtake earlier ones.
        """
        return 0.0


NO_FAULTS: Final = StoreFaults()


def loop_ms() -> int:
    """Return the time of the running loop as milliseconds since 1970."""
    return START_MS + int(1000 * asyncio.get_running_loop().time())


class MemoryDatabase:
    """A database in memory that several stores may share. `content`: a dump to begin with."""

    def __init__(self, content: bytes | None = None) -> None:
        self.raw = sqlite3.connect(":memory:")
        """The connection of SQLite, for reads that are not operations of a store."""
        if content is None:
            _new_engine().raw_connection().driver_connection.backup(self.raw)  # type: ignore[union-attr]
        else:
            self.raw.deserialize(content)
        self.raw.create_function("pg_try_advisory_lock", 1, self._take_lock)
        self.raw.create_function("current_database", 0, lambda: "memory")
        self.raw.create_function("pg_database_size", 1, lambda _: self.size_bytes)
        template = _new_engine()
        self.engine = Engine(StaticPool(lambda: self.raw), template.dialect, template.url)  # type: ignore[arg-type]
        self.engine.update_execution_options(compiled_cache=_COMPILED_CACHE)
        self.reader = self.engine.connect()
        """The connection of all reads, because opening one costs as much as a statement."""
        self.listeners: list[_Listener] = []
        self.lock_holder: _AsyncConnection | None = None
        self.executing: _AsyncConnection | None = None

    def open_store(
        self,
        name: str = "store",
        *,
        faults: StoreFaults = NO_FAULTS,
        clock: Callable[[], int] = loop_ms,
        is_shared: bool = False,
    ) -> MemoryStore:
        """Return a store on this database.

        `is_shared`: as on PostgreSQL, with a channel to the others; else as on SQLite.
        """
        return MemoryStore(self, name, faults, clock, is_shared=is_shared)

    def close(self) -> None:
        """Forget everything."""
        self.raw.close()

    @property
    def size_bytes(self) -> int:
        """The size of the content in bytes."""
        pages, page_bytes = (
            int(self.raw.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "page_size")
        )
        return pages * page_bytes

    def dump(self) -> bytes:
        """Return the content, the same bytes after the same operations."""
        return self.raw.serialize()

    def log(self, table_id: str, from_seq: int = 0) -> list[bytes]:
        """Return the log of a table from a number on, at once and without faults."""
        query = "SELECT body FROM entries WHERE table_id = ? AND seq >= ? ORDER BY seq"
        return [body.encode() for (body,) in self.raw.execute(query, (table_id, from_seq))]

    def table_ids(self) -> list[str]:
        """Return the ids of all tables in lists, sorted, at once and without faults."""
        return [row[0] for row in self.raw.execute("SELECT id FROM tables ORDER BY id")]

    def disconnect(self, name: str) -> None:
        """Break the connection by which a store receives and sends notices."""
        for listener in [one for one in self.listeners if one.name == name]:
            listener.terminate()

    def send_notices(
        self, sender: str, faults: StoreFaults, channel: str, messages: Sequence[str]
    ) -> None:
        """Send notices to all that listen, the sender too."""
        for message in messages:
            for listener in self.listeners:
                delay = faults.notice_delay(sender, listener.name, message)
                if delay is not None:
                    listener.receive(channel, message, delay)

    def _take_lock(self, _number: int) -> int:
        if self.lock_holder is None:
            self.lock_holder = self.executing
        return self.lock_holder is self.executing


class MemoryStore(Store):
    """A store on a `MemoryDatabase`. `name` says in operations and notices which store it is."""

    def __init__(
        self,
        database: MemoryDatabase,
        name: str,
        faults: StoreFaults = NO_FAULTS,
        clock: Callable[[], int] = loop_ms,
        *,
        is_shared: bool = False,
    ) -> None:
        self.database, self.name, self.faults = database, name, faults
        self.is_killed = False
        self._engine: Any = _AsyncEngine(self)
        self.now = clock
        self._insert = sqlite.insert
        self._channel = _MemoryChannel(self) if is_shared else None
        self._write_lock = None if is_shared else asyncio.Lock()
        self._sqlite_writer: Any = _Writer(self)
        self._file = None
        self._append_queue = AppendQueue(self._save, _MAX_APPEND_TASKS if is_shared else 1)
        self._integrity_check = None
        self.on_commit = lambda _: None
        self.devices = Devices(self.begin_read, self.begin_write, clock)
        self.pairing_codes = PairingCodes(self.begin_read, self.begin_write, self._insert, clock)

    def kill(self) -> None:
        """End like a process that dies: this store does no more operations and receives no
        notices."""
        self.is_killed = True
        self.database.disconnect(self.name)
        holder = self.database.lock_holder
        if holder is not None and holder.store is self:
            self.database.lock_holder = None

    async def run(
        self,
        kind: OperationKind,
        action: Callable[[], _T],
        table_ids: tuple[str, ...] = (),
    ) -> _T:
        """Run an operation between the two calls of the faults."""
        async with self.between_faults(kind, table_ids):
            return action()

    @contextlib.asynccontextmanager
    async def between_faults(
        self,
        kind: OperationKind,
        table_ids: tuple[str, ...] = (),
    ) -> AsyncIterator[None]:
        """Call the faults before and after the block, which must not pause."""
        operation = Operation(self.name, kind, table_ids)
        await self.faults.before(operation)
        if self.is_killed:
            raise ConnectionAbortedError("the process was killed")
        yield
        await self.faults.after(operation)


class _Writer:
    """Writes appends as `SqliteWriter`, in the event loop."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def write(self, batch: Sequence[Append], now: int) -> None:
        """Write appends in one transaction. Raises the errors of SQLAlchemy."""
        table_ids = tuple(append.table_id for append in batch)
        await self._store.run("append", lambda: self._write(batch, now), table_ids)

    def _write(self, batch: Sequence[Append], now: int) -> None:
        with self._store.database.engine.begin() as connection:
            write_appends(connection, batch, now)

    async def close(self) -> None:
        """Do nothing: there is no thread."""


class _AsyncEngine:
    """The part of SQLAlchemy's asynchronous engine that the store uses."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self.dialect = store.database.engine.dialect

    @contextlib.asynccontextmanager
    async def begin(self) -> AsyncIterator[_AsyncConnection]:
        """Open a transaction; it is committed at the end of the block."""
        async with self._store.between_faults("write"):
            with self._store.database.engine.begin() as connection:
                yield _AsyncConnection(self._store, connection)

    def connect(self) -> _AsyncConnection:
        """Return a connection for reading, to be entered or awaited."""
        return _AsyncConnection(self._store)

    async def dispose(self) -> None:
        """Do nothing: the database stays."""


class _AsyncConnection:
    """The part of SQLAlchemy's asynchronous connection that the store uses."""

    def __init__(self, store: MemoryStore, connection: Connection | None = None) -> None:
        self.store = store
        self._connection = connection

    async def __aenter__(self) -> _AsyncConnection:
        self._reading = self.store.between_faults("read")
        await self._reading.__aenter__()
        self._connection = self.store.database.reader
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self.close()
        await self._reading.__aexit__(*error)

    def __await__(self) -> Any:
        return self.store.run("lock", self._open).__await__()

    def _open(self) -> _AsyncConnection:
        self._connection = self.store.database.engine.connect()
        return self

    async def execute(self, statement: Any, parameters: Any = None) -> Any:
        """Execute a statement."""
        assert self._connection is not None
        self.store.database.executing = self
        return self._connection.execute(statement, parameters)

    async def run_sync(self, function: Callable[..., _T], *arguments: Any) -> _T:
        """Call a function with the synchronous connection."""
        assert self._connection is not None
        return function(self._connection, *arguments)

    async def commit(self) -> None:
        """Commit."""
        assert self._connection is not None
        self._connection.commit()

    async def invalidate(self) -> None:
        """Release what belongs to the connection."""
        if self.store.database.lock_holder is self:
            self.store.database.lock_holder = None

    async def close(self) -> None:
        """Close the connection."""
        if self._connection is self.store.database.reader:
            self._connection.rollback()
        elif self._connection is not None:
            self._connection.close()


class _MemoryChannel(NotificationChannel):
    """The real channel, on a connection in memory."""

    def __init__(self, store: MemoryStore) -> None:
        super().__init__({})
        self._store = store

    async def _connect(self) -> Any:
        return await self._store.run("connect", lambda: _Listener(self._store))


class _Listener:
    """The part of an asyncpg connection that a channel uses."""

    def __init__(self, store: MemoryStore) -> None:
        self.name = store.name
        self._store = store
        self._is_closed = False
        self._on_message: dict[str, Callable[..., None]] = {}
        self._on_end: list[Callable[[object], None]] = []
        self._queue: deque[tuple[str, str]] = deque()
        self._last_due = 0.0
        self._context = contextvars.copy_context()  # of the process that listens
        store.database.listeners.append(self)

    def add_termination_listener(self, on_end: Callable[[object], None]) -> None:
        """Have a function called when the connection ends."""
        self._on_end.append(on_end)

    async def add_listener(self, channel: str, on_message: Callable[..., None]) -> None:
        """Listen to a channel."""
        self._on_message[channel] = on_message

    async def execute(self, _statement: str, *arguments: Sequence[str]) -> None:
        """Send notices, if there are any in the arguments: their channels and their messages."""
        if self._is_closed:
            raise ConnectionResetError("the connection is closed")
        if arguments:
            await self._store.run("notify", functools.partial(self._send, *arguments))

    def _send(self, channels: Sequence[str], messages: Sequence[str]) -> None:
        if self._is_closed:
            raise ConnectionResetError("the connection was closed")
        # Of equal notices in a transaction PostgreSQL delivers only the first.
        for channel, message in dict.fromkeys(zip(channels, messages, strict=True)):
            self._store.database.send_notices(self.name, self._store.faults, channel, [message])

    def receive(self, channel: str, message: str, delay: float) -> None:
        """Receive a notice after a delay, and after all that were sent before."""
        loop = asyncio.get_running_loop()
        self._last_due = max(self._last_due, loop.time() + delay)
        self._queue.append((channel, message))
        loop.call_at(self._last_due, self._hear_next, context=self._context)

    def _hear_next(self) -> None:
        if self._queue:
            channel, message = self._queue.popleft()
            if channel in self._on_message:
                self._on_message[channel](self, 0, channel, message)

    def is_closed(self) -> bool:
        """Return whether the connection has ended."""
        return self._is_closed

    def terminate(self) -> None:
        """End the connection, and lose the notices that have not arrived."""
        if not self._is_closed:
            self._is_closed = True
            self._queue.clear()
            self._store.database.listeners.remove(self)
            for on_end in self._on_end:
                on_end(self)


_COMPILED_CACHE: Final[dict[Any, Any]] = {}
"""Compiled statements, which all databases share."""


@functools.cache
def _new_engine() -> Engine:
    """Return the engine of an empty database, which every new one is a copy of."""
    engine = create_engine("sqlite://", poolclass=StaticPool, **SERIALIZERS)
    with engine.begin() as connection:
        for table in METADATA.sorted_tables:
            connection.execute(CreateTable(table))
            for index in sorted(table.indexes, key=lambda index: str(index.name)):
                connection.execute(CreateIndex(index))  # `create_all` has no fixed order of these
    return engine
