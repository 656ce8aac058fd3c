"""Hands that changed after the auction: which seats have one, and which cards are likely."""

from __future__ import annotations

import random

import numpy as np
import pytest

from acesaround import game, variants
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.changed_hand_evidence import (
    changed_hand_evidence,
    find_changed_seats,
    load_models,
)
from acesaround.bots.search.changed_hand_inference import compute_changed_hand_log_likelihoods
from acesaround.bots.search.situation import build_situation
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.sampler import Sampler, read_constraints
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState
from acesaround.game.view import view_for
from acesaround.rules import Phase, Rules

CHANGING = ("three-handed", "five-card", "seven-card", "partnership")


def deal(rules: Rules, seed: int, plays: int) -> GameState:
    """Return a deal between bots `thumb` after `plays` cards were played."""
    rng, thumb = random.Random(seed), HeuristicBot()
    state = game.start(rules, seed % rules.seats)
    while True:
        decision = game.decision(state)
        if decision.kind is DecisionKind.PLAY:
            if not plays:
                return state
            plays -= 1
        if isinstance(decision.legal, Deals):
            state, _ = game.apply(state, decision.legal.sample(rng))
        else:
            state, _ = game.apply(state, thumb.choose(view_for(state, decision.seat), decision))


def truth(state: GameState) -> Integers:
    copies = state.rules.deck.copies
    return np.array(
        [[sets_from_hand(state.hands[seat], copies) for seat in state.players]], np.int64
    )


@pytest.mark.parametrize("name", CHANGING)
def test_true_world_is_likelier_than_others(name: str) -> None:
    """In deals that no model was fitted to, by more than noise."""
    ahead = []
    for seed in range(24):
        state = deal(variants.get(name), 1000 + seed, seed % 3)
        for seat in state.players:
            seen = view_for(state, seat)
            if not changed_hand_evidence(seen).number:
                continue
            worlds = Sampler(read_constraints(seen)).draw(60, seed).hands
            current = build_situation(seen, game.decision(state), SearchBudget(1, 1))
            weights = compute_changed_hand_log_likelihoods(
                current, np.concatenate([truth(state), worlds])
            )
            ahead.append(float((weights[0] > weights[1:]).mean()))
    assert len(ahead) >= 24
    error = np.std(ahead) / np.sqrt(len(ahead))
    assert np.mean(ahead) > 0.5 + 4 * error


@pytest.mark.parametrize("name", variants.VARIANTS)
def test_roles_are_given_to_hidden_changed_hands(name: str) -> None:
    rules = variants.get(name)
    if rules.auction is None:
        return
    state = deal(rules, 3, 1)
    declarer = state.deal.declarer
    assert declarer is not None
    for seat in state.players:
        found = find_changed_seats(view_for(state, seat))
        assert seat not in found
        redrawn = Phase.REDRAW in rules.phases
        if not (redrawn or rules.deal.kitty or (rules.has_partners and rules.exchange.exchange)):
            assert not found
        elif rules.deal.kitty:
            assert set(found) == {declarer} - {seat}
        elif rules.has_partners:
            side = {declarer, *rules.partners_of(declarer)}
            assert set(found) == (set() if seat in side else side)
        else:
            assert set(found) == set(state.players) - {seat}
            assert all(
                role.split("/")[1] == "declarer" for s, role in found.items() if s == declarer
            )


def test_models_differ_by_number_of_drawn_cards() -> None:
    """An ace among few kept cards says more than one among drawn cards."""
    drew_two, drew_five = load_models()["five-card/other/2"], load_models()["five-card/other/5"]
    assert (
        drew_two[6] - drew_two[10] > drew_five[6] - drew_five[10] + 0.5
    )  # plain aces against plain jacks


def test_weights_depend_on_cards_passed_by_a_partner() -> None:
    state = deal(variants.get("partnership"), 5, 0)
    declarer = state.deal.declarer
    assert declarer is not None
    seen = view_for(state, declarer)
    assert not find_changed_seats(seen)
    assert changed_hand_evidence(seen).number
    worlds = Sampler(read_constraints(seen)).draw(300, 1).hands
    current = build_situation(seen, game.decision(state), SearchBudget(1, 1))
    weights = compute_changed_hand_log_likelihoods(current, worlds)
    assert len(set(weights.tolist())) > 1
    assert set(weights.tolist()) <= {0.0, 1.0, 2.0, 3.0, 4.0}
