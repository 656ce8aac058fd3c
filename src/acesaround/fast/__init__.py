"""Kernels compiled by numba: a solver, mass playouts, a world sampler, rollouts, games in step.

They need `pip install 'acesaround[fast]'`; the layers below this package work without it.

`jit` compiles kernels, `cache` names the cache folders and `warmup` compiles ahead of time.
`raw_memory` gives kernels unchecked memory access. `legal_moves` has the rules of play for all
kernels. `calibration` measures hand weights, and `calibration_cache` stores them on disk.

There are five packages. `solver` and `playouts` are independent of each other. `sampler` draws
worlds and uses parts of `playouts`. `rollouts` tries choices in worlds with `solver` and
`playouts`. `stepping` steps many games at once, for `envs.vector_env`.
"""

from acesaround.errors import PositionError
from acesaround.fast.solver import (
    Budget,
    Position,
    Solver,
    SolverSetup,
    ValueInterval,
    solver_setup,
)

__all__ = [
    "Budget",
    "Position",
    "PositionError",
    "Solver",
    "SolverSetup",
    "ValueInterval",
    "solver_setup",
]
