"""An exact double-dummy solver: the play of tricks with all hands known.

`setup` has the players, sides and deck, `position` the cards left to play, and `solver` the public
interface. `objective` turns goals such as "make the bid" into a number of points.
`kernel_position` lays out a position on the tables of `solver_tables`. `value_bounds` narrows the
bounds on its value within a `budget`. `search` is the kernel; its parts are `board`,
`move_generation`, `move_ordering`, `static_bounds`, `dependency_sets` and `transposition_table`.
"""

from acesaround.fast.solver.budget import Budget
from acesaround.fast.solver.position import Position, legal_plays
from acesaround.fast.solver.setup import SolverSetup, solver_setup
from acesaround.fast.solver.solver import Solver
from acesaround.fast.solver.value_bounds import ValueInterval

__all__ = [
    "Budget",
    "Position",
    "Solver",
    "SolverSetup",
    "ValueInterval",
    "legal_plays",
    "solver_setup",
]
