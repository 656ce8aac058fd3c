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
from acesaround.bots.heuristic.bidding import HEARD, SHOW
from acesaround.bots.heuristic.bidding_conventions import BidMeaning, meaning_of_first_bid
from acesaround.fast.playouts.melding import melds
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
from acesaround.heuristic_weights import hand_weights, run_worth
from acesaround.rules import AllPass, Rules

# Fractions of the spread of results. The heuristic bot strays by 0.2 from the limits computed here.
# Search bots and people stray more. Trusting a partner's bids too much does the most harm.
_STEEP: Final = 0.45  # scale of the logistic curve for the calls so far
_STRAYS: Final = 0.25  # scale of the curve for how high other seats will go
_LEFT_ALONE: Final = 1.2  # how far above its limit a hand may be that leaves a bid to its partner
_CHOOSY: Final = 0.7  # scale of the choice of trump, as a fraction of that of calls
_UNTRUE: Final = 0.05  # probability that a first bid with a meaning is untrue
_MELD: Final = {BidMeaning.TWENTY: 20, BidMeaning.THIRTY: 30}


class BidLimits(NamedTuple):
    """Bounds on each player's limit that follow from the calls: (players,), in turn order."""

    least: NDArray[np.float64]
    """The highest bid that the player has made."""
    most: NDArray[np.float64]
    """The bid that the player has declined, infinite if none."""
    known: NDArray[np.float64]
    """The meld that the player's partners have shown."""


def bidder(rules: Rules) -> Bidder:
    """Return what bid limits depend on at a table."""
    numbers, run = hand_weights(rules), run_worth(rules)
    return Bidder(
        numbers.growth * run, float(rules.scoring.least_meld), float(numbers.caution * run)
    )


def limit_spread(rules: Rules) -> float:
    """Return the scale of the logistic curve by which calls stray from limits, in points."""
    return _STEEP * hand_weights(rules).spread * run_worth(rules)


def other_limit_spread(rules: Rules) -> float:
    """Return the scale of the curve for how high other seats will go, in points."""
    return _STRAYS * hand_weights(rules).spread * run_worth(rules)


def bid_limits(view: View) -> BidLimits:
    """Return what the calls so far say about the limits."""
    rules, players, law = view.rules, view.players, view.rules.auction
    assert law is not None
    spread = hand_weights(rules).spread * run_worth(rules)
    least = np.full(len(players), -np.inf)
    most = np.full(len(players), np.inf)
    standing, bidding = None, -1
    for at, call in enumerate(view.auction):
        player, legal = players.index(call.seat), legal_bids(law, standing, may_pass=True)
        if call.bid is None:
            most[player] = legal.least
            if bidding >= 0 and bidding in rules.partners_of(call.seat):
                most[player] += _LEFT_ALONE * spread
            continue
        last = law.all_pass is AllPass.DEALER_BIDS and at + 1 >= len(players)
        forced = standing is None and (last or law.all_pass is AllPass.FIRST_BIDS)
        if not forced or call.bid > legal.least:
            word = meaning_of_first_bid(rules, view.auction[: at + 1], call.seat)
            shows_it = word is not None and all(c.seat != call.seat for c in view.auction[:at])
            least[player] = call.bid - SHOW * spread * shows_it
        standing, bidding = call.bid, call.seat
    known = [meld_shown_by_partners(view, seat) for seat in players]
    return BidLimits(least, most, np.array(known))


def meld_shown_by_partners(view: View, seat: int) -> float:
    """Return the meld that the partners of a seat have shown."""
    said = [_said(view, partner) for partner in view.rules.partners_of(seat)]
    return sum(HEARD.get(word, 0.0) for word in said if word is not None)


def call_weights(view: View, hands: Integers) -> NDArray[np.float64]:
    """Return the log likelihood of all other seats' calls in each world: (worlds,).

    Naming trump counts as a call. `hands`: the present hands, (worlds, players, copies). Seats are
    left out if their hand in the auction was a different one that is unknown.
    """
    rules, players = view.rules, view.players
    found = np.zeros(len(hands))
    if rules.auction is None or not view.auction:
        return found
    then, heeded = _then(view, hands)
    numbers, tables, its = rule_arrays(rules, players), melds(rules), bid_limits(view)
    if view.trump is not None and view.declarer not in (None, view.seat):
        declarer = players.index(view.declarer)
        if heeded[declarer] or rules.deal.kitty:
            spread = _CHOOSY * limit_spread(rules)
            found += trump_log_likelihood(numbers, tables, then, declarer, int(view.trump), spread)
    least, most = its.least.copy(), its.most.copy()
    for player, seat in enumerate(players):
        if seat == view.seat or not heeded[player]:
            least[player], most[player] = -np.inf, np.inf
            continue
        said = _said(view, seat)
        if said in _MELD or said is BidMeaning.ACES:
            melded, aces = meld_without_trump(tables, then, player)
            true = aces > 0 if said is BidMeaning.ACES else melded >= _MELD[said]
            found += np.log(np.where(true, 1.0, _UNTRUE))
    wanted = np.isfinite(least) | np.isfinite(most)
    if not wanted.any():
        return found
    reached = limits(numbers, tables, bidder(rules), then, its.known, wanted)
    return found + bid_log_likelihood(reached, limit_spread(rules), most, least)


def _said(view: View, seat: int) -> BidMeaning | None:
    """Return the meaning of a seat's first bid, or None."""
    return meaning_of_first_bid(view.rules, view.auction, seat)


def at_first_lead(view: View, hands: Integers) -> Integers:
    """Return the hands before any card was played: (worlds, players, copies)."""
    return undo_changes(hands, _rows(play_sequence(view)), _rows([]))


def play_sequence(view: View) -> list[tuple[int, int]]:
    """Return the player and the kind of each card played, in order."""
    players = view.players
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.leader is not None:
        tricks.append((view.leader, view.trick))
    return [
        ((players.index(leader) + at) % len(players), int(card))
        for leader, cards in tricks
        for at, card in enumerate(cards)
    ]


def _then(view: View, hands: Integers) -> tuple[Integers, list[bool]]:
    """Return the hands at the time of the auction, and for each player whether that hand is known.

    For a declarer who has buried cards, the hand is the one from which trump was named.
    """
    players = view.players
    more = play_sequence(view)
    less: list[tuple[int, int]] = []
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
        more += [(giver, card) for card in passing.cards]
        less += [(taker, card) for card in passing.cards]
    return undo_changes(hands, _rows(more), _rows(less)), heeded


def _rows(cards: list[tuple[int, int]]) -> Integers:
    return np.array(cards, np.int64).reshape(-1, 2)
