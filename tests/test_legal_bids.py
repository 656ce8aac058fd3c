"""The legal bids of an auction without fixed raises. Others are in the tests of the auction."""

from __future__ import annotations

import itertools
import random

from acesaround import game, variants
from acesaround.actions import MAX_BID, PASS, Bid
from acesaround.game.state import DecisionKind, GameState
from acesaround.legal_bids import Bids
from tests.random_games import turns


def first_auction() -> GameState:
    """Return a state at the beginning of an auction in which any jump is allowed."""
    return next(
        turn.before
        for turn in turns(variants.VARIANTS["three-handed"], 4, deals=1)
        if turn.decision.kind is DecisionKind.BID
    )


def test_unbounded_bids_are_sampled_with_falling_frequency() -> None:
    legal = game.decision(first_auction()).legal
    assert isinstance(legal, Bids)
    rng = random.Random(1)
    drawn = [legal.sample(rng) for _ in range(4000)]
    passes = sum(action == PASS for action in drawn)
    lowest = sum(action == Bid(legal.lowest_bid) for action in drawn)
    assert 0.45 < passes / len(drawn) < 0.55
    assert 0.2 < lowest / len(drawn) < 0.3
    assert len(set(drawn)) > 7


def test_bids_are_limited_to_max_bid() -> None:
    state = first_auction()
    legal = game.decision(state).legal
    most = MAX_BID - MAX_BID % 10
    assert Bid(most) in legal
    assert Bid(most + 10) not in legal
    state, _ = game.apply(state, Bid(most))
    legal = game.decision(state).legal
    assert list(itertools.islice(legal, 2)) == [PASS]
    assert legal.sample(random.Random(1)) == PASS
