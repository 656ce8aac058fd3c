"""Exact answers about the play of a deal with all hands known: values, thresholds, every card.

`Position` is what is left to be played, `Solver` answers for one arrangement and keeps its table of
what it has proven. A question may be given up after a number of nodes or seconds; bounds come back
then, and say that they are bounds.
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

_TURN: Final = 250_000  # nodes of the first question about a position before easier ones are tried,
_CARD_TURN: Final = 16_000  # and about a card where all are asked about
_VALUE_NODES: Final = 30_000_000  # before all cards are asked about: how many nodes at most,
_VALUE_FIRST: Final = 0.35  # and what part of the budget, for the value of the position


class Solver:
    """Answers for one arrangement. `megabytes`: the size of its table, which never grows.

    One question at a time: a solver is not to be shared by threads that ask at the same moment.
    """

    def __init__(self, of: SolverSetup, megabytes: int = 256) -> None:
        self.of, self._ground = of, SolverTables(of, megabytes)

    @property
    def nodes(self) -> int:
        """Cards tried so far, for all questions."""
        return self._ground.nodes

    def forget(self) -> None:
        """Let the table be used for another deal. What it holds stays true, but fills it."""
        self._ground.forget()

    def value(
        self,
        position: Position,
        budget: Budget | None = None,
        told: Callable[[Answer], None] | None = None,
    ) -> Answer:
        """What side 0 wins from here on with the best play of both sides.

        `told` is called now and then with the bounds so far.
        """
        watch = BudgetMonitor(budget, None if told is None else lambda: told(best.answer))
        best = Interval(KernelPosition(self._ground, position), initial_guess(position))
        nodes = _TURN * watch.patience
        while best.open and not watch.over:
            best.narrow(watch, nodes)
            nodes *= 2
        return best.answer

    def reaches(self, position: Position, points: int, budget: Budget | None = None) -> bool | None:
        """Whether side 0 wins that many points from here on; None if the budget ran out."""
        need = -(-points // self._ground.unit)
        found = KernelPosition(self._ground, position).ask(need, BudgetMonitor(budget, None))
        return None if found is None else found >= need

    def cards(
        self,
        position: Position,
        budget: Budget | None = None,
        told: Callable[[dict[Card, Answer]], None] | None = None,
    ) -> dict[Card, Answer]:
        """What side 0 wins from here on by each legal card of the player on turn.

        The budget is for all of them together: a part of it goes to the value of the position,
        which bounds every card, and the rest is shared out evenly. `told` is called now and then
        with the bounds so far.
        """
        watch = BudgetMonitor(budget, None if told is None else lambda: told(answers()))
        cards = legal(position)
        laid = KernelPosition(self._ground, position)
        best = Interval(laid, initial_guess(position))
        # with one card only, its value is that of the position
        stands = laid.equivalent_cards(cards) if len(cards) > 1 else {}
        each = {code: Interval(laid.after(code)) for code in stands.values()}
        ours = self.of.sides[position.turn] == 0

        def answers() -> dict[Card, Answer]:
            found = {card: each[stands[card]] if each else best for card in cards}
            return {card: one.answer for card, one in found.items()}

        watch.until = _VALUE_FIRST if each else 1
        nodes = _TURN * watch.patience
        while best.open and not (each and best.nodes > _VALUE_NODES) and not watch.over:
            best.narrow(watch, nodes)  # the value of the position: every card is at most as good
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
        """A principal line: who plays what when both sides play best.

        It goes to the last card, or as far as the budget suffices to find such a card.
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
