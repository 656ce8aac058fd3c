"""Group commits: a failing append does not harm the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest

from acesaround.store import DatabaseUnavailable, SequenceConflict, Store
from acesaround.store.append_queue import Append, AppendQueue
from acesaround.store.postgres_notifications import LOG_CHANNEL, NotificationChannel
from tests.postgres import Postgres
from tests.store.opening import PATIENT, opened, watching
from tests.waiting import PATIENCE_SECONDS, wait_until_async

NEW: dict[str, Any] = {"config": b"{}", "public": True, "summary": b"{}"}


@asynccontextmanager
async def running(
    channel: NotificationChannel,
    heard: Callable[[str, str], None] = lambda *_: None,
    back: Callable[[], None] = lambda: None,
) -> AsyncIterator[None]:
    telling = asyncio.create_task(channel.run(heard, back))
    try:
        yield
    finally:
        telling.cancel()
        await asyncio.wait([telling])


class Disk:
    """A function that saves batches, when the test lets it."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.bad: dict[str, Exception] = {}
        self.free = asyncio.Event()
        self.free.set()

    async def save(self, together: Sequence[Append]) -> None:
        self.batches.append([one.table_id for one in together])
        await self.free.wait()
        for one in together:
            if one.table_id in self.bad:
                raise self.bad[one.table_id]


def an_append(name: str) -> Append:
    return Append(name, 1, [b"[1]"])


@pytest.mark.parametrize("max_tasks", [1, 2])
async def test_appends_during_a_commit_share_the_next(max_tasks: int) -> None:
    disk = Disk()
    appends = AppendQueue(disk.save, max_tasks)
    disk.free.clear()
    asked = []
    for name in "abcdef":
        asked.append(asyncio.create_task(appends.append(an_append(name))))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert disk.batches == [[name] for name in "abcdef"[:max_tasks]]
    disk.free.set()
    await asyncio.gather(*asked)
    assert disk.batches[max_tasks:] == [list("abcdef"[max_tasks:])]


async def test_conflicting_append_is_found_by_bisection() -> None:
    disk = Disk()
    appends = AppendQueue(disk.save, 1)
    names = [f"{number:02}" for number in range(64)]
    disk.bad = {"40": SequenceConflict()}
    found = await asyncio.gather(
        *(appends.append(an_append(n)) for n in names), return_exceptions=True
    )
    assert [n for n, one in zip(names, found, strict=True) if one is not None] == ["40"]
    assert len(disk.batches) == 13  # both halves of 64, 32, 16, 8, 4 and 2, and all at first


async def test_unavailable_database_is_not_tried_twice() -> None:
    disk = Disk()
    appends = AppendQueue(disk.save, 1)
    disk.bad = {"40": DatabaseUnavailable("full")}
    found = await asyncio.gather(
        *(appends.append(an_append(str(n))) for n in range(64)), return_exceptions=True
    )
    assert {type(one) for one in found} == {DatabaseUnavailable}
    assert len(disk.batches) == 1


async def test_append_right_after_a_commit_is_saved() -> None:
    disk = Disk()
    appends = AppendQueue(disk.save, 1)
    async with asyncio.timeout(PATIENCE_SECONDS):
        for number in range(200):
            await appends.append(an_append(str(number)))
        await appends.finish()
    assert len(disk.batches) == 200


@pytest.fixture
async def two(url: str) -> AsyncIterator[list[Store]]:
    async with opened(url) as one, opened(url) as other:
        yield [one, other]


@pytest.mark.parametrize("url", ["postgresql", "memory-shared"], indirect=True)
async def test_processes_that_append_to_the_same_tables_stop_each_other_nowhere(
    two: list[Store],
) -> None:
    names = [f"t{number:02}" for number in range(30)]
    for name in names:
        await two[0].create(name, [b"[0]"], **NEW)
    for seq in range(1, 9):
        one, other = (
            [store.append(n, seq, [b"[1]"], summary=b"[%d]" % seq, people=["p"]) for n in order]
            for store, order in zip(two, (names, names[::-1]), strict=True)
        )
        found = await asyncio.gather(*one, *other, return_exceptions=True)
        first, second = found[:30], found[30:][::-1]
        for a, b in zip(first, second, strict=True):
            assert {type(a), type(b)} == {type(None), SequenceConflict}
    for name in names:
        assert await two[1].entries(name) == [b"[0]"] + 8 * [b"[1]"]


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
class TestPostgreSQL:
    async def test_a_table_that_another_transaction_holds_stops_no_other(self, url: str) -> None:
        hasty = msgspec.structs.replace(PATIENT, lock=0.2)
        async with opened(url, hasty) as store, watching(url) as other:
            for name in "abcdefgh":
                await store.create(name, [b"[0]"], **NEW)
            async with other.transaction():
                await other.execute("INSERT INTO entries VALUES ('c', 1, 1, '[9]')")
                found = await asyncio.gather(
                    *(store.append(name, 1, [b"[1]"]) for name in "abcdefgh"),
                    return_exceptions=True,
                )
                assert isinstance(found[2], DatabaseUnavailable)
                assert [one for n, one in enumerate(found) if n != 2] == 7 * [None]
            with pytest.raises(SequenceConflict):
                await store.append("c", 1, [b"[1]"])

    async def test_appends_are_announced_after_commits(self, url: str, two: list[Store]) -> None:
        channel = two[0].notification_channel()
        assert channel is not None
        heard: list[str] = []
        async with watching(url) as listening:
            await listening.add_listener(LOG_CHANNEL, lambda *said: heard.append(str(said[-1])))
            await two[0].create("t", [b"[0]"], **NEW)
            await two[0].create("u", [b"[0]"], **NEW)
            await two[0].append("t", 1, [b"[1]"])
            await two[0].append("u", 1, [b"[1]", b"[2]"])
            await two[0].append("t", 2, [b"[1]"])
            await listening.execute("SELECT 1")
            assert heard == []  # PostgreSQL tells with a commit: nothing was to be told with it
            async with running(channel):
                await wait_until_async(lambda: heard)
            assert set(heard[0].split()) == {"t:3", "u:3"}

    async def test_unsent_announcements_are_sent_after_a_reconnect(
        self, two: list[Store], postgres: Postgres, caplog: pytest.LogCaptureFixture
    ) -> None:
        channel = two[0].notification_channel()
        assert channel is not None
        heard: list[str] = []
        listens = asyncio.Event()
        async with running(channel, lambda _, said: heard.append(said), listens.set):
            await wait_until_async(listens.is_set)
            postgres.stop()
            try:
                channel.notify_appended({"t": 7})
                await wait_until_async(
                    lambda: "cannot receive messages of the other server processes" in caplog.text
                )
            finally:
                postgres.start()
            await wait_until_async(lambda: "t:7" in heard)
