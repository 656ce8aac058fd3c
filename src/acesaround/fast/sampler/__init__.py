"""Worlds: full deals that agree with everything a seat knows, sampled exactly.

`knowledge` (with `melded`) reads a view, `plan` orders what is known, `tables` counts the ways over
kinds and room, `drawing` walks through them, `sampler` is what other code asks.
"""

from acesaround.fast.sampler.constraints import ALL, Constraints, Source, constraints
from acesaround.fast.sampler.sampler import Sampler, Worlds

__all__ = ["ALL", "Constraints", "Sampler", "Source", "Worlds", "constraints"]
