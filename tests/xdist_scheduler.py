"""Distribute test files to the worker processes of pytest-xdist.

One worker runs all tests of a file, so that they share fixtures. One worker runs the browser tests,
and others help when no other files are left: while Playwright runs in a process, no other test can
run an event loop there, so a worker that has begun browser tests runs only those.
"""

from __future__ import annotations

import os
import random
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

ORDER: Final = "ACESAROUND_TEST_ORDER"
"""The environment variable with a seed: files, and the tests in each, are shuffled by it."""
SHARED_UNITS: Final = {
    "tests/arena/test_dask_executor.py": "dask",
    "tests/bots/pool/test_dask.py": "dask",
}
"""Files that one worker runs one after the other: each starts a cluster that takes a core."""
SLOWEST_FIRST: Final = (
    "tests/multiprocess/",
    "tests/bots/",
    "tests/fast/",
    "tests/workers/",
    "tests/arena/",
    "tests/server/",
    "tests/terminal/",
    "tests/test_cli.py",
    "tests/test_docs",
)
"""The slowest files. They come first, so that no worker runs one alone at the end."""


def is_browser_test(nodeid: str) -> bool:
    """Return whether a test or file is in the folder of browser tests."""
    return nodeid.startswith("tests/browser/")


def work_unit_of(nodeid: str) -> str:
    """Return the name of what one worker runs: the test's file, or its shared unit."""
    file = nodeid.partition("::")[0]
    return SHARED_UNITS.get(file, file)


def worker_count() -> int:
    """Return the number of workers: one more than processors, because tests often wait."""
    if not hasattr(os, "sched_getaffinity"):
        return (os.cpu_count() or 2) + 1
    return max(3, len(os.sched_getaffinity(0)) + 1)


def sort_tests(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the tests in the order in which they are run, browser tests last.

    If `ORDER` is set, the files and the tests in each are shuffled.
    """
    seed = os.environ.get(ORDER)
    if seed is None:
        return sorted(items, key=lambda item: _rank(item.nodeid))
    rng = random.Random(seed)
    files = OrderedDict[str, OrderedDict[str, list[pytest.Item]]]()
    for item in items:
        file, _, name = item.nodeid.partition("::")
        files.setdefault(file, OrderedDict()).setdefault(name.partition("[")[0], []).append(item)
    shuffled = list[pytest.Item]()
    for file in rng.sample(list(files), len(files)):
        functions = list(files[file].values())
        for group in rng.sample(functions, len(functions)):
            shuffled += group
    return sorted(shuffled, key=lambda item: is_browser_test(item.nodeid))


def _rank(nodeid: str) -> int:
    if is_browser_test(nodeid):
        return len(SLOWEST_FIRST) + 1
    ranks = (rank for rank, prefix in enumerate(SLOWEST_FIRST) if nodeid.startswith(prefix))
    return next(ranks, len(SLOWEST_FIRST))


class FileScheduler(LoadScopeScheduling):  # type: ignore[misc]  # xdist carries no types
    """Gives each worker the next file that it may run."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False
        self._browser_workers: set[Any] = set()

    def schedule(self) -> None:
        """Distribute the first files; the last worker begins with browser tests."""
        if self.collection is None and len(self.nodes) > 1:
            tests = next(iter(self.registered_collections.values()), ())
            if any(map(is_browser_test, tests)):
                self._browser_workers.add(self.nodes[-1])
        super().schedule()

    def remove_node(self, node: Any) -> str | None:
        """Take back the tests of a worker that has ended, except the one that it ended in.

        That test has failed; run again, it would hang or crash again.
        """
        units = self.assigned_work.pop(node)
        pending = (
            (unit, test) for unit in units.values() for test, done in unit.items() if not done
        )
        first = next(pending, None)
        if first is None:
            return None
        unit, crashed = first
        unit[crashed] = True
        self.workqueue.update(
            {name: tests for name, tests in units.items() if not all(tests.values())}
        )
        for other in self.assigned_work:
            self._reschedule(other)
        return str(crashed)

    def _split_scope(self, nodeid: str) -> str:
        return work_unit_of(nodeid)

    def _next_unit(self, node: Any) -> str | None:
        """Return the first file that a worker may run."""
        other = None if node in self._browser_workers else self._first_unit(browser=False)
        return other or self._first_unit(browser=True)

    def _first_unit(self, *, browser: bool) -> str | None:
        return next((unit for unit in self.workqueue if is_browser_test(unit) == browser), None)

    def _assign_work_unit(self, node: Any) -> None:
        unit = self._next_unit(node)
        if unit is None:
            return
        if is_browser_test(unit):
            self._browser_workers.add(node)
        self.workqueue.move_to_end(unit, last=False)
        super()._assign_work_unit(node)

    def _reschedule(self, node: Any) -> None:
        if not node.shutting_down and self._next_unit(node) is None:
            node.shutdown()
            return
        super()._reschedule(node)
