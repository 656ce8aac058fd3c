"""Random deals of `partnership` played out, compared with OpenSpiel's own loop of spades.

Ours: shuffle, deal, 12 tricks, score; melds are measured apart. OpenSpiel: deal, bids, 13 tricks,
score. Both choose uniformly among the legal cards. A deal in which the declarer has no marriage is
not played and not counted, though it takes time. Rates on one core are per second of processor
time.

Two cores are one process with two threads. Its gain is wall time against one thread in the same
round; other work on the machine makes that ratio smaller. The gain by processor time says how much
the threads slow each other down.
"""

from __future__ import annotations

import os
import time
from importlib import import_module
from statistics import median
from typing import Final

from acesaround import variants
from acesaround.fast.playouts import simulate_deals
from fast_table import Reference, Row, Target

_SECONDS: Final = 1.0  # of OpenSpiel, in each round
_REACH: Final = 500_000
_AIM: Final = 1_000_000
_CORES: Final = 2
_GAIN: Final = 1.9
# Names of the figures.
_PLAIN: Final = "deals a second"
_GAINED: Final = "gain on two cores"
_GAINED_CPU: Final = "gain on two cores by the processor"
_THEIRS: Final = "OpenSpiel's loop"
_MELDS: Final = "with melds"
_THUMB: Final = "by rules of thumb"


class PlayoutMeasure:
    """Deals per second in each round, by kind of playout and number of threads."""

    name = "playouts"

    def __init__(self, number: int) -> None:
        self._number = number
        self._rules = variants.get("partnership")
        self._rates: dict[str, list[float]] = {}
        self._cpu = 0.0

    def round(self, number: int) -> None:
        """Measure one core, two cores and OpenSpiel; then one core with melds and by heuristic."""
        if not self._rates:
            for policy in ("random", "heuristic"):
                simulate_deals(self._rules, 100, policy=policy)  # compiles
        rate, wall = self._play(number)
        self._add(_PLAIN, rate)
        if (os.cpu_count() or 1) >= _CORES:
            rate_of_two, wall_of_two = self._play(number, threads=_CORES)
            self._add(_GAINED, wall / wall_of_two)
            self._add(_GAINED_CPU, _CORES * rate_of_two / rate)
        try:
            spiel = import_module("openspiel_reference")
        except ImportError:
            pass
        else:
            self._add(_THEIRS, spiel.deals_per_second(_SECONDS, number))
        self._add(_MELDS, self._play(number, melding=True)[0])
        self._add(_THUMB, self._play(number, policy="heuristic")[0])

    def _add(self, what: str, figure: float) -> None:
        self._rates.setdefault(what, []).append(figure)

    def _play(
        self, seed: int, *, policy: str = "random", threads: int = 1, melding: bool = False
    ) -> tuple[float, float]:
        """Return the deals played per second of processor time, and the wall seconds."""
        wall, cpu = time.perf_counter(), time.process_time()
        made = simulate_deals(
            self._rules, self._number, seed, policy, threads=threads, counts_melds=melding
        )
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        self._cpu += cpu
        return int((made.trump >= 0).sum()) / cpu, wall

    def row(self) -> Row:
        """Return the row with the medians of the rounds."""
        found = {what: median(figures) for what, figures in self._rates.items()}
        rate = found[_PLAIN]
        here = [f"{rate:,.0f} deals/s"]
        reach = [Target(f"{_REACH:,}/s", rate >= _REACH)]
        if _GAINED in found:
            here.append(f"x {found[_GAINED]:.2f} on two cores (CPU: x {found[_GAINED_CPU]:.2f})")
            reach.append(Target(f"x {_GAIN} on two", found[_GAINED] >= _GAIN))
        here += [f"{found[what]:,.0f}/s {what}" for what in (_MELDS, _THUMB)]
        references = [Reference(_THEIRS, "not installed")]
        if _THEIRS in found:
            theirs = found[_THEIRS]
            references = [Reference(_THEIRS, f"{theirs:,.0f} deals/s", rate / theirs)]
        return Row(
            name=self.name,
            what="random deals of partnership",
            here=here,
            cpu=self._cpu,
            references=references,
            reach=reach,
            aim=[Target(f"{_AIM:,}/s", rate >= _AIM)],
            figures=dict(self._rates),
        )
