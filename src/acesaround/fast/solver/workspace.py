"""The solver's memory for one setup: the kernel's tables and the transposition table."""

from __future__ import annotations

from math import gcd
from typing import Final

import numpy as np
from msgspec.structs import replace

from acesaround.fast.solver import board, transposition_table
from acesaround.fast.solver.setup import SolverSetup, tables

_GENERATIONS: Final = 255


class SolverTables:
    """The tables of a setup, and a transposition table of fixed size, kept between questions.

    `unit`: the greatest common divisor of all points, in which kernels count; `nodes`: cards tried
    so far.
    """

    def __init__(self, of: SolverSetup, megabytes: int) -> None:
        unit = gcd(*of.points, of.last)
        made = tables(replace(of, points=tuple(p // unit for p in of.points), last=of.last // unit))
        lines = 1 << max(transposition_table.PROBES, (megabytes << 20) // 64).bit_length() - 1
        self.of, self.unit, self.nodes = of, unit, 0
        self.table = np.zeros(lines * 8 + transposition_table.BEHIND, np.int64)
        self.fixed, self.facts = made.fixed.copy(), made.facts
        self.fixed[board.LINES] = lines - 1
        self.fixed[board.GENERATION] = 1
        self.numbers: list[int] = made.fixed.tolist()  # a copy of `fixed` for Python code

    def forget(self) -> None:
        """Start a new generation of the transposition table, for another deal."""
        generation = int(self.fixed[board.GENERATION]) + 1
        if generation > _GENERATIONS:
            self.table[:] = 0
            generation = 1
        self.fixed[board.GENERATION] = generation
        self.table[-transposition_table.BEHIND :] = 0
