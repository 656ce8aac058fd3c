"""Worlds drawn under extended rules: more copies, six seats in two or three sides."""

from __future__ import annotations

import random

import pytest

from acesaround import game
from acesaround.actions import PASS, Action, Give
from acesaround.fast.sampler import Sampler, read_constraints
from acesaround.fast.sampler.constraints import JointMinimum
from acesaround.game.state import DecisionKind, GameState
from acesaround.game.view import view_for
from acesaround.rules import Rules
from tests.extended_rules import TRIPLE_EXCHANGE, WIDE
from tests.fast.sampler.test_worlds import by_thumb, truth, world
from tests.random_games import turns

DRAWN = 4


def compare_worlds(state: GameState, seat: int, seed: int) -> tuple[int, tuple[JointMinimum, ...]]:
    """Assert that the true world and all drawn worlds that are not relaxed are allowed.

    Return how many of `DRAWN` are not relaxed, and the joint minimums of places.

    """
    constraints = read_constraints(view_for(state, seat))
    assert constraints.allows(*truth(state, constraints))
    worlds = Sampler(constraints).draw(DRAWN, seed=seed)
    exact = [number for number in range(DRAWN) if not worlds.relaxed[number]]
    for number in exact:
        assert constraints.allows(*world(worlds, number))
    return len(exact), constraints.joint_minimums


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_worlds_agree_with_the_view(rules: Rules) -> None:
    rng = random.Random(4)
    for deal in (by_thumb(rules, 1), turns(rules, 2)):
        looked = exact = 0
        for turn in deal:
            if turn.decision.kind is not DecisionKind.DEAL and rng.random() < 0.1 and looked < 12:
                seat = rng.choice(turn.before.players)
                exact += compare_worlds(turn.before, seat, rng.getrandbits(60))[0]
                looked += 1
        assert looked
        assert exact >= 0.8 * DRAWN * looked


@pytest.mark.parametrize("seed", range(3))
def test_declarer_may_pass_received_cards_on(seed: int) -> None:
    """Cards passed on by the declarer are with one of the two partners."""
    rules, rng, shared = TRIPLE_EXCHANGE, random.Random(seed), 0
    state = game.start(rules, 0)
    while state.phase is not None and not state.deals:
        decision = game.decision(state)
        declarer, given = state.deal.declarer, state.deal.passed_cards
        action: Action
        if decision.kind is DecisionKind.GIVE and decision.seat == declarer:
            received = [card for gift in given[:2] for card in gift.cards]
            rng.shuffle(received)
            action = next(
                a for a in decision.legal if isinstance(a, Give) and set(a.cards) <= set(received)
            )
        else:
            action = PASS if decision.kind is DecisionKind.BID else decision.legal.sample(rng)
        state, _ = game.apply(state, action)
        if len(given) == 4 and state.deals == 0 and rng.random() < 0.5:
            for seat in state.players:
                exact, joints = compare_worlds(state, seat, rng.getrandbits(60))
                shared += bool(joints and exact)
            if state.deal.tricks:
                break
    assert shared
