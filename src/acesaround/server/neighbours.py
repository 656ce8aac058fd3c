"""The other processes on the same PostgreSQL.

What they append reaches the tables that are held here, and each knows who is connected to the
others.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Final

from acesaround.server.census import census
from acesaround.server.live import Hub, Live
from acesaround.store.channel import ALL, LOG, LONGEST, Channel

_LOG: Final = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def listening(hub: Hub, channel: Channel | None) -> AsyncIterator[None]:
    """Listen to the others meanwhile; where there is no channel, there are none."""
    if channel is None:
        yield
        return
    neighbours = _Neighbours(hub, channel)
    hub.announce = neighbours.announce
    running = asyncio.create_task(neighbours.run(), name="neighbours")
    running.add_done_callback(_ended)
    try:
        yield
    finally:
        channel.tell(hub.presence.say("bye"))
        await channel.finish()
        running.cancel()
        await asyncio.wait([running])


def _ended(running: asyncio.Task[None]) -> None:
    if not running.cancelled() and (error := running.exception()) is not None:
        _LOG.error("the other processes are heard no more", exc_info=error)


class _Neighbours:
    def __init__(self, hub: Hub, channel: Channel) -> None:
        self._hub = hub
        self._channel = channel
        channel.wanted = hub.presence.used

    async def run(self) -> None:
        async with asyncio.TaskGroup() as together:
            together.create_task(self._channel.run(self._heard, self._back))
            together.create_task(self._beat())

    def announce(self, live: Live) -> None:
        """Tell the others who is connected to a table here."""
        self._announce({live.id: live.here})

    def _announce(self, tables: Mapping[str, list[str]]) -> None:
        for said in self._hub.presence.here(tables, LONGEST):
            self._channel.tell(said)

    def _heard(self, channel: str, said: str) -> None:
        if channel == LOG:
            for one in said.split(" "):
                table_id, _, seq = one.rpartition(":")
                if one == ALL:
                    self._hub.doubt()
                else:
                    self._hub.hear(table_id, int(seq) if seq.isdecimal() else None)
            return
        asked, changed = self._hub.presence.hear(said)
        if asked:
            self._announce(self._hub.here)
        if self._hub.presence.unsure:
            self._hub.presence.unsure = False
            self._channel.tell(self._hub.presence.say("hello"))
        # Until now they were told of no entries: let them look.
        here = (table_id for table_id in changed if table_id in self._hub.held)
        self._channel.appended(dict.fromkeys(here))
        self._hub.show(changed)

    def _back(self) -> None:
        """Listening begins: whatever was said before is unknown here."""
        self._channel.tell(self._hub.presence.say("hello"))
        self._announce(self._hub.here)
        self._hub.doubt()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._hub.presence.every)
            for said in self._hub.presence.alive(census(self._hub), LONGEST):
                self._channel.tell(said)
            gone = self._hub.presence.expire()
            for table_id in gone:  # what was appended last there, nobody may have been told
                self._hub.hear(table_id, None)
            self._hub.show(gone)
