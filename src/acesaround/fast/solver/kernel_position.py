"""A position in the memory layout of the kernel, and searches on it."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from acesaround.cards import KINDS, RANKS, Card
from acesaround.errors import PositionError
from acesaround.fast.raw_memory import memory
from acesaround.fast.solver import board, search
from acesaround.fast.solver.budget import BudgetMonitor
from acesaround.fast.solver.position import Position, played_out
from acesaround.fast.solver.setup import wrapped
from acesaround.fast.solver.workspace import SolverTables


class KernelPosition:
    """A position in the memory layout of the kernel, for one search at a time.

    `left`: the points left, including the trick in play; `won`: what side 0 won by the trick that
    the last card completed (see `after`).
    """

    def __init__(self, ground: SolverTables, position: Position) -> None:
        if position.of != ground.of:
            raise PositionError("That position is of another arrangement than the solver.")
        self.ground, fixed, of = ground, ground.numbers, position.of
        suits = [position.trump, *(suit for suit in range(4) if suit != position.trump)]
        codes = [0] * KINDS
        for number, suit in enumerate(suits):
            for rank in range(of.ranks):
                codes[RANKS * suit + rank] = number << 3 | of.ranks - 1 - rank
        hands = [list(hand) for hand in position.hands]
        tricks = len(hands[position.turn])
        for place, card in enumerate(position.trick):  # back into the hand; `_lay` plays it
            hands[(position.leader + place) % of.players].append(card)
        cells = [0] * (board.FRAMES + board.FRAME)
        bits, shape, left = fixed[board.BITS], 0, fixed[board.LAST]
        for player, hand in enumerate(hands):
            word, shift = fixed[board.WORD + player], fixed[board.SHIFT + player]
            for card in hand:
                code = codes[card]
                suit, rank = code >> 3, code & 7
                one = 1 << rank * bits
                cells[board.LANES + (suit << 4 | player)] += one
                cells[board.TOTALS + suit] += one
                cells[board.WORDS + 3 * suit + word] += one << shift
                shape += fixed[board.SHAPES + (suit << 7 | player << 3 | rank)]
                left += fixed[board.WORTH + rank]
        words = slice(board.WORDS, board.WORDS + 12)
        cells[words] = map(wrapped, cells[words])
        cells[board.SHAPE] = wrapped(shape)
        cells[board.AT] = board.FRAMES
        frame = board.FRAMES
        cells[frame + board.PLAYER] = position.leader
        cells[frame + board.LEFT], cells[frame + board.TRICKS] = left, tricks
        cells[frame + board.BROKEN] = int(bool(position.broken))
        deep = board.FRAMES + (sum(map(len, hands)) + 1) * board.FRAME
        self.won, self.nodes, self._codes = 0, 0, codes
        self._forced = played_out(position) // ground.unit if tricks < 2 else None
        self._fresh, self._deep = np.array(cells, np.int64), deep
        self._given = memory(ground.fixed), memory(ground.facts), memory(ground.table)
        self._lay([codes[card] for card in position.trick])

    def _lay(self, codes: list[int]) -> None:
        """Set up a new board as it was at the start, and play those cards."""
        self._cells = np.zeros(self._deep, np.int64)
        self._cells[: len(self._fresh)] = self._fresh
        self._memory = memory(self._cells)
        with _wrapping():
            for code in codes:
                search.advance(self._memory, self._given[0], code)
        base = int(self._cells[board.AT])
        self._cells[board.BASE] = base
        self._fresh = self._cells[: base + board.FRAME].copy()
        self._lead = base - int(self._cells[base + board.PLACE]) * board.FRAME
        self.left = int(self._cells[self._lead + board.LEFT])
        self._asked: int | None = None

    def copy(self) -> KernelPosition:
        """Return the position on its own board, for other questions during a search."""
        other = copy(self)
        other._lay([])
        return other

    def after(self, code: int) -> KernelPosition:
        """Return the position after a card of the player on turn, who holds at least two cards."""
        other, base = copy(self), int(self._fresh[board.BASE])
        other._lay([code])
        if other._lead > base:
            other.won = int(other._fresh[base + board.GAINED])
        return other

    def equivalent_cards(self, cards: Sequence[Card]) -> dict[Card, int]:
        """Return for each legal card the code of a card that must have the same value.

        Two cards are equivalent if neither another player's card, nor the winning card of the
        trick, nor a change of worth separates them.
        """
        number = search.choices(self._memory, self._given[0])
        start = int(self._fresh[board.BASE]) + board.MOVES
        found = self._cells[start : start + number].tolist()
        # for the layout of a move see `move_generation._add`
        runs = [(move >> 3 & 3, move >> 8 & 7, move & 7) for move in found]
        stands = {}
        for card in cards:
            suit, rank = self._codes[card] >> 3, self._codes[card] & 7
            for its, low, top in runs:
                if its == suit and low <= rank <= top:
                    stands[card] = its << 3 | top
        return stands

    def ask(self, need: int, watch: BudgetMonitor, nodes: int = 1 << 60) -> int | None:
        """Search whether side 0 wins at least `need`, in units of the workspace.

        Return a lower bound that is at least `need`, or an upper bound below it. Return None if the
        search takes more than `nodes` or the budget is spent; the next call with this `need`
        continues it.
        """
        if self._forced is not None:
            return self._forced
        cells = self._cells
        if need != self._asked:
            if self._asked is not None:  # abandon the unfinished search
                cells[: len(self._fresh)] = self._fresh
            self._asked = need
            cells[self._lead + board.NEED] = need
            cells[board.NODES] = 0
        end = self.nodes + nodes
        while True:
            more = min(watch.slice(), end - self.nodes)
            if more <= 0:
                return None
            before = int(cells[board.NODES])
            cells[board.LIMIT] = before + more
            with _wrapping():
                done = search.search(self._memory, *self._given)
            used = int(cells[board.NODES]) - before
            self.nodes += used
            self.ground.nodes += used
            watch.spend(used)
            if done:
                self._asked = None
                return int(cells[board.RESULT])


def _wrapping() -> np.errstate:
    """Silence numpy's overflow warnings in uncompiled code, because hashes wrap."""
    return np.errstate(over="ignore")
