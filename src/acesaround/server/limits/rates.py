"""What is too much: messages or tables in a while, bytes in a message, requests of another site."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request

ABUSE: Final = 50
"""Messages beyond the credits after which a socket is closed."""

_ROUND: Final = 3
"""How many persons at a table may talk as much as one may."""


class TooLarge(Exception):  # noqa: N818 - it names what the body is
    """A request whose body is larger than is read."""


class RateLimited(Exception):  # noqa: N818 - likewise
    """A request after so many others that it has to wait. It says so in a sentence."""

    def __init__(
        self, sentence: str = "That was too much in a short time: wait a few minutes."
    ) -> None:
        super().__init__(sentence)


class TokenBucket:
    """Credits of somebody, given back evenly. Play uses few of them, a flood all."""

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
        self._over = max(0, self._over - 1)  # not 0: a steady flood has one pass now and then
        return True

    def give_back(self) -> None:
        """What was spent last did not count."""
        self._left = min(self._most, self._left + 1)

    @property
    def is_flooding(self) -> bool:
        """Whether messages kept coming although they were refused."""
        return self._over > ABUSE


class KeyedTokenBuckets:
    """Credits for each of many, by name. Whoever has not asked for longest is forgotten first."""

    def __init__(self, number: int, seconds: float, most: int = 20_000) -> None:
        self._number = number
        self._seconds = seconds
        self._most = most
        self._held: OrderedDict[str, TokenBucket] = OrderedDict()

    def spend(self, who: str) -> bool:
        """Whether one more may pass."""
        if who not in self._held:
            self._held[who] = TokenBucket(self._number, self._seconds)
            if len(self._held) > self._most:
                self._held.popitem(last=False)
        self._held.move_to_end(who)
        return self._held[who].spend()

    def give_back(self, who: str) -> None:
        """What somebody spent last did not count."""
        if who in self._held:
            self._held[who].give_back()


class RequestRateLimiter:
    """What may be opened and named: by one guest, and by all guests of one address together.

    Requests from this very machine come from its owner, or from a proxy that was not told of:
    then they are everybody's, and only guests are told apart.
    """

    def __init__(self, number: int, seconds: float, crowd: int) -> None:
        self._guests = KeyedTokenBuckets(number, seconds)
        self._addresses = KeyedTokenBuckets(number * crowd, seconds)

    def spend(self, guest: str | None, address: str | None) -> None:
        """Raise TooMany where it is too much. `guest`: None for one who was not known before."""
        found = rate_limit_key(address)
        if found is not None and not self._addresses.spend(found):
            raise RateLimited
        if guest is not None and not self._guests.spend(guest):
            raise RateLimited


class ChatRateLimiter:
    """What is said at tables besides play: by one person everywhere, and talk more strictly.

    `number` of all that in so many `seconds`; `talk` phrases of one person in `talk_seconds`, and
    at one table by all together `_ROUND` times as many. Every bit of it stands in a log for ever.
    """

    def __init__(self, number: int, seconds: float, talk: int, talk_seconds: float) -> None:
        self._all = KeyedTokenBuckets(number, seconds)
        self._persons = KeyedTokenBuckets(talk, talk_seconds)
        self._tables = KeyedTokenBuckets(_ROUND * talk, talk_seconds)

    def spend(self, person: str, table: str, *, talk: bool) -> None:
        """Raise TooMany where it is too much."""
        if not self._all.spend(person):
            raise RateLimited("You ask too much of the tables you are at: wait a little.")
        if talk and not self._persons.spend(person):
            raise RateLimited("You have said much in a short time: wait a little.")
        if talk and not self._tables.spend(table):
            raise RateLimited("Much has been said at this table in a short time: wait a little.")


def rate_limit_key(address: str | None) -> str | None:
    """Whose address that is: of IPv6 a whole /64, which is one home; None for this machine."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:  # a socket file, or a proxy that says something else
        return address or None
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            home = ipaddress.IPv6Network((found, 64), strict=False)
            return None if found.is_loopback else str(home)
        found = found.ipv4_mapped
    return None if found.is_loopback else str(found)


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


async def read_body(request: Request, most: int) -> bytes:
    """The body of a request. Raises TooLarge before more than `most` bytes are kept."""
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > most:
            raise TooLarge
    return bytes(read)
