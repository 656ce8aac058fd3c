"""Rollouts with the exact solver: the value of each card in a world if everyone plays perfectly.

The solver plays one side against all others. This module encodes worlds for the solver's kernels
one after the other, without creating Python objects for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.cards import KINDS, RANKS
from acesaround.fast.jit import arrayless_kernel, lowest
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.raw_memory import Memory, at, given, memory, put
from acesaround.fast.solver.board import (
    AT,
    BASE,
    BITS,
    BROKEN,
    FRAME,
    FRAMES,
    GAINED,
    LANES,
    LAST,
    LEFT,
    LIMIT,
    NEED,
    NODES,
    PLACE,
    PLAYER,
    RESULT,
    SHAPE,
    SHAPES,
    SHIFT,
    TOTALS,
    TRICKS,
    WORD,
    WORDS,
    WORTH,
)
from acesaround.fast.solver.search import advance, search
from acesaround.fast.solver.setup import SolverSetup
from acesaround.fast.solver.workspace import SolverTables

Array: TypeAlias = Any  # of int64; numba infers it

_MEGABYTES = 32


class Exact:
    """The solver for one setup, for use by one thread at a time."""

    def __init__(self, of: SolverSetup) -> None:
        self._ground = SolverTables(of, _MEGABYTES)
        self._of = of

    def values(
        self,
        hands: Integers,
        trump: int,
        leader: int,
        trick: Sequence[int],
        broken: bool,
        choices: Integers,
        nodes: int,
    ) -> tuple[NDArray[np.int64], int]:
        """Return the points that side 0 wins from here on by each choice: (worlds, choices).

        Also return how many worlds were solved before `nodes` were spent. Later rows are not
        filled.

        `hands`: the present hands, (worlds, players, copies). `trick`: the kinds in it so far. Each
        player must have at least two cards before the trick. Results are deterministic.
        """
        ground, of = self._ground, self._of
        ground.forget()
        suits = [trump, *(suit for suit in range(4) if suit != trump)]
        codes = np.full(KINDS, -1, np.int64)
        for number, suit in enumerate(suits):
            for rank in range(of.ranks):
                codes[RANKS * suit + rank] = number << 3 | of.ranks - 1 - rank
        players, cards = hands.shape[1], int(np.bitwise_count(hands[0]).sum()) + len(trick)
        cells = np.zeros(FRAMES + (cards + 2) * FRAME, np.int64)
        found = np.zeros((len(hands), len(choices)), np.int64)
        with np.errstate(over="ignore"):  # hashes wrap around
            solved = _values(
                hands,
                codes,
                leader,
                np.array(trick, np.int64),
                int(broken),
                choices,
                cards // players,
                nodes,
                cells,
                np.zeros_like(cells),
                memory(cells),
                memory(ground.fixed),
                memory(ground.facts),
                memory(ground.table),
                found,
            )
        return found * ground.unit, solved


@lru_cache(maxsize=8)
def exact(of: SolverSetup, _thread: int) -> Exact:
    """Return the cached solver of a setup for a thread."""
    return Exact(of)


@arrayless_kernel
def _values(
    hands: Array,
    codes: Array,
    leader: int,
    trick: Array,
    broken: int,
    choices: Array,
    tricks: int,
    nodes: int,
    cells: Array,
    fresh: Array,
    room: Memory,
    fixed: Memory,
    facts: Memory,
    table: Memory,
    found: Array,
) -> int:
    for world in range(hands.shape[0]):
        for place in range(FRAMES + FRAME):
            cells[place] = 0
        _lay(hands[world], codes, leader, trick, broken, tricks, room, fixed)
        for place in range(trick.shape[0]):
            advance(room, fixed, codes[trick[place]])
        before = at(room, AT)
        for place in range(before + FRAME):
            fresh[place] = cells[place]
        for choice in range(choices.shape[0]):
            for place in range(before + FRAME):
                cells[place] = fresh[place]
            advance(room, fixed, codes[choices[choice]])
            base = at(room, AT)
            won = at(room, before + GAINED) if at(room, base + PLACE) == 0 else 0
            lead = base - at(room, base + PLACE) * FRAME
            put(room, BASE, base)
            low, high = 0, at(room, lead + LEFT)
            guess = (low + high + 1) // 2
            if world:  # the value of a card is similar in all worlds
                guess = found[world - 1, choice] - won
            elif choice:
                guess = found[world, choice - 1] - won
            while low < high:
                need = min(max(guess, low + 1), high)
                put(room, lead + NEED, need)
                put(room, NODES, 0)
                put(room, LIMIT, nodes)
                done = search(room, fixed, facts, table)
                nodes -= at(room, NODES)
                if not done or nodes <= 0:
                    return world
                result = at(room, RESULT)
                if result >= need:
                    low = min(result, high)
                    guess = low + 1
                else:
                    high = max(result, low)
                    guess = high
            found[world, choice] = won + low
    worlds: int = hands.shape[0]
    return worlds


@arrayless_kernel
def _lay(
    hands: Array,
    codes: Array,
    leader: int,
    trick: Array,
    broken: int,
    tricks: int,
    room: Memory,
    fixed: Memory,
) -> None:
    """Encode a world as it was before the current trick."""
    left, players = given(fixed, LAST), hands.shape[0]
    for player in range(players):
        for copy in range(hands.shape[1]):
            held = hands[player, copy]
            while held:
                left += _put(room, fixed, player, codes[lowest(held)])
                held &= held - 1
    for place in range(trick.shape[0]):
        left += _put(room, fixed, (leader + place) % players, codes[trick[place]])
    put(room, AT, FRAMES)
    put(room, FRAMES + PLAYER, leader)
    put(room, FRAMES + LEFT, left)
    put(room, FRAMES + TRICKS, tricks)
    put(room, FRAMES + BROKEN, broken)


@arrayless_kernel
def _put(room: Memory, fixed: Memory, player: int, code: int) -> int:
    """Put a card into a hand; return its points."""
    suit, rank = code >> 3, code & 7
    card = 1 << rank * given(fixed, BITS)
    lane, word = LANES + (suit << 4 | player), WORDS + 3 * suit + given(fixed, WORD + player)
    put(room, lane, at(room, lane) + card)
    put(room, TOTALS + suit, at(room, TOTALS + suit) + card)
    put(room, word, at(room, word) + (card << given(fixed, SHIFT + player)))
    put(room, SHAPE, at(room, SHAPE) + given(fixed, SHAPES + (suit << 7 | player << 3 | rank)))
    worth: int = given(fixed, WORTH + rank)
    return worth
