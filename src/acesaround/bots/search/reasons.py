"""Why the `search` bot did something: the one reason that a player would give.

It is certain wherever the unseen cards are (see `claims`), or a word on the player's own hand. What
each choice brought on average is `Advice.tried`, and never said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from acesaround.actions import (
    Bid,
    Bury,
    Concede,
    Discard,
    Give,
    LayMeld,
    NameTrump,
    Pass,
    Play,
)
from acesaround.bots.advice import Advice, Expected
from acesaround.bots.because import Because, Saying
from acesaround.bots.search.choice import Choice
from acesaround.bots.search.claims import Sure, Trick, mine_is_sure
from acesaround.bots.thumb import hands, turned
from acesaround.bots.thumb.bidding import standing, suits
from acesaround.bots.thumb.worth import best_worth
from acesaround.cards import RANKS, SUITS, Card, Rank, pack
from acesaround.phases.exchange import passings
from acesaround.state import Decision, Kind
from acesaround.tricks import beats
from acesaround.view import View, given

_SAME: Final = 0.05  # points that make no difference
_WEAK: Final = {
    Saying.NOTHING_SURE,
    Saying.WAIT,
    Saying.MUST_BEAT,
    Saying.CANNOT_KEEP,
    Saying.CANNOT_LEAST,
    Saying.LET_GO,
}
"""What is only said where choices differ."""


def reason(view: View, decision: Decision, choice: Choice) -> Because:
    """Why an action was chosen."""
    match choice.action:
        case Play(card):
            found = _play(view, decision, card)
            brings = [one.points for one in choice.options]
            if len(brings) > 1 and found.saying in _WEAK and max(brings) - min(brings) < _SAME:
                return Because(Saying.NO_DIFFERENCE)
            return found
        case Bid():
            return hands.bids(view, best_worth(view, pack(view.hand), suits(view) or SUITS).trump)
        case Pass() if decision.kind is Kind.PLAY:
            return Because(Saying.NOTHING_TO_LAY if decision.forced else Saying.LAY_LATER)
        case Pass():
            return _pass(view)
        case NameTrump(suit):
            return hands.names(view, decision, suit)
        case Give(cards):
            assert view.declarer is not None
            _, taker = passings(view.rules, view.declarer)[given(view)]
            return hands.gives(view, cards, taker)
        case Bury(cards):
            trump = best_worth(view, pack(view.hand)).trump
            return hands.buries(view, cards, trump)
        case Discard() if decision.kind is Kind.UPCARD:
            return turned.turn(view)[1]
        case Discard(cards):
            return hands.discards(view, cards)
        case LayMeld():
            return Because(Saying.LAY_IN_TIME)
        case Concede():
            return Because(Saying.UNLIKELY)
        case other:
            raise AssertionError(other)


def advice(view: View, decision: Decision, choice: Choice) -> Advice:
    """A choice for people: the action, why, and all that was tried."""
    tried = tuple(Expected(one.action, one.points, one.chance, one.made) for one in choice.options)
    return Advice(choice.action, reason(view, decision, choice), tried)


def _pass(view: View) -> Because:
    by = standing(view)
    if not suits(view):
        return Because(Saying.PASS_NO_MARRIAGE)
    if by is not None and by in view.rules.partners_of(cast(int, view.seat)):
        return Because(Saying.PASS_TO_PARTNER, seat=by)
    return Because(Saying.PASS_LOW if by is None else Saying.PASS_HIGHER)


def _play(view: View, decision: Decision, card: Card) -> Because:
    if len(view.hand) == 1 and not view.stock:
        return Because(Saying.LAST_CARD)
    if decision.forced:
        return Because(Saying.ONLY_CARD)
    playable = [action.card for action in decision.legal if isinstance(action, Play)]
    return (_follow if view.trick else _lead)(Sure(view), playable, card)


# --- a card that is led --------------------------------------------------------------------------


def _lead(sure: Sure, playable: Sequence[Card], card: Card) -> Because:
    view, suit, trick = sure.view, card.suit, sure.trick(card)
    assert view.trump is not None
    if trick.sure:
        return mine_is_sure(sure, trick)
    if suit is view.trump:
        if all(other.suit is suit for other in playable):
            return Because(Saying.ONLY_TRUMPS)
        mine = sum(other.suit is suit for other in view.hand)
        return Because(Saying.DRAWS_MOST if mine > sure.unseen(suit) else Saying.DRAWS)
    if sure.highest(card):
        return Because(Saying.ONLY_TRUMP_BEATS)
    for partner in sure.partners:
        ace = next((c for c in range(suit * RANKS, card) if sure.holds(partner, c)), None)
        if ace is not None and sure.highest(ace):
            return Because(Saying.PARTNER_HAS, seat=partner, rank=Rank(ace % RANKS))
    lengths = {of: sum(other.suit is of for other in view.hand) for of in SUITS}
    trumps = lengths.pop(view.trump)
    if lengths[suit] == 1 and trumps:
        return Because(Saying.LAST_OF_SUIT, suit=suit)
    wait = any(sure.trick(other).sure for other in playable)
    if not sure.points[card]:
        return Because(Saying.WAIT_FREE if wait else Saying.NOTHING_SURE_FREE)
    if all(number < lengths[suit] for of, number in lengths.items() if of != suit):
        return Because(Saying.WAIT_LONG if wait else Saying.NOTHING_SURE_LONG)
    return Because(Saying.WAIT if wait else Saying.NOTHING_SURE)


# --- a card that follows -------------------------------------------------------------------------


def _follow(sure: Sure, playable: Sequence[Card], card: Card) -> Because:
    trick = sure.trick(card)
    if trick.takes:
        return mine_is_sure(sure, trick) if trick.sure else _takes(sure, trick, playable, card)
    if trick.ours:
        return _on_partners(sure, trick, card)
    holder, rank = trick.holder, trick.best.rank
    can = any(beats(other, trick.best, sure.trump) for other in playable)
    behind = [seat for seat in trick.to_come if sure.friend(seat)]
    if behind:
        one = behind[0] if len(behind) == 1 else None
        if not trick.sure:
            saying = Saying.PARTNERS_MAY_BEAT if one is None else Saying.PARTNER_MAY_BEAT
        elif one is None:
            saying = Saying.PARTNERS_CANNOT
        else:
            saying = Saying.PARTNER_CANNOT if can else Saying.SIDE_CANNOT
        return Because(saying, seat=one, other=holder, rank=rank)
    if can:
        return Because(Saying.LET_GO)
    points = sure.points
    if not points[card]:
        saying = Saying.CANNOT_FREE
    elif points[card] == min(points[other] for other in playable):
        saying = Saying.CANNOT_LEAST
    else:
        saying = Saying.CANNOT_KEEP
    return Because(saying, seat=holder, rank=rank)


def _takes(sure: Sure, trick: Trick, playable: Sequence[Card], card: Card) -> Because:
    """A card that takes the trick as far as it has gone."""
    best = _before(sure)
    if all(beats(other, best, sure.trump) for other in playable):
        lowest = not any(beats(card, other, sure.trump) for other in playable)
        return Because(Saying.MUST_BEAT_LOW if lowest else Saying.MUST_BEAT, rank=best.rank)
    threats = _threats(sure, trick)
    if len(threats) == 1:
        return Because(Saying.ONE_MAY_BEAT, seat=threats[0])
    return Because(Saying.HAS_IT)


def _on_partners(sure: Sure, trick: Trick, card: Card) -> Because:
    """A card on a trick that a partner has."""
    seat, rank = trick.holder, trick.best.rank
    if trick.sure:
        counts = sure.points[card]
        saying = Saying.PARTNER_SURE_COUNTS if counts else Saying.PARTNER_SURE
        return Because(saying, seat=seat, rank=rank)
    threats = _threats(sure, trick)
    if len(threats) == 1:
        return Because(Saying.PARTNER_BUT_ONE, seat=seat, other=threats[0], rank=rank)
    return Because(Saying.PARTNER_SO_FAR, seat=seat, rank=rank)


def _threats(sure: Sure, trick: Trick) -> list[int]:
    """Who may still take a trick away from the side that has it."""
    led = (sure.view.trick[0] if sure.view.trick else trick.best) // RANKS
    others = [seat for seat in trick.to_come if sure.friend(seat) is not trick.ours]
    return [seat for seat in others if sure.barred(seat, trick.best, led) is None]


def _before(sure: Sure) -> Card:
    """The card that has the trick before one's own."""
    best = sure.view.trick[0]
    for card in sure.view.trick:
        if beats(card, best, sure.trump):
            best = card
    return best
