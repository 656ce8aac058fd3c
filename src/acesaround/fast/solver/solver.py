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
from acesaround.fast.solver.position import Position, legal_plays
from acesaround.fast.solver.setup import SolverSetup
from acesaround.fast.solver.solver_tables import SolverTables
from acesaround.fast.solver.value_bounds import ValueBounds, ValueInterval, initial_guess

__all__ = ["Budget", "Position", "Solver", "ValueInterval", "legal_plays"]

_FIRST_NODE_LIMIT: Final = 250_000  # first node limit for the value of a position
_FIRST_CARD_NODE_LIMIT: Final = 16_000  # first node limit for each card in `Solver.card_values`
_MAX_VALUE_NODES: Final = (
    30_000_000  # in `Solver.card_values`: most nodes for the value of the position
)
_VALUE_BUDGET_SHARE: Final = 0.35  # in `Solver.card_values`: fraction of the budget for the value


class Solver:
    """A solver for the positions of one setup. `megabytes`: the fixed size of its table.

    A solver is not thread-safe: it answers one question at a time.
    """

    def __init__(self, setup: SolverSetup, megabytes: int = 256) -> None:
        self.setup: SolverSetup = setup
        self._tables = SolverTables(setup, megabytes)

    @property
    def nodes(self) -> int:
        """Cards tried so far, for all questions."""
        return self._tables.nodes

    def start_new_deal(self) -> None:
        """Free the entries of the table for another deal. They stay correct, but take up space."""
        self._tables.start_generation()

    def value(
        self,
        position: Position,
        budget: Budget | None = None,
        on_progress: Callable[[ValueInterval], None] | None = None,
    ) -> ValueInterval:
        """Return what side 0 wins from here on with the best play of both sides.

        The callback `on_progress` receives the bounds so far now and then.
        """
        monitor = BudgetMonitor(
            budget, None if on_progress is None else lambda: on_progress(bounds.answer)
        )
        bounds = ValueBounds(KernelPosition(self._tables, position), initial_guess(position))
        node_limit = _FIRST_NODE_LIMIT * monitor.node_limit_factor
        while bounds.is_open and not monitor.is_over:
            bounds.narrow(monitor, node_limit)
            node_limit *= 2
        return bounds.answer

    def can_win(self, position: Position, points: int, budget: Budget | None = None) -> bool | None:
        """Return whether side 0 wins that many points from here on; None if the budget ran out."""
        need = -(-points // self._tables.point_unit)
        bound = KernelPosition(self._tables, position).search_bound(
            need, BudgetMonitor(budget, None)
        )
        return None if bound is None else bound >= need

    def card_values(
        self,
        position: Position,
        budget: Budget | None = None,
        on_progress: Callable[[dict[Card, ValueInterval]], None] | None = None,
    ) -> dict[Card, ValueInterval]:
        """Return what side 0 wins from here on by each legal card of the player on turn.

        The budget is for all cards together. A part of it goes to the value of the position, which
        bounds every card; the cards share the rest evenly. The callback `on_progress` receives the
        bounds so far now and then.
        """
        monitor = BudgetMonitor(
            budget, None if on_progress is None else lambda: on_progress(answers())
        )
        cards = legal_plays(position)
        kernel_position = KernelPosition(self._tables, position)
        value_bounds = ValueBounds(kernel_position, initial_guess(position))
        # a single card has the value of the position
        code_of_card = kernel_position.equivalent_cards(cards) if len(cards) > 1 else {}
        bounds_of_code = {
            code: ValueBounds(kernel_position.after_playing(code)) for code in code_of_card.values()
        }
        is_maximizing = self.setup.sides[position.turn] == 0

        def answers() -> dict[Card, ValueInterval]:
            bounds_of_card = {
                card: bounds_of_code[code_of_card[card]] if bounds_of_code else value_bounds
                for card in cards
            }
            return {card: bounds.answer for card, bounds in bounds_of_card.items()}

        monitor.fraction_limit = _VALUE_BUDGET_SHARE if bounds_of_code else 1
        node_limit = _FIRST_NODE_LIMIT * monitor.node_limit_factor
        while (
            value_bounds.is_open
            and not (bounds_of_code and value_bounds.nodes > _MAX_VALUE_NODES)
            and not monitor.is_over
        ):
            value_bounds.narrow(monitor, node_limit)  # bounds every card, because none is better
            node_limit *= 2
        monitor.fraction_limit = 1
        for bounds in bounds_of_code.values():
            if is_maximizing:
                bounds.tighten(0, value_bounds.upper_bound)
            else:
                bounds.tighten(value_bounds.lower_bound, bounds.upper_bound)
        node_limit = _FIRST_CARD_NODE_LIMIT * monitor.node_limit_factor
        while any(bounds.is_open for bounds in bounds_of_code.values()) and not monitor.is_over:
            for bounds in bounds_of_code.values():
                bounds.narrow(monitor, node_limit)
            node_limit *= 2
        return answers()

    def principal_variation(
        self, position: Position, budget: Budget | None = None
    ) -> tuple[tuple[int, Card], ...]:
        """Return a principal variation: players and their cards when both sides play best.

        The line ends with the last card, or earlier if the budget does not suffice to find a best
        card.
        """
        moves: list[tuple[int, Card]] = []
        while any(position.hands):
            turn = position.turn
            is_maximizing = self.setup.sides[turn] == 0
            answers = self.card_values(position, budget)
            if is_maximizing:
                best = max(answers, key=lambda card: answers[card].lower_bound)
                is_proven_best = all(
                    answers[best].lower_bound >= answer.upper_bound for answer in answers.values()
                )
            else:
                best = min(answers, key=lambda card: answers[card].upper_bound)
                is_proven_best = all(
                    answers[best].upper_bound <= answer.lower_bound for answer in answers.values()
                )
            if not is_proven_best and len(answers) > 1:
                break
            moves.append((turn, best))
            position, _ = position.after_playing(best)
        return tuple(moves)
