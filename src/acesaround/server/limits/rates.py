"""Rate limits by token bucket, the maximum size of a request body, and the origin check."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request

ABUSE: Final = 50
"""Rejected messages after which a WebSocket is closed."""

_ROUND: Final = 3
"""The chat limit of a table as a multiple of the limit of one person."""


class TooLarge(Exception):  # noqa: N818 - named after the body
    """The body of a request is larger than the limit."""


class RateLimited(Exception):  # noqa: N818 - named after the requester
    """A request exceeds a rate limit. The message is a sentence for people."""

    def __init__(
        self, sentence: str = "That was too much in a short time: wait a few minutes."
    ) -> None:
        super().__init__(sentence)


class TokenBucket:
    """A token bucket: `number` tokens, refilled evenly over `seconds`.

    Normal play uses few tokens; a flood uses all.
    """

    def __init__(self, number: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._most = float(number)
        self._rate = number / seconds
        self._left = float(number)
        self._over = 0
        self._clock = clock
        self._then = clock()

    def spend(self) -> bool:
        """Spend a token; return whether there was one."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            self._over += 1
            return False
        self._left -= 1
        self._over = max(0, self._over - 1)  # not 0: a steady flood gets a token now and then
        return True

    def give_back(self) -> None:
        """Give back the last spent token."""
        self._left = min(self._most, self._left + 1)

    @property
    def is_flooding(self) -> bool:
        """Whether messages keep coming although they are rejected."""
        return self._over > ABUSE


class KeyedTokenBuckets:
    """A token bucket for each key. The least recently used key is dropped first."""

    def __init__(self, number: int, seconds: float, most: int = 20_000) -> None:
        self._number = number
        self._seconds = seconds
        self._most = most
        self._held: OrderedDict[str, TokenBucket] = OrderedDict()

    def spend(self, who: str) -> bool:
        """Spend a token of a key; return whether there was one."""
        if who not in self._held:
            self._held[who] = TokenBucket(self._number, self._seconds)
            if len(self._held) > self._most:
                self._held.popitem(last=False)
        self._held.move_to_end(who)
        return self._held[who].spend()

    def give_back(self, who: str) -> None:
        """Give back the last spent token of a key."""
        if who in self._held:
            self._held[who].give_back()


class RequestRateLimiter:
    """A rate limit on requests that create something: by guest, and by address for all its guests.

    Loopback addresses are not limited by address. Such requests come from the owner of the machine,
    or from all visitors through a proxy that was not configured. Only the limit by guest applies to
    them.
    """

    def __init__(self, number: int, seconds: float, crowd: int) -> None:
        self._guests = KeyedTokenBuckets(number, seconds)
        self._addresses = KeyedTokenBuckets(number * crowd, seconds)

    def spend(self, guest: str | None, address: str | None) -> None:
        """Spend a token, or raise RateLimited. `guest`: None for a new guest."""
        found = rate_limit_key(address)
        if found is not None and not self._addresses.spend(found):
            raise RateLimited
        if guest is not None and not self._guests.spend(guest):
            raise RateLimited


class ChatRateLimiter:
    """Rate limits on chat and other table commands besides play, by person and by table.

    A person may send `number` commands in `seconds` at all tables together. One person may chat
    `talk` times in `talk_seconds`, and all persons at one table together `_ROUND` times as often.
    The reason: each of these commands stays in a log forever.
    """

    def __init__(self, number: int, seconds: float, talk: int, talk_seconds: float) -> None:
        self._all = KeyedTokenBuckets(number, seconds)
        self._persons = KeyedTokenBuckets(talk, talk_seconds)
        self._tables = KeyedTokenBuckets(_ROUND * talk, talk_seconds)

    def spend(self, person: str, table: str, *, talk: bool) -> None:
        """Spend a token, or raise RateLimited. `talk`: the command is chat."""
        if not self._all.spend(person):
            raise RateLimited("You ask too much of the tables you are at: wait a little.")
        if talk and not self._persons.spend(person):
            raise RateLimited("You have said much in a short time: wait a little.")
        if talk and not self._tables.spend(table):
            raise RateLimited("Much has been said at this table in a short time: wait a little.")


def rate_limit_key(address: str | None) -> str | None:
    """Return the rate-limit key of an address: the /64 for IPv6, None for loopback."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:  # a Unix socket, or a proxy that sends no address
        return address or None
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            home = ipaddress.IPv6Network((found, 64), strict=False)
            return None if found.is_loopback else str(home)
        found = found.ipv4_mapped
    return None if found.is_loopback else str(found)


def same_origin(connection: HTTPConnection, public_url: str | None) -> bool:
    """Return whether a page of this server, or no page at all, sent the request.

    Browsers let any page open a WebSocket to any server, cookies included. Only this check prevents
    a foreign page from playing in the name of its visitor. Browsers always send the origin of the
    page.
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
    """Return the body of a request. Raises TooLarge after more than `most` bytes."""
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > most:
            raise TooLarge
    return bytes(read)
