"""uvicorn's server with paced acceptance of connections.

uvicorn accepts all connections of the queue at once, before it reads from any of them. If they are
more than the limit on connections, some are closed whose request has arrived unread. `PacedServer`
accepts a few in each turn of the event loop, so that requests are read in between.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Sequence
from typing import Final

import uvicorn

_LOG: Final = logging.getLogger(__name__)
_PAUSE_SECONDS: Final = 1.0
"""The pause of acceptance after an error, such as too many open files."""


class PacedServer(uvicorn.Server):
    """A server that accepts at most `accepts_per_turn` connections in a turn of the event loop."""

    def __init__(self, config: uvicorn.Config, accepts_per_turn: int) -> None:
        super().__init__(config)
        self._accepts_per_turn = accepts_per_turn
        self._listeners: Sequence[socket.socket] = ()
        self._tasks: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then listen on the sockets."""
        await super().startup(sockets=[])
        self._listeners = sockets or ()
        for listener in self._listeners:
            listener.setblocking(False)
            self._listen(listener)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, refuse all work that waits, then stop like uvicorn.

        Otherwise uvicorn would wait for requests that wait for work, then cancel each of them and
        log its traceback.
        """
        for listener in self._listeners:
            asyncio.get_running_loop().remove_reader(listener)
        self._listeners = ()
        for executor in self.lifespan.state.get("executors", ()):
            executor.refuse_waiting()
        await super().shutdown(sockets)

    def _listen(self, listener: socket.socket) -> None:
        if listener in self._listeners:
            asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        """Accept the connections of one turn."""
        loop = asyncio.get_running_loop()
        for _ in range(self._accepts_per_turn):
            try:
                accepted, _ = listener.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError as error:
                _LOG.error("no connection can be accepted: %s", error.strerror)
                loop.remove_reader(listener)
                loop.call_later(_PAUSE_SECONDS, self._listen, listener)
                return
            task = loop.create_task(self._connect(accepted))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connect(self, accepted: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(self._create_protocol, accepted)
        except OSError:  # the client has left already
            accepted.close()

    def _create_protocol(self) -> asyncio.Protocol:
        create = self.config.http_protocol_class
        return create(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
