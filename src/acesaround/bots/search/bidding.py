"""The search of the auction: each plan is simulated in many worlds.

A plan is a bid now, and a height up to which to bid later. The other seats are assumed to bid up to
what their hands promise. Every possible contract is rolled out in every world. The value of a plan
is the win probability at the contract that it leads to. So plans cover when to stop, when to push,
and when to leave a bid to the partner.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice, pairwise
from math import sqrt
from typing import Final, cast

import numpy as np

from acesaround.actions import PASS, Action, Bid
from acesaround.bots.heuristic.bidding import MELD_POINTS_OF_MEANING, nameable_suits
from acesaround.bots.heuristic.bidding import choose_bid as by_thumb
from acesaround.bots.heuristic.bidding_conventions import (
    meaning_of_first_bid,
    truthful_first_bids,
    uses_conventions,
)
from acesaround.bots.search.rollout_statistics import (
    EVEN_ERRORS,
    RolloutStatistics,
    ValuePart,
    world_numbers,
)
from acesaround.bots.search.search_result import EvaluatedAction, SearchResult
from acesaround.bots.search.situation import Situation
from acesaround.bots.search.world_sampling import sample_worlds
from acesaround.fast.playouts.rule_arrays import PARTNER_DISTANCE, Integers
from acesaround.fast.rollouts.auctions import (
    ALL_PASS,
    PLAN_BID,
    PLAN_COLUMNS,
    PLAN_MAX_BID,
    AuctionState,
    evaluate_plans,
    highest_places,
)
from acesaround.fast.rollouts.before_play import ContractResults, roll_out_contracts
from acesaround.fast.rollouts.bid_limits import compute_limits, perturb_limits
from acesaround.fast.rollouts.card_play import RolloutResults
from acesaround.fast.rollouts.deal_ends import THROWN_IN, DealEnds, empty_deal_ends
from acesaround.fast.rollouts.win_probability import MELD_COLUMN, PLAY_COLUMN, win_probability
from acesaround.fast.sampler import Worlds
from acesaround.game.state import Call
from acesaround.game.view import View
from acesaround.heuristic_weights import OVERCALL_SPREADS
from acesaround.legal_bids import Bids
from acesaround.rules import dealer_forced_bid

_LADDER_SIZE: Final = 64  # number of bids on the ladder
_MAX_STOPS: Final = 10  # number of heights at which the bidder may stop
_MAX_ONE_ROUND_BIDS: Final = 24  # number of bids that are tried where there is one round
_MIN_GAIN_ERRORS: Final = (
    1.0  # standard errors that a bid must gain, because it cannot be taken back
)
_OVERCALL_GAIN_SPREADS: Final = (
    0.5  # fraction of the spread of results that a bid over the partner's must gain
)
_STRAYS: Final = 0.25  # scale of the curve for how high the others go, as a fraction of the same
_MAX_FIRST_BIDS: Final = 5  # number of bids that are tried as the bid now
_MAX_WORLDS: Final = 6000
_MAX_EXPLAINED_BIDS: Final = 3  # number of the best bids whose rollouts are kept for the reason
_SUIT_WORLDS: Final = 100  # worlds in which the own trump is chosen


def search_bid(situation: Situation) -> SearchResult:
    """Choose a bid or a pass.

    Where partners use conventions, only the first bid of a seat is searched. Later bids follow the
    rules of thumb, because the conventions are built on them. Searching the answers too lost 4
    points a deal in double deck.
    """
    view, rules, auction = situation.view, situation.view.rules, situation.view.rules.auction
    legal = cast(Bids, situation.decision.legal)
    assert auction is not None
    suits = nameable_suits(view)
    ladder = list(islice(legal.bids(), _LADDER_SIZE))
    if not suits or (len(ladder) < _LADDER_SIZE and not auction.raises):  # near the highest bid
        return SearchResult(PASS if legal.may_pass else Bid(legal.lowest_bid), (), 0)
    has_called = any(call.seat == view.seat for call in view.auction)
    if uses_conventions(rules) and has_called and not situation.also_try:
        answer, _ = by_thumb(view, legal, is_natural=situation.budget.is_natural)
        return SearchResult(answer, (), 0)
    if auction.raises:
        ladder = [ladder[0] + index * auction.raises[0] for index in range(_LADDER_SIZE)]
    is_natural = situation.budget.is_natural
    shown_melds = {} if is_natural else _shown_meld_of_bids(view, legal, ladder)
    also_bid = {action.points for action in situation.also_try if isinstance(action, Bid)}
    plans = _bid_plans(view, legal, ladder, shown_melds, also_bid, is_natural)
    current = _current(situation)
    always = current.dealer, current.bidder
    declarers = [
        index
        for index in range(len(view.players))
        if current.active_players >> index & 1 or index in always
    ]
    world_count = situation.budget.world_count(len(declarers) + 3, _MAX_WORLDS)
    worlds = sample_worlds(situation, world_count, situation.budget.seed)
    contract_results = _roll_out_contracts(situation, worlds, declarers, suits)
    ceilings = _other_ceilings(situation, worlds, current.active_players, ladder, shown_melds)
    heights = np.array([_standing_bid(view) or dealer_forced_bid(auction), *ladder], np.int64)
    arrays = situation.game_arrays
    results, plan_declarers, bids = evaluate_plans(
        arrays.rule_arrays,
        arrays.scoring_state,
        current,
        heights,
        contract_results,
        ceilings,
        plans,
    )
    means = results.win_probability.mean(0), results.points.mean(0), results.bid_made.mean(0)
    best: dict[int, EvaluatedAction] = {}
    columns: dict[Action, int] = {}
    for column, (plan, chance, points, made) in enumerate(zip(plans, *means, strict=True)):
        first_bid = int(plan[PLAN_BID])
        action: Action = PASS if first_bid < 0 else Bid(ladder[first_bid])
        evaluated = EvaluatedAction(action, float(chance), float(points), float(made))
        if first_bid not in best or _sort_key(evaluated) > _sort_key(best[first_bid]):
            best[first_bid] = evaluated
            columns[action] = column
    required_gain = _overcall_gain(situation)
    if legal.may_pass and not auction.one_round:
        required_gain += (
            _MIN_GAIN_ERRORS
            * float((results.win_probability - results.win_probability[:, :1]).std(0).max())
            / sqrt(world_count)
        )
    evaluated_actions = sorted(
        best.values(),
        key=lambda o: (o.win_probability - required_gain * (o.action != PASS), o.points),
        reverse=True,
    )
    statistics = None
    if situation.budget.records_statistics:
        kept = dict.fromkeys(
            evaluated.action for evaluated in evaluated_actions[:_MAX_EXPLAINED_BIDS]
        )
        kept |= {action: None for action in situation.also_try if action in columns}
        actions = tuple(kept if PASS not in columns else kept | {PASS: None})
        chosen = [columns[action] for action in actions]
        ends = _contract_ends(
            situation, contract_results, plan_declarers[:, chosen], bids[:, chosen]
        )
        statistics = RolloutStatistics(
            scoring_state=arrays.scoring_state,
            side=situation.side,
            player=situation.player,
            actions=actions,
            ends=ends,
            win_probability=results.win_probability[:, chosen],
            value_parts=(
                ValuePart(
                    1.0,
                    results.win_probability[:, chosen],
                    results.points[:, chosen],
                    world_numbers(worlds),
                ),
            ),
            declarers=plan_declarers[:, chosen],
            limits=tuple(
                None if auction.one_round else _limit(plans, results, column, ladder)
                for column in chosen
            ),
        )
    return SearchResult(
        evaluated_actions[0].action, tuple(evaluated_actions), world_count, statistics
    )


def _limit(plans: Integers, results: RolloutResults, best: int, ladder: list[int]) -> int | None:
    """Return how far to go after the first bid of a plan; None after a pass.

    It is the lowest height that is as good as the best one, as far as the rollouts can tell.
    """
    if plans[best, PLAN_BID] < 0:
        return None
    for column in np.flatnonzero(plans[:, PLAN_BID] == plans[best, PLAN_BID]):
        loss = results.win_probability[:, best] - results.win_probability[:, column]
        if loss.mean() <= EVEN_ERRORS * loss.std() / sqrt(len(loss)):
            break
    return ladder[int(plans[column, PLAN_MAX_BID])]


def _contract_ends(
    situation: Situation, contract_results: ContractResults, declarers: Integers, bids: Integers
) -> DealEnds:
    """Return the ends of the contracts to which plans lead: (worlds, plans)."""
    number, choices = declarers.shape
    ends = empty_deal_ends(number, choices, contract_results.ends.shape[2])
    worlds = np.arange(number)[:, None]
    is_declared = declarers >= 0
    ends.sides[:] = contract_results.ends[worlds, declarers]
    ends.trump[:] = np.where(is_declared, contract_results.trump[worlds, declarers], THROWN_IN)
    sides = np.array(situation.game_arrays.rule_arrays.side_of_player, np.int64)
    ends.declarer[:] = np.where(is_declared, sides[declarers], -1)
    ends.bid[:] = bids
    return ends


def _current(situation: Situation) -> AuctionState:
    """Return the auction as it stands."""
    view, law = situation.view, situation.view.rules.auction
    assert law is not None
    holder, gone = (
        _high_bidder(view),
        {c.seat for c in view.auction if law.one_round or c.bid is None},
    )
    return AuctionState(
        player=situation.player,
        active_players=sum(1 << at for at, seat in enumerate(view.players) if seat not in gone),
        bidder=-1 if holder is None else view.players.index(holder),
        dealer=view.players.index(view.dealer),
        partner=int(situation.game_arrays.rule_arrays.params[PARTNER_DISTANCE]),
        one_round=law.one_round,
        all_pass=ALL_PASS[law.all_pass],
    )


def _sort_key(evaluated: EvaluatedAction) -> tuple[float, float]:
    return evaluated.win_probability, evaluated.points


def _overcall_gain(situation: Situation) -> float:
    """Return the gain in win probability that is required for a bid over the partner's bid.

    The partner knows its own hand better, and partners who outbid each other only pay for it. So
    the gain, counted in points, doubles each time partners have outbid each other. Opponents who
    have passed do not change the gain. A higher one after their passes left the contract to
    partners with poorer hands.
    """
    view, rules, scoring_state = (
        situation.view,
        situation.view.rules,
        situation.game_arrays.scoring_state,
    )
    if _high_bidder(view) not in rules.partners_of(situation.seat):
        return 0.0
    side, totals = situation.side, scoring_state.scores.copy()
    bidders = [call.seat for call in view.auction if call.bid is not None]
    overcall_count = sum(
        other in rules.partners_of(bidder_seat) for bidder_seat, other in pairwise(bidders)
    )
    spreads = min(_OVERCALL_GAIN_SPREADS * 2.0**overcall_count, 20.0)
    chance_before = win_probability(scoring_state, totals, -1, side)
    totals[side] += int(spreads * situation.hand_weights.spread * situation.run_points)
    return win_probability(scoring_state, totals, -1, side) - chance_before


def _roll_out_contracts(
    situation: Situation, worlds: Worlds, declaring: list[int], suits: list[int]
) -> ContractResults:
    """Return the results of some players' contracts in each world.

    The own contract has the trump that is best on average, unless there is a kitty.
    """
    rule_numbers, tables, _ = situation.game_arrays
    own_index, players, seed = situation.player, len(situation.view.players), situation.budget.seed
    declarers = np.array(declaring, np.int64)
    trumps = np.full(players, -1, np.int64)
    if not situation.view.rules.deal.kitty and len(suits) > 1:
        sample = worlds.select(slice(_SUIT_WORLDS))
        own_results = roll_out_contracts(
            rule_numbers,
            tables,
            sample.hands,
            sample.rest,
            np.full(len(suits), own_index, np.int64),
            np.array(suits, np.int64),
            seed,
        )
        side = situation.side
        own_points = (
            own_results.ends[:, :, side, MELD_COLUMN] + own_results.ends[:, :, side, PLAY_COLUMN]
        )
        trumps[own_index] = suits[int(own_points.mean(0).argmax())]
    results = roll_out_contracts(
        rule_numbers, tables, worlds.hands, worlds.rest, declarers, trumps[declarers], seed
    )
    trump = np.full((len(worlds.hands), players), -1, np.int64)
    ends = np.zeros((len(worlds.hands), players, *results.ends.shape[2:]), np.int64)
    trump[:, declarers], ends[:, declarers] = results.trump, results.ends
    return ContractResults(trump, ends)


def _shown_meld_of_bids(view: View, legal: Bids, ladder: list[int]) -> dict[int, float]:
    """Return the truthful first bids by their place on the ladder, and the meld they show."""
    return {
        ladder.index(points): MELD_POINTS_OF_MEANING[meaning]
        for points, meaning in reversed(truthful_first_bids(view))
        if legal.allows(points) and points in ladder and meaning in MELD_POINTS_OF_MEANING
    }


def _other_ceilings(
    situation: Situation,
    worlds: Worlds,
    active_players: int,
    ladder: list[int],
    shown_melds: dict[int, float],
) -> Integers:
    """Return how high the others go: with no message, and after each truthful first bid.

    The array is (1 + first bids, worlds, players, 2). The last axis is for bids over other seats
    and over the own partner.
    """
    (rule_numbers, tables, _), evidence = situation.game_arrays, situation.auction
    assert evidence is not None
    players, seed = situation.view.players, situation.budget.seed
    partners = [players.index(s) for s in situation.view.rules.partners_of(situation.seat)]
    heights = np.array(ladder, np.float64)
    overcall_margin = OVERCALL_SPREADS * situation.hand_weights.spread * situation.run_points
    strays = _STRAYS * situation.hand_weights.spread * situation.run_points
    is_considered = np.array(
        [
            bool(active_players >> index & 1) and index != situation.player
            for index in range(len(players))
        ]
    )
    ceilings = []
    for meld_points in (0.0, *shown_melds.values()):
        known_melds = evidence.partner_melds.copy()
        known_melds[partners] += meld_points
        reached_limits = compute_limits(
            rule_numbers,
            tables,
            situation.bid_limit_model,
            worlds.hands,
            known_melds,
            is_considered,
        )
        reached_limits = perturb_limits(reached_limits, strays, evidence.highest_bids, seed)
        ceilings.append(
            np.stack(
                [
                    highest_places(heights, reached_limits),
                    highest_places(heights, reached_limits - overcall_margin),
                ],
                -1,
            )
        )
    return np.ascontiguousarray(np.stack(ceilings))


def _bid_plans(
    view: View,
    legal: Bids,
    ladder: list[int],
    shown_melds: dict[int, float],
    also_bid: Collection[int],
    is_natural: bool,
) -> Integers:
    """Return the plans: a pass, and each bid now with each height up to which to bid later.

    `also_bid`: bids to plan even if they are not among the lowest few, in points. `is_natural`:
    whether bids have no meaning by a convention.
    """
    auction, seat = view.rules.auction, cast(int, view.seat)
    assert auction is not None
    plans = [[-1, -1, 0, 0]] if legal.may_pass else []
    if auction.one_round:
        allowed = (
            rung
            for rung, points in enumerate(ladder)
            if legal.allows(points) and (rung < _MAX_ONE_ROUND_BIDS or points in also_bid)
        )
        plans += [[rung, rung, 0, 0] for rung in allowed]
        return np.array(plans, np.int64)
    first_bids = []
    for rung in range(_MAX_FIRST_BIDS):
        if not legal.allows(ladder[rung]):
            break
        meaning = (
            None
            if is_natural
            else meaning_of_first_bid(view.rules, (*view.auction, Call(seat, ladder[rung])), seat)
        )
        if rung in shown_melds:
            first_bids.append((rung, 1 + list(shown_melds).index(rung)))
        elif meaning not in MELD_POINTS_OF_MEANING and all(message for _, message in first_bids):
            first_bids.append((rung, 0))
    planned = {rung for rung, _ in first_bids}
    first_bids += [
        (rung, 0)
        for rung, points in enumerate(ladder)
        if points in also_bid and rung not in planned and legal.allows(points)
    ]
    for rung, message in first_bids:
        for distance in _stop_distances(len(ladder) - rung):
            plans.append([rung, rung + distance, 0, message])
    assert all(len(plan) == PLAN_COLUMNS for plan in plans)
    return np.array(plans, np.int64)


def _stop_distances(rung_count: int) -> list[int]:
    """Return how many places higher the bidder may stop: every place at first, then fewer."""
    distances = [0]
    while len(distances) < _MAX_STOPS and distances[-1] + 1 < rung_count:
        distances.append(min(distances[-1] + max(1, len(distances) - 3), rung_count - 1))
    return distances


def _high_bidder(view: View) -> int | None:
    """Return the seat that has the highest bid, or None."""
    return next((call.seat for call in reversed(view.auction) if call.bid is not None), None)


def _standing_bid(view: View) -> int | None:
    """Return the highest bid so far, or None."""
    return next((call.bid for call in reversed(view.auction) if call.bid is not None), None)
