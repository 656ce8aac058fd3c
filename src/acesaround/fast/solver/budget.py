"""How long a question may take, and who is told of its progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

_SLICE: Final = 50_000  # nodes between two looks at the clock: some 5 ms
_PATIENCE: Final = 64
_TELL: Final = 0.1  # seconds between two reports of progress


class Budget:
    """How long questions may take: nodes (cards tried), seconds from now on, or for ever.

    It is for all questions together that it is given to.
    """

    def __init__(self, nodes: int | None = None, seconds: float | None = None) -> None:
        self._nodes, self._seconds = nodes, seconds
        self._start = time.monotonic()
        self._spent, self._stopped = 0, False

    def stop(self) -> None:
        """End it now: every question under way returns what it has.

        It may be called from a signal handler and from another thread.
        """
        self._stopped = True

    def slice(self) -> int:
        """How many nodes to go on for before asking again; 0 when the budget is spent."""
        if self._stopped or self.used() >= 1:
            return 0
        return _SLICE if self._nodes is None else min(_SLICE, self._nodes - self._spent)

    def spend(self, nodes: int) -> None:
        """Count nodes."""
        self._spent += nodes

    @property
    def limited(self) -> bool:
        """Whether it ends by itself."""
        return self._nodes is not None or self._seconds is not None

    def used(self) -> float:
        """The part that is spent: 0 or, where the budget is limited, up to 1 and more."""
        part = 0.0
        if self._nodes is not None:
            part = self._spent / self._nodes if self._nodes > 0 else 1.0
        if self._seconds is not None:
            gone = time.monotonic() - self._start
            part = max(part, gone / self._seconds if self._seconds > 0 else 1.0)
        return part


class BudgetMonitor:
    """A budget as a question sees it: looked at after every slice, when progress is told too."""

    def __init__(self, budget: Budget | None, tell: Callable[[], None] | None) -> None:
        self._budget = budget or Budget()
        self._tell = tell
        self._next = time.monotonic() + _TELL
        self.until = 1.0  # the part of the budget that may be spent for now

    @property
    def patience(self) -> int:
        """How many times longer than under a budget a question may take before easier ones."""
        return 1 if self._budget.limited else _PATIENCE

    @property
    def over(self) -> bool:
        """Whether that part is spent."""
        return self._budget.slice() == 0 or self._budget.used() >= self.until

    def slice(self) -> int:
        """How many nodes to go on for, 0 when that part is spent."""
        return 0 if self._budget.used() >= self.until else self._budget.slice()

    def spend(self, nodes: int) -> None:
        """Count nodes, and tell how things stand if that has not been done for a while."""
        self._budget.spend(nodes)
        if self._tell is not None and time.monotonic() >= self._next:
            self._tell()
            self._next = time.monotonic() + _TELL
