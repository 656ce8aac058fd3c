"""The first start in a fresh install, which compiles, and later ones, which find it compiled.

Each is a process of its own from its first instruction to its last, with a folder for caches that
is empty at first and removed at the end. Whether it is quick enough is told by the processor's
time: on a machine that does nothing else the clock says the same, for it is one thread's work.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Final

from fast_table import Row, Target, span

_LONGEST: Final = 30.0
_LATER: Final = 1.0
# scipy comes with the yardsticks and not with the game; numba loads it where it is installed.
_PROGRAM: Final = """
import sys
sys.modules["scipy"] = None
from acesaround.fast.warm import warm
warm()
"""


class Starts:
    """The first start is measured once, in the first round; a later one in each.

    `folder`: empty, for the caches.
    """

    name = "start"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._first: tuple[float, float] | None = None
        self._later: list[tuple[float, float]] = []

    def round(self, number: int) -> None:
        """Start."""
        caches = {"HOME": str(self._folder), "XDG_CACHE_HOME": str(self._folder)}
        if self._first is None:
            self._first = _start(caches)
            if not any(self._folder.rglob("*.nbc")):
                raise RuntimeError("nothing was compiled into the cache that was asked for")
        self._later.append(_start(caches))

    def row(self) -> Row:
        """Wall and processor time of both."""
        assert self._first is not None
        (first, first_cpu) = self._first
        later = median(wall for wall, _ in self._later)
        later_cpu = median(cpu for _, cpu in self._later)
        return Row(
            name=self.name,
            what="first start, compiling; later ones",
            here=[
                f"{span(first)} (CPU {span(first_cpu)})",
                f"later {span(later)} (CPU {span(later_cpu)})",
            ],
            cpu=first_cpu + sum(cpu for _, cpu in self._later),
            reach=[
                Target(f"first {span(_LONGEST)} (CPU)", first_cpu < _LONGEST),
                Target(f"later {span(_LATER)} (CPU)", later_cpu < _LATER),
            ],
            figures={"first": self._first, "later": self._later},
        )


def _start(settings: Mapping[str, str]) -> tuple[float, float]:
    """Wall and processor seconds of a process that calls every kernel."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", _PROGRAM], env={**os.environ, **settings}, check=True)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
