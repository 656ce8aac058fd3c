"""Sampler: draws worlds, full deals that agree with everything a seat knows, exactly.

`constraint_reader` (with `meld_constraints`) reads a view into `constraints`. `plan` decides the
order of the kinds and which conditions the tables include. `counting_tables` counts the ways to
deal the unseen cards. `draw` walks through the tables at random. `sampler` is the interface for
other packages. `states` makes states of the engine from worlds.
"""

from acesaround.fast.sampler.constraint_reader import read_constraints
from acesaround.fast.sampler.constraints import ALL_SOURCES, Constraints, Source
from acesaround.fast.sampler.draw import Worlds
from acesaround.fast.sampler.sampler import Sampler
from acesaround.fast.sampler.states import draw_states, sample_states

__all__ = [
    "ALL_SOURCES",
    "Constraints",
    "Sampler",
    "Source",
    "Worlds",
    "draw_states",
    "read_constraints",
    "sample_states",
]
