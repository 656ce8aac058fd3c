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

LOG_CHANNEL: Final = "acesaround_log"
"""The channel for logs that have grown: `table:entries`, separated by spaces.

`?` as the number means that there may be more entries than known. `*` means that any log may have
grown.
"""
PRESENCE_CHANNEL: Final = "acesaround_presence"
"""The channel for messages about presence."""
MAX_MESSAGE_BYTES: Final = 7900
"""The maximum length of a message in bytes; PostgreSQL requires less than 8000."""

_LOG: Final = logging.getLogger(__name__)
_NOTIFY_QUERY: Final = (
    "SELECT pg_notify(channel, said) FROM unnest($1::text[], $2::text[]) AS told (channel, said)"
)
_FIRST_RETRY_SECONDS: Final = 0.05  # seconds until the first reconnect
_RETRY_SECONDS: Final = 0.5  # seconds until the next attempt
_FINISH_SECONDS: Final = 1.0  # seconds to send the remaining messages at shutdown
_COLLECT_SECONDS: Final = 0.005  # seconds in which messages are collected
_MAX_QUEUED_MESSAGES: Final = 1000  # messages that may wait; the oldest are dropped first
_MAX_QUEUED_TABLES: Final = 5000  # tables that may wait; beyond that, ANY_LOG is sent
ANY_LOG: Final = "*"


class NotificationChannel:
    """The notification connection of one process. `run` it to receive and send messages.

    `is_wanted`: returns whether any other process may need notifications about a table.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options
        self._queued_messages: deque[str] = deque(maxlen=_MAX_QUEUED_MESSAGES)
        self._queued_lengths: dict[str, int | None] = {}
        self.is_wanted: Callable[[str], bool] = lambda _: True
        self._has_work = asyncio.Event()
        self._all_sent = asyncio.Event()
        self._all_sent.set()

    def notify(self, message: str) -> None:
        """Queue a message to all processes, including this one. Delivery is not guaranteed."""
        self._queued_messages.append(message)
        self._wake()

    def notify_appended(self, log_lengths: Mapping[str, int | None]) -> None:
        """Queue notifications about the new length of logs. They survive a reconnect.

        None as the length means that the log may have grown.
        """
        for table_id, seq in log_lengths.items():
            if table_id == ANY_LOG or self.is_wanted(table_id):
                queued = self._queued_lengths.get(table_id, 0)
                self._queued_lengths[table_id] = (
                    None if None in (seq, queued) else max(seq or 0, queued or 0)
                )
        if ANY_LOG in self._queued_lengths or len(self._queued_lengths) > _MAX_QUEUED_TABLES:
            self._queued_lengths = {ANY_LOG: None}
        if self._queued_lengths:
            self._wake()

    def _wake(self) -> None:
        self._all_sent.clear()
        self._has_work.set()

    async def run(
        self, on_message: Callable[[str, str], None], on_connected: Callable[[], None]
    ) -> None:
        """Receive and send messages until cancelled. `on_message` gets the channel and the message.

        `on_connected` is called after every connect, because messages may have been missed before.
        """
        import asyncpg  # type: ignore[import-untyped]  # installed only for PostgreSQL

        # asyncpg raises InternalClientError if the connection closes during a query.
        connection_errors = (
            OSError,
            asyncpg.PostgresError,
            asyncpg.InterfaceError,
            asyncpg.InternalClientError,
        )
        while True:
            try:
                connection = await self._connect()
                try:
                    await self._listen(connection, on_message)
                    on_connected()
                    await self._send_queued(connection)
                finally:
                    connection.terminate()
                await asyncio.sleep(_FIRST_RETRY_SECONDS)
            except connection_errors as error:
                _LOG.warning("cannot receive messages of the other server processes: %s", error)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _connect(self) -> Any:
        """Open the connection that listens and notifies."""
        import asyncpg

        return await asyncpg.connect(**self._options)

    async def finish(self) -> None:
        """Wait until all messages are sent, up to a timeout."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FINISH_SECONDS):
                await self._all_sent.wait()

    async def _listen(self, connection: Any, on_message: Callable[[str, str], None]) -> None:
        def on_notification(
            _connection: object, _process: int, channel: str, payload: object
        ) -> None:
            on_message(channel, str(payload))

        connection.add_termination_listener(lambda _: self._has_work.set())
        # Notifications need not wait for the disk.
        await connection.execute("SET synchronous_commit = off")
        await connection.add_listener(LOG_CHANNEL, on_notification)
        await connection.add_listener(PRESENCE_CHANNEL, on_notification)

    async def _send_queued(self, connection: Any) -> None:
        """Send queued messages until the connection closes."""
        while True:
            await self._has_work.wait()
            if connection.is_closed():
                return
            self._has_work.clear()
            messages, self._queued_messages = (
                self._queued_messages,
                deque(maxlen=_MAX_QUEUED_MESSAGES),
            )
            log_lengths, self._queued_lengths = self._queued_lengths, {}
            notifications = [
                *((LOG_CHANNEL, part) for part in _length_messages(log_lengths)),
                *((PRESENCE_CHANNEL, message) for message in messages),
            ]
            if notifications:
                try:
                    await connection.execute(
                        _NOTIFY_QUERY, *map(list, zip(*notifications, strict=True))
                    )
                except BaseException:
                    self._queued_messages = deque(
                        [*messages, *self._queued_messages], maxlen=_MAX_QUEUED_MESSAGES
                    )
                    self.notify_appended(log_lengths)
                    raise
            if not self._has_work.is_set():
                self._all_sent.set()
            await asyncio.sleep(_COLLECT_SECONDS)


def _length_messages(log_lengths: Mapping[str, int | None]) -> Iterator[str]:
    """Yield messages about logs, each as long as possible."""
    part = ""
    for table_id, seq in log_lengths.items():
        item = table_id if table_id == ANY_LOG else f"{table_id}:{'?' if seq is None else seq}"
        if len(part) + len(item) >= MAX_MESSAGE_BYTES:
            yield part
            part = ""
        part = f"{part} {item}" if part else item
    if part:
        yield part
