"""A position in the memory layout of the kernel, and searches on it."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from acesaround.cards import KIND_COUNT, RANK_COUNT, Card
from acesaround.errors import PositionError
from acesaround.fast.raw_memory import memory_of
from acesaround.fast.solver import board, search
from acesaround.fast.solver.budget import BudgetMonitor
from acesaround.fast.solver.position import Position, forced_points
from acesaround.fast.solver.setup import to_signed_64
from acesaround.fast.solver.solver_tables import SolverTables


class KernelPosition:
    """A position in the memory layout of the kernel, for one search at a time.

    `points_left`: the points left, including the trick in play; `points_won`: what side 0 won by
    the trick that the last card completed (see `after_playing`).
    """

    def __init__(self, tables: SolverTables, position: Position) -> None:
        if position.setup != tables.setup:
            raise PositionError("The position and the solver have different setups.")
        self.tables: SolverTables = tables
        fixed, setup = tables.fixed_values, position.setup
        suits = [position.trump, *(suit for suit in range(4) if suit != position.trump)]
        code_of_card = [0] * KIND_COUNT
        for suit_index, suit in enumerate(suits):
            for rank in range(setup.ranks):
                code_of_card[RANK_COUNT * suit + rank] = suit_index << 3 | setup.ranks - 1 - rank
        hands = [list(hand) for hand in position.hands]
        tricks_left = len(hands[position.turn])
        for index, card in enumerate(position.trick):  # back into the hand; `_reset_board` plays it
            hands[(position.leader + index) % setup.players].append(card)
        cells = [0] * (board.FRAMES + board.FRAME_SIZE)
        bits_per_rank, shape_hash, points_left = (
            fixed[board.BITS_PER_RANK],
            0,
            fixed[board.LAST_TRICK_POINTS],
        )
        for player, hand in enumerate(hands):
            word, shift = (
                fixed[board.WORD_OF_PLAYER + player],
                fixed[board.SHIFT_OF_PLAYER + player],
            )
            for card in hand:
                code = code_of_card[card]
                suit, rank = code >> 3, code & 7
                card_bit = 1 << rank * bits_per_rank
                cells[board.LANES + (suit << 4 | player)] += card_bit
                cells[board.SUIT_TOTALS + suit] += card_bit
                cells[board.PACKED_LANES + 3 * suit + word] += card_bit << shift
                shape_hash += fixed[board.SHAPE_HASHES + (suit << 7 | player << 3 | rank)]
                points_left += fixed[board.RANK_POINTS + rank]
        words = slice(board.PACKED_LANES, board.PACKED_LANES + 12)
        cells[words] = map(to_signed_64, cells[words])
        cells[board.SHAPE_HASH] = to_signed_64(shape_hash)
        cells[board.CURRENT_FRAME] = board.FRAMES
        frame = board.FRAMES
        cells[frame + board.PLAYER] = position.leader
        cells[frame + board.POINTS_LEFT], cells[frame + board.TRICKS_LEFT] = (
            points_left,
            tricks_left,
        )
        cells[frame + board.TRUMP_BROKEN] = int(bool(position.is_trump_broken))
        cell_count = board.FRAMES + (sum(map(len, hands)) + 1) * board.FRAME_SIZE
        self.points_won: int = 0
        self.nodes: int = 0
        self._code_of_card = code_of_card
        self._forced_points = (
            forced_points(position) // tables.point_unit if tricks_left < 2 else None
        )
        self._initial_cells, self._cell_count = np.array(cells, np.int64), cell_count
        self._constant_memories = (
            memory_of(tables.fixed),
            memory_of(tables.lane_facts),
            memory_of(tables.transposition_table),
        )
        self._reset_board([code_of_card[card] for card in position.trick])

    def _reset_board(self, codes: list[int]) -> None:
        """Set up a new board as it was at the start, and play those cards."""
        self._cells = np.zeros(self._cell_count, np.int64)
        self._cells[: len(self._initial_cells)] = self._initial_cells
        self._memory = memory_of(self._cells)
        with _ignore_overflow():
            for code in codes:
                search.play_and_advance(self._memory, self._constant_memories[0], code)
        root = int(self._cells[board.CURRENT_FRAME])
        self._cells[board.ROOT_FRAME] = root
        self._initial_cells = self._cells[: root + board.FRAME_SIZE].copy()
        self._lead_frame = root - int(self._cells[root + board.TRICK_PLACE]) * board.FRAME_SIZE
        self.points_left: int = int(self._cells[self._lead_frame + board.POINTS_LEFT])
        self._current_need: int | None = None

    def copy(self) -> KernelPosition:
        """Return the position on its own board, for other questions during a search."""
        other = copy(self)
        other._reset_board([])
        return other

    def after_playing(self, code: int) -> KernelPosition:
        """Return the position after a card of the player on turn, who holds at least two cards."""
        other, root = copy(self), int(self._initial_cells[board.ROOT_FRAME])
        other._reset_board([code])
        if other._lead_frame > root:
            other.points_won = int(other._initial_cells[root + board.POINTS_GAINED])
        return other

    def equivalent_cards(self, cards: Sequence[Card]) -> dict[Card, int]:
        """Return for each legal card the code of a card that must have the same value.

        Two cards are equivalent if neither another player's card, nor the winning card of the
        trick, nor a change of worth separates them.
        """
        move_count = search.generate_moves(self._memory, self._constant_memories[0])
        start = int(self._initial_cells[board.ROOT_FRAME]) + board.MOVES
        moves = self._cells[start : start + move_count].tolist()
        # for the layout of a move see `move_generation._add_moves`
        runs = [(move >> 3 & 3, move >> 8 & 7, move & 7) for move in moves]
        code_of_card = {}
        for card in cards:
            suit, rank = self._code_of_card[card] >> 3, self._code_of_card[card] & 7
            for run_suit, low, top in runs:
                if run_suit == suit and low <= rank <= top:
                    code_of_card[card] = run_suit << 3 | top
        return code_of_card

    def search_bound(
        self, need: int, monitor: BudgetMonitor, node_limit: int = 1 << 60
    ) -> int | None:
        """Search whether side 0 wins at least `need`, in units of the workspace.

        Return a lower bound that is at least `need`, or an upper bound below it. Return None if the
        search takes more than `node_limit` or the budget is spent; the next call with this `need`
        continues it.
        """
        if self._forced_points is not None:
            return self._forced_points
        cells = self._cells
        if need != self._current_need:
            if self._current_need is not None:  # abandon the unfinished search
                cells[: len(self._initial_cells)] = self._initial_cells
            self._current_need = need
            cells[self._lead_frame + board.NEED] = need
            cells[board.NODE_COUNT] = 0
        end = self.nodes + node_limit
        while True:
            slice_nodes = min(monitor.next_slice(), end - self.nodes)
            if slice_nodes <= 0:
                return None
            nodes_before = int(cells[board.NODE_COUNT])
            cells[board.NODE_LIMIT] = nodes_before + slice_nodes
            with _ignore_overflow():
                is_done = search.search(self._memory, *self._constant_memories)
            nodes_used = int(cells[board.NODE_COUNT]) - nodes_before
            self.nodes += nodes_used
            self.tables.nodes += nodes_used
            monitor.spend(nodes_used)
            if is_done:
                self._current_need = None
                return int(cells[board.RESULT])


def _ignore_overflow() -> np.errstate:
    """Silence numpy's overflow warnings in uncompiled code, because hashes wrap."""
    return np.errstate(over="ignore")
