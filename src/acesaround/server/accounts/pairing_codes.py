"""Codes of six words by which another device becomes a person: made, recognised, not guessed.

A code is good once and for `SECONDS`. Six of 256 words are 48 bits, one of 2.8e14 codes. What is
kept is a hash keyed by the server's secret, so that the database alone is worth nothing.

**How unlikely a hit is.** A process takes `WRONG` wrong codes from all addresses together in
`SECONDS`, which is 5.3e7 a year, and each person has one good code at most. Where one code is good
at every moment of the year, somebody who guesses all year long from fifty addresses hits it
with a chance of 5.3e7 / 2.8e14 = 2e-7, one in five million. In a club where a thousand codes are
good at every moment, and on four processes, it is 4 * 1000 * 2e-7 = 8e-4 a year, and whom it hits
is left to chance.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final

from acesaround.server.accounts.cookie import keys
from acesaround.server.accounts.pairing_words import WORDS
from acesaround.server.limits.rates import (
    KeyedTokenBuckets,
    RateLimited,
    TokenBucket,
    rate_limit_key,
)

SECONDS: Final = 600
"""So long a code is good, and so long it takes until wrong ones are forgotten."""
WRONG: Final = 1000
"""Wrong codes that are listened to in `SECONDS`, of all addresses together."""
EACH: Final = 20
"""Wrong codes of one address in `SECONDS`."""
_WORDS: Final = 6
_SALT: Final = b"acesaround.code"
_LONGEST: Final = 200  # characters of what is typed


def make() -> str:
    """A new code: six words with a space between them."""
    return " ".join(secrets.choice(WORDS) for _ in range(_WORDS))


def hashes(code: str, secret: str) -> list[str]:
    """What is kept of a code, by the key that signs first and then by the others.

    However it is typed: capitals, and what stands between the words, mean nothing.
    """
    written = " ".join(re.findall(r"[a-z]+", code[:_LONGEST].lower())).encode()
    return [
        hmac.new(hmac.digest(key.encode(), _SALT, "sha256"), written, hashlib.sha256).hexdigest()
        for key in keys(secret)
    ]


class CodeAttempts:
    """Wrong codes: some of one address, more of all together, and nobody's after that.

    An address is a whole home, as for other limits. This very machine has no address, so that only
    all together are counted there.
    """

    def __init__(self, each: int = EACH, wrong: int = WRONG, seconds: float = SECONDS) -> None:
        self._addresses = KeyedTokenBuckets(each, seconds)
        self._all = TokenBucket(wrong, seconds)

    def charge(self, address: str | None) -> None:
        """Count a code as wrong before it is looked up. Raises TooMany."""
        place = rate_limit_key(address)
        if place is not None and not self._addresses.spend(place):
            raise RateLimited("Too many wrong codes came from your address: wait a few minutes.")
        if not self._all.spend():
            raise RateLimited("Too many wrong codes came in a short time: wait a few minutes.")

    def refund(self, address: str | None) -> None:
        """It was not wrong."""
        if (place := rate_limit_key(address)) is not None:
            self._addresses.give_back(place)
        self._all.give_back()
