"""Whole games of the `thumb` bot: always legal, always explained, and stronger than chance."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import game
from acesaround.actions import Action
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.random_bot import RandomBot
from acesaround.game.events import DealScored
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import GameState
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome
from acesaround.rules.support import Feature
from acesaround.variants import VARIANTS
from tests.random_games import tables
from tests.spoken_reasons import read


@settings(max_examples=40, deadline=None)
@given(tables(part=Feature.PLAYOUTS), st.integers(0, 1 << 30), st.booleans())
def test_at_any_table_every_action_is_legal_and_has_one_sentence(
    rules: Rules, seed: int, mixed: bool
) -> None:
    rng = random.Random(seed)
    thumb, chance = HeuristicBot(), RandomBot(rng)
    state = game.start(rules, game.first_dealer(rules, rng))
    while state.phase is not None and state.deals < 2:
        decision = game.decision(state)
        action: Action
        if isinstance(decision.legal, Deals):
            action = decision.legal.sample(rng)
        elif mixed and decision.seat == 1:
            action = chance.choose(None, decision)
        else:
            seen = view_for(state, decision.seat)
            action, why = thumb.explain(seen, decision)
            assert action in decision.legal
            read(action, why, seen)
        state, _ = game.apply(state, action)


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_the_same_view_gets_the_same_answer(variant: str) -> None:
    rules, rng = VARIANTS[variant], random.Random(7)
    state = game.start(rules)
    while state.phase is not None and state.deals < 1:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            action: Action = decision.legal.sample(rng)
        else:
            seen = view_for(state, decision.seat)
            action = HeuristicBot().choose(seen, decision)
            assert HeuristicBot().explain(seen, decision) == HeuristicBot().explain(seen, decision)
            assert HeuristicBot().explain(seen, decision)[0] == action
        state, _ = game.apply(state, action)


def against_chance(rules: Rules, seed: int, side: int) -> GameState:
    """The end of a game of one side of thumb against random in all other seats."""
    rng = random.Random(f"{rules.variant}/{seed}")
    thumb, chance = HeuristicBot(), RandomBot(rng)
    state = game.start(rules, game.first_dealer(rules, rng))
    while state.phase is not None:
        decision = game.decision(state)
        action: Action
        if isinstance(decision.legal, Deals):
            action = decision.legal.sample(rng)
        elif decision.seat is not None and rules.side_of(decision.seat) == side:
            action = thumb.choose(view_for(state, decision.seat), decision)
        else:
            action = chance.choose(None, decision)
        state, _ = game.apply(state, action)
    return state


def wins(rules: Rules, number: int) -> int:
    """How many of so many games thumb wins, each side in turn."""
    sides = [seed % len(rules.sides) for seed in range(number)]
    return sum(against_chance(rules, seed, side).winner == side for seed, side in enumerate(sides))


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_thumb_wins_nearly_every_game_against_chance(variant: str) -> None:
    assert wins(VARIANTS[variant], 10) >= 8


@pytest.mark.soak
@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_thumb_wins_95_of_100_games_against_chance(variant: str) -> None:
    """Where trump is turned up chance cannot bid too high: who sees all cards wins 95 there too.

    So 80 are asked of the rules of thumb; `search` wins 90.
    """
    rules = VARIANTS[variant]
    turned = rules.auction is None and not rules.deal.stock
    assert wins(rules, 100) >= (80 if turned else 95)


@pytest.mark.parametrize("variant", sorted(v for v, rules in VARIANTS.items() if rules.auction))
def test_among_themselves_most_bids_are_made(variant: str) -> None:
    rules, rng, thumb = VARIANTS[variant], random.Random(11), HeuristicBot()
    state = game.start(rules)
    made = bids = 0
    while bids < 30:
        if state.phase is None:
            state = game.start(rules)
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            action: Action = decision.legal.sample(rng)
        else:
            action = thumb.choose(view_for(state, decision.seat), decision)
        state, events = game.apply(state, action)
        for event in events:
            if isinstance(event, DealScored) and event.score.bid is not None:
                bids += 1
                made += event.score.outcome is Outcome.MADE
    assert made / bids >= 0.6
