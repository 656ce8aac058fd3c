"""Compiling kernels once, before anybody waits for an answer.

The first use in a fresh install compiles for some seconds; later starts load what `cache.folder`
holds. `warm` does that off any path on which somebody waits; `ready` says whether it was done. Who
needs some kernels only says so, and waits for no others.
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
"""Called with how many kernels are compiled, of how many, and what is compiled next."""


def solver() -> None:
    """Ask the solver something small."""
    of = SolverSetup((0, 1), copies=2, points=(1, 1, 1, 0, 0, 0), last=1)
    hands = (parse_cards("AS KH QD"), parse_cards("TS TH AD"))
    Solver(of, 0).cards(Position(of, Suit.H, hands, 0))


def compile_playouts() -> None:
    """Play a deal of each course, and what is left of one that begins with the play."""
    for rules in map(variants.get, variants.unlike()):
        playouts.deals(rules, 1)
        if rules.phases[0] is not Phase.STOCK_PLAY:
            continue
        state = game.start(rules, 0)
        deal = game.decision(state).legal.sample(random.Random(0))
        playouts.finish(game.apply(state, deal)[0], 1)


def judge() -> None:
    """Measure what hands are worth, by hardly any deals."""
    calibration.measured(variants.get(variants.USUAL), _FEW)


SOLVER: Final = "the solver"
DEALS: Final = "whole deals"
JUDGE: Final = "what hands are worth"
CALLS: Final[dict[str, Callable[[], None]]] = {
    SOLVER: solver,
    DEALS: compile_playouts,
    JUDGE: judge,
}
"""What kernels are for, and a small call of them with the very types of later calls."""

_warmed: set[str] = set()


def warm(told: Told | None = None, only: Collection[str] = CALLS.keys()) -> None:
    """Compile kernels, or load them where that was done before. `only`: names of CALLS."""
    for done, name in enumerate(only):
        if told is not None:
            told(done, len(only), name)
        CALLS[name]()
        _note(name)
    if told is not None:
        told(len(only), len(only), "")


def _note(name: str) -> None:
    """Remember that something is compiled, for this process and for later ones."""
    _warmed.add(name)
    note = _place(name)
    if COMPILED and note is not None:
        with contextlib.suppress(OSError):  # the disk is full: the next start compiles again
            note.write_text(_mark(), encoding="utf-8")


def ready(only: Collection[str] = CALLS.keys()) -> bool:
    """Whether kernels answer without compiling: now, or after a second to load them."""
    return not COMPILED or all(name in _warmed or _noted(name) for name in only)


def _noted(name: str) -> bool:
    note = _place(name)
    try:
        return note is not None and note.read_text(encoding="utf-8") == _mark()
    except (OSError, UnicodeError):
        return False


def _place(name: str) -> Path | None:
    """The file that notes that something is compiled. None where nothing can be kept."""
    where = folder()
    return None if where is None else where / f"ready {name}"


def _mark() -> str:
    """What compiled code depends on besides what its sources say."""
    return f"numba {numba.__version__}, Python {sys.version}, {platform.platform()}\n"
