"""Comparison with others who hold the same cards of a deal: bots, and best play that sees all.

Duplicate bridge compares results in the same way.
"""

from __future__ import annotations

import random
from typing import Final

import msgspec

from acesaround import bots, game
from acesaround.game.events import DealScored
from acesaround.game.state import DecisionKind, GameState, Playing
from acesaround.game.view import view_for
from acesaround.record import Step
from acesaround.rules import Renege
from acesaround.rules.feature_support import Feature, why_unsupported
from acesaround.solve import LocatedPosition, SolveBudget, solve

BOT: Final = "search:time=0.02"
"""The bot that plays the cards of a deal again, in all seats."""
_SOLVER_NODES: Final = 50_000_000
"""The limit of the solver: up to ten seconds. Without a result in time, there is none."""
_SOLVER_MEGABYTES: Final = 64


class DuplicateComparison(msgspec.Struct, frozen=True):
    """The result of a deal for one side, and what others make of the same cards.

    `points`: the change of the side's total. `bot_points`: the same if bots play these cards in all
    seats, at the same score. `play_points`: the side's points in the tricks, None if the deal ended
    before the play. `best_play_points`: the same if all play their best and see all cards, with the
    same contract, and with the same tricks before the stock was empty; None if the solver does not
    answer.
    """

    points: int
    bot_points: int
    play_points: int | None
    best_play_points: int | None


def compare_duplicate(deal_steps: list[Step], side: int, seed: int) -> DuplicateComparison:
    """Return what others make of the cards of a finished deal.

    `deal_steps`: its steps, the first of which deals the cards.
    """
    start, end = deal_steps[0], deal_steps[-1]
    first_play = next(
        (step.before for step in deal_steps if isinstance(step.before.phase, Playing)), None
    )
    scores = [event.score for event in end.events if isinstance(event, DealScored)]
    replayed = play_deal(start.after, seed)
    return DuplicateComparison(
        points=end.after.scores[side] - start.before.scores[side],
        bot_points=replayed.scores[side] - start.before.scores[side],
        play_points=scores[0].play[side] if scores and first_play is not None else None,
        best_play_points=None if first_play is None else solve_play(first_play, side),
    )


def play_deal(state: GameState, seed: int) -> GameState:
    """Return the state after bots played a deal to its end, from the state after the cards."""
    bots.measure_hand_weights(state.rules)
    players = [bots.make(BOT, random.Random(f"{seed} {seat}")) for seat in range(state.rules.seats)]
    while state.phase is not None:
        decision = game.decision(state)
        if decision.kind is DecisionKind.DEAL or decision.seat is None:
            break
        action = players[decision.seat].choose(view_for(state, decision.seat), decision)
        state, _ = game.apply(state, action, decision.seat)
    return state


def solve_play(state: GameState, side: int) -> int | None:
    """Return a side's points in the tricks if all play their best and see all cards.

    `state`: before the first card. Return None if the solver cannot answer within its limit.
    """
    rules = state.rules
    if rules.play.renege is not Renege.REFUSE or why_unsupported(rules, Feature.SOLVER):
        return None
    seats = tuple(seat for seat in state.players if rules.side_of(seat) == side)
    if not seats:
        return None
    solution = solve(
        LocatedPosition(state), seats, SolveBudget(_SOLVER_NODES), megabytes=_SOLVER_MEGABYTES
    )
    return solution.won + solution.low if solution.low == solution.high else None
