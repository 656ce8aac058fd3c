"""A queue that is fair by person: who has much to be done delays nobody who has little.

What waits for a person waits in a queue of that person's own. Whoever is free takes from the person
for whom the fewest pieces are being done; among equals from the one whose turn is longest ago. One
worker is left to others, so that beside one greedy person nobody waits at all; beside several a
person waits for at most one piece of each of them. Nothing here knows who works.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Generic, TypeVar

from acesaround.server.limits.rates import RateLimited

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Pieces of work by person, for so many workers.

    `each`: how many may wait for one person, `most`: for all.
    """

    def __init__(self, workers: int, each: int, most: int) -> None:
        self.workers = workers
        self._each = each
        self._most = most
        self._waiting: dict[str, deque[T]] = {}  # persons in the order of their turns
        self._at: Counter[str] = Counter()  # pieces that are being done
        self._all: Counter[str] = Counter()  # with those that wait

    @property
    def _at_once(self) -> int:
        """How many pieces of one person may be done at a time."""
        return max(1, self.workers - 1)

    def __len__(self) -> int:
        """How many pieces wait or are being done."""
        return self._all.total()

    @property
    def working(self) -> int:
        """How many of them are being done."""
        return self._at.total()

    @property
    def persons(self) -> int:
        """How many persons they are for."""
        return len(self._all)

    def put(self, who: str, piece: T) -> None:
        """Let a piece wait. Raises TooMany."""
        if self._all[who] - self._at[who] >= self._each:
            raise RateLimited("Too much of yours waits to be thought about: wait for some of it.")
        if self._all.total() - self._at.total() >= self._most:
            raise RateLimited(
                "Too many people wait for something to be thought about: try again soon."
            )
        self._waiting.setdefault(who, deque()).append(piece)
        self._all[who] += 1

    def next(self) -> tuple[str, T] | None:
        """The piece that is next, with its person; None if nothing waits that may be begun."""
        who = min(self._waiting, key=self._at.__getitem__, default=None)
        if who is None or self._at[who] >= self._at_once:
            return None
        pieces = self._waiting.pop(who)
        piece = pieces.popleft()
        if pieces:
            self._waiting[who] = pieces  # the last in turn again
        self._at[who] += 1
        return who, piece

    def done(self, who: str) -> None:
        """A piece that was taken is done: who came meanwhile is before that person in turn."""
        if who in self._waiting:
            self._waiting[who] = self._waiting.pop(who)
        for counted in (self._at, self._all):
            counted[who] -= 1
            if not counted[who]:
                del counted[who]

    def clear(self) -> list[T]:
        """Let nothing wait any more; what did."""
        dropped = [piece for pieces in self._waiting.values() for piece in pieces]
        self._waiting.clear()
        self._all = self._at.copy()
        return dropped

    def time_share(self, who: str) -> float:
        """What part of a worker each piece of a person can have, at most 1.

        Workers are shared evenly among persons, and a person's part among the pieces.
        """
        part = min(self._at_once, self.workers / max(len(self._all), 1))
        return min(1.0, part / max(self._all.get(who, 1), 1))
