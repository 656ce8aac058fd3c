"""The rest of an auction imagined in many worlds, for each plan that the bidder may follow.

Every other player bids the least that is legal until the limit of its hand is reached. Who then
declares and at what price is scored as that contract ended in that world (`deals.contracts`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import int64
from numpy.typing import NDArray

from acesaround.fast.jit import arrayless_kernel
from acesaround.fast.playouts.rule_arrays import Integers, RuleArrays
from acesaround.fast.rollouts.before_play import (
    COUNTER,
    MELDED,
    OF_NINES,
    PLAYED,
    Contracts,
    scored,
)
from acesaround.fast.rollouts.card_play import RolloutResults, empty_results
from acesaround.fast.rollouts.win_probability import (
    Ended,
    Standing,
    new_end_buffer,
    win_probability,
)
from acesaround.rules import AllPass

Array: TypeAlias = Any  # of int64; numba infers it

# Columns of a plan.
FIRST: Final = 0  # the place on the ladder of the bid now, -1 for a pass
LAST: Final = 1  # the highest place that will be bid
OVER: Final = 2  # whether the partner is outbid later on
LIMITS: Final = 3  # which limits of the others follow from the bid now
PLAN: Final = 4

LIMITED: Final = -2
"""As `FIRST` of a plan: the player goes by a limit, as all others do."""

# What follows when everybody passes.
THROWN_IN: Final = 0
DEALER: Final = 1
DEALER_BIDS: Final = 2
ALL_PASS: Final = {
    AllPass.REDEAL: THROWN_IN,
    AllPass.DEALER: DEALER,
    AllPass.DEALER_BIDS: DEALER_BIDS,
    AllPass.FIRST_BIDS: DEALER,  # which cannot be: a bid stands before anybody can pass
}


class Auction(NamedTuple):
    """Where an auction stands. Places on the ladder count from 0, the least bid now; -1 is below.

    Players are counted in turn, and sets of them are bits.
    """

    player: int
    """Who is to bid."""
    within: int
    """The players who have not passed, or where each bids once those who have not spoken."""
    bidder: int
    """Who has the standing bid, -1 for nobody."""
    dealer: int
    partner: int
    """How many players on a partner sits, and each further one; 0 for nobody."""
    one_round: bool
    all_pass: int


class Bought(NamedTuple):
    """What came of auctions in which all went by their limits, and of the deals after them."""

    totals: Integers
    """What each side scored: (worlds, sides)."""
    declarers: Integers
    """A player, -1 where the deal was thrown in: (worlds,)."""
    bids: Integers
    """What the declarer had it for: (worlds,)."""
    made: Integers
    """1 where the bid was made: (worlds,)."""


def places(heights: NDArray[np.float64], reached: NDArray[np.float64]) -> Integers:
    """The highest places on a ladder of bids that are not above some limits, -1 where all are."""
    return np.searchsorted(heights, reached, side="right").astype(np.int64) - 1


def between(
    numbers: RuleArrays,
    standing: Standing,
    auction: Auction,
    ladder: Integers,
    contracts: Contracts,
    tops: Integers,
) -> Bought:
    """What comes of whole auctions; the deal goes round from world to world.

    `auction`: how it goes, whoever deals. `ladder`, `contracts`: as in `auctions`. `tops`: the
    highest place to which each player goes, and goes over a partner's bid: (worlds, players, 2).
    """
    number = len(tops)
    found = Bought(
        np.zeros((number, len(numbers.sides)), np.int64),
        *(np.zeros(number, np.int64) for _ in range(3)),
    )
    plans = np.array([[LIMITED, 0, 0, 0]], np.int64)
    room = new_end_buffer(len(numbers.sides))
    _between(numbers, standing, auction, ladder, contracts, tops[None], plans, room, found)
    return found


@arrayless_kernel
def _between(
    flat: RuleArrays,
    standing: Standing,
    auction: Auction,
    ladder: Array,
    contracts: Contracts,
    tops: Array,
    plans: Array,
    room: Ended,
    found: Bought,
) -> None:
    heights, players = ladder.shape[0], tops.shape[2]
    for world in range(tops.shape[1]):
        dealer = world % players
        its = Auction(
            (dealer + 1) % players,
            (int64(1) << players) - 1,
            int64(-1),
            dealer,
            auction.partner,
            auction.one_round,
            auction.all_pass,
        )
        code = followed(its, tops, world, plans, 0, heights - 1)
        declarer, bid = code // heights - 1, ladder[code % heights]
        found.declarers[world], found.bids[world] = declarer, bid
        if declarer >= 0:
            made = _scored(flat, standing, contracts, world, declarer, bid, room)
            found.made[world] = 1 if made else 0
            for side in range(room.totals.shape[0]):
                found.totals[world, side] = room.totals[side] - standing.scores[side]


@arrayless_kernel
def _scored(
    flat: RuleArrays,
    standing: Standing,
    contracts: Contracts,
    world: int,
    declarer: int,
    bid: int,
    room: Ended,
) -> bool:
    """Score a contract in a world into `room.totals`; whether its bid was made."""
    for side in range(room.meld.shape[0]):
        room.meld[side] = contracts.ends[world, declarer, side, MELDED]
        room.nines[side] = contracts.ends[world, declarer, side, OF_NINES]
        room.play[side] = contracts.ends[world, declarer, side, PLAYED]
        room.counter[side] = contracts.ends[world, declarer, side, COUNTER]
    trump = contracts.trump[world, declarer]
    made: bool = scored(standing, room, trump, flat.side[declarer], bid)
    return made


def auctions(
    numbers: RuleArrays,
    standing: Standing,
    auction: Auction,
    ladder: Integers,
    contracts: Contracts,
    tops: Integers,
    plans: Integers,
) -> tuple[RolloutResults, NDArray[np.int64]]:
    """What comes of each plan in each world, and who declares there (-1: thrown in).

    `ladder`: the standing bid, or the least that the dealer is given the deal for; then the legal
    bids from the least one on. `contracts`: one for each player. `tops`: the highest place to which
    each player goes, and goes over a partner's bid, for each kind of limits: (kinds, worlds,
    players, 2). `plans`: see PLAN.
    """
    shape = tops.shape[1], len(plans)
    tried = empty_results(*shape)
    declarers = np.zeros(shape, np.int64)
    memo = np.zeros((tops.shape[2] + 1, len(ladder) + 1, 4))
    room = new_end_buffer(len(numbers.sides))
    _auctions(
        numbers,
        standing,
        auction,
        ladder,
        contracts,
        tops,
        plans,
        room,
        memo,
        tried,
        declarers,
    )
    return tried, declarers


@arrayless_kernel
def _auctions(
    flat: RuleArrays,
    standing: Standing,
    auction: Auction,
    ladder: Array,
    contracts: Contracts,
    tops: Array,
    plans: Array,
    room: Ended,
    memo: Array,
    tried: RolloutResults,
    declarers: Array,
) -> None:
    mine = flat.side[auction.player]
    heights = ladder.shape[0]
    for world in range(tops.shape[1]):
        for plan in range(plans.shape[0]):
            code = followed(auction, tops, world, plans, plan, heights - 1)
            declarer, place = code // heights - 1, code % heights
            its = memo[declarer + 1, place]
            if its[3] != world + 1:
                its[3] = world + 1
                if declarer < 0:
                    its[0], its[1] = win_probability(standing, standing.scores, -1, mine), 0.0
                    its[2] = 0.0
                else:
                    bid = ladder[place]
                    made = _scored(flat, standing, contracts, world, declarer, bid, room)
                    its[0] = win_probability(standing, room.totals, flat.side[declarer], mine)
                    its[1] = float(room.totals[mine] - standing.scores[mine])
                    its[2] = 1.0 if made else 0.0
            tried.chance[world, plan] = its[0]
            tried.points[world, plan] = int64(its[1])
            tried.made[world, plan] = its[2] != 0.0
            declarers[world, plan] = declarer


@arrayless_kernel
def followed(
    auction: Auction, tops: Array, world: int, plans: Array, plan: int, highest: int
) -> int:
    """Who declares, counted from 1, 0 for nobody, times the ladder's length, plus the place on it.

    Place 0 of the ladder is the standing bid, so that places of bids count from 1 in what follows.
    """
    me, players = auction.player, tops.shape[2]
    within, bidder, at = auction.within, auction.bidder, me
    place, first = int64(0), True
    limits = plans[plan, LIMITS]
    while within:
        if bidder >= 0 and not auction.one_round and within == int64(1) << bidder:
            break
        if within >> at & 1 == 0:
            at = (at + 1) % players
            continue
        alone = within == int64(1) << at
        over = int64(0)
        if bidder >= 0 and auction.partner and (at + players - bidder) % auction.partner == 0:
            over = int64(1)
        if at == me and plans[plan, FIRST] != LIMITED:
            if first:
                wanted = plans[plan, FIRST] + 1
            else:
                wanted = place + 1
                if wanted > plans[plan, LAST] + 1 or (over and plans[plan, OVER] == 0):
                    wanted = int64(0)
            first = False
        else:
            top = tops[limits, world, at, over] + 1
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
                within ^= int64(1) << at
        else:
            within ^= int64(1) << at
        at = (at + 1) % players
    if bidder < 0 and auction.all_pass != THROWN_IN:
        bidder = auction.dealer
    code: int = (bidder + 1) * (highest + 1) + place
    return code
