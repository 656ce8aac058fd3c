"""The first start of a fresh install, which compiles, and later starts, which use the cache.

Each start is a process of its own, measured from its first instruction to its last. The cache
folder is empty at first and removed at the end. The targets apply to processor time. On an idle
machine wall time is the same, because a start is single-threaded.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from acesaround.fast.warmup import WARMUP_CALLS
from fast_table import Row, Target, span

_LONGEST: Final = 30.0
_LATER: Final = 1.0


class Seconds(NamedTuple):
    """The wall time and processor time of a process."""

    wall: float
    cpu: float


# The references install scipy, the game does not; numba loads it where it is installed.
_PROGRAM: Final = """
import sys
sys.modules["scipy"] = None
from acesaround.fast.warmup import warm_up
warm_up(None, sys.argv[1:])
"""


class StartMeasure:
    """The measurement of starts: the first start once, later starts in each round.

    `folder`: an empty folder for the caches.
    """

    name = "start"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._first: Seconds | None = None
        self._later: dict[str, list[Seconds]] = {name: [] for name in WARMUP_CALLS}

    def round(self, number: int) -> None:
        """Start once with all kernels uncompiled, then once for each purpose alone."""
        caches = {"HOME": str(self._folder), "XDG_CACHE_HOME": str(self._folder)}
        if self._first is None:
            self._first = _start(caches, WARMUP_CALLS)
            if not any(self._folder.rglob("*.nbc")):
                raise RuntimeError("nothing was compiled into the cache that was asked for")
        for name, later in self._later.items():
            later.append(_start(caches, [name]))

    def row(self) -> Row:
        """Return the row with wall and processor times."""
        assert self._first is not None
        first, cpu = self._first, self._first.cpu
        here = [f"{span(first.wall)} (CPU {span(first.cpu)})"]
        slowest = 0.0
        for name, later in self._later.items():
            wall, of_cpu = median(one.wall for one in later), median(one.cpu for one in later)
            here.append(f"{name}: {span(wall)} (CPU {span(of_cpu)})")
            slowest = max(slowest, of_cpu)
            cpu += sum(one.cpu for one in later)
        return Row(
            name=self.name,
            what="first start, all; later ones, for",
            here=here,
            cpu=cpu,
            reach=[
                Target(f"first {span(_LONGEST)} (CPU)", first.cpu < _LONGEST),
                Target(f"later {span(_LATER)} (CPU)", slowest < _LATER),
            ],
            figures={"first": self._first, "later": self._later},
        )


def _start(settings: Mapping[str, str], names: Iterable[str]) -> Seconds:
    """Run a process that calls the kernels for the named purposes; return its times."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    words = [sys.executable, "-c", _PROGRAM, *names]
    subprocess.run(words, env={**os.environ, **settings}, check=True)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Seconds(wall, cpu)
