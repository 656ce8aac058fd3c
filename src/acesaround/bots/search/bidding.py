"""The search of the auction: each plan is simulated in many worlds.

A plan is a bid now, and a height up to which to bid later. The other seats are assumed to bid up to
what their hands promise. Every possible contract is rolled out in every world. The value of a plan
is the win probability at the contract that it leads to. So plans cover when to stop, when to push,
and when to leave a bid to the partner.
"""

from __future__ import annotations

from itertools import islice, pairwise
from math import sqrt
from typing import Final, cast

import numpy as np

from acesaround.actions import PASS, Action, Bid, Bids
from acesaround.bots.heuristic.bidding import HEARD
from acesaround.bots.heuristic.bidding import bid as by_thumb
from acesaround.bots.heuristic.bidding_conventions import (
    meaning_of_first_bid,
    truthful_first_bids,
    uses_conventions,
)
from acesaround.bots.search.bid_inference import (
    BidLimits,
    bid_limits,
    bidder,
    meld_shown_by_partners,
    other_limit_spread,
)
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.result import EvaluatedAction, SearchResult
from acesaround.bots.search.world_sampling import Worlds, draw
from acesaround.cards import counts, pack
from acesaround.fast.playouts.melding import melds
from acesaround.fast.playouts.rule_arrays import PARTNER, Integers, rule_arrays
from acesaround.fast.rollouts.auctions import ALL_PASS, FIRST, PLAN, Auction, auctions, places
from acesaround.fast.rollouts.before_play import MELDED, PLAYED, Contracts, contracts
from acesaround.fast.rollouts.bid_limits import limits, perturb_limits
from acesaround.fast.rollouts.win_probability import Standing, standing, win_probability
from acesaround.game.state import Call, Decision
from acesaround.game.view import View
from acesaround.heuristic_weights import OVERCALL, hand_weights, run_worth
from acesaround.rules import stuck_for
from acesaround.rules.melds import marriages

_HEIGHTS: Final = 64  # number of bids on the ladder
_CEILINGS: Final = 10  # number of heights at which the bidder may stop
_SINGLE_BIDS: Final = 24  # number of bids that are tried where there is one round
_DOUBT: Final = 1.0  # standard errors that a bid must gain, because it cannot be taken back
_OVERCALL: Final = 0.5  # fraction of the spread of results that a bid over the partner's must gain
_FIRST_BIDS: Final = 5  # number of bids that are tried as the bid now
_MOST_WORLDS: Final = 6000
_SUIT_WORLDS: Final = 100  # worlds in which the own trump is chosen


def bid(view: View, decision: Decision, effort: SearchBudget) -> SearchResult:
    """Choose a bid or a pass.

    Where partners use conventions, only the first bid of a seat is searched. Later bids follow the
    rules of thumb, because the conventions are built on them. Searching the answers too lost 4
    points a deal in double deck.
    """
    legal, law, seat = cast(Bids, decision.legal), view.rules.auction, cast(int, view.seat)
    assert law is not None
    suits = _suits(view)
    if not suits:
        return SearchResult(PASS if legal.may_pass else Bid(legal.least), (), 0)
    rules, players = view.rules, view.players
    if uses_conventions(rules) and any(call.seat == seat for call in view.auction):
        return SearchResult(by_thumb(view, legal)[0], (), 0)
    me, its = players.index(seat), bid_limits(view)
    numbers = rule_arrays(rules, players)
    ladder = list(islice(legal.bids(), _HEIGHTS))
    if law.raises:
        ladder = [ladder[0] + at * law.raises[0] for at in range(_HEIGHTS)]
    within = _within(view)
    holder = _holder(view)
    declaring = [
        at for at, s in enumerate(players) if within >> at & 1 or s in (view.dealer, holder)
    ]
    number = effort.worlds(len(declaring) + 3, _MOST_WORLDS)
    worlds = draw(view, number, effort)
    ended = _contracts(view, worlds, me, declaring, suits, effort.seed)
    words = _words(view, legal, ladder)
    tops = _tops(view, worlds, its, me, within, ladder, words, effort.seed)
    plans = _plans(view, legal, ladder, words)
    current = Auction(
        player=me,
        within=within,
        bidder=-1 if holder is None else players.index(holder),
        dealer=players.index(view.dealer),
        partner=int(numbers.numbers[PARTNER]),
        one_round=law.one_round,
        all_pass=ALL_PASS[law.all_pass],
    )
    game = standing(rules, players, view.scores, view.target, view.deals)
    heights = np.array([_standing(view) or stuck_for(law), *ladder], np.int64)
    tried, _ = auctions(numbers, game, current, heights, ended, tops, plans)
    means = tried.chance.mean(0), tried.points.mean(0), tried.made.mean(0)
    best: dict[int, EvaluatedAction] = {}
    for plan, likely, points, made in zip(plans, *means, strict=True):
        first = int(plan[FIRST])
        action: Action = PASS if first < 0 else Bid(ladder[first])
        option = EvaluatedAction(action, float(likely), float(points), float(made))
        if first not in best or _key(option) > _key(best[first]):
            best[first] = option
    asked = _overcall(view, game)
    if legal.may_pass and not law.one_round:
        asked += _DOUBT * float((tried.chance - tried.chance[:, :1]).std(0).max()) / sqrt(number)
    options = sorted(
        best.values(), key=lambda o: (o.chance - asked * (o.action != PASS), o.points), reverse=True
    )
    return SearchResult(options[0].action, tuple(options), number)


def _key(option: EvaluatedAction) -> tuple[float, float]:
    return option.chance, option.points


def _overcall(view: View, game: Standing) -> float:
    """Return the gain in win probability that a bid over the partner's needs.

    The partner knows its own hand better, and partners who outbid each other only pay for it. So
    the gain, counted in points, doubles each time partners have outbid each other. Opponents who
    have passed do not change the gain: when more was asked after that, good hands were left to a
    partner with a poorer one.
    """
    rules, seat, holder = view.rules, cast(int, view.seat), _holder(view)
    if holder not in rules.partners_of(seat):
        return 0.0
    side, totals = rules.side_of(seat), game.scores.copy()
    bidders = [call.seat for call in view.auction if call.bid is not None]
    again = sum(other in rules.partners_of(one) for one, other in pairwise(bidders))
    spreads = min(_OVERCALL * 2.0**again, 20.0)
    before = win_probability(game, totals, -1, side)
    totals[side] += int(spreads * hand_weights(rules).spread * run_worth(rules))
    return win_probability(game, totals, -1, side) - before


def _suits(view: View) -> list[int]:
    """Return the suits that may be named after the auction, as far as is known now."""
    rules = view.rules
    assert rules.auction is not None
    if not rules.auction.marriage_needed or rules.deal.kitty:
        return [0, 1, 2, 3]
    held = counts(pack(view.hand))
    return [suit for suit in range(4) if marriages(held, suit)]


def _contracts(
    view: View, worlds: Worlds, me: int, declaring: list[int], suits: list[int], seed: int
) -> Contracts:
    """Return the results of some players' contracts in each world.

    The own contract has the trump that is best on average, unless there is a kitty.
    """
    rules, players = view.rules, view.players
    numbers, tables = rule_arrays(rules, players), melds(rules)
    declarers = np.array(declaring, np.int64)
    named = np.full(len(players), -1, np.int64)
    if not rules.deal.kitty and len(suits) > 1:
        few = slice(0, _SUIT_WORLDS)
        tried = contracts(
            numbers,
            tables,
            worlds.hands[few],
            worlds.rest[few],
            np.full(len(suits), me, np.int64),
            np.array(suits, np.int64),
            seed,
        )
        side = rules.side_of(players[me])
        own = tried.ends[:, :, side, MELDED] + tried.ends[:, :, side, PLAYED]
        named[me] = suits[int(own.mean(0).argmax())]
    its = contracts(numbers, tables, worlds.hands, worlds.rest, declarers, named[declarers], seed)
    trump = np.full((len(worlds.hands), len(players)), -1, np.int64)
    ends = np.zeros((len(worlds.hands), len(players), *its.ends.shape[2:]), np.int64)
    trump[:, declarers], ends[:, declarers] = its.trump, its.ends
    return Contracts(trump, ends)


def _words(view: View, legal: Bids, ladder: list[int]) -> dict[int, float]:
    """Return the truthful first bids by their place on the ladder, and the meld they show."""
    return {
        ladder.index(said): HEARD[word]
        for said, word in reversed(truthful_first_bids(view))
        if legal.allows(said) and said in ladder and word in HEARD
    }


def _tops(
    view: View,
    worlds: Worlds,
    its: BidLimits,
    me: int,
    within: int,
    ladder: list[int],
    words: dict[int, float],
    seed: int,
) -> Integers:
    """Return how high the others go: with no message, and after each truthful first bid.

    The array is (1 + first bids, worlds, players, 2). The last axis is for bids over other seats
    and over the own partner.
    """
    rules, players = view.rules, view.players
    numbers, tables = rule_arrays(rules, players), melds(rules)
    partners = rules.partners_of(players[me])
    heights = np.array(ladder, np.float64)
    over = OVERCALL * hand_weights(rules).spread * run_worth(rules)
    wanted = np.array([bool(within >> at & 1) and at != me for at in range(len(players))])
    found = []
    for shown in (0.0, *words.values()):
        known = its.known.copy()
        for partner in partners if shown else ():
            others = meld_shown_by_partners(view, partner)  # shown before
            known[players.index(partner)] = others + shown
        reached = limits(numbers, tables, bidder(rules), worlds.hands, known, wanted)
        reached = perturb_limits(reached, other_limit_spread(rules), its.least, seed)
        found.append(np.stack([places(heights, reached), places(heights, reached - over)], -1))
    return np.ascontiguousarray(np.stack(found))


def _plans(view: View, legal: Bids, ladder: list[int], words: dict[int, float]) -> Integers:
    """Return the plans: a pass, and each bid now with each height up to which to bid later."""
    law, seat = view.rules.auction, cast(int, view.seat)
    assert law is not None
    plans = [[-1, -1, 0, 0]] if legal.may_pass else []
    if law.one_round:
        allowed = (place for place in range(_SINGLE_BIDS) if legal.allows(ladder[place]))
        plans += [[place, place, 0, 0] for place in allowed]
        return np.array(plans, np.int64)
    first_bids = []
    for place in range(_FIRST_BIDS):
        if not legal.allows(ladder[place]):
            break
        said = meaning_of_first_bid(view.rules, (*view.auction, Call(seat, ladder[place])), seat)
        if place in words:
            first_bids.append((place, 1 + list(words).index(place)))
        elif said not in HEARD and all(kind for _, kind in first_bids):
            first_bids.append((place, 0))
    for place, kind in first_bids:
        for more in _steps(len(ladder) - place):
            plans.append([place, place + more, 0, kind])
    assert all(len(plan) == PLAN for plan in plans)
    return np.array(plans, np.int64)


def _steps(most: int) -> list[int]:
    """Return how many places higher the bidder may stop: every place at first, then fewer."""
    found = [0]
    while len(found) < _CEILINGS and found[-1] + 1 < most:
        found.append(min(found[-1] + max(1, len(found) - 3), most - 1))
    return found


def _within(view: View) -> int:
    """Return the players who may still bid, as a bit set.

    In an auction of one round, these are the players who have not called yet.
    """
    law = view.rules.auction
    assert law is not None
    gone = {call.seat for call in view.auction if law.one_round or call.bid is None}
    return sum(1 << at for at, seat in enumerate(view.players) if seat not in gone)


def _holder(view: View) -> int | None:
    """Return the seat that has the highest bid, or None."""
    return next((call.seat for call in reversed(view.auction) if call.bid is not None), None)


def _standing(view: View) -> int | None:
    """Return the highest bid so far, or None."""
    return next((call.bid for call in reversed(view.auction) if call.bid is not None), None)
