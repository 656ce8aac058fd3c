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

from acesaround.server.live.table_registry import TableRegistry
from acesaround.store.postgres_notifications import (
    ANY_LOG,
    LOG_CHANNEL,
    MAX_MESSAGE_BYTES,
    NotificationChannel,
)

_LOG: Final = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def sync_with_peers(
    registry: TableRegistry, channel: NotificationChannel | None
) -> AsyncIterator[None]:
    """Exchange messages with peers inside the `with` block. Do nothing if there is no channel."""
    if channel is None:
        yield
        return
    sync = _PeerSync(registry, channel)
    registry.services.on_presence_change = sync.announce
    task = asyncio.create_task(sync.run(), name="peers")
    task.add_done_callback(_log_failure)
    try:
        yield
    finally:
        channel.notify(registry.services.peers.encode_message("bye"))
        await channel.finish()
        task.cancel()
        await asyncio.wait([task])


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _LOG.error("the connection to the other server processes has ended", exc_info=error)


class _PeerSync:
    def __init__(self, registry: TableRegistry, channel: NotificationChannel) -> None:
        self._registry = registry
        self._channel = channel
        channel.is_wanted = registry.services.peers.is_in_use

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._channel.run(self._on_message, self._on_connected))
            group.create_task(self._send_heartbeats())

    def announce(self, table_id: str, people: list[str], silent: str | None) -> None:
        """Tell the peers who is connected to a table in this process, and who does not answer."""
        self._send_presence({table_id: people}, {table_id: silent})

    def _send_presence(
        self, tables: Mapping[str, list[str]], silent: Mapping[str, str | None]
    ) -> None:
        peers = self._registry.services.peers
        for message in peers.presence_messages(tables, MAX_MESSAGE_BYTES, silent):
            self._channel.notify(message)

    def _send_whole_presence(self) -> None:
        """Tell the peers who is connected to which tables in this process, and that this is all."""
        self._send_presence(self._registry.local_presence, self._registry.local_silences)
        self._channel.notify(self._registry.services.peers.encode_message("whole"))

    def _on_message(self, channel: str, message: str) -> None:
        if channel == LOG_CHANNEL:
            for item in message.split(" "):
                table_id, _, seq = item.rpartition(":")
                if item == ANY_LOG:
                    self._registry.refresh_all()
                else:
                    self._registry.note_log_advance(table_id, int(seq) if seq.isdecimal() else None)
            return
        must_reply, changed = self._registry.services.peers.receive(message)
        if must_reply:
            self._send_whole_presence()
        if self._registry.services.peers.is_presence_unknown:
            self._registry.services.peers.is_presence_unknown = False
            self._channel.notify(self._registry.services.peers.encode_message("hello"))
        # Until now the peers got no notifications about these tables, so have them read the logs.
        loaded = (table_id for table_id in changed if table_id in self._registry.loaded_ids)
        self._channel.notify_appended(dict.fromkeys(loaded))
        self._registry.broadcast_states(changed)

    def _on_connected(self) -> None:
        """Ask for the peers' presence and read the logs again after a (re)connect.

        Notifications from before the connection are lost.
        """
        self._registry.services.peers.expect_presence()
        self._channel.notify(self._registry.services.peers.encode_message("hello"))
        self._send_whole_presence()
        self._registry.refresh_all()

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(self._registry.services.peers.heartbeat_seconds)
            self._channel.notify(self._registry.services.peers.encode_message("alive"))
            changed = self._registry.services.peers.drop_silent_peers()
            for table_id in changed:  # the peer may have died before it announced its last append
                self._registry.note_log_advance(table_id, None)
            self._registry.broadcast_states(changed)
