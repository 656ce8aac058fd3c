"""Fast kernels, compiled by numba: deals solved exactly, played out by the million, drawn, tried.

They need `pip install 'acesaround[fast]'`; nothing before them on the line of imports does.
`compiled` says how kernels are compiled, `cache` where that is kept, `warm` does it ahead of time,
`memory` is what some of them read and write, and `law` is the law of play for all. There are four
rooms: `solver` and `playouts`, which know nothing of each other, `sampler`, which draws worlds with
parts of `playouts`, and `trials`, which tries choices in worlds by `solver` and by `playouts`.
"""

from acesaround.errors import PositionError
from acesaround.fast.solver import Answer, Budget, Position, Solver, SolverSetup, arrangement

__all__ = [
    "Answer",
    "Budget",
    "Position",
    "PositionError",
    "Solver",
    "SolverSetup",
    "arrangement",
]
