"""A WebSocket client of a table: its connection, and its queue of outgoing messages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from acesaround.table import Person

TRY_LATER: Final = 1013
"""The close code for a client that may reconnect."""
CLOSED_BY_OPERATOR: Final = 4410
"""The close code for a client that must not reconnect, because of an action of the operator."""
DAMAGED_CODE: Final = 4500
"""The close code for a client of a table that the server cannot show."""
DAMAGED_SENTENCE: Final = "The log of this table is damaged, so the server cannot show it."
CONNECTION_EXTENSION: Final = "acesaround.connection"
"""The ASGI extension in which the server's protocol passes the `Connection` of a WebSocket."""
_MAX_QUEUED_MESSAGES: Final = 128  # queued messages after which a slow reader is dropped


class Connection(Protocol):
    """The connection under a WebSocket, by which the server finds out whether a client answers.

    `on_received`: called whenever bytes arrive.
    """

    on_received: Callable[[], None]

    @property
    def is_being_read(self) -> bool:
        """Whether the server reads what the client sends."""

    def send_ping(self) -> None:
        """Send a ping, which browsers answer by themselves."""


class TableClient:
    """One open socket at a table: its person, and its queue of outgoing messages.

    `connection`: None if its server cannot send pings. `pinged_at`: the loop time of the last ping;
    `is_ping_unanswered`: whether nothing has arrived since. `on_answer`: called when the first
    bytes arrive after a ping.

    `link`: the token in its URL. `address`: the address by which its connections are counted, if
    any. `None` in the queue closes the socket, with `close_code` and `close_reason`.
    `reads_results`: the page shows the result of a deal until its person goes on.
    """

    def __init__(
        self,
        person: Person | None,
        link: str,
        *,
        address: str | None = None,
        reads_results: bool = False,
        connection: Connection | None = None,
    ) -> None:
        self.person = person
        self.link = link
        self.address = address
        self.reads_results = reads_results
        self.close_code, self.close_reason = TRY_LATER, ""
        self.is_closed = False
        self.connection = connection
        self.pinged_at: float | None = None
        self.is_ping_unanswered = False
        self.on_answer: Callable[[], None] = lambda: None
        if connection is not None:
            connection.on_received = self._note_answer
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(_MAX_QUEUED_MESSAGES)

    @property
    def person_id(self) -> str | None:
        """The id of the person, None for a client without one."""
        return None if self.person is None else self.person.id

    def send_ping(self) -> None:
        """Send a ping through the connection, which must not be None."""
        assert self.connection is not None
        self.pinged_at, self.is_ping_unanswered = asyncio.get_running_loop().time(), True
        self.connection.send_ping()

    def _note_answer(self) -> None:
        if self.is_ping_unanswered:
            self.is_ping_unanswered = False
            self.on_answer()

    def send(self, message: bytes) -> None:
        """Queue a message; close the socket if the queue is full."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.close()

    def close(self, code: int = TRY_LATER, reason: str = "") -> None:
        """Close the socket, and discard the queued messages."""
        if not self.is_closed:
            self.close_code, self.close_reason = code, reason
        self.is_closed = True
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)
