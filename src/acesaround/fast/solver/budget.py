"""The budget of searches, in nodes and seconds, and their progress reports."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

_SLICE: Final = 50_000  # nodes between two checks of the clock: some 5 ms
_PATIENCE: Final = 64
_TELL: Final = 0.1  # seconds between two reports of progress


class Budget:
    """A limit in nodes (cards tried) or in seconds from now on, both or neither.

    All questions that receive a budget share it.
    """

    def __init__(self, nodes: int | None = None, seconds: float | None = None) -> None:
        self._nodes, self._seconds = nodes, seconds
        self._start = time.monotonic()
        self._spent, self._stopped = 0, False

    def stop(self) -> None:
        """Spend the budget now, so that running questions return the bounds that they have.

        Signal handlers and other threads may call this.
        """
        self._stopped = True

    def slice(self) -> int:
        """Return the number of nodes to search before the next check; 0 if the budget is spent."""
        if self._stopped or self.used() >= 1:
            return 0
        return _SLICE if self._nodes is None else min(_SLICE, self._nodes - self._spent)

    def spend(self, nodes: int) -> None:
        """Count nodes."""
        self._spent += nodes

    @property
    def limited(self) -> bool:
        """Whether the budget has a limit."""
        return self._nodes is not None or self._seconds is not None

    def used(self) -> float:
        """Return the fraction that is spent: 0 without a limit, else up to 1 or more."""
        part = 0.0
        if self._nodes is not None:
            part = self._spent / self._nodes if self._nodes > 0 else 1.0
        if self._seconds is not None:
            gone = time.monotonic() - self._start
            part = max(part, gone / self._seconds if self._seconds > 0 else 1.0)
        return part


class BudgetMonitor:
    """The budget of one question, with progress reports.

    The question checks its budget after every slice of nodes.
    """

    def __init__(self, budget: Budget | None, tell: Callable[[], None] | None) -> None:
        self._budget = budget or Budget()
        self._tell = tell
        self._next = time.monotonic() + _TELL
        self.until = 1.0  # the fraction of the budget that may be spent for now

    @property
    def patience(self) -> int:
        """The factor on node limits before easier questions are tried: 1 with a limited budget."""
        return 1 if self._budget.limited else _PATIENCE

    @property
    def over(self) -> bool:
        """Whether the fraction `until` of the budget is spent."""
        return self._budget.slice() == 0 or self._budget.used() >= self.until

    def slice(self) -> int:
        """Return the number of nodes to search before the next check; 0 if `until` is reached."""
        return 0 if self._budget.used() >= self.until else self._budget.slice()

    def spend(self, nodes: int) -> None:
        """Count nodes, and report progress if the last report is old enough."""
        self._budget.spend(nodes)
        if self._tell is not None and time.monotonic() >= self._next:
            self._tell()
            self._next = time.monotonic() + _TELL
