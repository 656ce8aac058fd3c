"""Compiling every kernel once, before anybody waits for an answer.

The first use in a fresh install compiles for some seconds; later starts load what `cache.folder`
holds. `warm` does that off any path on which somebody waits; `ready` says whether it was done.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from typing import Final

import numba

from acesaround import game, variants
from acesaround.cards import Suit, parse_cards
from acesaround.fast import playouts
from acesaround.fast.arrangement import Arrangement
from acesaround.fast.cache import folder
from acesaround.fast.compiled import COMPILED
from acesaround.fast.solver import Position, Solver

Told = Callable[[int, int, str], None]
"""Called with how many kernels are compiled, of how many, and what is compiled next."""


def solver() -> None:
    """Ask the solver something small."""
    of = Arrangement((0, 1), copies=2, points=(1, 1, 1, 0, 0, 0), last=1)
    hands = (parse_cards("AS KH QD"), parse_cards("TS TH AD"))
    Solver(of, 0).cards(Position(of, Suit.H, hands, 0))


def dealer() -> None:
    """Play a deal, and a deal that has been dealt."""
    rules = variants.get("two-handed")
    playouts.deals(rules, 1)
    state = game.start(rules, 0)
    deal = game.decision(state).legal[0]
    playouts.finish(game.apply(state, deal)[0], 1)


CALLS: Final[list[tuple[str, Callable[[], None]]]] = [
    ("the solver", solver),
    ("whole deals", dealer),
]
"""A small call of each kernel, with the very types of later calls, and what it is for."""

_warmed = False


def warm(told: Told | None = None) -> None:
    """Compile every kernel, or load it where it has been compiled before."""
    global _warmed
    for done, (name, call) in enumerate(CALLS):
        if told is not None:
            told(done, len(CALLS), name)
        call()
    if told is not None:
        told(len(CALLS), len(CALLS), "")
    _warmed = True
    where = folder()
    if COMPILED and where is not None:
        try:
            (where / "ready").write_text(_mark(), encoding="utf-8")
        except OSError:  # it became full: the next start looks for itself what is compiled
            return


def ready() -> bool:
    """Whether kernels answer without compiling: now, or after a second to load them."""
    if _warmed or not COMPILED:
        return True
    where = folder()
    try:
        return where is not None and (where / "ready").read_text(encoding="utf-8") == _mark()
    except (OSError, UnicodeError):
        return False


def _mark() -> str:
    """What compiled code depends on besides its sources."""
    names = ", ".join(name for name, _ in CALLS)
    return f"numba {numba.__version__}, Python {sys.version}, {platform.platform()}: {names}\n"
