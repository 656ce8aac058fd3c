"""The budget of searches, in nodes and seconds, and their progress reports."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

_SLICE_NODES: Final = 50_000  # nodes between two checks of the clock: some 5 ms
_UNLIMITED_NODE_FACTOR: Final = 64
_PROGRESS_SECONDS: Final = 0.1  # seconds between two reports of progress


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

    def next_slice(self) -> int:
        """Return the number of nodes to search before the next check; 0 if the budget is spent."""
        if self._stopped or self.used_fraction() >= 1:
            return 0
        return _SLICE_NODES if self._nodes is None else min(_SLICE_NODES, self._nodes - self._spent)

    def spend(self, nodes: int) -> None:
        """Count nodes."""
        self._spent += nodes

    @property
    def is_limited(self) -> bool:
        """Whether the budget has a limit."""
        return self._nodes is not None or self._seconds is not None

    def used_fraction(self) -> float:
        """Return the fraction that is spent: 0 without a limit, else up to 1 or more."""
        fraction = 0.0
        if self._nodes is not None:
            fraction = self._spent / self._nodes if self._nodes > 0 else 1.0
        if self._seconds is not None:
            elapsed = time.monotonic() - self._start
            fraction = max(fraction, elapsed / self._seconds if self._seconds > 0 else 1.0)
        return fraction


class BudgetMonitor:
    """The budget of one question, with progress reports.

    The question checks its budget after every slice of nodes.
    """

    def __init__(self, budget: Budget | None, on_progress: Callable[[], None] | None) -> None:
        self._budget = budget or Budget()
        self._on_progress = on_progress
        self._next_report = time.monotonic() + _PROGRESS_SECONDS
        self.fraction_limit: float = 1.0  # the fraction of the budget that may be spent for now

    @property
    def node_limit_factor(self) -> int:
        """The factor on node limits before easier questions are tried: 1 with a limited budget."""
        return 1 if self._budget.is_limited else _UNLIMITED_NODE_FACTOR

    @property
    def is_over(self) -> bool:
        """Whether the fraction `fraction_limit` of the budget is spent."""
        return self._budget.next_slice() == 0 or self._budget.used_fraction() >= self.fraction_limit

    def next_slice(self) -> int:
        """Return the nodes to search before the next check; 0 if `fraction_limit` is reached."""
        return (
            0 if self._budget.used_fraction() >= self.fraction_limit else self._budget.next_slice()
        )

    def spend(self, nodes: int) -> None:
        """Count nodes, and report progress if the last report is old enough."""
        self._budget.spend(nodes)
        if self._on_progress is not None and time.monotonic() >= self._next_report:
            self._on_progress()
            self._next_report = time.monotonic() + _PROGRESS_SECONDS
