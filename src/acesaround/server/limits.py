"""What is too much: messages in a while, bytes in a message, requests from another site."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request

ABUSE: Final = 50
"""Messages beyond the credits after which a socket is closed."""


class TooLarge(Exception):  # noqa: N818 - it names what the body is
    """A request whose body is larger than is read."""


class Credits:
    """Credits of one socket, given back evenly. Play uses few of them, a flood all."""

    def __init__(self, number: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._most = float(number)
        self._rate = number / seconds
        self._left = float(number)
        self._over = 0
        self._clock = clock
        self._then = clock()

    def spend(self) -> bool:
        """Whether one more message may pass."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            self._over += 1
            return False
        self._left -= 1
        self._over = 0
        return True

    @property
    def abused(self) -> bool:
        """Whether messages kept coming although they were refused."""
        return self._over > ABUSE


def same_origin(connection: HTTPConnection, public_url: str | None) -> bool:
    """Whether a page of this server asks, or no page at all (a browser always names its page).

    Browsers let any page open a WebSocket to anywhere, cookies included; only this stops one from
    playing in the name of its visitor.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    asked = _host(origin)
    own = {connection.headers.get("host", "").lower()}
    if public_url is not None:
        own.add(_host(public_url))
    return asked != "" and asked in own


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


async def body(request: Request, most: int) -> bytes:
    """The body of a request. Raises TooLarge before more than `most` bytes are kept."""
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > most:
            raise TooLarge
    return bytes(read)
