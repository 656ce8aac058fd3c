"""The levels above `easy`: legal, repeatable, with reasons, and weakened as documented.

`docs/strength.md` says how strong each is; long matches measure it.
"""

from __future__ import annotations

import random
import statistics

import pytest

from acesaround import bots, game, variants
from acesaround.actions import PASS, Bid, LayMeld, Play
from acesaround.bots.advice import Adviser, ask_for_advice
from acesaround.bots.levels import LEVELS, LevelBot, add_noise, win_probability_per_point
from acesaround.bots.search.search_result import EvaluatedAction, SearchResult
from acesaround.cards import parse_cards
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind
from acesaround.game.view import View, view_for
from acesaround.variants import PARTNERSHIP, TWO_HANDED
from tests.scripted_games import Table, deal
from tests.spoken_reasons import read

QUICK = "time=0.002"


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize("variant", ["partnership", "five-card", "three-handed"])
def test_level_plays_legally_and_repeatably(name: str, variant: str) -> None:
    rng = random.Random(variant)
    state = game.start(variants.get(variant), 0)
    plays = 0
    while state.phase is not None and state.deals < 1:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            state, _ = game.apply(state, decision.legal.sample(rng))
            continue
        seen, drawn = view_for(state, decision.seat), rng.getrandbits(32)
        player = bots.make(f"{name}:{QUICK}", random.Random(drawn))
        assert isinstance(player, Adviser)
        given = player.advise(seen, decision)
        assert given.action in decision.legal
        read(given.action, given.why, seen)
        if plays % 7 == 0:
            again = bots.make(f"{name}:{QUICK}", random.Random(drawn))
            assert ask_for_advice(again, seen, decision) == given
            assert bots.make(f"{name}:{QUICK}", random.Random(drawn)).choose(seen, decision) == (
                given.action
            )
        plays += decision.kind is DecisionKind.PLAY
        state, _ = game.apply(state, given.action)


def first_bid_view() -> View:
    return view_for(Table(PARTNERSHIP, deal(PARTNERSHIP, {}), 0).state, 1)


def test_noise_only_changes_close_choices() -> None:
    """A far better choice stays chosen; of two equal ones, each is chosen about as often."""
    seen, rng = first_bid_view(), random.Random(1)
    point = win_probability_per_point(seen)

    def error_rate(behind: float) -> float:
        options = (
            EvaluatedAction(PASS, 0.5, 100.0, 0.0),
            EvaluatedAction(Bid(250), 0.5 - behind * point, 100.0 - behind, 0.0),
        )
        choice = SearchResult(PASS, options, 10)
        return statistics.mean(
            add_noise(seen, choice, rng, 0.25).action != PASS for _ in range(400)
        )

    assert 0.4 < error_rate(0.0) < 0.6
    assert error_rate(5.0) > 0.1
    assert error_rate(40.0) == 0.0


def test_noise_never_prevents_the_best_meld() -> None:
    """Its value is exact, however badly cards are judged."""
    lay = LayMeld(parse_cards("KH QH"))
    options = (
        EvaluatedAction(lay, 0.6, 60.0, 0.0),
        EvaluatedAction(Play(parse_cards("9S")[0]), 0.5, 20.0, 0.0),
    )
    choice = SearchResult(lay, options, 10)
    assert all(
        add_noise(first_bid_view(), choice, random.Random(seed), 9.0) == choice
        for seed in range(50)
    )
    other = SearchResult(options[1].action, options[::-1], 10)
    found = {
        add_noise(first_bid_view(), other, random.Random(seed), 9.0).action for seed in range(50)
    }
    assert found == {lay, options[1].action}


def test_a_point_is_worth_less_in_a_decided_game() -> None:
    even = Table(TWO_HANDED)
    far = Table(TWO_HANDED).totals(990, 0)
    assert (
        win_probability_per_point(view_for(even.state, 0))
        > win_probability_per_point(view_for(far.state, 0))
        > 0.0
    )


def test_every_level_above_easy_has_a_time_option() -> None:
    for name in LEVELS:
        assert bots.check(f"{name}:time=2.5")
        assert isinstance(bots.make(name, random.Random(1)), LevelBot)
