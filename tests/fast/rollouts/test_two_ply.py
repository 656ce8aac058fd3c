"""Rollouts two own moves deep, compared with a slow computation without hidden information."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.cards import CARDS
from acesaround.fast.playouts.packed_deal import hand_from_sets, pack
from acesaround.fast.playouts.play_loop import CHOICE_MASK, HEURISTIC, play_on
from acesaround.fast.playouts.rule_arrays import build_rule_arrays
from acesaround.fast.rollouts.card_play import RolloutResults, Unseen, roll_out_cards
from acesaround.fast.rollouts.two_ply import roll_out_two_ply
from acesaround.fast.sampler import Sampler, read_constraints
from acesaround.game.state import GameState
from acesaround.game.view import turn_of, view_for
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from tests.fast.playouts.test_packed_deal import offered
from tests.fast.rollouts.moments import moments, playing, truth
from tests.random_games import FEW_UNSEEN, tables
from tests.variant_sample import sample_variants

MORE_THAN_ANY_HALF = 1 << 30


def worlds(state: GameState, number: int, seed: int) -> list[GameState]:
    """Return the state in worlds that the seat on turn cannot tell apart."""
    drawn = Sampler(read_constraints(view_for(state, turn_of(state))), cells=1 << 14).draw(
        number, seed
    )
    found = []
    for world, rest in zip(drawn.hands, drawn.rest, strict=True):
        hands = list(state.hands)
        for seat, row in zip(state.players, world, strict=True):
            hands[seat] = hand_from_sets(row)
        deal = state.deal
        if deal.upcard is not None:
            deal = replace(deal, stock=tuple(CARDS[kind] for kind in rest))
        found.append(replace(state, hands=tuple(hands), deal=deal))
    return found


def roll_out(
    states: list[GameState], choices: list[int], min_half_size: int | None = None
) -> RolloutResults:
    """Return the results of kernels, two-ply where `min_half_size` is given."""
    truths = [truth(state) for state in states]
    arguments = (
        truths[0].arrays,
        truths[0].deal,
        truths[0].packed,
        Unseen(
            np.concatenate([world.hands for world in truths]),
            np.concatenate([world.stock for world in truths]),
            np.concatenate([world.buried for world in truths]),
        ),
        np.array(choices, np.int64),
    )
    return (
        roll_out_cards(*arguments)
        if min_half_size is None
        else roll_out_two_ply(*arguments, min_half_size=min_half_size)
    )


def by_policy(state: GameState) -> int:
    """Return the choice of the policy `rules`."""
    log, players = np.zeros(1, np.int64), state.players
    policies = np.full(len(players), HEURISTIC)
    play_on(build_rule_arrays(state.rules, players), pack(state), policies, 0, log, 1)
    return int(log[0]) & CHOICE_MASK


def next_own_choice(state: GameState, choice: int) -> tuple[GameState | None, list[int]]:
    """Return the next state with a choice of the seat on turn, and the choices made until then."""
    me, deals, done = turn_of(state), state.deals, list[int]()
    state, _ = game.apply(state, offered(state)[choice])
    while playing(state) and state.deals == deals:
        if turn_of(state) == me and len(offered(state)) > 1:
            return state, done
        done.append(by_policy(state))
        state, _ = game.apply(state, offered(state)[done[-1]])
    return None, done


def halves(states: list[GameState], group: list[int]) -> tuple[list[int], list[int]]:
    """Split a group in two, taking turns; adjacent equal worlds stay together."""
    found: tuple[list[int], list[int]] = ([], [])
    half = 1
    for before, world in pairwise([-1, *group]):
        worlds = states[max(before, 0) : world + 1]
        is_copy = all(
            (s.hands, s.deal.stock) == (worlds[0].hands, worlds[0].deal.stock) for s in worlds
        )
        half = half if before >= 0 and is_copy else 1 - half
        found[half].append(world)
    return found


def expected_results(
    states: list[GameState], choice: int, min_half_size: int
) -> list[tuple[Any, ...]]:
    """Return a column of the table: the result of a choice in each world."""
    me = turn_of(states[0])
    assert me is not None
    found = [tuple(part[0, 0] for part in roll_out([state], [choice])) for state in states]
    groups = defaultdict[Any, list[int]](list)
    second, own = dict[int, dict[int, tuple[Any, ...]]](), dict[int, int]()
    for world, state in enumerate(states):
        next_state, done = next_own_choice(state, choice)
        if next_state is None:
            continue
        groups[tuple(done), next_state.hands[me]].append(world)
        kinds = sorted(offered(next_state))
        results = roll_out([next_state], kinds)
        second[world] = {
            kind: tuple(part[0, at] for part in results) for at, kind in enumerate(kinds)
        }
        own[world] = by_policy(next_state)
    for group in groups.values():
        for half in halves(states, group):
            others = [world for world in group if world not in half]
            picked = None
            if len(others) >= min_half_size:
                sums = {kind: sum(second[w][kind][0] for w in others) for kind in second[group[0]]}
                top = max(sums.values())
                picked = next(kind for kind, total in sums.items() if total > top - 1e-12)
            for world in half:
                found[world] = second[world][own[world] if picked is None else picked]
    return found


def compare(state: GameState, number: int, min_half_size: int, seed: int) -> None:
    """Compare each choice of the seat on turn in some worlds."""
    states, choices = worlds(state, number, seed), list(offered(state))
    found = roll_out(states, choices, min_half_size)
    for at, choice in enumerate(choices):
        slow = expected_results(states, choice, min_half_size)
        assert found.points[:, at].tolist() == [points for _, points, _ in slow]
        assert found.bid_made[:, at].tolist() == [made for _, _, made in slow]
        assert found.win_probability[:, at] == pytest.approx([chance for chance, _, _ in slow])


def compare_states(rules: Rules, seed: int, number: int) -> None:
    rng = random.Random(seed)
    for state in moments(rules, seed, number, True):
        compare(state, rng.choice([7, 16]), rng.choice([1, 2, 3, 5]), seed)


@pytest.mark.parametrize("variant", FEW_UNSEEN)
def test_second_choice_is_the_same_in_indistinguishable_worlds(variant: str) -> None:
    """It has the best mean in the other half of the worlds, whatever the other hands hold."""
    compare_states(variants.get(variant), 3, 2)


@settings(max_examples=8, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_second_choice_is_the_same_at_any_table(rules: Rules, seed: int) -> None:
    compare_states(rules, seed, 1)


@pytest.mark.soak
@settings(max_examples=300, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_second_choice_is_the_same_at_many_tables(rules: Rules, seed: int) -> None:
    compare_states(rules, seed, 4)


def same(left: RolloutResults, right: RolloutResults) -> bool:
    return all(np.array_equal(mine, theirs) for mine, theirs in zip(left, right, strict=True))


@pytest.mark.parametrize("variant", sample_variants(FEW_UNSEEN))
def test_two_ply_equals_one_ply_without_a_second_choice(variant: str) -> None:
    """So with two cards in hand, and where each half of a group is too small."""
    compared = changed = 0
    for state in moments(variants.get(variant), 11, 20, True):
        sampled, choices = worlds(state, 12, 1), list(offered(state))
        plain, ahead = roll_out(sampled, choices), roll_out(sampled, choices, 1)
        assert same(roll_out(sampled, choices, MORE_THAN_ANY_HALF), plain)
        if len(state.hand(turn_of(state) or 0)) <= 2 and state.deal.upcard is None:
            assert same(ahead, plain)
            compared += 1
        changed += not same(ahead, plain)
    assert compared
    assert changed or variants.get(variant).scoring.pays  # where a deal is made or not, no more


@pytest.mark.parametrize("variant", ["partnership", "two-handed"])
def test_duplicate_worlds_do_not_choose_for_each_other(variant: str) -> None:
    """The results equal those of single worlds."""
    for state in moments(variants.get(variant), 12, 12, True):
        once, choices = worlds(state, 9, 2), list(offered(state))
        twice = [world for world in once for _ in range(2)]
        for single, doubled in zip(
            roll_out(once, choices, 1), roll_out(twice, choices, 1), strict=True
        ):
            assert np.array_equal(single, doubled[::2])
            assert np.array_equal(single, doubled[1::2])
