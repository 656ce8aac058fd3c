"""The server's random generator for cards, bots and links, which tests can seed."""

from __future__ import annotations

import random

RNG: random.Random = random.SystemRandom()
"""The random generator. Read it at each use as `random_source.RNG`, because tests replace it."""
