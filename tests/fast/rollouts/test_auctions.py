"""Auctions that a kernel simulates end as in the engine."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import PASS, Action, Bid
from acesaround.fast.playouts.rule_arrays import Integers, build_rule_arrays
from acesaround.fast.rollouts.auctions import (
    DEALER,
    DEALER_BIDS,
    PLAN_COLUMNS,
    THROWN_IN,
    AuctionState,
    evaluate_plans,
    follow_plan,
)
from acesaround.fast.rollouts.before_play import ContractResults
from acesaround.fast.rollouts.win_probability import (
    END_COLUMNS,
    make_scoring_state,
    win_probability,
)
from acesaround.game.events import Declared
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState
from acesaround.legal_bids import Bids
from acesaround.rules import AllPass, Rules, dealer_forced_bid
from acesaround.rules.feature_support import Feature
from tests.extended_rules import WIDE
from tests.random_games import tables

HEIGHT = 14  # bids on the ladder
ALL_PASS = {
    AllPass.REDEAL: THROWN_IN,
    AllPass.DEALER: DEALER,
    AllPass.DEALER_BIDS: DEALER_BIDS,
    AllPass.FIRST_BIDS: DEALER,
}


def auction_in_progress(rules: Rules, rng: random.Random) -> GameState:
    """Return an auction after some calls, which are lowest bids and passes."""
    state = game.start(rules, rng.randrange(rules.seats))
    legal = game.decision(state).legal
    assert isinstance(legal, Deals)
    state, _ = game.apply(state, legal.sample(rng))
    for _ in range(rng.randrange(6)):
        legal_bids = game.decision(state).legal
        assert isinstance(legal_bids, Bids)
        action: Action = (
            PASS if legal_bids.may_pass and rng.random() < 0.4 else Bid(legal_bids.lowest_bid)
        )
        after, _ = game.apply(state, action)
        if after.deals or game.decision(after).kind is not DecisionKind.BID:
            break
        state = after
    return state


def bid_ladder(rules: Rules, state: GameState) -> list[int]:
    """Return the bids from the lowest one on, a single step apart."""
    legal_bids = game.decision(state).legal
    assert isinstance(legal_bids, Bids)
    assert rules.auction is not None
    if rules.auction.raises:
        return [legal_bids.lowest_bid + at * rules.auction.raises[0] for at in range(HEIGHT)]
    return list(islice(legal_bids.bids(), HEIGHT))


def kernel_auction(rules: Rules, state: GameState) -> AuctionState:
    assert rules.auction is not None
    calls, players = state.deal.auction, state.players
    passed = {call.seat for call in calls if rules.auction.one_round or call.bid is None}
    holder = next((call.seat for call in reversed(calls) if call.bid is not None), None)
    return AuctionState(
        player=players.index(game.decision(state).seat or 0),
        active_players=sum(1 << at for at, seat in enumerate(players) if seat not in passed),
        bidder=-1 if holder is None else players.index(holder),
        dealer=players.index(state.dealer),
        partner=len(rules.sides) if rules.has_partners else 0,
        one_round=rules.auction.one_round,
        all_pass=ALL_PASS[rules.auction.all_pass],
    )


def engine_contract(
    rules: Rules, state: GameState, bids: list[int], tops: Integers, plan: list[int]
) -> tuple[int | None, int]:
    """Return who declares and for what when each seat follows the kernel's assumptions."""
    me, first = game.decision(state).seat, True
    assert rules.auction is not None
    while True:
        decision = game.decision(state)
        legal_bids, seat = decision.legal, decision.seat
        assert isinstance(legal_bids, Bids)
        assert seat is not None
        calls = state.deal.auction
        holder = next((call.seat for call in reversed(calls) if call.bid is not None), None)
        over = int(holder in rules.partners_of(seat))
        place = bids.index(legal_bids.lowest_bid) if legal_bids.lowest_bid in bids else HEIGHT
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
        if wanted < 0 and not legal_bids.may_pass:
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
def test_kernel_auction_ends_as_in_the_engine(rules: Rules, seed: int) -> None:
    if rules.auction is None:
        return
    rng = random.Random(seed)
    stuck_bid = rng.choice([None, None, 1, 35, 200, 300])
    rules = replace(rules, auction=replace(rules.auction, stuck_bid=stuck_bid))
    assert rules.auction is not None
    state = auction_in_progress(rules, rng)
    bids, kernel = bid_ladder(rules, state), kernel_auction(rules, state)
    standing_bid = next((c.bid for c in reversed(state.deal.auction) if c.bid is not None), None)
    prices = [standing_bid or dealer_forced_bid(rules.auction), *bids]
    shape = (2, 1, rules.seats, 2)
    tops = np.array([rng.randrange(-1, HEIGHT - 1) for _ in range(4 * rules.seats)]).reshape(shape)
    legal_bids = game.decision(state).legal
    assert isinstance(legal_bids, Bids)
    for _ in range(4):
        place = rng.choice([-1, 0, 1] if legal_bids.may_pass else [0, 1])
        if place >= 0 and not legal_bids.allows(bids[place]):
            place = 0
        plan = [place, max(place, rng.randrange(HEIGHT)), rng.randrange(2), rng.randrange(2)]
        assert len(plan) == PLAN_COLUMNS
        code = follow_plan(kernel, tops, 0, np.array([plan]), 0, HEIGHT)
        declarer, price = code // (HEIGHT + 1) - 1, prices[code % (HEIGHT + 1)]
        seat, bid = engine_contract(rules, state, bids, tops, plan)
        assert declarer == (-1 if seat is None else state.players.index(seat))
        if seat is not None:
            assert price == bid


def test_plan_has_the_value_of_its_contract() -> None:
    """The bid is made if the meld reaches it. A deal that is thrown in changes no score."""
    rules = variants.get("three-handed")
    now = make_scoring_state(rules, (0, 1, 2), (100, 200, 300), 1500, 3)
    ends = np.zeros((1, 3, 3, END_COLUMNS), np.int64)
    ends[0, 1, 1] = 280, 0, 20, 1
    contracts = ContractResults(np.zeros((1, 3), np.int64), ends)
    auction = AuctionState(1, 0b111, -1, 0, 0, False, THROWN_IN)
    tops = np.array([[[[-1, -1], [-1, -1], [3, 3]]]])  # seat 2 goes to 280
    heights = np.array([250, 250, 260, 270, 280, 290, 300, 310])
    plans = np.array([[-1, -1, 0, 0], [0, 1, 0, 0], [0, 4, 0, 0], [0, 6, 0, 0]])
    tried, declarers, bids = evaluate_plans(
        build_rule_arrays(rules, (0, 1, 2)), now, auction, heights, contracts, tops, plans
    )
    assert declarers.tolist() == [[2, 2, 1, 1]]
    assert bids.tolist() == [[250, 260, 290, 290]]
    assert tried.points.tolist() == [[0, 0, 300, 300]]
    assert tried.bid_made.tolist() == [[False, False, True, True]]
    lost = win_probability(now, np.array([100, 200, 50]), 2, 1)  # set at 250 where nobody else bids
    assert tried.win_probability[0, 0] == pytest.approx(lost)
    none = np.full((1, 1, 3, 2), -1)
    tried, declarers, bids = evaluate_plans(
        build_rule_arrays(rules, (0, 1, 2)), now, auction, heights, contracts, none, plans[:1]
    )
    assert declarers.tolist() == [[-1]]
    assert tried.win_probability[0, 0] == pytest.approx(win_probability(now, now.scores, -1, 1))
