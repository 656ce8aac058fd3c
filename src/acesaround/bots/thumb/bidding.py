"""The auction and naming trump: how much the hand can stand, and how high to go."""

from __future__ import annotations

from math import exp
from typing import Final

from acesaround.actions import PASS, TRUMPS, Action, Bid, Bids, NameTrump
from acesaround.bots.thumb.language import Word, heard, sayings
from acesaround.bots.thumb.worth import Worth, best_worth, gauge, trick_worth
from acesaround.cards import Suit, counts, pack
from acesaround.melds import marriages
from acesaround.state import Decision
from acesaround.view import View

SHOW: Final = 0.75  # how far beyond that a bid may go that tells the partner something
HEARD: Final = {Word.THIRTY: 36.0, Word.TWENTY: 24.0, Word.ACES: 16.0}


def bid(view: View, legal: Bids) -> tuple[Action, str]:
    """A bid or a pass, and why."""
    hand = pack(view.hand)
    suits = _suits(view, hand)
    if not suits:
        if legal.may_pass:
            return PASS, "Pass: without a marriage the hand cannot name trump."
        return Bid(legal.least), f"You must bid, and {legal.least} is the least."
    best = best_worth(view, hand, suits)
    numbers, run = gauge(view.rules), view.rules.melds.run[0]
    spread = numbers.spread * run
    limit = estimate(view, best) - numbers.caution * run
    limit, reason = _by_score(view, best, limit, spread)
    partner = view.rules.partner_of(view.seat or 0)
    for say, said in sayings(view):
        if Bid(say) in legal and limit + SHOW * spread >= say:
            return Bid(say), f"A first bid of {say} shows your partner {said.value}."
    if partner is not None and _standing(view) == partner:
        limit -= 0.6 * spread
        reason = "it is not enough to overcall your partner"
    least = legal.least
    if limit < least:
        if legal.may_pass:
            return PASS, f"Pass: about {_round(best.total)} points can be hoped for, {reason}."
        return Bid(least), f"You must bid, and {least} is the least."
    chosen = _height(view, legal, limit)
    trump = Suit(best.trump).word
    return Bid(chosen), f"With {trump} as trump the hand should bring about {_round(best.total)}."


def name_trump(view: View, decision: Decision) -> tuple[NameTrump, str]:
    """The suit worth most in meld and tricks together."""
    suits = [action.suit for action in decision.legal if isinstance(action, NameTrump)]
    best = best_worth(view, pack(view.hand), suits)
    suit = Suit(best.trump)
    number = sum(card.suit is suit for card in view.hand)
    return TRUMPS[suit], f"{suit.word.capitalize()}: {number} cards, and {best.meld} meld with it."


def estimate(view: View, best: Worth) -> float:
    """What the side may expect to score as declarer, the partner's bids heard."""
    rules, growth, play = view.rules, best.growth, best.play
    partner = rules.partner_of(view.seat or 0)
    known = 0.0
    if partner is not None:
        said = heard(rules, view.auction, partner)
        if said in HEARD:
            known = HEARD[said]
            growth = max(growth, known)
            if said is Word.ACES:
                play += 1.5 * trick_worth(rules, len(view.players))
        elif any(call.seat == partner and call.bid is None for call in view.auction):
            growth *= 0.9
    need = rules.scoring.least_meld - best.meld
    if need <= max(known, 0.0) or growth <= 0.0:
        return best.meld + growth + play
    kept = exp(-(need - known) / growth)  # the chance that the partner has the rest
    if kept < 0.4:
        return 0.0
    return kept * (best.meld + need + growth) + play


def _suits(view: View, hand: int) -> list[int]:
    """The suits that may be named after the auction, as far as can be known now."""
    assert view.rules.auction is not None
    if not view.rules.auction.marriage_needed or view.rules.deal.kitty:
        return [0, 1, 2, 3]
    held = counts(hand)
    return [suit for suit in range(4) if marriages(held, suit)]


def _standing(view: View) -> int | None:
    """Who has the standing bid."""
    for call in reversed(view.auction):
        if call.bid is not None:
            return call.seat
    return None


def _by_score(view: View, best: Worth, limit: float, spread: float) -> tuple[float, str]:
    """The limit in the light of the score: bolder where the game would be won or lost anyway."""
    reason = "not enough for a higher bid"
    if view.rules.ending.hands is not None:
        return limit, reason
    assert view.seat is not None
    side = view.rules.side_of(view.seat)
    others = [s for at, s in enumerate(view.scores) if at != side]
    usual = trick_worth(view.rules, len(view.players)) * view.rules.hand_size
    if view.scores[side] + best.total >= view.target:
        limit += 0.15 * spread
    if others and max(others) + usual >= view.target:
        limit += 0.3 * spread
        reason = "too little even to keep the others from the game"
    return limit, reason


def _height(view: View, legal: Bids, limit: float) -> int:
    """The least bid, or with one round of bids one that the seats behind do not lightly beat."""
    law = view.rules.auction
    assert law is not None
    least = legal.least
    if not law.one_round or len(view.auction) + 1 == len(view.players):
        return least
    wanted = least + int((limit - least) / 2)
    return wanted if legal.allows(wanted) else least


def _round(points: float) -> int:
    return int(points // 5 * 5) if points >= 100 else int(points)
