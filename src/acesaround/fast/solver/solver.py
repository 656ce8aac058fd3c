"""Exact answers about the play with all hands known: values, thresholds, every legal card.

A `Solver` answers questions about each `Position` of one setup, and keeps its transposition table
between them. A budget may end a question early. The answer then has bounds that differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from acesaround.cards import Card
from acesaround.fast.solver.budget import Budget, BudgetMonitor
from acesaround.fast.solver.kernel_position import KernelPosition
from acesaround.fast.solver.position import Position, legal
from acesaround.fast.solver.setup import SolverSetup
from acesaround.fast.solver.value_bounds import Answer, Interval, initial_guess
from acesaround.fast.solver.workspace import SolverTables

__all__ = ["Answer", "Budget", "Position", "Solver", "legal"]

_TURN: Final = 250_000  # first node limit for the value of a position
_CARD_TURN: Final = 16_000  # first node limit for each card in `Solver.cards`
_VALUE_NODES: Final = 30_000_000  # in `Solver.cards`: most nodes for the value of the position
_VALUE_FIRST: Final = 0.35  # in `Solver.cards`: fraction of the budget for the value


class Solver:
    """A solver for the positions of one setup. `megabytes`: the fixed size of its table.

    A solver is not thread-safe: it answers one question at a time.
    """

    def __init__(self, of: SolverSetup, megabytes: int = 256) -> None:
        self.of, self._ground = of, SolverTables(of, megabytes)

    @property
    def nodes(self) -> int:
        """Cards tried so far, for all questions."""
        return self._ground.nodes

    def forget(self) -> None:
        """Free the entries of the table for another deal. They stay correct, but take up space."""
        self._ground.forget()

    def value(
        self,
        position: Position,
        budget: Budget | None = None,
        told: Callable[[Answer], None] | None = None,
    ) -> Answer:
        """Return what side 0 wins from here on with the best play of both sides.

        The callback `told` receives the bounds so far now and then.
        """
        watch = BudgetMonitor(budget, None if told is None else lambda: told(best.answer))
        best = Interval(KernelPosition(self._ground, position), initial_guess(position))
        nodes = _TURN * watch.patience
        while best.open and not watch.over:
            best.narrow(watch, nodes)
            nodes *= 2
        return best.answer

    def reaches(self, position: Position, points: int, budget: Budget | None = None) -> bool | None:
        """Return whether side 0 wins that many points from here on; None if the budget ran out."""
        need = -(-points // self._ground.unit)
        found = KernelPosition(self._ground, position).ask(need, BudgetMonitor(budget, None))
        return None if found is None else found >= need

    def cards(
        self,
        position: Position,
        budget: Budget | None = None,
        told: Callable[[dict[Card, Answer]], None] | None = None,
    ) -> dict[Card, Answer]:
        """Return what side 0 wins from here on by each legal card of the player on turn.

        The budget is for all cards together. A part of it goes to the value of the position, which
        bounds every card; the cards share the rest evenly. The callback `told` receives the bounds
        so far now and then.
        """
        watch = BudgetMonitor(budget, None if told is None else lambda: told(answers()))
        cards = legal(position)
        laid = KernelPosition(self._ground, position)
        best = Interval(laid, initial_guess(position))
        # a single card has the value of the position
        stands = laid.equivalent_cards(cards) if len(cards) > 1 else {}
        each = {code: Interval(laid.after(code)) for code in stands.values()}
        ours = self.of.sides[position.turn] == 0

        def answers() -> dict[Card, Answer]:
            found = {card: each[stands[card]] if each else best for card in cards}
            return {card: one.answer for card, one in found.items()}

        watch.until = _VALUE_FIRST if each else 1
        nodes = _TURN * watch.patience
        while best.open and not (each and best.nodes > _VALUE_NODES) and not watch.over:
            best.narrow(watch, nodes)  # bounds every card, because none is better
            nodes *= 2
        watch.until = 1
        for one in each.values():
            if ours:
                one.limit(0, best.high)
            else:
                one.limit(best.low, one.high)
        nodes = _CARD_TURN * watch.patience
        while any(one.open for one in each.values()) and not watch.over:
            for one in each.values():
                one.narrow(watch, nodes)
            nodes *= 2
        return answers()

    def line(
        self, position: Position, budget: Budget | None = None
    ) -> tuple[tuple[int, Card], ...]:
        """Return a principal variation: players and their cards when both sides play best.

        The line ends with the last card, or earlier if the budget does not suffice to find a best
        card.
        """
        played: list[tuple[int, Card]] = []
        while any(position.hands):
            turn = position.turn
            ours = self.of.sides[turn] == 0
            found = self.cards(position, budget)
            if ours:
                best = max(found, key=lambda card: found[card].low)
                sure = all(found[best].low >= answer.high for answer in found.values())
            else:
                best = min(found, key=lambda card: found[card].high)
                sure = all(found[best].high <= answer.low for answer in found.values())
            if not sure and len(found) > 1:
                break
            played.append((turn, best))
            position, _ = position.after(best)
        return tuple(played)
