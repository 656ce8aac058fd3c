"""The database in memory: the faults that a simulation decides reach the store as real ones do."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest

from acesaround.store import DatabaseUnavailable, SequenceConflict, Store, table_lists
from acesaround.store.errors import LockTimeout
from acesaround.store.retention_queries import CleanupLock, database_bytes
from tests.simulation.memory_store import MemoryDatabase, MemoryStore, Operation, StoreFaults
from tests.waiting import wait_until_async

NEW: Final[dict[str, Any]] = {"config": b"{}", "public": True, "summary": b"{}"}


@pytest.fixture
def database() -> Iterator[MemoryDatabase]:
    database = MemoryDatabase()
    yield database
    database.close()


class Scripted(StoreFaults):
    """Causes the faults of a test: the operation of that kind raises `early` or `late` once."""

    def __init__(self) -> None:
        self.early: dict[str, Exception] = {}
        self.late: dict[str, Exception] = {}
        self.delays: list[float | None] = []
        self.free = asyncio.Event()
        self.free.set()
        self.operations: list[Operation] = []

    async def before(self, operation: Operation) -> None:
        self.operations.append(operation)
        await self.free.wait()
        if (error := self.early.pop(operation.kind, None)) is not None:
            raise error

    async def after(self, operation: Operation) -> None:
        if (error := self.late.pop(operation.kind, None)) is not None:
            raise error

    def notice_delay(self, sender: str, receiver: str, message: str) -> float | None:
        return self.delays.pop(0) if self.delays and sender != receiver else 0.0


@asynccontextmanager
async def listening(store: MemoryStore) -> AsyncIterator[list[str]]:
    """The notices that a store receives since it listens; `(connected)` each time that it
    connects."""
    heard: list[str] = []
    channel = store.notification_channel()
    assert channel is not None
    running = asyncio.create_task(
        channel.run(lambda _, message: heard.append(message), lambda: heard.append("(connected)"))
    )
    await wait_until_async(lambda: heard)
    try:
        yield heard
    finally:
        running.cancel()
        await asyncio.wait([running])


@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("error", [DatabaseUnavailable("no"), LockTimeout("no"), OSError("full")])
async def test_an_operation_fails_before_it_happens_or_is_reported_as_failed_after(
    database: MemoryDatabase, error: Exception, is_shared: bool
) -> None:
    faults = Scripted()
    store = database.open_store(faults=faults, is_shared=is_shared)
    await store.create("t", [b"[0]"], **NEW)
    faults.early = {"append": error, "write": error, "read": error}
    for failing in (store.append("t", 1, [b"[1]"]), store.save_turn("t", 1), store.entries("t")):
        with pytest.raises(DatabaseUnavailable):
            await failing
    assert await store.entries("t") == [b"[0]"]
    faults.late = {"append": error, "write": error, "read": error}
    for failing in (store.append("t", 1, [b"[1]"]), store.save_turn("t", 1), store.entries("t")):
        with pytest.raises(DatabaseUnavailable):
            await failing
    assert await store.entries("t") == database.log("t") == [b"[0]", b"[1]"]
    assert (await table_lists.listings(store, ["t"]))[0].turn == 1
    with pytest.raises(SequenceConflict):
        await store.append("t", 1, [b"[1]"])


async def test_appends_that_come_while_one_is_late_are_committed_together(
    database: MemoryDatabase,
) -> None:
    faults = Scripted()
    store = database.open_store("one", faults=faults)
    for name in "abc":
        await store.create(name, [b"[0]"], **NEW)
    faults.free.clear()
    faults.operations.clear()
    first = asyncio.create_task(store.append("a", 1, [b"[1]"]))
    await wait_until_async(lambda: faults.operations)
    others = [asyncio.create_task(store.append(name, 1, [b"[1]"])) for name in "cb"]
    await asyncio.sleep(0)
    assert database.log("a") == [b"[0]"]
    faults.free.set()
    await asyncio.gather(first, *others)
    assert faults.operations == [
        Operation("one", "append", ("a",)),
        Operation("one", "append", ("b", "c")),
    ]


async def test_notices_come_late_and_in_order_or_not_at_all(database: MemoryDatabase) -> None:
    faults = Scripted()
    one = database.open_store("one", faults=faults, is_shared=True)
    other = database.open_store("other", is_shared=True)
    async with listening(one) as told, listening(other) as heard:
        faults.delays = [0.05, 0.0, None, 0.0]
        channel = one.notification_channel()
        assert channel is not None
        for number in range(4):
            channel.notify(str(number))
        await wait_until_async(lambda: "3" in heard)
        assert heard == ["(connected)", "0", "1", "3"]
        assert told == ["(connected)", "0", "1", "2", "3"]


async def test_who_is_disconnected_hears_nothing_until_the_connection_is_back(
    database: MemoryDatabase,
) -> None:
    faults = Scripted()
    one = database.open_store("one", is_shared=True)
    other = database.open_store("other", faults=faults, is_shared=True)
    await one.create("t", [b"[0]"], **NEW)
    async with listening(one) as told, listening(other) as heard:
        faults.free.clear()
        database.disconnect("other")
        await one.append("t", 1, [b"[1]"])
        await wait_until_async(lambda: "t:2" in told)
        faults.early = {"connect": ConnectionRefusedError()}
        faults.free.set()
        await wait_until_async(lambda: len(heard) == 2)
        await one.append("t", 2, [b"[2]"])
        await wait_until_async(lambda: len(heard) == 3)
        assert heard == ["(connected)", "(connected)", "t:3"]


async def test_nothing_of_a_killed_store_happens_or_is_heard(database: MemoryDatabase) -> None:
    faults = Scripted()
    one = database.open_store("one", faults=faults, is_shared=True)
    other = database.open_store("other", is_shared=True)
    await one.create("t", [b"[0]"], **NEW)
    async with listening(one) as told, CleanupLock(one) as mine:
        async with CleanupLock(other) as also:
            assert (mine, also) == (True, False)
        faults.free.clear()
        append = asyncio.create_task(one.append("t", 1, [b"[1]"]))
        await wait_until_async(lambda: faults.operations[-1].kind == "append")
        one.kill()
        faults.free.set()
        with pytest.raises(DatabaseUnavailable):
            await append
        with pytest.raises(DatabaseUnavailable):
            await one.entries("t")
        async with CleanupLock(other) as now:
            assert now
        async with listening(other) as heard:
            await other.append("t", 1, [b"[1]"])
            await wait_until_async(lambda: "t:2" in heard)
        assert told == ["(connected)"]


async def test_the_same_operations_leave_the_same_bytes(database: MemoryDatabase) -> None:
    async def fill(store: Store) -> None:
        await store.create("t", [b"[0]"], people=["b", "a"], **NEW)
        racing = (store.append("t", n, [b"[%d]" % n]) for n in (1, 2, 2, 3))
        await asyncio.gather(*racing, return_exceptions=True)
        await store.save_name("a", "Ann")

    threads = threading.active_count()
    again = MemoryDatabase()
    for filled in (database, again):
        await fill(filled.open_store(clock=lambda: 5))
    content = database.dump()
    assert again.dump() == content
    assert len(content) == await database_bytes(again.open_store(is_shared=True))
    again.close()
    copied = MemoryDatabase(content)
    assert copied.table_ids() == ["t"]
    assert copied.log("t", 2) == [b"[2]", b"[3]"]
    await copied.open_store().append("t", 4, [b"[4]"])
    copied.close()
    assert threading.active_count() == threads


def test_every_process_makes_the_same_empty_database(database: MemoryDatabase) -> None:
    query = "SELECT tbl_name, name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    indexes = database.raw.execute(query).fetchall()  # in the order in which they were made
    assert indexes == sorted(indexes)
