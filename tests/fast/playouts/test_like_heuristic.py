"""The fast policy `rules` plays as the bot `thumb` does, except for what only the bot remembers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from acesaround import game, heuristic_weights, variants
from acesaround.actions import Action, LayMeld, Play
from acesaround.bots.heuristic import HeuristicBot
from acesaround.cards import CARDS, KIND_COUNT
from acesaround.cards import pack as packed_hand
from acesaround.fast.playouts.packed_deal import PackedDeal, hand_from_sets, pack
from acesaround.fast.playouts.play_loop import CHOICE_MASK, HEURISTIC, play_on
from acesaround.fast.playouts.rule_arrays import build_rule_arrays, role_weight_array
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState, Playing, StockPlaying
from acesaround.game.view import view_for
from acesaround.heuristic_weights import REFERENCE_ROLE_WEIGHTS, RoleWeights
from acesaround.rules import Rules
from tests.extended_rules import NINES_SIX, PARTNERS, TRIPLE_THREE_SIDES, TRIPLE_TWO_SIDES
from tests.stock_rules import STOCK_RULES
from tests.variant_sample import sample_variants

_DEALS = 16
_DEALS_OF_MANY_COPIES = 48
"""With four copies and more of a card the leads agree in hardly more than the asserted share."""


def fast_choice(state: GameState, weights: RoleWeights | None = None) -> int:
    """Return the kind that the fast policy plays next, or KIND_COUNT and more for a meld laid."""
    return next_kind(state, pack(state), weights)


def next_kind(state: GameState, packed: PackedDeal, weights: RoleWeights | None = None) -> int:
    log = np.zeros(1, np.int64)
    rule_numbers, policies = (
        build_rule_arrays(state.rules, state.players),
        np.full(len(state.players), HEURISTIC),
    )
    if weights is not None:
        rule_numbers = rule_numbers._replace(
            role_weights=np.array([role_weight_array(weights)] * len(state.players))
        )
    play_on(rule_numbers, packed, policies, 0, log, 1)
    return int(log[0]) & CHOICE_MASK


def thumb_choices(
    rules: Rules, seed: int, weights_name: str | None = None
) -> Iterator[tuple[GameState, Action]]:
    """Yield each play or lay-down with a choice in deals between `thumb`, and what it chose."""
    rng, thumb = random.Random(seed), HeuristicBot(weights_name, natural=True)
    for _ in range(_DEALS if rules.deck.copies < 4 else _DEALS_OF_MANY_COPIES):
        state = game.start(rules, rng.randrange(rules.seats))
        while state.phase is not None and not state.deals:
            decision = game.decision(state)
            if isinstance(decision.legal, Deals):
                action: Action = decision.legal.sample(rng)
            else:
                action = thumb.choose(view_for(state, decision.seat), decision)
                if decision.kind is DecisionKind.PLAY and not decision.is_forced:
                    yield state, action
            state, _ = game.apply(state, action)


def agreement(rules: Rules, weights_name: str | None = None) -> Counter[tuple[str, bool]]:
    """Return how often both play the same card if there is a choice, by situation."""
    counts = Counter[tuple[str, bool]]()
    weights = None if weights_name is None else REFERENCE_ROLE_WEIGHTS[weights_name]
    for state, action in thumb_choices(rules, 11, weights_name):
        if isinstance(action, Play):
            assert isinstance(state.phase, Playing | StockPlaying)
            situation = "following" if state.phase.cards else "leading"
            counts[situation, is_as_good(rules, action.card, fast_choice(state, weights))] += 1
        elif isinstance(action, LayMeld):
            counts["laying", fast_choice(state, weights) >= KIND_COUNT] += 1
    return counts


def is_as_good(rules: Rules, card: int, kind: int) -> bool:
    """Return True if a kind has the suit and the points of a card."""
    points = build_rule_arrays(rules, tuple(range(rules.seats))).points
    return (
        kind < KIND_COUNT and CARDS[kind].suit is CARDS[card].suit and points[kind] == points[card]
    )


ALL_RULES: list[Rules] = [
    *variants.VARIANTS.values(),
    *(TRIPLE_TWO_SIDES, TRIPLE_THREE_SIDES, NINES_SIX, PARTNERS[2]),
]


@pytest.mark.parametrize(
    "rules", sample_variants(ALL_RULES), ids=lambda r: f"{r.variant}-{r.deck.copies}-{r.side_size}"
)
def test_policy_plays_like_thumb(rules: Rules) -> None:
    found = agreement(rules)
    leading = 0.6 if rules.hand_size < 12 else 0.75
    least = {"following": 0.9, "leading": leading, "laying": 1.0}
    for moment, share in least.items():
        same, other = found[moment, True], found[moment, False]
        assert same >= share * (same + other), (moment, same, other)
    assert found["leading", True] > 20


@pytest.mark.parametrize("rules", STOCK_RULES.values(), ids=STOCK_RULES)
def test_policy_plays_like_thumb_by_house_rules(rules: Rules) -> None:
    test_policy_plays_like_thumb(rules)


ODD_WEIGHTS = heuristic_weights.PlayWeights(
    *(0.8, 0.2, 0.5, 0.4, 0.7, 0.6, 0.4),  # to a trick
    *(1.4, 0.3, 0.8),  # where trumps lie
    *(0.9, -0.7, 1.5, 0.1, 0.2, 1.1, 0.6, 0.3, 0.4, 0.8),  # leads
    *(1.2, 0.5, 0.7, 0.2, 0.9, 0.8, 1.2, 0.2, 0.5, 0.3, 0.1, 0.4, 0.5, 0.5),  # in hand
)
"""No weight is 0, and hardly one has its usual value."""


@pytest.mark.parametrize("variant", ["partnership", "three-handed", "two-handed", "double-deck"])
def test_policy_plays_like_thumb_by_odd_weights(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all(ODD_WEIGHTS)
    monkeypatch.setitem(
        REFERENCE_ROLE_WEIGHTS,
        "odd",
        RoleWeights(
            ODD_WEIGHTS,
            ODD_WEIGHTS._replace(trump_lead_value=0.2),
            ODD_WEIGHTS._replace(long_trump_ratio=1),
        ),
    )
    found = agreement(variants.get(variant), "odd")
    for moment, least in {"following": 0.9, "leading": 0.75}.items():
        same, other = found[moment, True], found[moment, False]
        assert same >= least * (same + other), (moment, same, other)


def test_only_the_declarer_counts_buried_cards_as_gone() -> None:
    changed, decided = Counter[bool](), Counter[bool]()
    for state, _ in thumb_choices(variants.get("three-handed"), 3):
        packed, forgetful = pack(state), pack(state)
        assert hand_from_sets(packed.unplayed[1]) == sum(state.hands)
        assert hand_from_sets(packed.unplayed[0]) == sum(state.hands) + packed_hand(
            state.deal.buried
        )
        forgetful.unplayed[1] = forgetful.unplayed[0]
        declares = game.decision(state).seat == state.deal.declarer
        decided[declares] += 1
        changed[declares] += next_kind(state, packed) != next_kind(state, forgetful)
    assert decided[False] > 100
    assert changed[True] > 0 == changed[False]
