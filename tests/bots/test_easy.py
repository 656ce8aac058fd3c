"""The `easy` level: legal everywhere, repeatable, and forgetful as documented."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import bots, game
from acesaround.bots.easy import EasyBot, remembered_view
from acesaround.bots.heuristic.card_tracking import CardTracker
from acesaround.cards import Rank
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind
from acesaround.game.view import view_for
from acesaround.rules import Rules
from tests.random_games import tables, turns
from tests.spoken_reasons import read


@given(tables(), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_easy_plays_legally_and_gives_reasons(rules: Rules, seed: int) -> None:
    rng = random.Random(seed)
    state = game.start(rules, 0)
    while state.phase is not None and state.deals < 2:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            state, _ = game.apply(state, decision.legal.sample(rng))
            continue
        seen, drawn = view_for(state, decision.seat), rng.getrandbits(32)
        action, why = EasyBot(random.Random(drawn)).explain(seen, decision)
        assert action in decision.legal
        read(action, why, seen)
        assert EasyBot(random.Random(drawn)).choose(seen, decision) == action
        state, _ = game.apply(state, action)


@given(tables(), st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_easy_remembers_only_the_last_trick_trumps_and_aces(rules: Rules, seed: int) -> None:
    played = [turn for turn in turns(rules, seed, 1) if turn.decision.kind is DecisionKind.PLAY]
    for turn in played[:: max(1, len(played) // 5)]:
        seen = view_for(turn.before, turn.decision.seat)
        whole, part = CardTracker(seen), CardTracker(remembered_view(seen))
        played_before = [int(card) for trick in seen.tricks[:-1] for card in trick.cards]
        for kind in range(24):
            is_remembered = kind % 6 == Rank.ACE or kind // 6 == seen.trump
            assert part.unseen[kind] - whole.unseen[kind] == (
                0 if is_remembered else played_before.count(kind)
            )
        forgotten = {"tricks": (), "buried": None, "lying": (), "taken": (), "undone": ()}
        assert replace(remembered_view(seen), **forgotten) == replace(seen, **forgotten)
        for seat, lying in enumerate(seen.table):
            assert seat == seen.seat or part.certain[seat].keys() == set(lying)


def test_easy_needs_no_extra() -> None:
    assert bots.BOTS["easy"].required_extra is None
    assert "easy" in bots.selectable_bots()
