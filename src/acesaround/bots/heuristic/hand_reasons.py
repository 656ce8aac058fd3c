"""Reasons from the own hand: why to bid, name a trump, or part with cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from acesaround.actions import NameTrump
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic.hand_value import meld_points
from acesaround.cards import SUITS, Card, Rank, Suit, counts, pack
from acesaround.game.state import Decision
from acesaround.game.view import View
from acesaround.rules.melds import count_arounds, count_runs
from acesaround.rules.scoring import card_points
from acesaround.rules.trump import nameable_trumps

_LONG_TRUMP_SHARE: Final = 5 / 12
"""The fraction of a hand from which its trumps count as many."""


def bid_reason(view: View, trump: int) -> Explanation:
    """Return why the hand is worth a bid, with that suit as trump."""
    held, suit, notes = counts(pack(view.hand)), Suit(trump), marriage_warnings(view)
    if count_runs(held, trump):
        return Explanation(ReasonTemplate.BID_RUN, suit=suit, notes=notes)
    if count_arounds(held, Rank.ACE):
        return Explanation(ReasonTemplate.BID_ACES, notes=notes)
    if sum(card.suit is suit for card in view.hand) >= _LONG_TRUMP_SHARE * len(view.hand):
        return Explanation(ReasonTemplate.BID_LONG_SUIT, suit=suit, notes=notes)
    return Explanation(ReasonTemplate.BID_HAND_WORTH_IT, suit=suit, notes=notes)


def lacks_marriage(view: View) -> bool:
    """Return whether trump needs a marriage by these rules, and the hand holds none."""
    auction = view.rules.auction
    return auction is not None and not nameable_trumps(auction, counts(pack(view.hand)))


def marriage_warnings(view: View) -> tuple[str, ...]:
    """Return the warning for a hand that bids without the marriage that trump needs, or none."""
    if not lacks_marriage(view):
        return ()
    if view.rules.deal.kitty:
        return ("You hold no marriage, and cannot name trump unless the kitty brings you one.",)
    return ("You hold no marriage, so you could not name trump.",)


def trump_reason(view: View, decision: Decision, trump: Suit) -> Explanation:
    """Return why that suit becomes trump rather than the other suits that may be named."""
    hand, table = pack(view.hand), view.rules.melds
    if count_runs(counts(hand), trump):
        return Explanation(ReasonTemplate.TRUMP_RUN)
    others = [a.suit for a in decision.legal if isinstance(a, NameTrump) and a.suit is not trump]
    if not others:
        return Explanation(ReasonTemplate.TRUMP_ONLY_LEGAL)
    lengths = {suit: sum(card.suit is suit for card in view.hand) for suit in SUITS}
    is_longest = all(lengths[other] < lengths[trump] for other in SUITS if other is not trump)
    meld = meld_points(table, hand, trump)
    melds_most = all(meld_points(table, hand, other) < meld for other in others)
    if is_longest:
        return Explanation(
            ReasonTemplate.TRUMP_LONGEST_AND_MELDS_MOST
            if melds_most
            else ReasonTemplate.TRUMP_LONGEST
        )
    return Explanation(
        ReasonTemplate.TRUMP_MELDS_MOST if melds_most else ReasonTemplate.TRUMP_WORTH_MOST
    )


def pass_reason(view: View, cards: Sequence[Card], taker: int) -> Explanation:
    """Return why those cards go to a partner."""
    if view.seat == view.declarer:
        return Explanation(
            ReasonTemplate.RETURN_LEAST_NEEDED
            if meld_loss(view, cards, view.trump)
            else ReasonTemplate.RETURN_KEEPS_MELD
        )
    has_trumps = any(card.suit is view.trump for card in cards)
    has_aces = any(card.rank is Rank.ACE and card.suit is not view.trump for card in cards)
    if has_trumps and has_aces:
        return Explanation(ReasonTemplate.GIVE_TRUMPS_AND_ACES, seat=taker)
    if has_trumps or has_aces:
        return Explanation(
            ReasonTemplate.GIVE_TRUMPS if has_trumps else ReasonTemplate.GIVE_ACES, seat=taker
        )
    return Explanation(ReasonTemplate.GIVE_NOTHING_BETTER)


def bury_reason(view: View, cards: Sequence[Card], trump: int) -> Explanation:
    """Return why a declarer who will name that trump buries those cards."""
    remaining = list(view.hand)
    for card in cards:
        remaining.remove(card)
    emptied_suits = (
        {card.suit for card in cards} - {card.suit for card in remaining} - {Suit(trump)}
    )
    if emptied_suits:
        return Explanation(ReasonTemplate.BURY_MAKES_VOID, suits=tuple(sorted(emptied_suits)))
    keeps_meld = not meld_loss(view, cards, Suit(trump))
    if card_points(view.rules, cards):
        return Explanation(
            ReasonTemplate.BURY_POINTS_KEEPS_MELD if keeps_meld else ReasonTemplate.BURY_POINTS
        )
    return Explanation(
        ReasonTemplate.BURY_NOT_NEEDED if keeps_meld else ReasonTemplate.BURY_LEAST_NEEDED
    )


def discard_reason(view: View, cards: Sequence[Card]) -> Explanation:
    """Return why those cards, and no others, are exchanged for new ones."""
    if not cards:
        return Explanation(ReasonTemplate.EACH_CARD_WORTH_MORE)
    has_trumps = any(card.suit is view.trump for card in view.hand)
    discards_trump = any(card.suit is view.trump for card in cards)
    if not has_trumps or discards_trump or meld_loss(view, cards, view.trump):
        return Explanation(ReasonTemplate.KEEP_MELD_AND_WINNERS)
    return Explanation(ReasonTemplate.KEEP_TRUMPS_AND_MELD)


def meld_loss(view: View, cards: Sequence[Card], trump: Suit | None) -> int:
    """Return the meld points that a hand loses by parting with cards."""
    table, hand = view.rules.melds, pack(view.hand)
    return meld_points(table, hand, trump) - meld_points(table, hand - pack(cards), trump)
