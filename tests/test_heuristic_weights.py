"""The kernels use the same weights as the heuristic bot."""

from __future__ import annotations

import random

import numpy as np
import pytest

from acesaround import game, heuristic_weights, variants
from acesaround.actions import Action
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.heuristic.hand_value import evaluate_hand
from acesaround.cards import pack
from acesaround.fast.playouts.hand_evaluation import evaluate_packed_hand
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import (
    FIXED_ONE,
    TRICK_POINTS,
    WEIGHT_SCALE,
    build_rule_arrays,
)
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind
from acesaround.game.view import view_for
from acesaround.rules import Rules
from tests.extended_rules import RUNLESS
from tests.fast.rollouts.engine import by_rules

BIDDING = [
    *(rules for rules in variants.VARIANTS.values() if rules.auction is not None),
    variants.FIVE_CARD.with_options(players=2),
    variants.FIVE_CARD.with_options(players=9),
    variants.SEVEN_CARD.with_options(players=6),
    variants.PARTNERSHIP.with_options(exchange=0),
    variants.PARTNERSHIP.with_options(exchange=2),
    variants.DOUBLE_DECK.with_options(exchange=3),
    RUNLESS,
]


def rules_id(rules: Rules) -> str:
    return f"{rules.variant}-{rules.seats}-{rules.exchange.exchange}"


@pytest.mark.parametrize("rules", BIDDING, ids=rules_id)
def test_kernel_and_heuristic_bot_value_hands_alike(rules: Rules) -> None:
    players = tuple(range(rules.seats))
    numbers, rng = build_rule_arrays(rules, players), random.Random(2)
    shown = view_for(game.start(rules), 0)
    for _ in range(300):
        held = pack(rng.sample(rules.deck.cards, rules.hand_size))
        own = np.array(sets_from_hand(held, rules.deck.copies), np.int64)
        for trump in range(4):
            expected = evaluate_hand(shown, held, trump)
            value = evaluate_packed_hand(numbers, own, trump, expected.meld) / WEIGHT_SCALE
            assert value == pytest.approx(expected.total, abs=0.03)


def sorted_words(action: Action) -> tuple[str, ...]:
    """Return the words of an action in sorted order."""
    return tuple(sorted(str(action).split()))


@pytest.mark.parametrize("rules", BIDDING, ids=rules_id)
def test_kernel_and_heuristic_bot_choose_the_same_cards_and_trump(rules: Rules) -> None:
    rng, thumb = random.Random(4), HeuristicBot()
    compared = 0
    for _ in range(40):
        state = game.start(rules, rng.randrange(rules.seats))
        while state.phase is not None and not state.deals:
            decision = game.decision(state)
            if decision.kind is DecisionKind.PLAY:
                break
            if isinstance(decision.legal, Deals):
                action: Action = decision.legal.sample(rng)
            else:
                action = thumb.choose(view_for(state, decision.seat), decision)
                if decision.kind in (
                    DecisionKind.BURY,
                    DecisionKind.GIVE,
                    DecisionKind.DISCARD,
                    DecisionKind.TRUMP,
                ):
                    assert sorted_words(by_rules(state)) == sorted_words(action)
                    compared += 1
            state, _ = game.apply(state, action)
    assert compared > 20


@pytest.mark.parametrize("rules", variants.VARIANTS.values(), ids=lambda rules: rules.variant)
def test_the_kernel_has_the_average_trick_points(rules: Rules) -> None:
    found = (
        build_rule_arrays(rules, tuple(range(rules.seats))).hand_weights[TRICK_POINTS]
        / WEIGHT_SCALE
    )
    assert found == pytest.approx(
        heuristic_weights.average_trick_points(rules, rules.seats), abs=0.5 / WEIGHT_SCALE
    )


def test_role_weights_depend_on_the_kind_of_game() -> None:
    single, double = variants.get("partnership"), variants.get("double-deck")
    found = [
        heuristic_weights.role_weights(rules)
        for rules in (single, double, variants.get("three-handed"))
    ]
    assert len({*found, heuristic_weights.ROLE_WEIGHTS_2026_11}) == 4
    weights = heuristic_weights.role_weights
    assert weights(single.with_options(exchange=0)) is weights(variants.get("firehouse"))
    assert weights(double) is weights(variants.get("triple-deck"))
    for name in ("two-handed", "classic"):  # without an auction
        assert weights(variants.get(name)) is heuristic_weights.ROLE_WEIGHTS_2026_11


@pytest.mark.parametrize("rules", variants.VARIANTS.values(), ids=lambda rules: rules.variant)
def test_the_kernel_has_the_role_weights_of_every_player(rules: Rules) -> None:
    weights = heuristic_weights.role_weights(rules)
    found = build_rule_arrays(rules, tuple(range(rules.seats))).role_weights / FIXED_ONE
    for player in range(rules.seats):
        for role, expected in enumerate(weights):
            assert found[player, role] == pytest.approx(expected, abs=0.5 / FIXED_ONE)
