"""The limits on wrong pairing codes, for each address and for all addresses together.

**Probability of a guess.** A process accepts `MAX_WRONG_CODES` wrong codes from all addresses
together in the lifetime of a code, which is 5.3e7 a year. Each person has at most one valid code.
Assume that one code is valid at every moment of the year, and that an attacker guesses all year
from fifty addresses. The attacker succeeds with probability 5.3e7 / 2.8e14 = 2e-7, one in five
million. With a thousand codes valid at every moment and four processes, it is 4 * 1000 * 2e-7 =
8e-4 a year. The attacker cannot choose the victim.

Wrong codes of others must lock nobody out. So each address may try one code beyond the common
limit, and all addresses together `MAX_RESERVED_CODES`. An attacker who guesses all year from ten
thousand addresses succeeds with probability 2e-6 instead of 2e-7.
"""

from __future__ import annotations

from typing import Final

from acesaround.server.limits.rate_limiters import RateLimited
from acesaround.server.limits.token_buckets import (
    KeyedTokenBuckets,
    TokenBucket,
    refund_all,
    spend_all,
)

MAX_WRONG_CODES: Final = 1000
"""Wrong codes accepted in the lifetime of a code from all addresses together."""
MAX_WRONG_PER_ADDRESS: Final = 20
"""Wrong codes accepted in the lifetime of a code from one address."""
MAX_RESERVED_CODES: Final = 10_000
"""Wrong codes accepted beyond those in the lifetime of a code, one from each address."""


class PairingAttempts:
    """Rate limits on wrong codes: one for each address and one for all together.

    If others have used up the common limit, each address still has one code. Requests from loopback
    count only toward the common limit. `seconds`: the time in which the limits refill, which is the
    lifetime of a code.
    """

    def __init__(
        self,
        seconds: float,
        *,
        max_per_address: int = MAX_WRONG_PER_ADDRESS,
        max_total: int = MAX_WRONG_CODES,
        max_reserved: int = MAX_RESERVED_CODES,
    ) -> None:
        self._address_buckets = KeyedTokenBuckets(max_per_address, seconds)
        self._common_bucket = TokenBucket(max_total, seconds)
        self._reserve_of_address = KeyedTokenBuckets(1, seconds)
        self._common_reserve = TokenBucket(max_reserved, seconds)

    def charge(self, address: str | None) -> list[TokenBucket]:
        """Count a code as wrong before the lookup. Raises RateLimited.

        Returns the spent buckets, to pass to `refund` if the code turns out to be right.
        """
        own = spend_all(self._address_buckets.buckets_of_address(address))
        if own is None:
            raise RateLimited(
                "Somebody at your address has entered too many wrong codes: wait a few minutes."
            )
        common = spend_all([self._common_bucket])
        if common is None and own:  # not from loopback
            reserve = self._reserve_of_address.buckets_of_address(address)
            common = spend_all([*reserve, self._common_reserve])
        if common is None:
            raise RateLimited(
                "People have entered too many wrong codes in a short time: wait a few minutes."
            )
        return own + common

    def refund(self, charged: list[TokenBucket]) -> None:
        """Refund a code that turned out to be right. `charged`: the result of `charge`."""
        refund_all(charged)
