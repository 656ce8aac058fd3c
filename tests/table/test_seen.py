"""What one person is shown of a table, beside the view."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import msgspec
import pytest

from acesaround import variants
from acesaround.actions import CONCEDE, PLAYS, Action, Listed
from acesaround.bots.advice import Advice, Expected
from acesaround.events import DealScored, TrickWon
from acesaround.scoring import kept
from acesaround.state import Decision, GameState, Kind, Playing, tally
from acesaround.table.messages import Tried
from acesaround.table.seen import hinted, seen
from acesaround.view import view
from tests.random_games import turns
from tests.tables import contract, deal

TOLD = Advice(PLAYS[0], "why", (Expected(PLAYS[0], 12.344, 0.12344, 0.56784),))


@pytest.mark.parametrize("variant", sorted(set(variants.VARIANTS) - {"two-handed"}))
def test_nothing_is_left_to_the_bid_where_it_would_be_made_if_play_ended_now(variant: str) -> None:
    """As the declarer sees it, who has seen whatever counts for the own side."""
    rules = variants.VARIANTS[variant].but(lowest_bid=50)
    checked = {True: 0, False: 0}
    for seed in range(8):
        for turn in turns(rules, seed, deals=1, choose=lowest):
            state = turn.before
            declarer, bid = state.deal.declarer, state.deal.bid
            if declarer is None or bid is None or not isinstance(state.phase, Playing):
                continue
            side = rules.side_of(declarer)
            toward = sent(state, declarer)["toward"]
            if toward is None:
                continue
            counted = tally(state)
            made = sum(kept(rules, counted, side)) >= bid
            checked[made] += 1
            assert (toward["left"] == 0) is made
            assert toward["play"] == counted.play[side]
    assert checked[False] > 0


def lowest(decision: Decision, rng: random.Random) -> Action:
    """A random action, but the lowest bid and never giving up."""
    if decision.kind is Kind.BID:
        legal = decision.legal
        return rng.choice(list(islice(legal, 2)))
    assert isinstance(decision.legal, Listed)
    every = len(decision.legal) - (decision.legal[-1] == CONCEDE)
    return decision.legal[rng.randrange(every)]


def sent(state: GameState, seat: int) -> dict[str, Any]:
    """The game as it is sent to a seat."""
    told = msgspec.to_builtins(seen(view(state, seat)), enc_hook=str)
    assert isinstance(told, dict)
    return told


def test_advice_is_sent_as_actions_without_the_seat_and_rounded() -> None:
    rules = variants.PARTNERSHIP.but(exchange=0)
    at = contract(rules, deal(rules, {1: "AS"}), 1, 250).do("trump H")
    hint = hinted(7, 1, view(at.state, 1), TOLD)
    assert (hint.seq, hint.action, hint.why) == (7, ["play", "AS"], "why")
    assert hint.tried == (Tried(["play", "AS"], 12.34, 0.1234, 0.5678),)


@pytest.mark.parametrize("variant", sorted(set(variants.VARIANTS) - {"two-handed"}))
def test_at_the_end_the_declarers_side_has_in_play_what_is_scored_for_it(variant: str) -> None:
    """The last trick brings its bonus to who won it, and to nobody else."""
    rules = variants.VARIANTS[variant].but(hands=1)
    last = {True: 0, False: 0}
    for seed in range(12):
        (*_, end) = turns(rules, seed)
        (score,) = (event.score for event in end.events if isinstance(event, DealScored))
        tricks = [event for event in end.events if isinstance(event, TrickWon)]
        if not tricks or score.declarer is None:
            continue
        side = rules.side_of(score.declarer)
        toward = sent(end.after, score.declarer)["toward"]
        if toward is not None:  # None where the side's meld is not shown
            last[rules.side_of(tricks[-1].seat) == side] += 1
            assert toward["play"] == score.play[side]
    assert all(last.values())
