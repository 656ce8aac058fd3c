"""The exact solver of the play with all hands known.

`arrangement` is who plays against whom with which cards, `position` what is left to be played, and
`solver` what other code asks; `objective` makes a number of points of "makes the bid". The solver
lays positions (`laid`) on a `ground` of tables and narrows an `interval` within a `budget`.
`search` is the kernel; its parts are `board`, `moves` in the `order` they are tried, `bounds`,
`proof` and `memo`.
"""

from acesaround.fast.solver.budget import Budget
from acesaround.fast.solver.position import Position, legal
from acesaround.fast.solver.setup import SolverSetup, arrangement
from acesaround.fast.solver.solver import Solver
from acesaround.fast.solver.value_bounds import Answer

__all__ = ["Answer", "Budget", "Position", "Solver", "SolverSetup", "arrangement", "legal"]
