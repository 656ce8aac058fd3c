"""Inference from an auction: how likely its calls are in each world.

A seat is assumed to bid up to about what its hand promises (see `limits`), and to tell the truth
where partners use bidding conventions. Hands are reconstructed as they were in the auction, as far
as they are known.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acesaround.actions import legal_bids
from acesaround.bots.heuristic.bidding import MELD_POINTS_OF_MEANING, SHOWING_BID_SPREADS
from acesaround.bots.heuristic.bidding_conventions import BidMeaning, meaning_of_first_bid
from acesaround.fast.playouts.melding import build_meld_tables
from acesaround.fast.playouts.rule_arrays import Integers, rule_arrays
from acesaround.fast.rollouts.bid_limits import (
    Bidder,
    bid_log_likelihood,
    limits,
    meld_without_trump,
    trump_log_likelihood,
    undo_changes,
)
from acesaround.game.view import View
from acesaround.heuristic_weights import hand_weights, run_points
from acesaround.rules import AllPass, Rules

# Fractions of the spread of results. The heuristic bot strays by 0.2 from the limits computed here.
# Search bots and people stray more. Trusting a partner's bids too much does the most harm.
_CALL_SPREAD_FACTOR: Final = 0.45  # scale of the logistic curve for the calls so far
_LIMIT_SPREAD_FACTOR: Final = 0.25  # scale of the curve for how high other seats will go
_LEFT_TO_PARTNER_SPREADS: Final = (
    1.2  # how far above its limit a hand may be that leaves a bid to its partner
)
_TRUMP_SPREAD_FACTOR: Final = 0.7  # scale of the choice of trump, as a fraction of that of calls
_UNTRUE_BID_CHANCE: Final = 0.05  # probability that a first bid with a meaning is untrue
_MIN_MELD_OF_MEANING: Final = {BidMeaning.TWENTY: 20, BidMeaning.THIRTY: 30}


class BidLimits(NamedTuple):
    """Bounds on each player's limit that follow from the calls: (players,), in turn order."""

    lower: NDArray[np.float64]
    """The highest bid that the player has made."""
    upper: NDArray[np.float64]
    """The bid that the player has declined, infinite if none."""
    shown_meld: NDArray[np.float64]
    """The meld that the player's partners have shown."""


def bidder_parameters(rules: Rules) -> Bidder:
    """Return what bid limits depend on at a table."""
    weights, run_value = hand_weights(rules), run_points(rules)
    return Bidder(
        weights.growth * run_value,
        float(rules.scoring.least_meld),
        float(weights.caution * run_value),
    )


def limit_spread(rules: Rules) -> float:
    """Return the scale of the logistic curve by which calls stray from limits, in points."""
    return _CALL_SPREAD_FACTOR * hand_weights(rules).spread * run_points(rules)


def other_limit_spread(rules: Rules) -> float:
    """Return the scale of the curve for how high other seats will go, in points."""
    return _LIMIT_SPREAD_FACTOR * hand_weights(rules).spread * run_points(rules)


def bid_limits(view: View) -> BidLimits:
    """Return what the calls so far say about the limits."""
    rules, players, auction = view.rules, view.players, view.rules.auction
    assert auction is not None
    spread = hand_weights(rules).spread * run_points(rules)
    lower = np.full(len(players), -np.inf)
    upper = np.full(len(players), np.inf)
    standing_bid, bidding_seat = None, -1
    for index, call in enumerate(view.auction):
        player, legal = players.index(call.seat), legal_bids(auction, standing_bid, may_pass=True)
        if call.bid is None:
            upper[player] = legal.lowest_bid
            if bidding_seat >= 0 and bidding_seat in rules.partners_of(call.seat):
                upper[player] += _LEFT_TO_PARTNER_SPREADS * spread
            continue
        is_last = auction.all_pass is AllPass.DEALER_BIDS and index + 1 >= len(players)
        is_forced = standing_bid is None and (is_last or auction.all_pass is AllPass.FIRST_BIDS)
        if not is_forced or call.bid > legal.lowest_bid:
            meaning = meaning_of_first_bid(rules, view.auction[: index + 1], call.seat)
            is_first_bid = meaning is not None and all(
                c.seat != call.seat for c in view.auction[:index]
            )
            lower[player] = call.bid - SHOWING_BID_SPREADS * spread * is_first_bid
        standing_bid, bidding_seat = call.bid, call.seat
    shown_melds = [meld_shown_by_partners(view, seat) for seat in players]
    return BidLimits(lower, upper, np.array(shown_melds))


def meld_shown_by_partners(view: View, seat: int) -> float:
    """Return the meld that the partners of a seat have shown."""
    meanings = [_first_bid_meaning(view, partner) for partner in view.rules.partners_of(seat)]
    return sum(
        MELD_POINTS_OF_MEANING.get(meaning, 0.0) for meaning in meanings if meaning is not None
    )


def call_weights(view: View, hands: Integers) -> NDArray[np.float64]:
    """Return the log likelihood of all other seats' calls in each world: (worlds,).

    Naming trump counts as a call. `hands`: the present hands, (worlds, players, copies). Seats are
    left out if their hand in the auction was a different one that is unknown.
    """
    rules, players = view.rules, view.players
    log_likelihood = np.zeros(len(hands))
    if rules.auction is None or not view.auction:
        return log_likelihood
    auction_hands, is_known = _hands_at_auction(view, hands)
    rule_numbers, tables, bounds = (
        rule_arrays(rules, players),
        build_meld_tables(rules),
        bid_limits(view),
    )
    if view.trump is not None and view.declarer not in (None, view.seat):
        declarer = players.index(view.declarer)
        if is_known[declarer] or rules.deal.kitty:
            spread = _TRUMP_SPREAD_FACTOR * limit_spread(rules)
            log_likelihood += trump_log_likelihood(
                rule_numbers, tables, auction_hands, declarer, int(view.trump), spread
            )
    lower, upper = bounds.lower.copy(), bounds.upper.copy()
    for player, seat in enumerate(players):
        if seat == view.seat or not is_known[player]:
            lower[player], upper[player] = -np.inf, np.inf
            continue
        meaning = _first_bid_meaning(view, seat)
        if meaning in _MIN_MELD_OF_MEANING or meaning is BidMeaning.ACES:
            meld_totals, aces = meld_without_trump(tables, auction_hands, player)
            is_true = (
                aces > 0
                if meaning is BidMeaning.ACES
                else meld_totals >= _MIN_MELD_OF_MEANING[meaning]
            )
            log_likelihood += np.log(np.where(is_true, 1.0, _UNTRUE_BID_CHANCE))
    has_bound = np.isfinite(lower) | np.isfinite(upper)
    if not has_bound.any():
        return log_likelihood
    reached_limits = limits(
        rule_numbers, tables, bidder_parameters(rules), auction_hands, bounds.shown_meld, has_bound
    )
    return log_likelihood + bid_log_likelihood(reached_limits, limit_spread(rules), upper, lower)


def _first_bid_meaning(view: View, seat: int) -> BidMeaning | None:
    """Return the meaning of a seat's first bid, or None."""
    return meaning_of_first_bid(view.rules, view.auction, seat)


def hands_at_first_lead(view: View, hands: Integers) -> Integers:
    """Return the hands before any card was played: (worlds, players, copies)."""
    return undo_changes(hands, _card_rows(play_sequence(view)), _card_rows([]))


def play_sequence(view: View) -> list[tuple[int, int]]:
    """Return the player and the kind of each card played, in order."""
    players = view.players
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.leader is not None:
        tricks.append((view.leader, view.trick))
    return [
        ((players.index(leader) + index) % len(players), int(card))
        for leader, cards in tricks
        for index, card in enumerate(cards)
    ]


def _hands_at_auction(view: View, hands: Integers) -> tuple[Integers, list[bool]]:
    """Return the hands at the time of the auction, and for each player whether that hand is known.

    For a declarer who has buried cards, the hand is the one from which trump was named.
    """
    players = view.players
    added = play_sequence(view)
    removed: list[tuple[int, int]] = []
    is_known = [not (view.rules.deal.kitty and seat == view.declarer) for seat in players]
    for passing in view.passed:
        giver = players.index(passing.seat)
        if not passing.number:
            continue
        if passing.cards is None or passing.to is None:
            is_known[giver] = is_known[giver] and passing.seat == view.seat
            if passing.to is not None:
                is_known[players.index(passing.to)] = False
            continue
        taker = players.index(passing.to)
        added += [(giver, card) for card in passing.cards]
        removed += [(taker, card) for card in passing.cards]
    return undo_changes(hands, _card_rows(added), _card_rows(removed)), is_known


def _card_rows(cards: list[tuple[int, int]]) -> Integers:
    return np.array(cards, np.int64).reshape(-1, 2)
