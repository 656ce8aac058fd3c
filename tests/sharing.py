"""Share out the files of tests among the processes that run them.

A file is run by one process, so that what its tests share is made once. One process runs the tests
in a browser, and others come to its help when nothing else is left: while Playwright is there, no
other test can run an event loop, so whoever has begun with them runs no others.
"""

from __future__ import annotations

import os
import random
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

BROWSER: Final = "tests/browser/"
ORDER: Final = "ACESAROUND_TEST_ORDER"
"""The environment variable with a number by which files, and tests in each, are shuffled."""
TOGETHER: Final = {
    "tests/arena/test_dask_executor.py": "dask",
    "tests/bots/pool/test_dask.py": "dask",
}
"""Files that one process runs one after the other: each starts a cluster that takes a core."""
LONGEST: Final = (
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
"""Where the files are that take longest. They come first, so that no process waits for one."""


def in_browser(nodeid: str) -> bool:
    """Whether a test, or a file of tests, is one in a browser."""
    return nodeid.startswith(BROWSER)


def unit_of(nodeid: str) -> str:
    """The name of what is run by one process: the test's file, or what that belongs to."""
    file = nodeid.partition("::")[0]
    return TOGETHER.get(file, file)


def processes() -> int:
    """How many processes run tests: one more than processors, for tests wait much of the time."""
    if not hasattr(os, "sched_getaffinity"):
        return (os.cpu_count() or 2) + 1
    return max(3, len(os.sched_getaffinity(0)) + 1)


def ordered(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests in the order in which they are run, those in a browser last.

    Where `ORDER` is set the files are shuffled, and the tests within each.
    """
    asked = os.environ.get(ORDER)
    if asked is None:
        return sorted(items, key=lambda item: _place(item.nodeid))
    chance = random.Random(asked)
    files = OrderedDict[str, OrderedDict[str, list[pytest.Item]]]()
    for item in items:
        file, _, name = item.nodeid.partition("::")
        files.setdefault(file, OrderedDict()).setdefault(name.partition("[")[0], []).append(item)
    found = list[pytest.Item]()
    for file in chance.sample(list(files), len(files)):
        functions = list(files[file].values())
        for group in chance.sample(functions, len(functions)):
            found += group
    return sorted(found, key=lambda item: in_browser(item.nodeid))


def _place(nodeid: str) -> int:
    if in_browser(nodeid):
        return len(LONGEST) + 1
    its = (at for at, begin in enumerate(LONGEST) if nodeid.startswith(begin))
    return next(its, len(LONGEST))


class Sharing(LoadScopeScheduling):  # type: ignore[misc]  # xdist carries no types
    """Gives each process the next file that it may run."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False
        self._browsing: set[Any] = set()

    def schedule(self) -> None:
        """Share out the first files; the last process begins with the browser."""
        if self.collection is None and len(self.nodes) > 1:
            tests = next(iter(self.registered_collections.values()), ())
            if any(map(in_browser, tests)):
                self._browsing.add(self.nodes[-1])
        super().schedule()

    def remove_node(self, node: Any) -> str | None:
        """Take back what a process leaves that has ended, without the test that it ended in.

        That test has failed; run again, it would hang or crash again.
        """
        units = self.assigned_work.pop(node)
        tests: Iterator[tuple[dict[str, bool], str]] = (
            (unit, test) for unit in units.values() for test, done in unit.items() if not done
        )
        found = next(tests, None)
        if found is None:
            return None
        unit, crashed = found
        unit[crashed] = True
        self.workqueue.update({name: its for name, its in units.items() if not all(its.values())})
        for other in self.assigned_work:
            self._reschedule(other)
        return crashed

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)

    def _next_for(self, node: Any) -> str | None:
        """The first file that a process may run, or None."""
        others = None if node in self._browsing else self._first(browser=False)
        return others or self._first(browser=True)

    def _first(self, *, browser: bool) -> str | None:
        return next((unit for unit in self.workqueue if in_browser(unit) == browser), None)

    def _assign_work_unit(self, node: Any) -> None:
        unit = self._next_for(node)
        if unit is None:
            return
        if in_browser(unit):
            self._browsing.add(node)
        self.workqueue.move_to_end(unit, last=False)
        super()._assign_work_unit(node)

    def _reschedule(self, node: Any) -> None:
        if not node.shutting_down and self._next_for(node) is None:
            node.shutdown()
            return
        super()._reschedule(node)
