"""A WebSocket client of a table, with its queue of outgoing messages."""

from __future__ import annotations

import asyncio
from typing import Final

from acesaround.table import Person

TRY_LATER: Final = 1013
"""The close code for a client that may reconnect."""
CLOSED_BY_OPERATOR: Final = 4410
"""The close code for a client that must not reconnect, because of an action of the operator."""
DAMAGED_CODE: Final = 4500
"""The close code for a client of a table that the server cannot show."""
DAMAGED_SENTENCE: Final = "The log of this table is damaged, so the server cannot show it."
_MAX_QUEUED_MESSAGES: Final = 128  # queued messages after which a slow reader is dropped


class TableClient:
    """One open socket at a table: its person, and its queue of outgoing messages.

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
    ) -> None:
        self.person = person
        self.link = link
        self.address = address
        self.reads_results = reads_results
        self.close_code, self.close_reason = TRY_LATER, ""
        self.is_closed = False
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(_MAX_QUEUED_MESSAGES)

    @property
    def person_id(self) -> str | None:
        """The id of the person, None for a client without one."""
        return None if self.person is None else self.person.id

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
