"""Somebody who watches a table: one open socket, and the messages that wait to be sent to it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from acesaround.table import Person

TRY_LATER: Final = 1013
"""The code with which a socket is closed that may come again."""
ENDED: Final = 4410
"""The code with which a socket is closed for good, because of what who runs the server did."""
_BACKLOG: Final = 128  # messages that wait for a slow reader before it is dropped


class TableClient:
    """One open socket at a table: who it is, and the messages that wait to be sent to it.

    `link`: the token by which it came. `None` in the queue closes the socket, with `code` and
    `why`. `was`: when its device ceased to be others, as `Guest` has it; `blind`: the deal of which
    that device has held another hand, so that it looks on as nobody until it is over. `reads`: its
    page shows the result of a deal until its person goes on.
    """

    def __init__(
        self,
        person: Person | None,
        link: str,
        was: Mapping[str, int] | None = None,
        *,
        reads: bool = False,
    ) -> None:
        self.person = person
        self.link = link
        self.was = was or {}
        self.reads = reads
        self.blind: int | None = None
        self.code, self.why = TRY_LATER, ""
        self.closed = False
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(_BACKLOG)

    @property
    def id(self) -> str | None:
        """The id of the person, None for somebody without one."""
        return None if self.person is None else self.person.id

    def send(self, message: bytes) -> None:
        """Send a message in its turn; a reader that has fallen far behind is dropped."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.close()

    def close(self, code: int = TRY_LATER, why: str = "") -> None:
        """Close the socket, whatever was still to be sent; nothing is done for it any more."""
        if not self.closed:
            self.code, self.why = code, why
        self.closed = True
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)
