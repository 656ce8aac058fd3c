"""Draw the chance of a test from its id and one number that is printed with a failure.

The same number and the same test draw the same cards, in whatever order tests run.
`ACESAROUND_TEST_SEED=7 make test` tries another number; without it the number is 1.
"""

from __future__ import annotations

import hashlib
import os
import random
from typing import Final

VARIABLE: Final = "ACESAROUND_TEST_SEED"


def run_seed() -> int:
    """The number that all tests of this run draw from."""
    return int(os.environ.get(VARIABLE, "1"))


def seed_of(test_id: str) -> int:
    """The seed of one test: 62 bits of the hash of its id and of the run's number."""
    digest = hashlib.sha256(f"{run_seed()} {test_id}".encode()).digest()
    return int.from_bytes(digest[:8]) >> 2


def chance_of(test_id: str) -> random.Random:
    """A generator of random numbers that belongs to one test."""
    return random.Random(seed_of(test_id))
