"""All random decisions of a world, drawn from one seed, one generator for each subject.

What may happen by chance (a fault, an odd wish of a person) is drawn by `happens`, which numbers
the draws of each kind. `kept` limits what may happen to some of these numbers: so a story shrinks
without that the other draws change.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection

Happening = tuple[str, int]
"""A kind of chance event, and the number of its draw."""


class Choices:
    """The decisions of a world. `kept`: the only chance events that may occur; None for all
    drawn."""

    def __init__(self, seed: int, kept: Collection[Happening] | None = None) -> None:
        self.seed = seed
        self.happened: list[Happening] = []
        self._kept = None if kept is None else frozenset(kept)
        self._streams: dict[str, random.Random] = {}
        self._draws: Counter[str] = Counter()

    def stream(self, subject: str) -> random.Random:
        """Return the random generator of a subject."""
        found = self._streams.get(subject)
        if found is None:
            found = self._streams[subject] = random.Random(f"{self.seed}:{subject}")
        return found

    def happens(self, kind: str, rate: float) -> bool:
        """Draw whether an event happens, and record it."""
        if not rate:
            return False
        draw = self._draws[kind]
        self._draws[kind] = draw + 1
        if self.stream(kind).random() >= rate:
            return False
        if self._kept is not None and (kind, draw) not in self._kept:
            return False
        self.happened.append((kind, draw))
        return True
