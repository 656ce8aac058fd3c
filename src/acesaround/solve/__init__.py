"""Solving of positions in the play with all hands known: `acesaround solve`.

`position_source` finds the position, in a record or from typed hands. `solution` runs the solver.
`text_report` formats the solution, as text or as JSON.
"""

from acesaround.solve.position_source import (
    LocatedPosition,
    position_from_hands,
    position_from_record,
)
from acesaround.solve.solution import Solution, SolveBudget, solve

__all__ = [
    "LocatedPosition",
    "Solution",
    "SolveBudget",
    "position_from_hands",
    "position_from_record",
    "solve",
]
