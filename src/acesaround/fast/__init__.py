"""Fast kernels, compiled by numba: the exact solver of the play with all hands known.

They need `pip install 'acesaround[fast]'`; nothing else in the package needs them. `compiled` says
how kernels are compiled, `arrangement` who plays against whom with which cards, `search` is the
kernel, `order` the order in which it tries moves, and `solver` what other code asks.
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
