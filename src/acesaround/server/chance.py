"""What a server draws cards, lots and links from: one place for all of it, for tests to seed."""

from __future__ import annotations

import random

SOURCE: random.Random = random.SystemRandom()
"""Read it at each use, as `chance.SOURCE`: a test sets another one."""
