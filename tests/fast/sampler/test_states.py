"""States made from worlds: nothing that the seat knows differs, and each is a real game."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from acesaround import bots, game, variants
from acesaround.errors import PositionError
from acesaround.fast.sampler import sample_states
from acesaround.game.state import GameState
from acesaround.game.view import Claimed, view_for
from tests.envs.positions import GAMES
from tests.fast.sampler.brute import World
from tests.fast.sampler.test_counting import assert_frequencies, states_with_few_worlds
from tests.random_games import Turn, turns
from tests.variant_sample import sample_variants


def decisions_of_seats(variant: str, players: int, seed: int) -> list[Turn]:
    """Return the turns of two random deals in which a seat chooses."""
    played = turns(variants.get(variant, players), seed)
    return [turn for turn in played if turn.decision.seat is not None]


@pytest.mark.parametrize(("variant", "players"), sample_variants(GAMES))
def test_a_seat_cannot_tell_a_sampled_state(variant: str, players: int) -> None:
    rng = random.Random(f"{variant} {players}")
    differing = 0
    for turn in rng.sample(decisions_of_seats(variant, players, rng.randrange(1000)), 4):
        seat = rng.choice(turn.before.players)
        view = view_for(turn.before, seat)
        for state in sample_states(view, 2, seed=5):
            assert view_for(state, seat) == view
            assert game.decision(state).seat == turn.decision.seat
            differing += state != turn.before
    assert differing


def test_a_sampled_state_is_played_to_its_end() -> None:
    for variant in ("partnership", "two-handed", "five-card", "auction"):
        turn = decisions_of_seats(variant, variants.get(variant).seats, seed=2)[20]
        (state,) = sample_states(view_for(turn.before, turn.before.players[0]), 1)
        bot = bots.make("random", random.Random(1))
        while state.deals == turn.before.deals and state.phase is not None:
            decision = game.decision(state)
            assert decision.seat is not None
            action = bot.choose(view_for(state, decision.seat), decision)
            state, _ = game.apply(state, action)
        assert state.deals > turn.before.deals


def test_the_seed_decides_and_more_states_begin_with_the_same() -> None:
    turn = decisions_of_seats("double-deck", 4, seed=1)[30]
    view = view_for(turn.before, 0)
    states = sample_states(view, 5, seed=1)
    assert len(states) == 5
    assert sample_states(view, 3, seed=1) == states[:3]
    assert sample_states(view, 5, seed=2) != states


def test_states_have_the_frequencies_of_their_worlds() -> None:
    for past, seat, weights in states_with_few_worlds("partnership", 4, {"exchange": 0}, 1):
        states = sample_states(view_for(past[-1].after, seat), 1500)
        assert_frequencies(Counter(map(world_of, states)), weights)


def world_of(state: GameState) -> World:
    return tuple(state.hand(seat) for seat in state.players), ()


def test_claims_at_the_table_change_nothing() -> None:
    turn = decisions_of_seats("partnership", 4, seed=1)[30]
    view = view_for(turn.before, 0)
    claimed = replace(view, claims=(Claimed(seat=0, after=0),))
    assert sample_states(claimed, 2) == sample_states(view, 2)


def test_only_a_seat_during_a_deal_has_unseen_cards() -> None:
    before = game.start(variants.get("partnership"))
    turn = decisions_of_seats("partnership", 4, seed=1)[30]
    for view in (view_for(before, 0), view_for(turn.before, None)):
        with pytest.raises(PositionError, match="only for a seat, and only during a deal"):
            sample_states(view, 1)
