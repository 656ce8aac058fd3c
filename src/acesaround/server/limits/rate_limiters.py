"""The rate limits on requests, joins, messages, chat and other commands, and what exceeds one."""

from __future__ import annotations

import math
from typing import Final

from acesaround.server.limits.token_buckets import KeyedTokenBuckets, TokenBucket, spend_all

_TABLE_CHAT_FACTOR: Final = 3
"""The chat limit of a table as a multiple of the limit of one person."""
_ADDRESS_COMMANDS_FACTOR: Final = 5
"""The limit on commands of an address as a multiple of the limit of one person."""
_MISSED_STEPS_PER_JOIN: Final = 16
"""As long as a join takes the server to send so many missed steps."""
_SPECTATORS_PER_COMMAND: Final = 50
"""For so many spectators a command counts once more, because all are sent the result."""


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


class CommandRateLimiter:
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


class MessageRateLimiter:
    """A rate limit on the messages of one WebSocket, whatever they contain."""

    def __init__(self, capacity: int, seconds: float) -> None:
        self._bucket = TokenBucket(capacity, seconds)

    def spend(self) -> None:
        """Spend a token, or raise RateLimited."""
        if not self._bucket.spend():
            raise RateLimited("Too many messages: wait a little.")

    @property
    def is_flooding(self) -> bool:
        """Whether messages keep coming although they are refused: the WebSocket is closed then."""
        return self._bucket.is_flooding


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
