"""Pairing codes: six words by which another device signs in as a person.

A code works once and for `LIFETIME_SECONDS`. Six of 256 words are 48 bits, one of 2.8e14 codes. The
database holds only a hash keyed by the server's secret, so a stolen database reveals no code.
`server.limits.pairing_attempts` limits guesses.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final

from acesaround.server.accounts.cookie import parse_keys
from acesaround.server.accounts.pairing_words import WORDS

LIFETIME_SECONDS: Final = 600
"""The lifetime of a code, and the time in which the limits on wrong codes refill."""
_WORD_COUNT: Final = 6
_SALT: Final = b"acesaround.code"
_MAX_INPUT_LENGTH: Final = 200  # characters of input that are read


def new_code() -> str:
    """Return a new code: six words separated by spaces."""
    return " ".join(secrets.choice(WORDS) for _ in range(_WORD_COUNT))


def code_hashes(code: str, secret: str) -> list[str]:
    """Return the stored hash of a code under each key, the signing key first.

    Case is ignored, and so is everything between the words.
    """
    normalized = " ".join(re.findall(r"[a-z]+", code[:_MAX_INPUT_LENGTH].lower())).encode()
    return [
        hmac.new(hmac.digest(key.encode(), _SALT, "sha256"), normalized, hashlib.sha256).hexdigest()
        for key in parse_keys(secret)
    ]
