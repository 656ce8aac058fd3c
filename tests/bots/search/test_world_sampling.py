"""Sampled worlds of a search agree with the view, and likelier worlds occur more often."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import game, variants
from acesaround.bots.search.bid_inference import compute_call_log_likelihoods
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.situation import build_situation
from acesaround.bots.search.world_sampling import sample_worlds
from acesaround.cards import CARDS
from acesaround.fast.playouts.packed_deal import hand_from_sets
from acesaround.fast.sampler import ALL_SOURCES, Source, Worlds, read_constraints, sampler
from acesaround.fast.sampler.draw import draw_worlds
from acesaround.game.state import DecisionKind
from acesaround.game.view import View, view_for
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from tests.bots.search.sample_decisions import situation
from tests.fast.rollouts.test_play_likelihood import Played
from tests.fast.sampler.test_worlds import by_thumb
from tests.random_games import tables
from tests.variant_sample import sample_variants


def agree_with_view(seen: View, worlds: Worlds, sources: frozenset[Source] = ALL_SOURCES) -> bool:
    """Return True if each world that is not relaxed agrees with the constraints."""
    current = read_constraints(seen, sources)
    return all(
        relaxed
        or current.allows(
            tuple(hand_from_sets(row) for row in hands), tuple(CARDS[k] for k in rest)
        )
        for hands, rest, relaxed in zip(*worlds, strict=True)
    )


def check_worlds(rules: Rules, seed: int, number: int) -> None:
    """Check sampled worlds at `number` decisions of a deal, with each kind of inference."""
    turns = [turn for turn in by_thumb(rules, seed) if turn.decision.kind is not DecisionKind.DEAL]
    assert turns
    for turn in random.Random(seed).sample(turns, min(number, len(turns))):
        seen = view_for(turn.before, turn.decision.seat)
        for calls, plays in ((True, True), (False, True), (False, False)):
            budget = SearchBudget(100, seed, uses_calls=calls, uses_plays=plays)
            current = build_situation(seen, turn.decision, budget)
            worlds = sample_worlds(current, 12, seed)
            assert len(worlds.hands) == len(worlds.rest) == 12
            assert agree_with_view(seen, worlds)
            again = sample_worlds(current, 12, seed)
            assert np.array_equal(worlds.hands, again.hands)
            assert np.array_equal(worlds.rest, again.rest)


@pytest.mark.parametrize("variant", sample_variants(sorted(variants.VARIANTS)))
def test_worlds_agree_with_the_view(variant: str) -> None:
    check_worlds(variants.get(variant), 3, 10)


@pytest.mark.parametrize(
    "variant", [n for n, current in variants.VARIANTS.items() if current.seats < 6]
)
def test_no_world_is_relaxed_with_up_to_four_players(variant: str) -> None:
    rules = variants.get(variant)
    states = [
        turn.before for turn in by_thumb(rules, 3) if turn.decision.kind is not DecisionKind.DEAL
    ]
    for state in random.Random(3).sample(states, min(6, len(states))):
        current = situation(state, SearchBudget(100, 3))
        assert not sample_worlds(current, 12, 3).relaxed.any()


@settings(max_examples=10, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_worlds_agree_with_the_view_at_any_table(rules: Rules, seed: int) -> None:
    check_worlds(rules, seed, 6)


@pytest.mark.soak
@settings(max_examples=400, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_worlds_agree_with_the_view_at_many_tables(rules: Rules, seed: int) -> None:
    check_worlds(rules, seed, 12)


def test_draws_stay_within_the_budget_where_most_are_rejected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With six players a world takes some 1,000 draws, so 400 worlds would take 400,000."""
    draws: list[int] = []

    def count_draws(*given: Any) -> tuple[int, int]:
        worlds, number = draw_worlds(*given)
        draws.append(number)
        return worlds, number

    monkeypatch.setattr(sampler, "draw_worlds", count_draws)
    turn = next(islice(by_thumb(variants.get("triple-deck"), 3), 30, None))
    current = situation(turn.before, SearchBudget(12_000, 3))
    worlds = sample_worlds(current, 100, 3)
    assert 20_000 <= draws[0] < 30_000
    assert len(worlds.hands) == len(worlds.rest) == 100
    assert np.array_equal(worlds.hands, sample_worlds(current, 100, 3).hands)


def test_worlds_agree_with_the_chosen_sources_only() -> None:
    """Some of these worlds contradict the full constraints."""
    blind = frozenset[Source]()
    contradicting = 0
    for turn in by_thumb(variants.get("partnership"), 4):
        if turn.decision.kind is DecisionKind.PLAY:
            seen = view_for(turn.before, turn.decision.seat)
            budget = SearchBudget(100, 2, blind, uses_calls=False, uses_plays=False)
            worlds = sample_worlds(build_situation(seen, turn.decision, budget), 8, 2)
            assert agree_with_view(seen, worlds, blind)
            contradicting += not agree_with_view(seen, worlds)
    assert contradicting


def test_plays_make_worlds_likelier_in_which_they_are_sensible() -> None:
    rules = variants.get("partnership")
    better = []
    for seed in range(6):
        deal = Played(rules, seed)
        decision = game.decision(deal.last)
        assert decision.seat is not None
        own = deal.last.players.index(decision.seat)
        weights = []
        for plays in (False, True):
            budget = SearchBudget(100, 5, uses_calls=False, uses_plays=plays)
            worlds = sample_worlds(situation(deal.last, budget), 300, 5)
            weights.append(float(deal.weights(worlds.hands, own).mean()))
        better.append(weights[1] - weights[0])
    assert min(better) > -1e-9
    assert max(better) > 0.5


def test_calls_make_worlds_likelier_that_explain_them() -> None:
    rules = variants.get("double-deck")
    turn = next(
        turn
        for turn in by_thumb(rules, 2)
        if turn.decision.kind is DecisionKind.BID
        and len(turn.before.deal.auction) >= 2
        and any(call.bid is not None for call in turn.before.deal.auction)
    )
    silent, current = (
        situation(turn.before, SearchBudget(100, 5, uses_calls=calls)) for calls in (False, True)
    )
    plain, informed = sample_worlds(silent, 400, 5), sample_worlds(current, 400, 5)
    better = (
        compute_call_log_likelihoods(current, informed.hands).mean()
        - compute_call_log_likelihoods(current, plain.hands).mean()
    )
    assert better > 0.1
