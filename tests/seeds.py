"""Seed random numbers of a test by its id and the seed of the run, which failures print.

So a test draws the same cards in any order of tests. `ACESAROUND_TEST_SEED=7 make test` uses
another seed; the default is 1.
"""

from __future__ import annotations

import hashlib
import os
import random
from typing import Final

VARIABLE: Final = "ACESAROUND_TEST_SEED"


def run_seed() -> int:
    """Return the seed of this run."""
    return int(os.environ.get(VARIABLE, "1"))


def seed_of(test_id: str) -> int:
    """Return the seed of one test: 62 bits of the hash of its id and the seed of the run."""
    digest = hashlib.sha256(f"{run_seed()} {test_id}".encode()).digest()
    return int.from_bytes(digest[:8]) >> 2


def chance_of(test_id: str) -> random.Random:
    """Return the random number generator of one test."""
    return random.Random(seed_of(test_id))
