"""Somebody who watches a table: one open socket, and the messages that wait to be sent to it."""

from __future__ import annotations

import asyncio
from typing import Final

from acesaround.table import Person

_BACKLOG: Final = 128  # messages that wait for a slow reader before it is dropped


class Watcher:
    """One open socket at a table: who it is, and the messages that wait to be sent to it.

    `link`: the token by which it came. `None` in the queue closes the socket; `why`: the sentence
    with which it does so where there is no use in coming back.
    """

    def __init__(self, person: Person | None, link: str) -> None:
        self.person = person
        self.link = link
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(_BACKLOG)
        self.why = ""

    @property
    def id(self) -> str | None:
        """The id of the person, None for somebody without one."""
        return None if self.person is None else self.person.id

    def put(self, message: bytes) -> None:
        """Send a message in its turn; a reader that has fallen far behind is dropped."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.close()

    def close(self, why: str = "") -> None:
        """Close the socket, whatever was still to be sent. `why`: for good, and with a sentence."""
        self.why = self.why or why
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)
