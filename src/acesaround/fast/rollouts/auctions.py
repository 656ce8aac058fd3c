"""Simulated auctions: the rest of an auction in many worlds, for each plan of the bidder.

Every other player makes the lowest legal bid until the limit of their hand is reached. The final
contract is scored by the result of that contract in that world (`roll_out_contracts`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import int64
from numpy.typing import NDArray

from acesaround.fast.jit import arrayless_kernel
from acesaround.fast.playouts.rule_arrays import Integers, RuleArrays
from acesaround.fast.rollouts.before_play import ContractResults, score_deal
from acesaround.fast.rollouts.card_play import RolloutResults, empty_results
from acesaround.fast.rollouts.win_probability import (
    EndBuffer,
    ScoringState,
    load_end,
    new_end_buffer,
    win_probability,
)
from acesaround.rules import AllPass

Array: TypeAlias = Any  # of int64; numba infers it

# Columns of a plan.
PLAN_BID: Final = 0  # the ladder place of the present bid, -1 for a pass
PLAN_MAX_BID: Final = 1  # the highest place that will be bid later
PLAN_OUTBIDS_PARTNER: Final = 2  # whether the partner is outbid later on
PLAN_LIMIT_KIND: Final = 3  # which kind of limits of the others follows from the present bid
PLAN_COLUMNS: Final = 4

FOLLOWS_LIMIT: Final = -2
"""As `PLAN_BID` of a plan: the player follows a limit, as all others do."""

# The consequences if everybody passes.
THROWN_IN: Final = 0
DEALER: Final = 1
DEALER_BIDS: Final = 2
ALL_PASS: Final = {
    AllPass.REDEAL: THROWN_IN,
    AllPass.DEALER: DEALER,
    AllPass.DEALER_BIDS: DEALER_BIDS,
    AllPass.FIRST_BIDS: DEALER,  # cannot happen: there is a bid before any player can pass
}


class AuctionState(NamedTuple):
    """The state of an auction. Ladder places count from 0, the lowest possible bid; -1 is below.

    Players are counted in turn order, and sets of players are bits.
    """

    player: int
    """The player on turn to bid."""
    active_players: int
    """The players who have not passed or, in a one-round auction, who have not called yet."""
    bidder: int
    """The player with the standing bid, -1 if there is none."""
    dealer: int
    partner: int
    """The distance in seats to the partner, and from there to each further one; 0 without
    partners."""
    one_round: bool
    all_pass: int


class _AuctionRequest(NamedTuple):
    """Auctions to follow; see `evaluate_plans` for the fields."""

    auction: AuctionState
    ladder: Integers
    contracts: ContractResults
    max_places: Integers
    plans: Integers


class AuctionResults(NamedTuple):
    """The results of auctions in which all players follow their limits, and of their deals."""

    totals: Integers
    """The score of each side in the deal: (worlds, sides)."""
    declarers: Integers
    """The declarer, -1 if the deal was thrown in: (worlds,)."""
    bids: Integers
    """The declarer's bid: (worlds,)."""
    made: Integers
    """1 if the bid was made: (worlds,)."""


class PlanResults(NamedTuple):
    """The result of each plan in each world: (worlds, plans)."""

    results: RolloutResults
    declarers: Integers
    """The declarer, -1 if the deal was thrown in."""
    bids: Integers
    """The declarer's bid."""


def highest_places(ladder_bids: NDArray[np.float64], limits: NDArray[np.float64]) -> Integers:
    """Return the highest ladder places not above the `limits`, -1 if there is none."""
    return np.searchsorted(ladder_bids, limits, side="right").astype(np.int64) - 1


def simulate_auctions(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    auction: AuctionState,
    ladder: Integers,
    contracts: ContractResults,
    max_places: Integers,
) -> AuctionResults:
    """Return the results of whole auctions; the next player deals in each following world.

    `auction`: its rules; its state is ignored. `ladder`, `contracts`: as in `evaluate_plans`.
    `max_places`: the highest place to which each player goes, and to which they outbid a partner:
    (worlds, players, 2).
    """
    number = len(max_places)
    found = AuctionResults(
        np.zeros((number, len(rule_arrays.side_zeros)), np.int64),
        *(np.zeros(number, np.int64) for _ in range(3)),
    )
    plans = np.array([[FOLLOWS_LIMIT, 0, 0, 0]], np.int64)
    request = _AuctionRequest(auction, ladder, contracts, max_places[None], plans)
    _simulate_auctions(
        rule_arrays, scoring_state, request, new_end_buffer(len(rule_arrays.side_zeros)), found
    )
    return found


@arrayless_kernel
def _simulate_auctions(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    request: _AuctionRequest,
    end_buffer: EndBuffer,
    found: AuctionResults,
) -> None:
    auction, ladder, max_places = request.auction, request.ladder, request.max_places
    ladder_size, players = ladder.shape[0], max_places.shape[2]
    for world in range(max_places.shape[1]):
        dealer = world % players
        its = AuctionState(
            (dealer + 1) % players,
            (int64(1) << players) - 1,
            int64(-1),
            dealer,
            auction.partner,
            auction.one_round,
            auction.all_pass,
        )
        code = follow_plan(its, max_places, world, request.plans, 0, ladder_size - 1)
        declarer, bid = code // ladder_size - 1, ladder[code % ladder_size]
        found.declarers[world], found.bids[world] = declarer, bid
        if declarer >= 0:
            made = _score_contract(
                rule_arrays, scoring_state, request.contracts, world, declarer, bid, end_buffer
            )
            found.made[world] = 1 if made else 0
            for side in range(end_buffer.totals.shape[0]):
                found.totals[world, side] = end_buffer.totals[side] - scoring_state.scores[side]


@arrayless_kernel
def _score_contract(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    contracts: ContractResults,
    world: int,
    declarer: int,
    bid: int,
    end_buffer: EndBuffer,
) -> bool:
    """Score a contract in a world into the end buffer; return whether the bid was made."""
    load_end(contracts.ends[world, declarer], end_buffer)
    trump = contracts.trump[world, declarer]
    made: bool = score_deal(
        scoring_state, end_buffer, trump, rule_arrays.side_of_player[declarer], bid
    )
    return made


def evaluate_plans(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    auction: AuctionState,
    ladder: Integers,
    contracts: ContractResults,
    max_places: Integers,
    plans: Integers,
) -> PlanResults:
    """Return the result of each plan in each world, and the declarer and bid there.

    `ladder`: the standing bid, or the price at which the dealer is given the deal; then the legal
    bids in ascending order. `contracts`: one for each player. `max_places`: the highest place to
    which each player goes, and to which they outbid a partner, for each kind of limits: (kinds,
    worlds, players, 2). `plans`: rows with the columns listed at PLAN.
    """
    shape = max_places.shape[1], len(plans)
    found = PlanResults(empty_results(*shape), np.zeros(shape, np.int64), np.zeros(shape, np.int64))
    memo = np.zeros((max_places.shape[2] + 1, len(ladder) + 1, 4))
    end_buffer = new_end_buffer(len(rule_arrays.side_zeros))
    request = _AuctionRequest(auction, ladder, contracts, max_places, plans)
    _evaluate_plans(rule_arrays, scoring_state, request, end_buffer, memo, found)
    return found


@arrayless_kernel
def _evaluate_plans(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    request: _AuctionRequest,
    end_buffer: EndBuffer,
    memo: Array,
    found: PlanResults,
) -> None:
    tried = found.results
    auction, ladder, max_places, plans = (
        request.auction,
        request.ladder,
        request.max_places,
        request.plans,
    )
    own_side = rule_arrays.side_of_player[auction.player]
    ladder_size = ladder.shape[0]
    for world in range(max_places.shape[1]):
        for plan in range(plans.shape[0]):
            code = follow_plan(auction, max_places, world, plans, plan, ladder_size - 1)
            declarer, place = code // ladder_size - 1, code % ladder_size
            its = memo[declarer + 1, place]
            if its[3] != world + 1:
                its[3] = world + 1
                if declarer < 0:
                    its[0], its[1] = (
                        win_probability(scoring_state, scoring_state.scores, -1, own_side),
                        0.0,
                    )
                    its[2] = 0.0
                else:
                    bid = ladder[place]
                    made = _score_contract(
                        rule_arrays,
                        scoring_state,
                        request.contracts,
                        world,
                        declarer,
                        bid,
                        end_buffer,
                    )
                    its[0] = win_probability(
                        scoring_state,
                        end_buffer.totals,
                        rule_arrays.side_of_player[declarer],
                        own_side,
                    )
                    its[1] = float(end_buffer.totals[own_side] - scoring_state.scores[own_side])
                    its[2] = 1.0 if made else 0.0
            tried.win_probability[world, plan] = its[0]
            tried.points[world, plan] = int64(its[1])
            tried.bid_made[world, plan] = its[2] != 0.0
            found.declarers[world, plan] = declarer
            found.bids[world, plan] = ladder[place]


@arrayless_kernel
def follow_plan(
    auction: AuctionState, max_places: Array, world: int, plans: Array, plan: int, highest: int
) -> int:
    """Return the final contract: (declarer + 1) * length of the ladder + place of the last bid.

    A declarer of -1 means that there is none. Place 0 of the ladder is the standing bid, so the
    places of new bids count from 1.
    """
    me, players = auction.player, max_places.shape[2]
    active_players, bidder, at = auction.active_players, auction.bidder, me
    place, first = int64(0), True
    limits = plans[plan, PLAN_LIMIT_KIND]
    while active_players:
        if bidder >= 0 and not auction.one_round and active_players == int64(1) << bidder:
            break
        if active_players >> at & 1 == 0:
            at = (at + 1) % players
            continue
        alone = active_players == int64(1) << at
        is_over_partner = int64(0)
        if bidder >= 0 and auction.partner and (at + players - bidder) % auction.partner == 0:
            is_over_partner = int64(1)
        if at == me and plans[plan, PLAN_BID] != FOLLOWS_LIMIT:
            if first:
                wanted = plans[plan, PLAN_BID] + 1
            else:
                wanted = place + 1
                if wanted > plans[plan, PLAN_MAX_BID] + 1 or (
                    is_over_partner and plans[plan, PLAN_OUTBIDS_PARTNER] == 0
                ):
                    wanted = int64(0)
            first = False
        else:
            top = max_places[limits, world, at, is_over_partner] + 1
            wanted = place + 1
            if auction.one_round and not alone:
                wanted += max(top - wanted, 0) // 2
            if wanted > top:
                wanted = int64(0)
        must = auction.all_pass == DEALER_BIDS and bidder < 0 and alone and at == auction.dealer
        if wanted == 0 and must:
            wanted = place + 1
        if wanted and wanted <= highest:
            place, bidder = wanted, at
            if auction.one_round:
                active_players ^= int64(1) << at
        else:
            active_players ^= int64(1) << at
        at = (at + 1) % players
    if bidder < 0 and auction.all_pass != THROWN_IN:
        bidder = auction.dealer
    code: int = (bidder + 1) * (highest + 1) + place
    return code
