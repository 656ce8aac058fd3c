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
from acesaround.bots.heuristic.bidding import MELD_POINTS_OF_MEANING
from acesaround.bots.heuristic.bidding import choose_bid as by_thumb
from acesaround.bots.heuristic.bidding_conventions import (
    meaning_of_first_bid,
    truthful_first_bids,
    uses_conventions,
)
from acesaround.bots.search.bid_inference import (
    BidLimits,
    bid_limits,
    bidder_parameters,
    meld_shown_by_partners,
    other_limit_spread,
)
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.result import EvaluatedAction, SearchResult
from acesaround.bots.search.world_sampling import Worlds, draw_worlds
from acesaround.cards import counts, pack
from acesaround.fast.playouts.melding import build_meld_tables
from acesaround.fast.playouts.rule_arrays import PARTNER_DISTANCE, Integers, rule_arrays
from acesaround.fast.rollouts.auctions import ALL_PASS, FIRST, PLAN, Auction, auctions, places
from acesaround.fast.rollouts.before_play import MELDED, PLAYED, Contracts, contracts
from acesaround.fast.rollouts.bid_limits import limits, perturb_limits
from acesaround.fast.rollouts.win_probability import Standing, standing, win_probability
from acesaround.game.state import Call, Decision
from acesaround.game.view import View
from acesaround.heuristic_weights import OVERCALL_SPREADS, hand_weights, run_points
from acesaround.rules import dealer_forced_bid
from acesaround.rules.melds import count_marriages

_LADDER_SIZE: Final = 64  # number of bids on the ladder
_MAX_STOPS: Final = 10  # number of heights at which the bidder may stop
_MAX_ONE_ROUND_BIDS: Final = 24  # number of bids that are tried where there is one round
_MIN_GAIN_ERRORS: Final = (
    1.0  # standard errors that a bid must gain, because it cannot be taken back
)
_OVERCALL_GAIN_SPREADS: Final = (
    0.5  # fraction of the spread of results that a bid over the partner's must gain
)
_MAX_FIRST_BIDS: Final = 5  # number of bids that are tried as the bid now
_MAX_WORLDS: Final = 6000
_SUIT_WORLDS: Final = 100  # worlds in which the own trump is chosen


def search_bid(view: View, decision: Decision, budget: SearchBudget) -> SearchResult:
    """Choose a bid or a pass.

    Where partners use conventions, only the first bid of a seat is searched. Later bids follow the
    rules of thumb, because the conventions are built on them. Searching the answers too lost 4
    points a deal in double deck.
    """
    legal, auction, seat = cast(Bids, decision.legal), view.rules.auction, cast(int, view.seat)
    assert auction is not None
    suits = _nameable_suits(view)
    if not suits:
        return SearchResult(PASS if legal.may_pass else Bid(legal.lowest_bid), (), 0)
    rules, players = view.rules, view.players
    if uses_conventions(rules) and any(call.seat == seat for call in view.auction):
        return SearchResult(by_thumb(view, legal)[0], (), 0)
    own_index, call_limits = players.index(seat), bid_limits(view)
    rule_numbers = rule_arrays(rules, players)
    ladder = list(islice(legal.bids(), _LADDER_SIZE))
    if auction.raises:
        ladder = [ladder[0] + index * auction.raises[0] for index in range(_LADDER_SIZE)]
    active_players = _active_players(view)
    high_bidder = _high_bidder(view)
    declarers = [
        index
        for index, s in enumerate(players)
        if active_players >> index & 1 or s in (view.dealer, high_bidder)
    ]
    world_count = budget.world_count(len(declarers) + 3, _MAX_WORLDS)
    worlds = draw_worlds(view, world_count, budget)
    contract_results = _roll_out_contracts(view, worlds, own_index, declarers, suits, budget.seed)
    shown_melds = _shown_meld_of_bids(view, legal, ladder)
    ceilings = _other_ceilings(
        view, worlds, call_limits, own_index, active_players, ladder, shown_melds, budget.seed
    )
    plans = _bid_plans(view, legal, ladder, shown_melds)
    current = Auction(
        player=own_index,
        within=active_players,
        bidder=-1 if high_bidder is None else players.index(high_bidder),
        dealer=players.index(view.dealer),
        partner=int(rule_numbers.params[PARTNER_DISTANCE]),
        one_round=auction.one_round,
        all_pass=ALL_PASS[auction.all_pass],
    )
    game_standing = standing(rules, players, view.scores, view.target, view.deals)
    heights = np.array([_standing_bid(view) or dealer_forced_bid(auction), *ladder], np.int64)
    results, _ = auctions(
        rule_numbers, game_standing, current, heights, contract_results, ceilings, plans
    )
    means = results.chance.mean(0), results.points.mean(0), results.made.mean(0)
    best: dict[int, EvaluatedAction] = {}
    for plan, chance, points, made in zip(plans, *means, strict=True):
        first_bid = int(plan[FIRST])
        action: Action = PASS if first_bid < 0 else Bid(ladder[first_bid])
        option = EvaluatedAction(action, float(chance), float(points), float(made))
        if first_bid not in best or _sort_key(option) > _sort_key(best[first_bid]):
            best[first_bid] = option
    required_gain = _overcall_gain(view, game_standing)
    if legal.may_pass and not auction.one_round:
        required_gain += (
            _MIN_GAIN_ERRORS
            * float((results.chance - results.chance[:, :1]).std(0).max())
            / sqrt(world_count)
        )
    options = sorted(
        best.values(),
        key=lambda o: (o.chance - required_gain * (o.action != PASS), o.points),
        reverse=True,
    )
    return SearchResult(options[0].action, tuple(options), world_count)


def _sort_key(option: EvaluatedAction) -> tuple[float, float]:
    return option.chance, option.points


def _overcall_gain(view: View, game_standing: Standing) -> float:
    """Return the gain in win probability that a bid over the partner's needs.

    The partner knows its own hand better, and partners who outbid each other only pay for it. So
    the gain, counted in points, doubles each time partners have outbid each other. Opponents who
    have passed do not change the gain: when more was asked after that, good hands were left to a
    partner with a poorer one.
    """
    rules, seat, high_bidder = view.rules, cast(int, view.seat), _high_bidder(view)
    if high_bidder not in rules.partners_of(seat):
        return 0.0
    side, totals = rules.side_of(seat), game_standing.scores.copy()
    bidders = [call.seat for call in view.auction if call.bid is not None]
    overcall_count = sum(
        other in rules.partners_of(bidder_seat) for bidder_seat, other in pairwise(bidders)
    )
    spreads = min(_OVERCALL_GAIN_SPREADS * 2.0**overcall_count, 20.0)
    chance_before = win_probability(game_standing, totals, -1, side)
    totals[side] += int(spreads * hand_weights(rules).spread * run_points(rules))
    return win_probability(game_standing, totals, -1, side) - chance_before


def _nameable_suits(view: View) -> list[int]:
    """Return the suits that may be named after the auction, as far as is known now."""
    rules = view.rules
    assert rules.auction is not None
    if not rules.auction.marriage_needed or rules.deal.kitty:
        return [0, 1, 2, 3]
    held = counts(pack(view.hand))
    return [suit for suit in range(4) if count_marriages(held, suit)]


def _roll_out_contracts(
    view: View, worlds: Worlds, own_index: int, declaring: list[int], suits: list[int], seed: int
) -> Contracts:
    """Return the results of some players' contracts in each world.

    The own contract has the trump that is best on average, unless there is a kitty.
    """
    rules, players = view.rules, view.players
    rule_numbers, tables = rule_arrays(rules, players), build_meld_tables(rules)
    declarers = np.array(declaring, np.int64)
    trumps = np.full(len(players), -1, np.int64)
    if not rules.deal.kitty and len(suits) > 1:
        sample = slice(0, _SUIT_WORLDS)
        own_results = contracts(
            rule_numbers,
            tables,
            worlds.hands[sample],
            worlds.rest[sample],
            np.full(len(suits), own_index, np.int64),
            np.array(suits, np.int64),
            seed,
        )
        side = rules.side_of(players[own_index])
        own_points = own_results.ends[:, :, side, MELDED] + own_results.ends[:, :, side, PLAYED]
        trumps[own_index] = suits[int(own_points.mean(0).argmax())]
    results = contracts(
        rule_numbers, tables, worlds.hands, worlds.rest, declarers, trumps[declarers], seed
    )
    trump = np.full((len(worlds.hands), len(players)), -1, np.int64)
    ends = np.zeros((len(worlds.hands), len(players), *results.ends.shape[2:]), np.int64)
    trump[:, declarers], ends[:, declarers] = results.trump, results.ends
    return Contracts(trump, ends)


def _shown_meld_of_bids(view: View, legal: Bids, ladder: list[int]) -> dict[int, float]:
    """Return the truthful first bids by their place on the ladder, and the meld they show."""
    return {
        ladder.index(points): MELD_POINTS_OF_MEANING[meaning]
        for points, meaning in reversed(truthful_first_bids(view))
        if legal.allows(points) and points in ladder and meaning in MELD_POINTS_OF_MEANING
    }


def _other_ceilings(
    view: View,
    worlds: Worlds,
    call_limits: BidLimits,
    own_index: int,
    active_players: int,
    ladder: list[int],
    shown_melds: dict[int, float],
    seed: int,
) -> Integers:
    """Return how high the others go: with no message, and after each truthful first bid.

    The array is (1 + first bids, worlds, players, 2). The last axis is for bids over other seats
    and over the own partner.
    """
    rules, players = view.rules, view.players
    rule_numbers, tables = rule_arrays(rules, players), build_meld_tables(rules)
    partners = rules.partners_of(players[own_index])
    heights = np.array(ladder, np.float64)
    overcall_margin = OVERCALL_SPREADS * hand_weights(rules).spread * run_points(rules)
    is_considered = np.array(
        [bool(active_players >> index & 1) and index != own_index for index in range(len(players))]
    )
    ceilings = []
    for meld_points in (0.0, *shown_melds.values()):
        known_melds = call_limits.shown_meld.copy()
        for partner in partners if meld_points else ():
            shown_before = meld_shown_by_partners(view, partner)  # shown before
            known_melds[players.index(partner)] = shown_before + meld_points
        reached_limits = limits(
            rule_numbers, tables, bidder_parameters(rules), worlds.hands, known_melds, is_considered
        )
        reached_limits = perturb_limits(
            reached_limits, other_limit_spread(rules), call_limits.lower, seed
        )
        ceilings.append(
            np.stack(
                [
                    places(heights, reached_limits),
                    places(heights, reached_limits - overcall_margin),
                ],
                -1,
            )
        )
    return np.ascontiguousarray(np.stack(ceilings))


def _bid_plans(
    view: View, legal: Bids, ladder: list[int], shown_melds: dict[int, float]
) -> Integers:
    """Return the plans: a pass, and each bid now with each height up to which to bid later."""
    auction, seat = view.rules.auction, cast(int, view.seat)
    assert auction is not None
    plans = [[-1, -1, 0, 0]] if legal.may_pass else []
    if auction.one_round:
        allowed = (rung for rung in range(_MAX_ONE_ROUND_BIDS) if legal.allows(ladder[rung]))
        plans += [[rung, rung, 0, 0] for rung in allowed]
        return np.array(plans, np.int64)
    first_bids = []
    for rung in range(_MAX_FIRST_BIDS):
        if not legal.allows(ladder[rung]):
            break
        meaning = meaning_of_first_bid(view.rules, (*view.auction, Call(seat, ladder[rung])), seat)
        if rung in shown_melds:
            first_bids.append((rung, 1 + list(shown_melds).index(rung)))
        elif meaning not in MELD_POINTS_OF_MEANING and all(message for _, message in first_bids):
            first_bids.append((rung, 0))
    for rung, message in first_bids:
        for distance in _stop_distances(len(ladder) - rung):
            plans.append([rung, rung + distance, 0, message])
    assert all(len(plan) == PLAN for plan in plans)
    return np.array(plans, np.int64)


def _stop_distances(rung_count: int) -> list[int]:
    """Return how many places higher the bidder may stop: every place at first, then fewer."""
    distances = [0]
    while len(distances) < _MAX_STOPS and distances[-1] + 1 < rung_count:
        distances.append(min(distances[-1] + max(1, len(distances) - 3), rung_count - 1))
    return distances


def _active_players(view: View) -> int:
    """Return the players who may still bid, as a bit set.

    In an auction of one round, these are the players who have not called yet.
    """
    auction = view.rules.auction
    assert auction is not None
    inactive_seats = {call.seat for call in view.auction if auction.one_round or call.bid is None}
    return sum(1 << index for index, seat in enumerate(view.players) if seat not in inactive_seats)


def _high_bidder(view: View) -> int | None:
    """Return the seat that has the highest bid, or None."""
    return next((call.seat for call in reversed(view.auction) if call.bid is not None), None)


def _standing_bid(view: View) -> int | None:
    """Return the highest bid so far, or None."""
    return next((call.bid for call in reversed(view.auction) if call.bid is not None), None)
