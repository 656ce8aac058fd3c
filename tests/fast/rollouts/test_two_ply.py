"""Cards tried two own moves deep: as reckoned slowly, with no look into other hands."""

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
from acesaround.fast.playouts.rule_arrays import rule_arrays
from acesaround.fast.rollouts.card_play import RolloutResults, Unseen, try_cards
from acesaround.fast.rollouts.two_ply import rollout_two_ply
from acesaround.fast.sampler import Sampler, read_constraints
from acesaround.game.state import GameState
from acesaround.game.view import turn_of, view_for
from acesaround.rules import Rules
from acesaround.rules.support import Feature
from tests.fast.playouts.test_packed_deal import offered
from tests.fast.rollouts.moments import moments, playing, truth
from tests.random_games import FEW_UNSEEN, tables

NEVER = 1 << 30


def worlds(state: GameState, number: int, seed: int) -> list[GameState]:
    """The same moment in worlds that the seat on turn cannot tell apart."""
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


def tried(states: list[GameState], choices: list[int], least: int | None = None) -> RolloutResults:
    """What the kernels say, with a look ahead where `least` is given."""
    them = [truth(state) for state in states]
    asked = (
        them[0].arrays,
        them[0].deal,
        them[0].packed,
        Unseen(
            np.concatenate([its.hands for its in them]),
            np.concatenate([its.stock for its in them]),
            np.concatenate([its.buried for its in them]),
        ),
        np.array(choices, np.int64),
    )
    return try_cards(*asked) if least is None else rollout_two_ply(*asked, least=least)


def by_policy(state: GameState) -> int:
    """What the fast player of rules chooses."""
    log, players = np.zeros(1, np.int64), state.players
    policies = np.full(len(players), HEURISTIC)
    play_on(rule_arrays(state.rules, players), pack(state), policies, 0, log, 1)
    return int(log[0]) & CHOICE_MASK


def next_own(state: GameState, choice: int) -> tuple[GameState | None, list[int]]:
    """Where the seat on turn next has a choice after this one, and what was done on the way."""
    me, deals, done = turn_of(state), state.deals, list[int]()
    state, _ = game.apply(state, offered(state)[choice])
    while playing(state) and state.deals == deals:
        if turn_of(state) == me and len(offered(state)) > 1:
            return state, done
        done.append(by_policy(state))
        state, _ = game.apply(state, offered(state)[done[-1]])
    return None, done


def halves(states: list[GameState], group: list[int]) -> tuple[list[int], list[int]]:
    """A group in two, in turn; worlds that are the same and stand together stay together."""
    found: tuple[list[int], list[int]] = ([], [])
    at = 1
    for one, other in pairwise([-1, *group]):
        between = states[max(one, 0) : other + 1]
        alike = all(
            (s.hands, s.deal.stock) == (between[0].hands, between[0].deal.stock) for s in between
        )
        at = at if one >= 0 and alike else 1 - at
        found[at].append(other)
    return found


def slowly(states: list[GameState], choice: int, least: int) -> list[tuple[Any, ...]]:
    """A column of the table: what comes of a choice in each world."""
    me = turn_of(states[0])
    assert me is not None
    found = [tuple(part[0, 0] for part in tried([state], [choice])) for state in states]
    groups = defaultdict[Any, list[int]](list)
    second, own = dict[int, dict[int, tuple[Any, ...]]](), dict[int, int]()
    for world, state in enumerate(states):
        following, done = next_own(state, choice)
        if following is None:
            continue
        groups[tuple(done), following.hands[me]].append(world)
        kinds = sorted(offered(following))
        its = tried([following], kinds)
        second[world] = {kind: tuple(part[0, at] for part in its) for at, kind in enumerate(kinds)}
        own[world] = by_policy(following)
    for group in groups.values():
        for half in halves(states, group):
            others = [world for world in group if world not in half]
            picked = None
            if len(others) >= least:
                sums = {kind: sum(second[w][kind][0] for w in others) for kind in second[group[0]]}
                top = max(sums.values())
                picked = next(kind for kind, total in sums.items() if total > top - 1e-12)
            for world in half:
                found[world] = second[world][own[world] if picked is None else picked]
    return found


def compare(state: GameState, number: int, least: int, seed: int) -> None:
    """Each choice of the seat on turn in some worlds."""
    states, choices = worlds(state, number, seed), list(offered(state))
    found = tried(states, choices, least)
    for at, choice in enumerate(choices):
        slow = slowly(states, choice, least)
        assert found.points[:, at].tolist() == [points for _, points, _ in slow]
        assert found.made[:, at].tolist() == [made for _, _, made in slow]
        assert found.chance[:, at] == pytest.approx([chance for chance, _, _ in slow])


def look(rules: Rules, seed: int, number: int) -> None:
    rng = random.Random(seed)
    for state in moments(rules, seed, number, True):
        compare(state, rng.choice([7, 16]), rng.choice([1, 2, 3, 5]), seed)


@pytest.mark.parametrize("variant", FEW_UNSEEN)
def test_one_second_choice_is_made_for_all_worlds_that_look_alike(variant: str) -> None:
    """It is the best in the mean of the other half of them, whatever lies in other hands."""
    look(variants.get(variant), 3, 2)


@settings(max_examples=8, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_it_is_at_any_table(rules: Rules, seed: int) -> None:
    look(rules, seed, 1)


@pytest.mark.soak
@settings(max_examples=300, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_it_is_at_very_many_tables(rules: Rules, seed: int) -> None:
    look(rules, seed, 4)


def same(one: RolloutResults, other: RolloutResults) -> bool:
    return all(np.array_equal(its, others) for its, others in zip(one, other, strict=True))


@pytest.mark.parametrize("variant", FEW_UNSEEN)
def test_without_a_further_choice_it_is_as_without_a_look_ahead(variant: str) -> None:
    """With two cards in hand nobody but the others has one; and where no half is large enough."""
    short = better = 0
    for state in moments(variants.get(variant), 11, 20, True):
        its, choices = worlds(state, 12, 1), list(offered(state))
        plain, ahead = tried(its, choices), tried(its, choices, 1)
        assert same(tried(its, choices, NEVER), plain)
        if len(state.hand(turn_of(state) or 0)) <= 2 and state.deal.upcard is None:
            assert same(ahead, plain)
            short += 1
        better += not same(ahead, plain)
    assert short
    assert better or variants.get(variant).scoring.pays  # where a deal is made or not, no more


@pytest.mark.parametrize("variant", ["partnership", "two-handed"])
def test_a_world_that_stands_there_twice_does_not_choose_for_its_copy(variant: str) -> None:
    """So what is found is the same as where it stands there once."""
    for state in moments(variants.get(variant), 12, 12, True):
        once, choices = worlds(state, 9, 2), list(offered(state))
        twice = [world for world in once for _ in range(2)]
        for one, two in zip(tried(once, choices, 1), tried(twice, choices, 1), strict=True):
            assert np.array_equal(one, two[::2])
            assert np.array_equal(one, two[1::2])
