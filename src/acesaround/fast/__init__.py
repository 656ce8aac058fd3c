"""Fast kernels, compiled by numba: positions solved exactly, deals played out by the million.

They need `pip install 'acesaround[fast]'`; nothing before them on the line of imports does.
`compiled` says how kernels are compiled, `cache` where that is kept, `warm` does it ahead of time,
`memory` is what some of them read and write, and `law` is the law of play for all. The two rooms
know nothing of each other: `solver`, and `playouts`.
"""

from acesaround.errors import PositionError
from acesaround.fast.solver import Answer, Arrangement, Budget, Position, Solver, arrangement

__all__ = [
    "Answer",
    "Arrangement",
    "Budget",
    "Position",
    "PositionError",
    "Solver",
    "arrangement",
]
