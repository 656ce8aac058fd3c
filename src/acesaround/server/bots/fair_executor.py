"""A queue that is fair by person: a person with much work does not delay others.

Each person has a queue. A free worker takes from the person with the fewest pieces in progress;
ties go to the person whose last turn is longest ago. No person can use all workers: one always
stays free for others (unless there is only one). So one greedy person delays no other person. With
several greedy persons, another person waits for at most one piece of each. The queue does not run
the work itself.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Generic, TypeVar

from acesaround.server.limits.rates import RateLimited

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Pieces of work by person, for a number of workers.

    `each`: how many may wait for one person. `most`: how many may wait for all persons.
    """

    def __init__(self, workers: int, each: int, most: int) -> None:
        self.workers = workers
        self._each = each
        self._most = most
        self._waiting: dict[str, deque[T]] = {}  # in the order of turns
        self._at: Counter[str] = Counter()  # pieces in progress
        self._all: Counter[str] = Counter()  # pieces in progress or waiting

    @property
    def _at_once(self) -> int:
        """How many pieces of one person may be in progress at a time."""
        return max(1, self.workers - 1)

    def __len__(self) -> int:
        """Return how many pieces wait or are in progress."""
        return self._all.total()

    @property
    def working(self) -> int:
        """How many pieces are in progress."""
        return self._at.total()

    @property
    def persons(self) -> int:
        """How many persons have pieces that wait or are in progress."""
        return len(self._all)

    def put(self, who: str, piece: T) -> None:
        """Add a piece to the queue. Raises RateLimited."""
        if self._all[who] - self._at[who] >= self._each:
            raise RateLimited("Too much of yours waits to be thought about: wait for some of it.")
        if self._all.total() - self._at.total() >= self._most:
            raise RateLimited(
                "Too many people wait for something to be thought about: try again soon."
            )
        self._waiting.setdefault(who, deque()).append(piece)
        self._all[who] += 1

    def next(self) -> tuple[str, T] | None:
        """Return the next piece with its person, or None if no piece may begin."""
        who = min(self._waiting, key=self._at.__getitem__, default=None)
        if who is None or self._at[who] >= self._at_once:
            return None
        pieces = self._waiting.pop(who)
        piece = pieces.popleft()
        if pieces:
            self._waiting[who] = pieces  # at the end of the order
        self._at[who] += 1
        return who, piece

    def done(self, who: str) -> None:
        """Record that a piece is done. Its person moves to the end of the order."""
        if who in self._waiting:
            self._waiting[who] = self._waiting.pop(who)
        for counted in (self._at, self._all):
            counted[who] -= 1
            if not counted[who]:
                del counted[who]

    def clear(self) -> list[T]:
        """Remove and return all waiting pieces."""
        dropped = [piece for pieces in self._waiting.values() for piece in pieces]
        self._waiting.clear()
        self._all = self._at.copy()
        return dropped

    def time_share(self, who: str) -> float:
        """Return the share of a worker that each piece of a person can have, at most 1.

        Workers are shared evenly among persons, and a person's share evenly among that person's
        pieces.
        """
        part = min(self._at_once, self.workers / max(len(self._all), 1))
        return min(1.0, part / max(self._all.get(who, 1), 1))
