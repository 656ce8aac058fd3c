"""The solver's memory for one setup: the kernel's tables and the transposition table."""

from __future__ import annotations

from math import gcd
from typing import Final

import numpy as np
from msgspec.structs import replace

from acesaround.fast.solver import board, transposition_table
from acesaround.fast.solver.setup import Integers, SolverSetup, build_tables

_MAX_GENERATION: Final = 255


class SolverTables:
    """The tables of a setup, and a transposition table of fixed size, kept between questions.

    `point_unit`: the greatest common divisor of all points, in which kernels count; `nodes`: cards
    tried so far.
    """

    def __init__(self, setup: SolverSetup, megabytes: int) -> None:
        point_unit = gcd(*setup.points, setup.last_trick_points)
        kernel_tables = build_tables(
            replace(
                setup,
                points=tuple(p // point_unit for p in setup.points),
                last_trick_points=setup.last_trick_points // point_unit,
            )
        )
        lines = 1 << max(transposition_table.MAX_PROBES, (megabytes << 20) // 64).bit_length() - 1
        self.setup: SolverSetup = setup
        self.point_unit: int = point_unit
        self.nodes: int = 0
        self.transposition_table: Integers = np.zeros(
            lines * 8 + transposition_table.FOOTER_SIZE, np.int64
        )
        self.fixed: Integers = kernel_tables.fixed.copy()
        self.lane_facts: Integers = kernel_tables.lane_facts
        self.fixed[board.LINE_MASK] = lines - 1
        self.fixed[board.GENERATION] = 1
        self.fixed_values: list[int] = (
            kernel_tables.fixed.tolist()
        )  # a copy of `fixed` for Python code

    def start_generation(self) -> None:
        """Start a new generation of the transposition table, for another deal."""
        generation = int(self.fixed[board.GENERATION]) + 1
        if generation > _MAX_GENERATION:
            self.transposition_table[:] = 0
            generation = 1
        self.fixed[board.GENERATION] = generation
        self.transposition_table[-transposition_table.FOOTER_SIZE :] = 0
