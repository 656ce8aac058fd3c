"""The levels above `easy`: legal, repeatable, fit to explain themselves, and held back as said.

How strong each is stands in `docs/strength.md`; that takes long matches and is no test.
"""

from __future__ import annotations

import random
import statistics

import pytest

from acesaround import bots, game, variants
from acesaround.actions import PASS, Bid, LayMeld, Play
from acesaround.bots.advice import Adviser, advice
from acesaround.bots.levels import LEVELS, LevelBot, add_noise, win_probability_per_point
from acesaround.bots.search.result import EvaluatedAction, SearchResult
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
def test_a_level_plays_legally_and_the_same_again(name: str, variant: str) -> None:
    rng = random.Random(variant)
    state = game.start(variants.get(variant), 0)
    at = 0
    while state.phase is not None and state.deals < 1:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            state, _ = game.apply(state, decision.legal.sample(rng))
            continue
        seen, drawn = view_for(state, decision.seat), rng.getrandbits(32)
        player = bots.make(f"{name}:{QUICK}", random.Random(drawn))
        assert isinstance(player, Adviser)
        told = player.advise(seen, decision)
        assert told.action in decision.legal
        read(told.action, told.why, seen)
        if at % 7 == 0:
            again = bots.make(f"{name}:{QUICK}", random.Random(drawn))
            assert advice(again, seen, decision) == told
            assert bots.make(f"{name}:{QUICK}", random.Random(drawn)).choose(seen, decision) == (
                told.action
            )
        at += decision.kind is DecisionKind.PLAY
        state, _ = game.apply(state, told.action)


def start() -> View:
    return view_for(Table(PARTNERSHIP, deal(PARTNERSHIP, {}), 0).state, 1)


def test_what_is_misjudged_is_close() -> None:
    """A choice that is far better stays chosen; of two alike, each is chosen about as often."""
    seen, rng = start(), random.Random(1)
    point = win_probability_per_point(seen)

    def errs(behind: float) -> float:
        options = (
            EvaluatedAction(PASS, 0.5, 100.0, 0.0),
            EvaluatedAction(Bid(250), 0.5 - behind * point, 100.0 - behind, 0.0),
        )
        choice = SearchResult(PASS, options, 10)
        return statistics.mean(
            add_noise(seen, choice, rng, 0.25).action != PASS for _ in range(400)
        )

    assert 0.4 < errs(0.0) < 0.6
    assert errs(5.0) > 0.1
    assert errs(40.0) == 0.0


def test_a_meld_that_is_best_to_lay_is_laid() -> None:
    """Nobody has to judge what it brings, however badly cards are judged."""
    lay = LayMeld(parse_cards("KH QH"))
    its = (
        EvaluatedAction(lay, 0.6, 60.0, 0.0),
        EvaluatedAction(Play(parse_cards("9S")[0]), 0.5, 20.0, 0.0),
    )
    choice = SearchResult(lay, its, 10)
    assert all(add_noise(start(), choice, random.Random(seed), 9.0) == choice for seed in range(50))
    other = SearchResult(its[1].action, its[::-1], 10)
    found = {add_noise(start(), other, random.Random(seed), 9.0).action for seed in range(50)}
    assert found == {lay, its[1].action}


def test_the_worth_of_a_point_is_less_where_the_game_is_decided() -> None:
    even = Table(TWO_HANDED)
    far = Table(TWO_HANDED).totals(990, 0)
    assert (
        win_probability_per_point(view_for(even.state, 0))
        > win_probability_per_point(view_for(far.state, 0))
        > 0.0
    )


def test_thinking_time_is_an_option_of_every_level_above_easy() -> None:
    for name in LEVELS:
        assert bots.check(f"{name}:time=2.5")
        assert isinstance(bots.make(name, random.Random(1)), LevelBot)
