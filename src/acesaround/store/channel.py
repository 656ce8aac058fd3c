"""What processes on one PostgreSQL tell each other: LISTEN and NOTIFY on a connection of its own.

It comes back by itself when the connection is lost. What was told meanwhile is lost with it, so
whoever listens is told that too and looks for itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any, Final

LOG: Final = "acesaround_log"
"""Says `table:entries` of every append, in the transaction of the append."""
PRESENCE: Final = "acesaround_presence"
"""Says what processes tell each other about who is connected."""
LONGEST: Final = 7900
"""Bytes of one message; PostgreSQL takes fewer than 8000."""

_LOG: Final = logging.getLogger(__name__)
_PATIENCE: Final = 5.0  # seconds in which PostgreSQL is to answer
_SOON: Final = 0.05  # seconds until a lost connection is made again
_RETRY: Final = 0.5  # seconds until that is tried once more
_FINISH: Final = 1.0  # seconds for what is to be told at the end
_WAITING: Final = 1000  # messages that may wait to be told; the oldest are dropped first


class Channel:
    """The connection of one process. Run it as long as it is to hear anything."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options
        self._outgoing: asyncio.Queue[str | None] = asyncio.Queue(_WAITING)

    def tell(self, said: str) -> None:
        """Tell the other processes, and this one, soon or not at all."""
        if self._outgoing.full():
            self._drop()
        self._outgoing.put_nowait(said)

    def _drop(self) -> None:
        self._outgoing.get_nowait()
        self._outgoing.task_done()

    async def run(self, heard: Callable[[str, str], None], back: Callable[[], None]) -> None:
        """Hear, until cancelled. `heard` gets the channel and what was said.

        `back` is called whenever listening begins: anything may have been missed before.
        """
        import asyncpg  # type: ignore[import-untyped]  # there only where PostgreSQL is used

        lost = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)
        while True:
            try:
                connection = await asyncpg.connect(
                    **self._options, timeout=_PATIENCE, command_timeout=_PATIENCE
                )
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
                await self._outgoing.join()

    async def _listen(self, connection: Any, heard: Callable[[str, str], None]) -> None:
        def hear(_connection: object, _process: int, channel: str, said: object) -> None:
            heard(channel, str(said))

        while not self._outgoing.empty():  # nobody waits for what was to be told before
            self._drop()
        connection.add_termination_listener(self._end)
        await connection.add_listener(LOG, hear)
        await connection.add_listener(PRESENCE, hear)

    def _end(self, _connection: object) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self._outgoing.put_nowait(None)

    async def _speak(self, connection: Any) -> None:
        """Tell what is to be told, until the connection ends."""
        while True:
            said = await self._outgoing.get()
            try:
                if said is None:
                    return
                await connection.execute("SELECT pg_notify($1, $2)", PRESENCE, said)
            finally:
                self._outgoing.task_done()
