"""One set of numbers: what kernels reckon with is made from what `thumb` goes by."""

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
from acesaround.fast.playouts.rule_arrays import FIXED_ONE, TRICK_POINTS, WEIGHT_SCALE, rule_arrays
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


def named(rules: Rules) -> str:
    return f"{rules.variant}-{rules.seats}-{rules.exchange.exchange}"


@pytest.mark.parametrize("rules", BIDDING, ids=named)
def test_a_hand_promises_in_a_kernel_what_thumb_reckons(rules: Rules) -> None:
    """To a few hundredths of a point, for random hands and every trump."""
    players = tuple(range(rules.seats))
    numbers, rng = rule_arrays(rules, players), random.Random(2)
    shown = view_for(game.start(rules), 0)
    for _ in range(300):
        held = pack(rng.sample(rules.deck.cards, rules.hand_size))
        own = np.array(sets_from_hand(held, rules.deck.copies), np.int64)
        for trump in range(4):
            its = evaluate_hand(shown, held, trump)
            promised = evaluate_packed_hand(numbers, own, trump, its.meld) / WEIGHT_SCALE
            assert promised == pytest.approx(its.total, abs=0.03)


def alike(action: Action) -> tuple[str, ...]:
    """What an action says, in whatever order its cards are."""
    return tuple(sorted(str(action).split()))


@pytest.mark.parametrize("rules", BIDDING, ids=named)
def test_a_kernel_parts_with_the_cards_that_thumb_parts_with(rules: Rules) -> None:
    rng, thumb = random.Random(4), HeuristicBot()
    parted = 0
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
                    assert alike(by_rules(state)) == alike(action)
                    parted += 1
            state, _ = game.apply(state, action)
    assert parted > 20


@pytest.mark.parametrize("rules", variants.VARIANTS.values(), ids=lambda rules: rules.variant)
def test_a_kernel_knows_what_a_trick_is_worth(rules: Rules) -> None:
    found = rule_arrays(rules, tuple(range(rules.seats))).hand_weights[TRICK_POINTS] / WEIGHT_SCALE
    assert found == pytest.approx(
        heuristic_weights.average_trick_points(rules, rules.seats), abs=0.5 / WEIGHT_SCALE
    )


def test_cards_are_played_by_what_kind_of_game_it_is() -> None:
    """Whatever it is called, and as long ago where nobody declares."""
    single, double = variants.get("partnership"), variants.get("double-deck")
    found = [
        heuristic_weights.role_weights(rules)
        for rules in (single, double, variants.get("three-handed"))
    ]
    assert len({*found, heuristic_weights.ROLE_WEIGHTS_2026_11}) == 4
    assert heuristic_weights.role_weights(
        single.with_options(exchange=0)
    ) is heuristic_weights.role_weights(variants.get("firehouse"))
    assert heuristic_weights.role_weights(double) is heuristic_weights.role_weights(
        variants.get("triple-deck")
    )
    for quiet in ("two-handed", "classic"):
        assert (
            heuristic_weights.role_weights(variants.get(quiet))
            is heuristic_weights.ROLE_WEIGHTS_2026_11
        )


@pytest.mark.parametrize("rules", variants.VARIANTS.values(), ids=lambda rules: rules.variant)
def test_every_player_of_a_kernel_goes_by_the_numbers_of_the_table(rules: Rules) -> None:
    """A row for each part of a manner."""
    its = heuristic_weights.role_weights(rules)
    found = rule_arrays(rules, tuple(range(rules.seats))).role_weights / FIXED_ONE
    for player in range(rules.seats):
        for part, play in enumerate(its):
            assert found[player, part] == pytest.approx(play, abs=0.5 / FIXED_ONE)
