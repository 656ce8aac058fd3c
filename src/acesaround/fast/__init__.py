"""Fast kernels, compiled by numba: the exact solver of the play with all hands known.

They need `pip install 'acesaround[fast]'`; nothing else in the package needs them. `compiled` says
how kernels are compiled and `memory` what they read and write; `law` is the law of play for all of
them. Of the solver, `arrangement` is who plays against whom with which cards, `position` what is
left to be played, and `solver` what other code asks. It lays positions (`laid`) on a `ground` of
tables and narrows an `interval` within a `budget`. `search` is the kernel; its parts are `board`,
`moves` in the `order` they are tried, `bounds`, `proof` and `memo`.
"""

from acesaround.fast.arrangement import Arrangement, PositionError, arrangement
from acesaround.fast.solver import Answer, Budget, Position, Solver

__all__ = [
    "Answer",
    "Arrangement",
    "Budget",
    "Position",
    "PositionError",
    "Solver",
    "arrangement",
]
