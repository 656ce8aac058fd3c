"""How likely the plays are in a world, compared with the engine, play by play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from numpy.typing import NDArray

from acesaround import game, variants
from acesaround.actions import CONCEDE, Action, Play
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.random_bot import RandomBot
from acesaround.cards import CARDS, RANK_COUNT
from acesaround.fast.playouts.packed_deal import hand_from_sets, pack
from acesaround.fast.playouts.play_loop import CHOICE_MASK, HEURISTIC, play_on
from acesaround.fast.playouts.rule_arrays import Integers, build_rule_arrays
from acesaround.fast.rollouts.play_likelihood import PlayHistory, compute_play_log_likelihoods
from acesaround.fast.sampler import Sampler, read_constraints
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import GameState, Playing
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from acesaround.rules.tricks import points_of
from tests.fast.rollouts.engine import rows
from tests.random_games import tables
from tests.variant_sample import sample_variants

RANDOM_SHARE = 0.3


def by_policy(state: GameState) -> Play:
    """Return the card that the policy `rules` plays."""
    numbers, log = build_rule_arrays(state.rules, state.players), np.zeros(1, np.int64)
    policies = np.full(len(state.players), HEURISTIC)
    play_on(numbers, pack(state), policies, 0, log, 1)
    return Play(CARDS[int(log[0]) & CHOICE_MASK])


class Played:
    """A deal from its first lead on, and the cards played since."""

    def __init__(self, rules: Rules, seed: int, strays: float = 0.0) -> None:
        """Play by the policy, except for a share `strays` of plays at random."""
        rng = random.Random(seed)
        state, thumb = game.start(rules, rng.randrange(rules.seats)), HeuristicBot()
        anybody, deals = RandomBot(rng), 0
        while not isinstance(state.phase, Playing):
            if state.phase is None:
                state = game.start(rules)
            decision = game.decision(state)
            if isinstance(decision.legal, Deals):
                action: Action = decision.legal.sample(rng)
                deals += 1
            elif deals < 4:
                action = thumb.choose(view_for(state, decision.seat), decision)
            else:  # where the lowest bid is so high that nobody sensible would make it
                action = anybody.choose(None, decision)
            state, _ = game.apply(state, action)
        self.first, self.cards = state, list[int]()
        number = rng.randrange(2, rules.hand_size * len(state.players) - 1)
        while len(self.cards) < number:
            play = by_policy(state)
            if rng.random() < strays:
                legal = [other for other in game.decision(state).legal if other != CONCEDE]
                other = rng.choice(legal)
                assert isinstance(other, Play)
                play = other
            self.cards.append(int(play.card))
            state, _ = game.apply(state, play)
        self.last = state

    def weights(
        self, worlds: Integers, own: int, random_share: float = RANDOM_SHARE
    ) -> NDArray[np.float64]:
        """Return the weights of worlds by the kernel."""
        state, phase = self.first, self.first.phase
        assert isinstance(phase, Playing)
        assert state.deal.trump is not None
        history = PlayHistory(
            np.array(self.cards),
            state.players.index(phase.leader),
            state.deal.trump,
            phase.is_trump_broken,
            -1 if state.deal.declarer is None else state.players.index(state.deal.declarer),
            pack(state).meld_points.tolist(),
        )
        return compute_play_log_likelihoods(
            build_rule_arrays(state.rules, state.players), worlds, history, own, random_share
        )

    def in_world(self, world: Integers) -> Iterator[tuple[GameState, Play]]:
        """Yield each play with the state before it, as it was in a world."""
        state, true = self.first, self.last
        held = [hand_from_sets(row) for row in world]
        for number, seat in enumerate(state.players):
            held[number] += state.hands[seat] - true.hands[seat]
        hands = list(state.hands)
        for number, seat in enumerate(state.players):
            hands[seat] = held[number]
        state = replace(state, hands=tuple(hands))
        for kind in self.cards:
            play = Play(CARDS[kind])
            yield state, play
            state, _ = game.apply(state, play)

    def engine_weight(self, world: Integers, own: int) -> float:
        """Return the logarithm of the likelihood of the plays in a world, by the engine."""
        weight = 0.0
        for state, play in self.in_world(world):
            decision = game.decision(state)
            legal = [other for other in decision.legal if other != CONCEDE]
            if decision.seat == self.first.players[own] or len(legal) == 1:
                continue
            chosen = by_policy(state)
            chance = RANDOM_SHARE / len(legal)
            worth = points_of(state.rules.scoring.card_points)
            if chosen == play:
                chance += 1 - RANDOM_SHARE
            elif chosen.card // RANK_COUNT == play.card // RANK_COUNT:
                same = worth[chosen.card] == worth[play.card]
                chance += 0.3 * (1 - RANDOM_SHARE) * same
            weight += log(chance)
        return weight

    def worlds(self, seat: int, number: int) -> Integers:
        """Return worlds that agree with what a seat sees."""
        constraints = read_constraints(view_for(self.last, seat))
        return Sampler(constraints, cells=1 << 18).draw(number, 3).hands


def compare(rules: Rules, seed: int, number: int = 4) -> None:
    """Compare kernel and engine in some worlds of one deal, as one seat sees it."""
    deal = Played(rules, seed, strays=0.3)
    players = deal.first.players
    own = seed % len(players)
    worlds = deal.worlds(players[own], number)
    weights = deal.weights(worlds, own)
    expected = [deal.engine_weight(world, own) for world in worlds]
    assert weights == pytest.approx(expected, abs=1e-9)


WITHOUT_STOCK = [rules for rules in variants.VARIANTS.values() if not rules.deal.upcard]


@pytest.mark.parametrize("rules", WITHOUT_STOCK, ids=lambda rules: rules.variant)
def test_weights_equal_those_of_the_engine(rules: Rules) -> None:
    for seed in range(3):
        compare(rules, seed)


@settings(max_examples=15, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_weights_equal_those_of_the_engine_at_any_table(rules: Rules, seed: int) -> None:
    if not rules.deal.upcard:
        compare(rules, seed, 2)


@pytest.mark.soak
@settings(max_examples=500, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_weights_equal_those_of_the_engine_at_many_tables(rules: Rules, seed: int) -> None:
    if not rules.deal.upcard:
        compare(rules, seed)


@pytest.mark.parametrize("rules", WITHOUT_STOCK, ids=lambda rules: rules.variant)
def test_own_plays_have_no_weight(rules: Rules) -> None:
    """The likelihood of all plays is the product of those of each player."""
    deal = Played(rules, 4, strays=0.5)
    players = range(len(deal.first.players))
    worlds = deal.worlds(deal.first.players[0], 50)
    whole = deal.weights(worlds, -1)
    without = sum(deal.weights(worlds, own) for own in players)
    assert without == pytest.approx((len(players) - 1) * whole)
    assert (whole < 0).all()


@pytest.mark.parametrize("rules", sample_variants(WITHOUT_STOCK), ids=lambda rules: rules.variant)
def test_worlds_where_all_follow_the_policy_weigh_most(rules: Rules) -> None:
    """Only the true world is certain to be one of them."""
    deal, number = Played(rules, 9), 40
    worlds = deal.worlds(deal.first.players[1], number)
    worlds = np.concatenate([rows(deal.last), worlds])
    found = deal.weights(worlds, 1, random_share=1e-7)
    by_rules = np.array(
        [
            all(
                by_policy(state) == play or state.phase.turn == deal.first.players[1]  # type: ignore[union-attr]
                for state, play in deal.in_world(world)
            )
            for world in worlds
        ]
    )
    assert by_rules[0]
    assert (found[by_rules] > -1e-3).all()
    assert (found[~by_rules] < -0.5).all()
    assert not by_rules.all()
