"""Rate limits by token bucket, the maximum size of a request body, and the origin check."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request

MAX_REJECTED_MESSAGES: Final = 50
"""Rejected messages after which a WebSocket is closed."""

_TABLE_CHAT_FACTOR: Final = 3
"""The chat limit of a table as a multiple of the limit of one person."""


class TooLarge(Exception):  # noqa: N818 - named after the body
    """The body of a request is larger than the limit."""


class RateLimited(Exception):  # noqa: N818 - named after the requester
    """A request exceeds a rate limit. The message is a sentence for people."""

    def __init__(
        self, sentence: str = "You have sent too many requests in a short time: wait a few minutes."
    ) -> None:
        super().__init__(sentence)


class TokenBucket:
    """A token bucket: `capacity` tokens, refilled evenly over `seconds`.

    Normal play uses few tokens; a flood uses all.
    """

    def __init__(
        self, capacity: int, seconds: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self._capacity = float(capacity)
        self._tokens_per_second = capacity / seconds
        self._tokens = float(capacity)
        self._rejected_count = 0
        self._clock = clock
        self._refilled_at = clock()

    def spend(self) -> bool:
        """Spend a token; return whether there was one."""
        now = self._clock()
        self._tokens = min(
            self._capacity, self._tokens + (now - self._refilled_at) * self._tokens_per_second
        )
        self._refilled_at = now
        if self._tokens < 1:
            self._rejected_count += 1
            return False
        self._tokens -= 1
        self._rejected_count = max(
            0, self._rejected_count - 1
        )  # not 0: a steady flood gets a token now and then
        return True

    def refund(self) -> None:
        """Give back the last spent token."""
        self._tokens = min(self._capacity, self._tokens + 1)

    @property
    def is_flooding(self) -> bool:
        """Whether messages keep coming although they are rejected."""
        return self._rejected_count > MAX_REJECTED_MESSAGES


class KeyedTokenBuckets:
    """A token bucket for each key. The least recently used key is dropped first."""

    def __init__(self, capacity: int, seconds: float, max_keys: int = 20_000) -> None:
        self._capacity = capacity
        self._seconds = seconds
        self._max_keys = max_keys
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def spend(self, key: str) -> bool:
        """Spend a token of a key; return whether there was one."""
        if key not in self._buckets:
            self._buckets[key] = TokenBucket(self._capacity, self._seconds)
            if len(self._buckets) > self._max_keys:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return self._buckets[key].spend()

    def refund(self, key: str) -> None:
        """Give back the last spent token of a key."""
        if key in self._buckets:
            self._buckets[key].refund()


class RequestRateLimiter:
    """A rate limit on requests that create something: by guest, and by address for all its guests.

    Loopback addresses are not limited by address. Such requests come from the owner of the machine,
    or from all visitors through a proxy that was not configured. Only the limit by guest applies to
    them.
    """

    def __init__(self, capacity: int, seconds: float, guests_per_address: int) -> None:
        self._guest_buckets = KeyedTokenBuckets(capacity, seconds)
        self._address_buckets = KeyedTokenBuckets(capacity * guests_per_address, seconds)

    def spend(self, guest: str | None, address: str | None) -> None:
        """Spend a token, or raise RateLimited. `guest`: None for a new guest."""
        address_key = rate_limit_key(address)
        if address_key is not None and not self._address_buckets.spend(address_key):
            raise RateLimited
        if guest is not None and not self._guest_buckets.spend(guest):
            raise RateLimited


class ChatRateLimiter:
    """Rate limits on chat and other table commands besides play, by person and by table.

    A person may send `capacity` commands in `seconds` at all tables together. One person may chat
    `talk` times in `chat_seconds`, and all persons at one table together `_TABLE_CHAT_FACTOR` times
    as often. The reason: each of these commands stays in a log forever.
    """

    def __init__(
        self, capacity: int, seconds: float, chat_capacity: int, chat_seconds: float
    ) -> None:
        self._command_buckets = KeyedTokenBuckets(capacity, seconds)
        self._chat_by_person = KeyedTokenBuckets(chat_capacity, chat_seconds)
        self._chat_by_table = KeyedTokenBuckets(_TABLE_CHAT_FACTOR * chat_capacity, chat_seconds)

    def spend(self, person: str, table: str, *, is_chat: bool) -> None:
        """Spend a token, or raise RateLimited. `is_chat`: the command is chat."""
        if not self._command_buckets.spend(person):
            raise RateLimited("You have sent too many commands to your tables: wait a little.")
        if is_chat and not self._chat_by_person.spend(person):
            raise RateLimited("You have sent too many chat messages: wait a little.")
        if is_chat and not self._chat_by_table.spend(table):
            raise RateLimited("This table has had too many chat messages: wait a little.")


def rate_limit_key(address: str | None) -> str | None:
    """Return the rate-limit key of an address: the /64 for IPv6, None for loopback."""
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:  # a Unix socket, or a proxy that sends no address
        return address or None
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            network = ipaddress.IPv6Network((parsed, 64), strict=False)
            return None if parsed.is_loopback else str(network)
        parsed = parsed.ipv4_mapped
    return None if parsed.is_loopback else str(parsed)


def is_same_origin(connection: HTTPConnection, public_url: str | None) -> bool:
    """Return whether a page of this server, or no page at all, sent the request.

    Browsers let any page open a WebSocket to any server, cookies included. Only this check prevents
    a foreign page from playing in the name of its visitor. Browsers always send the origin of the
    page.
    """
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    origin_host = _host(origin)
    own_hosts = {connection.headers.get("host", "").lower()}
    if public_url is not None:
        own_hosts.add(_host(public_url))
    return origin_host != "" and origin_host in own_hosts


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


async def read_body(request: Request, max_bytes: int) -> bytes:
    """Return the body of a request. Raises TooLarge after more than `max_bytes` bytes."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > max_bytes:
            raise TooLarge
    return bytes(body)
