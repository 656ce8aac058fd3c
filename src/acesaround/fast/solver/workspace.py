"""What positions of an arrangement are laid out on: the kernel's tables, and all it has proven."""

from __future__ import annotations

from math import gcd
from typing import Final

import numpy as np
from msgspec.structs import replace

from acesaround.fast.solver import board, transposition_table
from acesaround.fast.solver.setup import SolverSetup, tables

_GENERATIONS: Final = 255


class SolverTables:
    """The tables of an arrangement, and a memo of fixed size that stays from question to question.

    `unit`: points are counted in it, the greatest that divides all; `nodes`: cards tried so far.
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
        self.numbers: list[int] = made.fixed.tolist()  # the same, for Python

    def forget(self) -> None:
        """Let the memo be used for another deal."""
        generation = int(self.fixed[board.GENERATION]) + 1
        if generation > _GENERATIONS:
            self.table[:] = 0
            generation = 1
        self.fixed[board.GENERATION] = generation
        self.table[-transposition_table.BEHIND :] = 0
