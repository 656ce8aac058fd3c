"""Random deals of `partnership` played out, beside OpenSpiel's own loop of `spades`.

Ours: shuffle, deal, melds, 12 tricks, scored. Theirs: deal, bids, 13 tricks, scored. Both play any
legal card, each as likely. A deal in which the declarer has no marriage is not played and not
counted, though it takes time. On one core by the processor's time. Two are one process with two
threads by the clock, against one thread by the clock in the same round: what others do on the
machine makes that ratio smaller. By the processor's time it says what the threads cost each other.
"""

from __future__ import annotations

import os
import time
from importlib import import_module
from statistics import median
from typing import Final

from acesaround import variants
from acesaround.fast.playouts import deals
from fast_table import Beside, Row, Target

_SECONDS: Final = 1.0  # of OpenSpiel, a round
_REACH: Final = 500_000
_AIM: Final = 1_000_000
_CORES: Final = 2
_GAIN: Final = 1.9


class Playouts:
    """Deals a second in each round, by policy and number of threads."""

    name = "playouts"

    def __init__(self, number: int) -> None:
        self._number = number
        self._rules = variants.get("partnership")
        self._rates: list[float] = []
        self._by_rules: list[float] = []
        self._gains: list[float] = []
        self._gains_cpu: list[float] = []
        self._theirs: list[float] = []
        self._cpu = 0.0

    def round(self, number: int) -> None:
        """One core, two cores, OpenSpiel, and one core again by rules of thumb."""
        if not self._rates:
            for policy in ("random", "rules"):
                deals(self._rules, 100, policy=policy)  # compiles
        rate, one_wall = self._play("random", number, 1)
        self._rates.append(rate)
        if (os.cpu_count() or 1) >= _CORES:
            rate_of_two, two_wall = self._play("random", number, _CORES)
            self._gains.append(one_wall / two_wall)
            self._gains_cpu.append(_CORES * rate_of_two / rate)
        try:
            spiel = import_module("openspiel_reference")
        except ImportError:
            pass
        else:
            self._theirs.append(spiel.deals_per_second(_SECONDS, number))
        self._by_rules.append(self._play("rules", number, 1)[0])

    def _play(self, policy: str, seed: int, threads: int) -> tuple[float, float]:
        """Deals that were played, a second of the processor; and the seconds of the clock."""
        wall, cpu = time.perf_counter(), time.process_time()
        made = deals(self._rules, self._number, seed, policy, threads=threads)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        self._cpu += cpu
        return int((made.trump >= 0).sum()) / cpu, wall

    def row(self) -> Row:
        """Medians of the rounds."""
        rate, thumb = median(self._rates), median(self._by_rules)
        here = [f"{rate:,.0f} deals/s"]
        reach = [Target(f"{_REACH:,}/s", rate >= _REACH)]
        if self._gains:
            cpu = median(self._gains_cpu)
            here.append(f"x {median(self._gains):.2f} on two cores (CPU: x {cpu:.2f})")
            reach.append(Target(f"x {_GAIN} on two", median(self._gains) >= _GAIN))
        here.append(f"{thumb:,.0f} deals/s by rules of thumb")
        beside = [Beside("OpenSpiel's loop", "not installed")]
        if self._theirs:
            theirs = median(self._theirs)
            beside = [Beside("OpenSpiel's loop", f"{theirs:,.0f} deals/s", rate / theirs)]
        return Row(
            name=self.name,
            what="random deals of partnership",
            here=here,
            cpu=self._cpu,
            beside=beside,
            reach=reach,
            aim=[Target(f"{_AIM:,}/s", rate >= _AIM)],
            figures={
                "deals a second": self._rates,
                "by rules of thumb": self._by_rules,
                "gain on two cores": self._gains,
                "gain on two cores by the processor": self._gains_cpu,
                "OpenSpiel": self._theirs,
            },
        )
