"""What processes on one PostgreSQL tell each other: LISTEN and NOTIFY on a connection of its own.

It comes back by itself when the connection is lost. What was told meanwhile is lost with it, so
whoever listens is told that too and looks for itself. A process that dies between a commit and its
telling tells nobody: whoever notices that it is gone looks as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

LOG: Final = "acesaround_log"
"""Says `table:entries` of logs that have grown, with spaces between them; `?` for perhaps more than
is known, `*` for perhaps all."""
PRESENCE: Final = "acesaround_presence"
"""Says what processes tell each other about who is connected."""
LONGEST: Final = 7900
"""Bytes of one message; PostgreSQL takes fewer than 8000."""

_LOG: Final = logging.getLogger(__name__)
_TELL: Final = (
    "SELECT pg_notify(channel, said) FROM unnest($1::text[], $2::text[]) AS told (channel, said)"
)
_SOON: Final = 0.05  # seconds until a lost connection is made again
_RETRY: Final = 0.5  # seconds until that is tried once more
_FINISH: Final = 1.0  # seconds for what is to be told at the end
_GAP: Final = 0.005  # seconds in which what is to be told gathers
_WAITING: Final = 1000  # messages that may wait to be told; the oldest are dropped first
_TABLES: Final = 5000  # tables that may wait to be told of one by one
ALL: Final = "*"


class Channel:
    """The connection of one process. Run it as long as it is to hear anything.

    `wanted`: whether any other process may have to hear of a table.
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
        """Tell the other processes, and this one, soon or not at all."""
        self._said.append(said)
        self._wake()

    def notify_appended(self, grown: Mapping[str, int | None]) -> None:
        """Tell them how many entries logs have now, be it after the connection is back.

        None: perhaps more than they know.
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
        """Hear, until cancelled. `heard` gets the channel and what was said.

        `back` is called whenever listening begins: anything may have been missed before.
        """
        import asyncpg  # type: ignore[import-untyped]  # there only where PostgreSQL is used

        # The last is what a connection says that is ended while something is asked by it.
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
        """Wait until everything is told, but not for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FINISH):
                await self._told.wait()

    async def _listen(self, connection: Any, heard: Callable[[str, str], None]) -> None:
        def hear(_connection: object, _process: int, channel: str, said: object) -> None:
            heard(channel, str(said))

        connection.add_termination_listener(lambda _: self._news.set())
        # For what is only told the disk need not be waited for.
        await connection.execute("SET synchronous_commit = off")
        await connection.add_listener(LOG, hear)
        await connection.add_listener(PRESENCE, hear)

    async def _speak(self, connection: Any) -> None:
        """Tell what is to be told, until the connection ends."""
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
    """What is said of logs, in messages as long as can be."""
    part = ""
    for table_id, seq in grown.items():
        one = table_id if table_id == ALL else f"{table_id}:{'?' if seq is None else seq}"
        if len(part) + len(one) >= LONGEST:
            yield part
            part = ""
        part = f"{part} {one}" if part else one
    if part:
        yield part
