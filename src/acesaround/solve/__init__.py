"""Any position of the play solved with all hands known: `acesaround solve`.

`place` finds the position, in a record or from hands that were typed; `solution` asks the solver;
`page` shows the answer, to people and to programs.
"""

from acesaround.solve.locate import Place, position_from_hands, position_from_record
from acesaround.solve.solution import Solution, SolveBudget, solve

__all__ = [
    "Place",
    "Solution",
    "SolveBudget",
    "position_from_hands",
    "position_from_record",
    "solve",
]
