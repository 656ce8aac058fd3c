"""Notifications between processes on one PostgreSQL database, by LISTEN and NOTIFY.

The channel has a connection of its own and reconnects by itself. Messages sent while it is down are
lost, so a callback reports each reconnect and the listener reads the logs again. A process that
dies between a commit and its notification sends none. The peers read the logs again when they
notice that it is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

LOG: Final = "acesaround_log"
"""The channel for logs that have grown: `table:entries`, separated by spaces.

`?` as the number means that there may be more entries than known. `*` means that any log may have
grown.
"""
PRESENCE: Final = "acesaround_presence"
"""The channel for messages about presence."""
LONGEST: Final = 7900
"""The maximum length of a message in bytes; PostgreSQL requires less than 8000."""

_LOG: Final = logging.getLogger(__name__)
_TELL: Final = (
    "SELECT pg_notify(channel, said) FROM unnest($1::text[], $2::text[]) AS told (channel, said)"
)
_SOON: Final = 0.05  # seconds until the first reconnect
_RETRY: Final = 0.5  # seconds until the next attempt
_FINISH: Final = 1.0  # seconds to send the remaining messages at shutdown
_GAP: Final = 0.005  # seconds in which messages are collected
_WAITING: Final = 1000  # messages that may wait; the oldest are dropped first
_TABLES: Final = 5000  # tables that may wait; beyond that, ALL is sent
ALL: Final = "*"


class Channel:
    """The notification connection of one process. `run` it to receive and send messages.

    `wanted`: returns whether any other process may need notifications about a table.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options
        self._said: deque[str] = deque(maxlen=_WAITING)
        self._grown: dict[str, int | None] = {}
        self.wanted: Callable[[str], bool] = lambda _: True
        self._news = asyncio.Event()
        self._told = asyncio.Event()
        self._told.set()

    def notify(self, said: str) -> None:
        """Queue a message to all processes, including this one. Delivery is not guaranteed."""
        self._said.append(said)
        self._wake()

    def notify_appended(self, grown: Mapping[str, int | None]) -> None:
        """Queue notifications about the new length of logs. They survive a reconnect.

        None as the length means that the log may have grown.
        """
        for table_id, seq in grown.items():
            if table_id == ALL or self.wanted(table_id):
                known = self._grown.get(table_id, 0)
                self._grown[table_id] = None if None in (seq, known) else max(seq or 0, known or 0)
        if ALL in self._grown or len(self._grown) > _TABLES:
            self._grown = {ALL: None}
        if self._grown:
            self._wake()

    def _wake(self) -> None:
        self._told.clear()
        self._news.set()

    async def run(self, heard: Callable[[str, str], None], back: Callable[[], None]) -> None:
        """Receive and send messages until cancelled. `heard` gets the channel and the message.

        `back` is called after every connect, because messages may have been missed before.
        """
        import asyncpg  # type: ignore[import-untyped]  # installed only for PostgreSQL

        # asyncpg raises InternalClientError if the connection closes during a query.
        lost = (
            OSError,
            asyncpg.PostgresError,
            asyncpg.InterfaceError,
            asyncpg.InternalClientError,
        )
        while True:
            try:
                connection = await asyncpg.connect(**self._options)
                try:
                    await self._listen(connection, heard)
                    back()
                    await self._speak(connection)
                finally:
                    connection.terminate()
                await asyncio.sleep(_SOON)
            except lost as error:
                _LOG.warning("the other processes cannot be heard: %s", error)
                await asyncio.sleep(_RETRY)

    async def finish(self) -> None:
        """Wait until all messages are sent, up to a timeout."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FINISH):
                await self._told.wait()

    async def _listen(self, connection: Any, heard: Callable[[str, str], None]) -> None:
        def hear(_connection: object, _process: int, channel: str, said: object) -> None:
            heard(channel, str(said))

        connection.add_termination_listener(lambda _: self._news.set())
        # Notifications need not wait for the disk.
        await connection.execute("SET synchronous_commit = off")
        await connection.add_listener(LOG, hear)
        await connection.add_listener(PRESENCE, hear)

    async def _speak(self, connection: Any) -> None:
        """Send queued messages until the connection closes."""
        while True:
            await self._news.wait()
            if connection.is_closed():
                return
            self._news.clear()
            said, self._said = self._said, deque(maxlen=_WAITING)
            grown, self._grown = self._grown, {}
            told = [*((LOG, part) for part in _parts(grown)), *((PRESENCE, one) for one in said)]
            if told:
                try:
                    await connection.execute(_TELL, *map(list, zip(*told, strict=True)))
                except BaseException:
                    self._said = deque([*said, *self._said], maxlen=_WAITING)
                    self.notify_appended(grown)
                    raise
            if not self._news.is_set():
                self._told.set()
            await asyncio.sleep(_GAP)


def _parts(grown: Mapping[str, int | None]) -> Iterator[str]:
    """Yield messages about logs, each as long as possible."""
    part = ""
    for table_id, seq in grown.items():
        one = table_id if table_id == ALL else f"{table_id}:{'?' if seq is None else seq}"
        if len(part) + len(one) >= LONGEST:
            yield part
            part = ""
        part = f"{part} {one}" if part else one
    if part:
        yield part
