"""A position laid out for the kernel, and questions about it asked there."""

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
    """A position laid out for the kernel. Questions about it are asked one after the other.

    `left`: the points left, from the trick in play on; `won`: what side 0 won by the trick that the
    last card completed (see `after`).
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
        for place, card in enumerate(position.trick):  # put back, to be played below
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
        """Lay out what stood at the start, and play those cards."""
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
        """The same position, to be asked about in between."""
        other = copy(self)
        other._lay([])
        return other

    def after(self, code: int) -> KernelPosition:
        """The position after a card of the player on turn, who has two cards at least."""
        other, base = copy(self), int(self._fresh[board.BASE])
        other._lay([code])
        if other._lead > base:
            other.won = int(other._fresh[base + board.GAINED])
        return other

    def equivalent_cards(self, cards: Sequence[Card]) -> dict[Card, int]:
        """For each legal card the code of one whose value is the same: nothing parts the two."""
        number = search.choices(self._memory, self._given[0])
        start = int(self._fresh[board.BASE]) + board.MOVES
        found = self._cells[start : start + number].tolist()
        runs = [(move >> 3 & 3, move >> 8 & 7, move & 7) for move in found]  # as in `moves`
        stands = {}
        for card in cards:
            suit, rank = self._codes[card] >> 3, self._codes[card] & 7
            for its, low, top in runs:
                if its == suit and low <= rank <= top:
                    stands[card] = its << 3 | top
        return stands

    def ask(self, need: int, watch: BudgetMonitor, nodes: int = 1 << 60) -> int | None:
        """What side 0 wins: `need` or more and a lower bound, or less and an upper bound.

        None if it takes more than `nodes` or the budget is spent: asked again, it goes on.
        """
        if self._forced is not None:
            return self._forced
        cells = self._cells
        if need != self._asked:
            if self._asked is not None:  # that one is given up, in the middle
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
    """Hashes wrap: numpy says so where nothing is compiled, but not in here."""
    return np.errstate(over="ignore")
