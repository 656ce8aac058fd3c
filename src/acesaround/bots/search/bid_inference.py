"""Inference from an auction: how likely its calls are in each world.

Hands are reconstructed as they were in the auction, as far as they are known.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from acesaround.bots.heuristic.bidding_conventions import PROMISES, BidPromise
from acesaround.bots.search.situation import Situation
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.bid_limits import (
    bid_log_likelihood,
    compute_limits,
    meld_without_trump,
    trump_log_likelihood,
    undo_changes,
)

# Fractions of the spread of results. The heuristic bot strays by 0.2 from the limits computed here.
# Search bots and people stray more. Trusting a partner's bids too much does the most harm.
_CALL_SPREAD_FACTOR: Final = 0.45  # scale of the logistic curve for the calls so far
_TRUMP_SPREAD_FACTOR: Final = 0.7  # scale of the choice of trump, as a fraction of that of calls
_UNTRUE_BID_CHANCE: Final = 0.05  # probability that a first bid with a meaning is untrue


def compute_call_log_likelihoods(situation: Situation, hands: Integers) -> NDArray[np.float64]:
    """Return the log likelihood of all other seats' calls in each world: (worlds,).

    Naming trump counts as a call. `hands`: the present hands, (worlds, players, copies). Seats are
    left out if their hand in the auction was a different one that is unknown.
    """
    view, evidence = situation.view, situation.auction
    log_likelihood = np.zeros(len(hands))
    if evidence is None or not view.auction:
        return log_likelihood
    rule_numbers, tables = situation.game_arrays.rule_arrays, situation.game_arrays.meld_tables
    spread = _CALL_SPREAD_FACTOR * situation.hand_weights.spread * situation.run_points
    auction_hands, is_known = _hands_in_auction(situation, hands)
    declarer = situation.declarer
    if (
        view.trump is not None
        and declarer not in (-1, situation.player)
        and (is_known[declarer] or view.rules.deal.kitty)
    ):
        log_likelihood += trump_log_likelihood(
            rule_numbers,
            tables,
            auction_hands,
            declarer,
            int(view.trump),
            _TRUMP_SPREAD_FACTOR * spread,
        )
    lower, upper = evidence.highest_bids.copy(), evidence.declined_bids.copy()
    for player, meaning in enumerate(evidence.meanings):
        if player == situation.player or not is_known[player]:
            lower[player], upper[player] = -np.inf, np.inf
        elif meaning is not None and (promise := PROMISES[meaning]) != BidPromise():
            meld_totals, aces = meld_without_trump(tables, auction_hands, player)
            is_true = (meld_totals >= promise.least_meld) & (aces >= int(promise.has_aces_around))
            log_likelihood += np.log(np.where(is_true, 1.0, _UNTRUE_BID_CHANCE))
    has_bound = np.isfinite(lower) | np.isfinite(upper)
    if not has_bound.any():
        return log_likelihood
    reached_limits = compute_limits(
        rule_numbers,
        tables,
        situation.bid_limit_model,
        auction_hands,
        evidence.partner_melds,
        has_bound,
    )
    return log_likelihood + bid_log_likelihood(reached_limits, spread, upper, lower)


def _hands_in_auction(situation: Situation, hands: Integers) -> tuple[Integers, list[bool]]:
    """Return the hands at the time of the auction, and for each player whether that hand is known.

    For a declarer who has buried cards, the hand is the one from which trump was named.
    """
    view, players = situation.view, situation.view.players
    more = [situation.played_cards]
    less = [situation.played_cards[:0]]
    heeded = [not (view.rules.deal.kitty and seat == view.declarer) for seat in players]
    for passing in view.passed:
        giver = players.index(passing.seat)
        if not passing.number:
            continue
        if passing.cards is None or passing.to is None:
            heeded[giver] = heeded[giver] and passing.seat == view.seat
            if passing.to is not None:
                heeded[players.index(passing.to)] = False
            continue
        taker = players.index(passing.to)
        more.append(np.array([(giver, card) for card in passing.cards], np.int64))
        less.append(np.array([(taker, card) for card in passing.cards], np.int64))
    return undo_changes(hands, np.concatenate(more), np.concatenate(less)), heeded
