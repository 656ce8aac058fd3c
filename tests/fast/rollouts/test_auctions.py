"""Auctions imagined in a kernel go as the engine lets them go."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import PASS, Action, Bid, Bids
from acesaround.fast.playouts.rule_arrays import Integers, rule_arrays
from acesaround.fast.rollouts.auctions import (
    DEALER,
    DEALER_BIDS,
    PLAN,
    THROWN_IN,
    Auction,
    auctions,
    followed,
)
from acesaround.fast.rollouts.before_play import ENDS, Contracts
from acesaround.fast.rollouts.win_probability import standing, win_probability
from acesaround.game.events import Declared
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState
from acesaround.rules import AllPass, Rules, dealer_forced_bid
from acesaround.rules.support import Feature
from tests.extended_rules import WIDE
from tests.random_games import tables

HEIGHT = 14  # places on the ladder
ALL_PASS = {
    AllPass.REDEAL: THROWN_IN,
    AllPass.DEALER: DEALER,
    AllPass.DEALER_BIDS: DEALER_BIDS,
    AllPass.FIRST_BIDS: DEALER,
}


def opened(rules: Rules, rng: random.Random) -> GameState:
    """An auction that has gone on for a while, by the least bids and passes."""
    state = game.start(rules, rng.randrange(rules.seats))
    legal = game.decision(state).legal
    assert isinstance(legal, Deals)
    state, _ = game.apply(state, legal.sample(rng))
    for _ in range(rng.randrange(6)):
        its = game.decision(state).legal
        assert isinstance(its, Bids)
        action: Action = PASS if its.may_pass and rng.random() < 0.4 else Bid(its.lowest_bid)
        after, _ = game.apply(state, action)
        if after.deals or game.decision(after).kind is not DecisionKind.BID:
            break
        state = after
    return state


def ladder(rules: Rules, state: GameState) -> list[int]:
    """The bids from the least one on, a single step apart."""
    its = game.decision(state).legal
    assert isinstance(its, Bids)
    assert rules.auction is not None
    if rules.auction.raises:
        return [its.lowest_bid + at * rules.auction.raises[0] for at in range(HEIGHT)]
    return list(islice(its.bids(), HEIGHT))


def as_kernel(rules: Rules, state: GameState) -> Auction:
    """The auction as a kernel knows it."""
    assert rules.auction is not None
    calls, players = state.deal.auction, state.players
    gone = {call.seat for call in calls if rules.auction.one_round or call.bid is None}
    holder = next((call.seat for call in reversed(calls) if call.bid is not None), None)
    return Auction(
        player=players.index(game.decision(state).seat or 0),
        within=sum(1 << at for at, seat in enumerate(players) if seat not in gone),
        bidder=-1 if holder is None else players.index(holder),
        dealer=players.index(state.dealer),
        partner=len(rules.sides) if rules.has_partners else 0,
        one_round=rules.auction.one_round,
        all_pass=ALL_PASS[rules.auction.all_pass],
    )


def by_engine(
    rules: Rules, state: GameState, bids: list[int], tops: Integers, plan: list[int]
) -> tuple[int | None, int]:
    """Who declares and for what, each seat doing what a kernel takes it to do."""
    me, first = game.decision(state).seat, True
    assert rules.auction is not None
    while True:
        decision = game.decision(state)
        its, seat = decision.legal, decision.seat
        assert isinstance(its, Bids)
        assert seat is not None
        calls = state.deal.auction
        holder = next((call.seat for call in reversed(calls) if call.bid is not None), None)
        over = int(holder in rules.partners_of(seat))
        place = bids.index(its.lowest_bid) if its.lowest_bid in bids else HEIGHT
        wanted = place
        if seat == me and first:
            wanted = plan[0]
        elif seat == me:
            if place > plan[1] or (over and not plan[2]):
                wanted = -1
        else:
            top = int(tops[plan[3], 0, seat, over])
            spoken = {call.seat for call in calls}
            if rules.auction.one_round and len(spoken) + 1 < len(state.players):
                wanted += max(top - wanted, 0) // 2
            if wanted > top:
                wanted = -1
        first = first and seat != me
        if wanted < 0 and not its.may_pass:
            wanted = place
        action: Action = PASS if wanted < 0 or wanted >= HEIGHT else Bid(bids[wanted])
        state, events = game.apply(state, action)
        for event in events:
            if isinstance(event, Declared):
                return event.seat, event.points
        if state.deals:
            return None, 0


@settings(max_examples=150, deadline=None)
@given(
    rules=st.one_of(tables(part=Feature.SEARCH), st.sampled_from(list(WIDE.values()))),
    seed=st.integers(0, 1 << 30),
)
def test_an_auction_ends_as_in_the_engine(rules: Rules, seed: int) -> None:
    if rules.auction is None:
        return
    rng = random.Random(seed)
    stuck = rng.choice([None, None, 1, 35, 200, 300])
    rules = replace(rules, auction=replace(rules.auction, stuck_bid=stuck))
    assert rules.auction is not None
    state = opened(rules, rng)
    bids, kernel = ladder(rules, state), as_kernel(rules, state)
    standing_bid = next((c.bid for c in reversed(state.deal.auction) if c.bid is not None), None)
    prices = [standing_bid or dealer_forced_bid(rules.auction), *bids]
    shape = (2, 1, rules.seats, 2)
    tops = np.array([rng.randrange(-1, HEIGHT - 1) for _ in range(4 * rules.seats)]).reshape(shape)
    its = game.decision(state).legal
    assert isinstance(its, Bids)
    for _ in range(4):
        place = rng.choice([-1, 0, 1] if its.may_pass else [0, 1])
        if place >= 0 and not its.allows(bids[place]):
            place = 0
        plan = [place, max(place, rng.randrange(HEIGHT)), rng.randrange(2), rng.randrange(2)]
        assert len(plan) == PLAN
        code = followed(kernel, tops, 0, np.array([plan]), 0, HEIGHT)
        declarer, price = code // (HEIGHT + 1) - 1, prices[code % (HEIGHT + 1)]
        seat, bid = by_engine(rules, state, bids, tops, plan)
        assert declarer == (-1 if seat is None else state.players.index(seat))
        if seat is not None:
            assert price == bid


def test_a_plan_is_worth_the_contract_that_it_leads_to() -> None:
    """The bid is made where the meld reaches it; what is thrown in leaves the game as it was."""
    rules = variants.get("three-handed")
    now = standing(rules, (0, 1, 2), (100, 200, 300), 1500, 3)
    ends = np.zeros((1, 3, 3, ENDS), np.int64)
    ends[0, 1, 1] = 280, 0, 20, 1
    contracts = Contracts(np.zeros((1, 3), np.int64), ends)
    auction = Auction(1, 0b111, -1, 0, 0, False, THROWN_IN)
    tops = np.array([[[[-1, -1], [-1, -1], [3, 3]]]])  # seat 2 goes to 280
    heights = np.array([250, 250, 260, 270, 280, 290, 300, 310])
    plans = np.array([[-1, -1, 0, 0], [0, 1, 0, 0], [0, 4, 0, 0], [0, 6, 0, 0]])
    tried, declarers = auctions(
        rule_arrays(rules, (0, 1, 2)), now, auction, heights, contracts, tops, plans
    )
    assert declarers.tolist() == [[2, 2, 1, 1]]
    assert tried.points.tolist() == [[0, 0, 300, 300]]
    assert tried.made.tolist() == [[False, False, True, True]]
    lost = win_probability(now, np.array([100, 200, 50]), 2, 1)  # set at 250 where nobody else bids
    assert tried.chance[0, 0] == pytest.approx(lost)
    none = np.full((1, 1, 3, 2), -1)
    tried, declarers = auctions(
        rule_arrays(rules, (0, 1, 2)), now, auction, heights, contracts, none, plans[:1]
    )
    assert declarers.tolist() == [[-1]]
    assert tried.chance[0, 0] == pytest.approx(win_probability(now, now.scores, -1, 1))
