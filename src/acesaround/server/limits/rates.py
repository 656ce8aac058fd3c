"""Rate limits by token bucket, the maximum size of a request body, and the origin check."""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request

MAX_REJECTED_MESSAGES: Final = 50
"""Rejected messages after which a WebSocket is closed."""

_TABLE_CHAT_FACTOR: Final = 3
"""The chat limit of a table as a multiple of the limit of one person."""
_ADDRESS_COMMANDS_FACTOR: Final = 5
"""The limit on commands of an address as a multiple of the limit of one person."""
_MISSED_STEPS_PER_JOIN: Final = 16
"""As long as a join takes the server to send so many missed steps."""
_SPECTATORS_PER_COMMAND: Final = 50
"""For so many spectators a command counts once more, because all are sent the result."""
_IPV6_FACTORS: Final = {48: 16, 56: 4, 64: 1}
"""The limit of an IPv6 network as a multiple of the limit of one address, by prefix length."""


class TooLarge(Exception):  # noqa: N818 - named after the body
    """The body of a request is larger than the limit."""


class RateLimited(Exception):  # noqa: N818 - named after the requester
    """A request exceeds a rate limit. The message is a sentence for people."""

    def __init__(
        self, sentence: str = "You have sent too many requests in a short time: wait a few minutes."
    ) -> None:
        super().__init__(sentence)


class ServerStopping(RateLimited):
    """A request needs work that this server no longer begins. Another server may do it."""

    def __init__(self) -> None:
        super().__init__("The server is stopping: try again in a minute.")


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

    def spend(self, count: int = 1) -> bool:
        """Spend `count` tokens, or all if it is full; return whether there were as many."""
        now = self._clock()
        self._tokens = min(
            self._capacity, self._tokens + (now - self._refilled_at) * self._tokens_per_second
        )
        self._refilled_at = now
        count_in_reach = min(count, self._capacity)
        if self._tokens < count_in_reach:
            self._rejected_count += 1
            return False
        self._tokens -= count_in_reach
        self._rejected_count = max(
            0, self._rejected_count - 1
        )  # not 0: a steady flood gets a token now and then
        return True

    def refund(self, count: int = 1) -> None:
        """Give back the last spent tokens."""
        self._tokens = min(self._capacity, self._tokens + count)

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

    def spend(self, key: str, count: int = 1) -> bool:
        """Spend tokens of a key; return whether there were as many."""
        return self._bucket(key).spend(count)

    def buckets_of_address(self, address: str | None) -> Iterator[TokenBucket]:
        """Yield the buckets of all rate-limit keys of an address, the widest network first."""
        for key, factor in rate_limit_keys(address).items():
            yield self._bucket(key, factor)

    def _bucket(self, key: str, factor: int = 1) -> TokenBucket:
        if key not in self._buckets:
            self._buckets[key] = TokenBucket(factor * self._capacity, self._seconds)
            if len(self._buckets) > self._max_keys:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return self._buckets[key]


def spend_all(buckets: Iterable[TokenBucket], count: int = 1) -> list[TokenBucket] | None:
    """Spend tokens of each bucket and return the buckets, or None if one has too few.

    In that case the other buckets keep their tokens.
    """
    spent: list[TokenBucket] = []
    for bucket in buckets:
        if not bucket.spend(count):
            refund_all(spent, count)
            return None
        spent.append(bucket)
    return spent


def refund_all(buckets: Iterable[TokenBucket], count: int = 1) -> None:
    """Give back the last spent tokens of each bucket."""
    for bucket in buckets:
        bucket.refund(count)


class RequestRateLimiter:
    """A rate limit on requests that create or change something, by guest and by address.

    Loopback addresses are not limited by address. Such requests come from the owner of the machine,
    or from all visitors through a proxy that was not configured. Only the limit by guest applies to
    them.
    """

    def __init__(self, capacity: int, seconds: float, guests_per_address: int) -> None:
        self._guest_buckets = KeyedTokenBuckets(capacity, seconds)
        self._address_buckets = KeyedTokenBuckets(capacity * guests_per_address, seconds)

    def spend(self, guest: str | None, address: str | None) -> None:
        """Spend a token, or raise RateLimited. `guest`: None for a new guest."""
        if spend_all(self._address_buckets.buckets_of_address(address)) is None:
            raise RateLimited
        if guest is not None and not self._guest_buckets.spend(guest):
            raise RateLimited


class ChatRateLimiter:
    """Rate limits on chat and other table commands besides play, by person, address and table.

    A person may send `capacity` commands in `seconds` at all tables together, and all persons of an
    address `_ADDRESS_COMMANDS_FACTOR` times as many; fewer at tables with many spectators. One
    person may chat `chat_capacity` times in `chat_seconds`, and all persons at one table together
    `_TABLE_CHAT_FACTOR` times as often. The reason: each of these commands stays in a log forever.
    """

    def __init__(
        self, capacity: int, seconds: float, chat_capacity: int, chat_seconds: float
    ) -> None:
        self._command_buckets = KeyedTokenBuckets(capacity, seconds)
        self._address_buckets = KeyedTokenBuckets(_ADDRESS_COMMANDS_FACTOR * capacity, seconds)
        self._chat_by_person = KeyedTokenBuckets(chat_capacity, chat_seconds)
        self._chat_by_table = KeyedTokenBuckets(_TABLE_CHAT_FACTOR * chat_capacity, chat_seconds)

    def spend(
        self,
        person: str,
        table: str,
        *,
        address: str | None = None,
        spectators: int = 0,
        is_chat: bool,
    ) -> None:
        """Spend tokens, or raise RateLimited. `is_chat`: the command is chat."""
        count = 1 + spectators // _SPECTATORS_PER_COMMAND
        if not self._command_buckets.spend(person, count):
            raise RateLimited("You have sent too many commands to your tables: wait a little.")
        if spend_all(self._address_buckets.buckets_of_address(address), count) is None:
            raise RateLimited("Your address has sent too many commands: wait a little.")
        if is_chat and not self._chat_by_person.spend(person):
            raise RateLimited("You have sent too many chat messages: wait a little.")
        if is_chat and not self._chat_by_table.spend(table):
            raise RateLimited("This table has had too many chat messages: wait a little.")


class JoinRateLimiter:
    """A rate limit on joins of tables by address, because the server reads and encodes a table.

    The clients of an address may join `capacity` times in `seconds`. `_MISSED_STEPS_PER_JOIN` steps
    that a client has missed and is sent count like a join.
    """

    def __init__(self, capacity: int, seconds: float) -> None:
        self._buckets = KeyedTokenBuckets(capacity, seconds)

    def spend_join(self, address: str | None) -> bool:
        """Spend a token for a join; return whether there was one."""
        return spend_all(self._buckets.buckets_of_address(address)) is not None

    def spend_missed_steps(self, address: str | None, step_count: int) -> bool:
        """Spend tokens for missed steps; return whether there were as many."""
        count = math.ceil(step_count / _MISSED_STEPS_PER_JOIN)
        return spend_all(self._buckets.buckets_of_address(address), count) is not None


def rate_limit_keys(address: str | None) -> dict[str, int]:
    """Return the rate-limit keys of an address, the widest network first; none for loopback.

    Each key has its limit as a multiple of the limit of one address. The keys of an IPv6 address
    are its /48, /56 and /64, because one client may have any of these networks.
    """
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:  # a Unix socket, or a proxy that sends no address
        return {address: 1} if address else {}
    if isinstance(parsed, ipaddress.IPv6Address):
        parsed = parsed.ipv4_mapped or parsed
    if parsed.is_loopback:
        return {}
    if isinstance(parsed, ipaddress.IPv4Address):
        return {str(parsed): 1}
    return {
        str(ipaddress.IPv6Network((parsed, prefix), strict=False)): factor
        for prefix, factor in _IPV6_FACTORS.items()
    }


def plain_client(client: tuple[str, int] | None) -> tuple[str, int] | None:
    """Return the address and port of a connection, with an IPv4 address as such.

    A server that listens on `::` gets `::ffff:192.0.2.1` for a client at 192.0.2.1. With that name,
    a trusted proxy would not be recognized.
    """
    if client is None or not client[0].startswith("::ffff:"):
        return client
    mapped = ipaddress.IPv6Address(client[0]).ipv4_mapped
    return client if mapped is None else (str(mapped), client[1])


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
