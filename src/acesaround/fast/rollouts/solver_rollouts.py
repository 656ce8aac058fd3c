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
from acesaround.fast.solver.solver_tables import SolverTables

Array: TypeAlias = Any  # of int64; numba infers it

_MEGABYTES = 32


class TrickSoFar(NamedTuple):
    """The trick so far, which all worlds share, for the solver."""

    trump: int
    leader: int
    """The player who leads the trick."""
    cards: Sequence[int]
    """The kinds in the trick so far."""
    is_trump_broken: bool
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


class _Buffers(NamedTuple):
    """The solver's memory."""

    cells: Integers
    fresh: Integers
    """A copy of `cells` before the first choice."""
    memory: Memory
    """The memory of `cells`."""
    fixed: Memory
    facts: Memory
    table: Memory


class WorldSolver:
    """The solver for one setup, for use by one thread at a time."""

    def __init__(self, setup: SolverSetup) -> None:
        self._tables = SolverTables(setup, _MEGABYTES)
        self._setup = setup

    def solve_worlds(
        self, hands: Integers, trick: TrickSoFar, choices: Integers, nodes: int
    ) -> tuple[NDArray[np.int64], int]:
        """Return the points that side 0 wins from here on by each choice: (worlds, choices).

        Also return how many worlds were solved before `nodes` were spent. Later rows are not
        filled.

        `hands`: the present hands, (worlds, players, copies). Each player must have at least two
        cards before the trick. Results are deterministic.
        """
        tables, setup, trump = self._tables, self._setup, trick.trump
        tables.start_generation()
        suits = [trump, *(suit for suit in range(4) if suit != trump)]
        codes = np.full(KIND_COUNT, -1, np.int64)
        for number, suit in enumerate(suits):
            for rank in range(setup.ranks):
                codes[RANK_COUNT * suit + rank] = number << 3 | setup.ranks - 1 - rank
        players, cards = hands.shape[1], int(np.bitwise_count(hands[0]).sum()) + len(trick.cards)
        encoded = _Encoded(
            codes,
            trick.leader,
            np.array(trick.cards, np.int64),
            int(trick.is_trump_broken),
            cards // players,
        )
        cells = np.zeros(FRAMES + (cards + 2) * FRAME_SIZE, np.int64)
        buffers = _Buffers(
            cells,
            np.zeros_like(cells),
            memory_of(cells),
            memory_of(tables.fixed),
            memory_of(tables.lane_facts),
            memory_of(tables.transposition_table),
        )
        found = np.zeros((len(hands), len(choices)), np.int64)
        with np.errstate(over="ignore"):  # hashes wrap around
            solved = _solve_worlds(hands, encoded, choices, nodes, buffers, found)
        return found * tables.point_unit, solved


@lru_cache(maxsize=8)
def cached_solver(setup: SolverSetup, _thread: int) -> WorldSolver:
    """Return the cached solver of a setup for a thread."""
    return WorldSolver(setup)


@arrayless_kernel
def _solve_worlds(
    hands: Array, trick: _Encoded, choices: Array, nodes: int, work: _Buffers, found: Array
) -> int:
    cells, fresh, codes, played = work.cells, work.fresh, trick.codes, trick.cards
    board, fixed, facts, table = work.memory, work.fixed, work.facts, work.table
    for world in range(hands.shape[0]):
        for place in range(FRAMES + FRAME_SIZE):
            cells[place] = 0
        _place_hands(hands[world], trick, board, fixed)
        for place in range(played.shape[0]):
            play_and_advance(board, fixed, codes[played[place]])
        before = read_word(board, CURRENT_FRAME)
        for place in range(before + FRAME_SIZE):
            fresh[place] = cells[place]
        for choice in range(choices.shape[0]):
            for place in range(before + FRAME_SIZE):
                cells[place] = fresh[place]
            play_and_advance(board, fixed, codes[choices[choice]])
            base = read_word(board, CURRENT_FRAME)
            won = (
                read_word(board, before + POINTS_GAINED)
                if read_word(board, base + TRICK_PLACE) == 0
                else 0
            )
            lead = base - read_word(board, base + TRICK_PLACE) * FRAME_SIZE
            write_word(board, ROOT_FRAME, base)
            low, high = 0, read_word(board, lead + POINTS_LEFT)
            guess = (low + high + 1) // 2
            if world:  # the value of a card is similar in all worlds
                guess = found[world - 1, choice] - won
            elif choice:
                guess = found[world, choice - 1] - won
            while low < high:
                need = min(max(guess, low + 1), high)
                write_word(board, lead + NEED, need)
                write_word(board, NODE_COUNT, 0)
                write_word(board, NODE_LIMIT, nodes)
                done = search(board, fixed, facts, table)
                nodes -= read_word(board, NODE_COUNT)
                if not done or nodes <= 0:
                    return world
                result = read_word(board, RESULT)
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
def _place_hands(hands: Array, trick: _Encoded, board: Memory, fixed: Memory) -> None:
    """Encode a world as it was before the current trick."""
    left, players, codes = read_fixed_word(fixed, LAST_TRICK_POINTS), hands.shape[0], trick.codes
    for player in range(players):
        for copy in range(hands.shape[1]):
            held = hands[player, copy]
            while held:
                left += _place_card(board, fixed, player, codes[lowest_bit(held)])
                held &= held - 1
    for place in range(trick.cards.shape[0]):
        left += _place_card(
            board, fixed, (trick.leader + place) % players, codes[trick.cards[place]]
        )
    write_word(board, CURRENT_FRAME, FRAMES)
    write_word(board, FRAMES + PLAYER, trick.leader)
    write_word(board, FRAMES + POINTS_LEFT, left)
    write_word(board, FRAMES + TRICKS_LEFT, trick.tricks)
    write_word(board, FRAMES + TRUMP_BROKEN, trick.broken)


@arrayless_kernel
def _place_card(board: Memory, fixed: Memory, player: int, code: int) -> int:
    """Put a card into a hand; return its points."""
    suit, rank = code >> 3, code & 7
    card = 1 << rank * read_fixed_word(fixed, BITS_PER_RANK)
    lane, word = (
        LANES + (suit << 4 | player),
        PACKED_LANES + 3 * suit + read_fixed_word(fixed, WORD_OF_PLAYER + player),
    )
    write_word(board, lane, read_word(board, lane) + card)
    write_word(board, SUIT_TOTALS + suit, read_word(board, SUIT_TOTALS + suit) + card)
    write_word(
        board,
        word,
        read_word(board, word) + (card << read_fixed_word(fixed, SHIFT_OF_PLAYER + player)),
    )
    write_word(
        board,
        SHAPE_HASH,
        read_word(board, SHAPE_HASH)
        + read_fixed_word(fixed, SHAPE_HASHES + (suit << 7 | player << 3 | rank)),
    )
    worth: int = read_fixed_word(fixed, RANK_POINTS + rank)
    return worth
