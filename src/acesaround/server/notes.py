"""Notes by which processes of one server know each other, signed with the key of the cookies.

A note is for one process and for a minute. It says for whom a socket is handed on: the home counts
and limits it by that address, as if its person had come there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import msgspec
from itsdangerous import BadData, URLSafeSerializer

from acesaround.server.identity import keys

_GOOD: Final = 60.0  # seconds, and by as much the clocks of two machines may differ
_SALT: Final = "acesaround.process"
HEADER: Final = b"x-acesaround-note"
"""The header that holds one; nobody else's is read."""


class Note(msgspec.Struct, frozen=True, array_like=True):
    """`to`: a process; `client`: the address of somebody, None for who has none; `at`: when."""

    to: str
    client: str | None
    at: float


class Notes:
    """Writes and reads them. `own`: this process; `secret` as `Identity` has it."""

    def __init__(self, own: str, secret: str, clock: Callable[[], float] = time.time) -> None:
        self._own = own
        self._clock = clock
        self._serializer = URLSafeSerializer(
            keys(secret)[::-1], salt=_SALT
        )  # the last of them signs

    def write(self, to: str, client: str | None) -> bytes:
        """A note to a process."""
        return self._serializer.dumps([to, client, self._clock()]).encode()

    def read(self, written: bytes) -> Note | None:
        """A note to this process; None where it is none, or not good any more."""
        try:
            held: Any = self._serializer.loads(written.decode("ascii"))
            note = msgspec.convert(held, Note)
        except (BadData, UnicodeError, msgspec.ValidationError):
            return None
        good = note.to == self._own and abs(self._clock() - note.at) <= _GOOD
        return note if good else None
