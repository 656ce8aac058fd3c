"""Synchronization with the other server processes on the same PostgreSQL database.

Entries that peers append reach the loaded tables of this process. Each process also knows who is
connected to its peers.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Final

from acesaround.server.live.live_table import LiveTable, TableRegistry
from acesaround.store.channel import ALL, LOG, LONGEST, Channel

_LOG: Final = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def sync_with_peers(hub: TableRegistry, channel: Channel | None) -> AsyncIterator[None]:
    """Exchange messages with peers inside the `with` block. Do nothing if there is no channel."""
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
        channel.notify(hub.presence.encode_message("bye"))
        await channel.finish()
        running.cancel()
        await asyncio.wait([running])


def _ended(running: asyncio.Task[None]) -> None:
    if not running.cancelled() and (error := running.exception()) is not None:
        _LOG.error("the other processes are heard no more", exc_info=error)


class _Neighbours:
    def __init__(self, hub: TableRegistry, channel: Channel) -> None:
        self._hub = hub
        self._channel = channel
        channel.wanted = hub.presence.is_in_use

    async def run(self) -> None:
        async with asyncio.TaskGroup() as together:
            together.create_task(self._channel.run(self._heard, self._back))
            together.create_task(self._beat())

    def announce(self, live: LiveTable) -> None:
        """Tell the peers who is connected to a table in this process."""
        self._announce({live.id: live.local_people})

    def _announce(self, tables: Mapping[str, list[str]]) -> None:
        for said in self._hub.presence.presence_messages(tables, LONGEST):
            self._channel.notify(said)

    def _heard(self, channel: str, said: str) -> None:
        if channel == LOG:
            for one in said.split(" "):
                table_id, _, seq = one.rpartition(":")
                if one == ALL:
                    self._hub.refresh_all()
                else:
                    self._hub.hear(table_id, int(seq) if seq.isdecimal() else None)
            return
        asked, changed = self._hub.presence.receive(said)
        if asked:
            self._announce(self._hub.local_presence)
        if self._hub.presence.unsure:
            self._hub.presence.unsure = False
            self._channel.notify(self._hub.presence.encode_message("hello"))
        # Until now the peers got no notifications about these tables, so have them read the logs.
        here = (table_id for table_id in changed if table_id in self._hub.loaded_ids)
        self._channel.notify_appended(dict.fromkeys(here))
        self._hub.show(changed)

    def _back(self) -> None:
        """Ask for the peers' presence and read the logs again after a (re)connect.

        Notifications from before the connection are lost.
        """
        self._channel.notify(self._hub.presence.encode_message("hello"))
        self._announce(self._hub.local_presence)
        self._hub.refresh_all()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._hub.presence.every)
            self._channel.notify(self._hub.presence.encode_message("alive"))
            gone = self._hub.presence.expire()
            for table_id in gone:  # the peer may have died before it announced its last append
                self._hub.hear(table_id, None)
            self._hub.show(gone)
