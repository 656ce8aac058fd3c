"""Compilation of kernels ahead of time, so that no request waits for it.

The first use in a fresh install compiles for some seconds; later starts load the compiled code from
`cache.kernel_cache_folder`. `warm_up` compiles or loads kernels, and `is_ready` returns whether
that was done. Both take the names of the kernels that a caller needs.
"""

from __future__ import annotations

import contextlib
import platform
import random
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

import numba

from acesaround import game, variants
from acesaround.cards import Suit, parse_cards
from acesaround.fast import calibration, playouts
from acesaround.fast.cache import kernel_cache_folder
from acesaround.fast.jit import COMPILED
from acesaround.fast.solver import Position, Solver
from acesaround.fast.solver.setup import SolverSetup
from acesaround.rules import Phase

_CALIBRATION_DEALS: Final = 30  # deals
ProgressCallback = Callable[[int, int, str], None]
"""A progress callback: steps done, steps in all, and the name of the next step."""


def compile_solver() -> None:
    """Solve a small position."""
    setup = SolverSetup((0, 1), copies=2, points=(1, 1, 1, 0, 0, 0), last_trick_points=1)
    hands = (parse_cards("AS KH QD"), parse_cards("TS TH AD"))
    Solver(setup, 0).card_values(Position(setup, Suit.H, hands, 0))


def compile_playouts() -> None:
    """Play a deal of each kind of variant, and finish one of each that begins with stock play.

    Two variants are of one kind if they share phases, copies and partnerships.
    """
    for rules in map(variants.get, variants.distinct_variants()):
        playouts.simulate_deals(rules, 1)
        if rules.phases[0] is not Phase.STOCK_PLAY:
            continue
        state = game.start(rules, 0)
        deal = game.decision(state).legal.sample(random.Random(0))
        playouts.play_out(game.apply(state, deal)[0], 1)


def compile_calibration() -> None:
    """Calibrate hand weights on a few deals."""
    calibration.measure_hand_weights(variants.get(variants.DEFAULT_VARIANT), _CALIBRATION_DEALS)


SOLVER: Final = "the solver"
PLAYOUTS: Final = "whole deals"
CALIBRATION: Final = "what hands are worth"
WARMUP_CALLS: Final[dict[str, Callable[[], None]]] = {
    SOLVER: compile_solver,
    PLAYOUTS: compile_playouts,
    CALIBRATION: compile_calibration,
}
"""The purposes of kernels, each with a small call that has the argument types of later calls."""

_warmed_up: set[str] = set()


def warm_up(
    on_progress: ProgressCallback | None = None, purposes: Collection[str] = WARMUP_CALLS.keys()
) -> None:
    """Compile kernels, or load compiled ones. `purposes`: names of WARMUP_CALLS."""
    for steps_done, name in enumerate(purposes):
        if on_progress is not None:
            on_progress(steps_done, len(purposes), name)
        WARMUP_CALLS[name]()
        _mark_compiled(name)
    if on_progress is not None:
        on_progress(len(purposes), len(purposes), "")


def _mark_compiled(name: str) -> None:
    """Record that some kernels are compiled, for this process and for later ones."""
    _warmed_up.add(name)
    marker = _marker_path(name)
    if COMPILED and marker is not None:
        with contextlib.suppress(OSError):  # the disk is full: the next start compiles again
            marker.write_text(_marker_text(), encoding="utf-8")


def is_ready(purposes: Collection[str] = WARMUP_CALLS.keys()) -> bool:
    """Return whether kernels are usable without compiling; loading them may take a second."""
    return not COMPILED or all(name in _warmed_up or _is_marked(name) for name in purposes)


def _is_marked(name: str) -> bool:
    marker = _marker_path(name)
    try:
        return marker is not None and marker.read_text(encoding="utf-8") == _marker_text()
    except (OSError, UnicodeError):
        return False


def _marker_path(name: str) -> Path | None:
    """Return the file that marks kernels as compiled, or None if no folder can be written."""
    cache_folder = kernel_cache_folder()
    return None if cache_folder is None else cache_folder / f"ready {name}"


def _marker_text() -> str:
    """Return the versions and the platform on which compiled code depends, besides its sources."""
    return f"numba {numba.__version__}, Python {sys.version}, {platform.platform()}\n"
