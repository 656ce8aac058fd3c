"""Rollouts with the exact solver: the value of each card in a world if everyone plays perfectly.

The solver plays one side against all others. This module encodes worlds for the solver's kernels
one after the other, without creating Python objects for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.cards import KIND_COUNT, RANK_COUNT
from acesaround.fast.jit import arrayless_kernel, lowest_bit
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.raw_memory import Memory, memory_of, read_fixed_word, read_word, write_word
from acesaround.fast.solver.board import (
    BITS_PER_RANK,
    CURRENT_FRAME,
    FRAME_SIZE,
    FRAMES,
    LANES,
    LAST_TRICK_POINTS,
    NEED,
    NODE_COUNT,
    NODE_LIMIT,
    PACKED_LANES,
    PLAYER,
    POINTS_GAINED,
    POINTS_LEFT,
    RANK_POINTS,
    RESULT,
    ROOT_FRAME,
    SHAPE_HASH,
    SHAPE_HASHES,
    SHIFT_OF_PLAYER,
    SUIT_TOTALS,
    TRICK_PLACE,
    TRICKS_LEFT,
    TRUMP_BROKEN,
    WORD_OF_PLAYER,
)
from acesaround.fast.solver.search import play_and_advance, search
from acesaround.fast.solver.setup import SolverSetup
from acesaround.fast.solver.workspace import SolverTables

Array: TypeAlias = Any  # of int64; numba infers it

_MEGABYTES = 32


class TrickSoFar(NamedTuple):
    """The trick so far, which all worlds share, for the solver."""

    trump: int
    leader: int
    """The player who leads the trick."""
    cards: Sequence[int]
    """The kinds in the trick so far."""
    broken: bool
    """Whether trump may be led freely."""


class _Encoded(NamedTuple):
    """A `TrickSoFar` as the kernel reads it."""

    codes: Integers
    """The solver's code of each kind: (24,)."""
    leader: int
    cards: Integers
    broken: int
    tricks: int
    """The tricks from the current one on."""


class _Room(NamedTuple):
    """The solver's memory."""

    cells: Integers
    fresh: Integers
    """A copy of `cells` before the first choice."""
    memory: Memory
    """The memory of `cells`."""
    fixed: Memory
    facts: Memory
    table: Memory


class Exact:
    """The solver for one setup, for use by one thread at a time."""

    def __init__(self, of: SolverSetup) -> None:
        self._ground = SolverTables(of, _MEGABYTES)
        self._of = of

    def values(
        self, hands: Integers, trick: TrickSoFar, choices: Integers, nodes: int
    ) -> tuple[NDArray[np.int64], int]:
        """Return the points that side 0 wins from here on by each choice: (worlds, choices).

        Also return how many worlds were solved before `nodes` were spent. Later rows are not
        filled.

        `hands`: the present hands, (worlds, players, copies). Each player must have at least two
        cards before the trick. Results are deterministic.
        """
        ground, of, trump = self._ground, self._of, trick.trump
        ground.start_generation()
        suits = [trump, *(suit for suit in range(4) if suit != trump)]
        codes = np.full(KIND_COUNT, -1, np.int64)
        for number, suit in enumerate(suits):
            for rank in range(of.ranks):
                codes[RANK_COUNT * suit + rank] = number << 3 | of.ranks - 1 - rank
        players, cards = hands.shape[1], int(np.bitwise_count(hands[0]).sum()) + len(trick.cards)
        encoded = _Encoded(
            codes,
            trick.leader,
            np.array(trick.cards, np.int64),
            int(trick.broken),
            cards // players,
        )
        cells = np.zeros(FRAMES + (cards + 2) * FRAME_SIZE, np.int64)
        room = _Room(
            cells,
            np.zeros_like(cells),
            memory_of(cells),
            memory_of(ground.fixed),
            memory_of(ground.lane_facts),
            memory_of(ground.transposition_table),
        )
        found = np.zeros((len(hands), len(choices)), np.int64)
        with np.errstate(over="ignore"):  # hashes wrap around
            solved = _values(hands, encoded, choices, nodes, room, found)
        return found * ground.point_unit, solved


@lru_cache(maxsize=8)
def solver_of(of: SolverSetup, _thread: int) -> Exact:
    """Return the cached solver of a setup for a thread."""
    return Exact(of)


@arrayless_kernel
def _values(
    hands: Array, trick: _Encoded, choices: Array, nodes: int, work: _Room, found: Array
) -> int:
    cells, fresh, codes, played = work.cells, work.fresh, trick.codes, trick.cards
    room, fixed, facts, table = work.memory, work.fixed, work.facts, work.table
    for world in range(hands.shape[0]):
        for place in range(FRAMES + FRAME_SIZE):
            cells[place] = 0
        _place_hands(hands[world], trick, room, fixed)
        for place in range(played.shape[0]):
            play_and_advance(room, fixed, codes[played[place]])
        before = read_word(room, CURRENT_FRAME)
        for place in range(before + FRAME_SIZE):
            fresh[place] = cells[place]
        for choice in range(choices.shape[0]):
            for place in range(before + FRAME_SIZE):
                cells[place] = fresh[place]
            play_and_advance(room, fixed, codes[choices[choice]])
            base = read_word(room, CURRENT_FRAME)
            won = (
                read_word(room, before + POINTS_GAINED)
                if read_word(room, base + TRICK_PLACE) == 0
                else 0
            )
            lead = base - read_word(room, base + TRICK_PLACE) * FRAME_SIZE
            write_word(room, ROOT_FRAME, base)
            low, high = 0, read_word(room, lead + POINTS_LEFT)
            guess = (low + high + 1) // 2
            if world:  # the value of a card is similar in all worlds
                guess = found[world - 1, choice] - won
            elif choice:
                guess = found[world, choice - 1] - won
            while low < high:
                need = min(max(guess, low + 1), high)
                write_word(room, lead + NEED, need)
                write_word(room, NODE_COUNT, 0)
                write_word(room, NODE_LIMIT, nodes)
                done = search(room, fixed, facts, table)
                nodes -= read_word(room, NODE_COUNT)
                if not done or nodes <= 0:
                    return world
                result = read_word(room, RESULT)
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
def _place_hands(hands: Array, trick: _Encoded, room: Memory, fixed: Memory) -> None:
    """Encode a world as it was before the current trick."""
    left, players, codes = read_fixed_word(fixed, LAST_TRICK_POINTS), hands.shape[0], trick.codes
    for player in range(players):
        for copy in range(hands.shape[1]):
            held = hands[player, copy]
            while held:
                left += _place_card(room, fixed, player, codes[lowest_bit(held)])
                held &= held - 1
    for place in range(trick.cards.shape[0]):
        left += _place_card(
            room, fixed, (trick.leader + place) % players, codes[trick.cards[place]]
        )
    write_word(room, CURRENT_FRAME, FRAMES)
    write_word(room, FRAMES + PLAYER, trick.leader)
    write_word(room, FRAMES + POINTS_LEFT, left)
    write_word(room, FRAMES + TRICKS_LEFT, trick.tricks)
    write_word(room, FRAMES + TRUMP_BROKEN, trick.broken)


@arrayless_kernel
def _place_card(room: Memory, fixed: Memory, player: int, code: int) -> int:
    """Put a card into a hand; return its points."""
    suit, rank = code >> 3, code & 7
    card = 1 << rank * read_fixed_word(fixed, BITS_PER_RANK)
    lane, word = (
        LANES + (suit << 4 | player),
        PACKED_LANES + 3 * suit + read_fixed_word(fixed, WORD_OF_PLAYER + player),
    )
    write_word(room, lane, read_word(room, lane) + card)
    write_word(room, SUIT_TOTALS + suit, read_word(room, SUIT_TOTALS + suit) + card)
    write_word(
        room,
        word,
        read_word(room, word) + (card << read_fixed_word(fixed, SHIFT_OF_PLAYER + player)),
    )
    write_word(
        room,
        SHAPE_HASH,
        read_word(room, SHAPE_HASH)
        + read_fixed_word(fixed, SHAPE_HASHES + (suit << 7 | player << 3 | rank)),
    )
    worth: int = read_fixed_word(fixed, RANK_POINTS + rank)
    return worth
