"""Token buckets: the counters of all rate limits, one by one or one for each key."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Final

from acesaround.server.limits.client_addresses import rate_limit_keys

MAX_REJECTED_MESSAGES: Final = 50
"""Rejected messages after which a WebSocket is closed."""


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
