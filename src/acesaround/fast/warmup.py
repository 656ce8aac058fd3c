"""Compilation of kernels ahead of time, so that no request waits for it.

The first use in a fresh install compiles for some seconds; later starts load the compiled code from
`cache.folder`. `warm` compiles or loads kernels, and `ready` returns whether that was done. Both
take the names of the kernels that a caller needs.
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
from acesaround.fast.cache import folder
from acesaround.fast.jit import COMPILED
from acesaround.fast.solver import Position, Solver
from acesaround.fast.solver.setup import SolverSetup
from acesaround.rules import Phase

_FEW: Final = 30  # deals
Told = Callable[[int, int, str], None]
"""A progress callback: steps done, steps in all, and the name of the next step."""


def solver() -> None:
    """Solve a small position."""
    of = SolverSetup((0, 1), copies=2, points=(1, 1, 1, 0, 0, 0), last=1)
    hands = (parse_cards("AS KH QD"), parse_cards("TS TH AD"))
    Solver(of, 0).cards(Position(of, Suit.H, hands, 0))


def compile_playouts() -> None:
    """Play a deal of each kind of variant, and finish one of each that begins with stock play.

    Two variants are of one kind if they share phases, copies and partnerships.
    """
    for rules in map(variants.get, variants.unlike()):
        playouts.deals(rules, 1)
        if rules.phases[0] is not Phase.STOCK_PLAY:
            continue
        state = game.start(rules, 0)
        deal = game.decision(state).legal.sample(random.Random(0))
        playouts.finish(game.apply(state, deal)[0], 1)


def judge() -> None:
    """Calibrate hand weights on a few deals."""
    calibration.measured(variants.get(variants.USUAL), _FEW)


SOLVER: Final = "the solver"
DEALS: Final = "whole deals"
JUDGE: Final = "what hands are worth"
CALLS: Final[dict[str, Callable[[], None]]] = {
    SOLVER: solver,
    DEALS: compile_playouts,
    JUDGE: judge,
}
"""The purposes of kernels, each with a small call that has the argument types of later calls."""

_warmed: set[str] = set()


def warm(told: Told | None = None, only: Collection[str] = CALLS.keys()) -> None:
    """Compile kernels, or load them if they are compiled already. `only`: names of CALLS."""
    for done, name in enumerate(only):
        if told is not None:
            told(done, len(only), name)
        CALLS[name]()
        _note(name)
    if told is not None:
        told(len(only), len(only), "")


def _note(name: str) -> None:
    """Record that some kernels are compiled, for this process and for later ones."""
    _warmed.add(name)
    note = _place(name)
    if COMPILED and note is not None:
        with contextlib.suppress(OSError):  # the disk is full: the next start compiles again
            note.write_text(_mark(), encoding="utf-8")


def ready(only: Collection[str] = CALLS.keys()) -> bool:
    """Return whether kernels are usable without compiling; loading them may take a second."""
    return not COMPILED or all(name in _warmed or _noted(name) for name in only)


def _noted(name: str) -> bool:
    note = _place(name)
    try:
        return note is not None and note.read_text(encoding="utf-8") == _mark()
    except (OSError, UnicodeError):
        return False


def _place(name: str) -> Path | None:
    """Return the file that marks kernels as compiled, or None if no folder can be written."""
    where = folder()
    return None if where is None else where / f"ready {name}"


def _mark() -> str:
    """Return the versions and the platform on which compiled code depends, besides its sources."""
    return f"numba {numba.__version__}, Python {sys.version}, {platform.platform()}\n"
