"""What an action costs: wrong ones are mistakes, and right ones are not."""

from __future__ import annotations

import math
import random

import pytest
from _pytest.mark.structures import ParameterSet

from acesaround import game, variants
from acesaround.actions import PASS, Bid, Give
from acesaround.game.state import DecisionKind, GameState
from acesaround.game.view import view_for
from acesaround.review import Evaluation, evaluate_action
from acesaround.review import evaluation as evaluation_module
from tests.bots.positions.position import Position, positions
from tests.random_games import turns
from tests.scripted_games import action

_SECONDS = 0.05
POSITIONS = positions()


def sample(found: list[Position]) -> list[ParameterSet]:
    """Return the first position of each fault for the gate, and the others for `make soak`."""
    first = {position.fault: position for position in reversed(found)}
    return [
        pytest.param(
            position,
            marks=[] if position is first[position.fault] else [pytest.mark.soak],
            id=f"{position.fault}: {position.name}",
        )
        for position in found
    ]


def evaluate(state: GameState, text: str, seed: int = 0) -> Evaluation | None:
    """Evaluate an action in the notation of scripted games."""
    decision = game.decision(state)
    view = view_for(state, decision.seat)
    return evaluate_action(view, decision, action(text), _SECONDS, seed)


@pytest.mark.parametrize("position", sample([one for one in POSITIONS if one.wrong]))
def test_a_wrong_action_is_a_mistake(position: Position) -> None:
    evaluation = evaluate(position.state(), position.wrong[0])
    assert evaluation is not None
    assert evaluation.is_mistake, position.why
    assert position.allows(evaluation.best), position.why
    assert evaluation.chance_lost > evaluation.chance_error > 0
    assert evaluation.reason


@pytest.mark.parametrize("position", sample([one for one in POSITIONS if one.right]))
def test_the_right_action_is_no_mistake(position: Position) -> None:
    evaluation = evaluate(position.state(), position.right[0])
    assert evaluation is not None
    assert not evaluation.is_mistake, position.why


def test_a_decision_is_compared_in_more_worlds_while_it_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = next(one for one in POSITIONS if one.wrong)
    monkeypatch.setattr(evaluation_module, "_OPEN_ERRORS", 0.0)
    once = evaluate(position.state(), position.wrong[0])
    monkeypatch.setattr(evaluation_module, "_OPEN_ERRORS", math.inf)
    often = evaluate(position.state(), position.wrong[0])
    assert once is not None
    assert often is not None
    assert often.best == once.best
    assert 0 < often.chance_error < 0.8 * once.chance_error
    (taken,) = (one for one in often.tried if one.action == action(position.wrong[0]))
    assert taken.chance_lost == pytest.approx(often.chance_lost)
    assert taken.chance_error == often.chance_error


def first_decision(variant: str, kind: DecisionKind) -> GameState:
    """Return the first state of a random game in which a seat makes such a decision."""
    return next(
        turn.before
        for seed in range(20)
        for turn in turns(variants.get(variant), seed, deals=1)
        if turn.decision.kind is kind
    )


def test_an_evaluation_is_repeated_with_the_same_seed() -> None:
    state = first_decision("partnership", DecisionKind.PLAY)
    legal = list(game.decision(state).legal)
    view = view_for(state, game.decision(state).seat)
    one, other = (
        evaluate_action(view, game.decision(state), legal[-1], _SECONDS, 7) for _ in range(2)
    )
    assert one == other is not None


def test_a_high_bid_is_evaluated_although_the_search_would_not_try_it() -> None:
    state = first_decision("double-deck", DecisionKind.BID)
    decision = game.decision(state)
    view = view_for(state, decision.seat)
    evaluation = evaluate_action(view, decision, Bid(90), _SECONDS, 0)
    assert evaluation is not None
    assert evaluation.is_mistake
    assert evaluate_action(view, decision, PASS, _SECONDS, 0) is not None


def test_a_bid_above_all_others_is_not_evaluated() -> None:
    state = first_decision("double-deck", DecisionKind.BID)
    decision = game.decision(state)
    view = view_for(state, decision.seat)
    assert Bid(5000) in decision.legal
    assert evaluate_action(view, decision, Bid(5000), _SECONDS, 0) is None


def test_later_bids_by_conventions_are_evaluated() -> None:
    state = next(
        turn.before
        for seed in range(50)
        for turn in turns(variants.get("double-deck"), seed, deals=1)
        if turn.decision.kind is DecisionKind.BID
        and any(call.seat == turn.decision.seat for call in turn.before.deal.auction)
    )
    decision = game.decision(state)
    view = view_for(state, decision.seat)
    assert evaluate_action(view, decision, PASS, _SECONDS, 0) is not None


def test_any_cards_that_were_passed_are_evaluated() -> None:
    state = first_decision("partnership", DecisionKind.GIVE)
    decision = game.decision(state)
    seat = decision.seat
    assert seat is not None
    rng = random.Random(1)
    hand = state.hand(seat)
    for _ in range(3):
        given = Give(tuple(rng.sample(hand, state.rules.exchange.exchange)))
        assert given in decision.legal
        evaluation = evaluate_action(view_for(state, seat), decision, given, _SECONDS, 0)
        assert evaluation is not None


def test_a_forced_decision_is_not_evaluated() -> None:
    state = next(
        turn.before
        for turn in turns(variants.get("partnership"), 3, deals=1)
        if turn.decision.kind is DecisionKind.PLAY and turn.decision.is_forced
    )
    decision = game.decision(state)
    (only,) = decision.legal
    view = view_for(state, decision.seat)
    assert evaluate_action(view, decision, only, _SECONDS, 0) is None
