"""The `easy` level: rules of thumb, with the errors of somebody who plays now and then.

It forgets what was played before the last tricks, trumps and aces apart. It trusts its trumps too
much and bids by feeling. Sometimes it plays by habit and does not count at all. It needs no extra.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from acesaround.actions import PASS, Action, Bid, Bids, LayMeld, Play
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.heuristic.bidding import suits
from acesaround.bots.heuristic.hand_value import best_worth
from acesaround.cards import Card, Rank, Suit, pack
from acesaround.game.state import Decision, Kind
from acesaround.game.view import View
from acesaround.heuristic_weights import hand_weights, run_worth, trick_worth
from acesaround.rules.tricks import beats

_REMEMBERED: Final = 1  # tricks that are remembered card by card
_HABIT: Final = 0.6  # how often a card is played without counting
_FEELING: Final = 1.0  # how far bids stray, in spreads of results
_TRUMPS: Final = 0.3  # of a trick more than it is worth, for each trump


class EasyBot:
    """Plays like a beginner who knows the rules of thumb."""

    name = "easy"

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._thumb = HeuristicBot()

    def choose(self, view: View, decision: Decision) -> Action:
        """The action that `explain` explains."""
        return self.explain(view, decision)[0]

    def explain(self, view: View, decision: Decision) -> tuple[Action, Explanation]:
        """A legal action, and why, as far as it is remembered."""
        if decision.kind is Kind.BID:
            assert isinstance(decision.legal, Bids)
            return self._bid(view, decision, decision.legal)
        if decision.kind is not Kind.PLAY:
            return self._thumb.explain(view, decision)
        cards = [action.card for action in decision.legal if isinstance(action, Play)]
        lays = any(isinstance(action, LayMeld) for action in decision.legal)
        if len(cards) > 1 and not lays and self._rng.random() < _HABIT:
            return _by_habit(view, cards)
        action, why = self._thumb.explain(remembered(view), decision)
        if len(view.tricks) > _REMEMBERED:
            why = replace(why, remembered=True)
        return action, why

    def _bid(self, view: View, decision: Decision, legal: Bids) -> tuple[Action, Explanation]:
        named = suits(view)
        if not named:
            return self._thumb.explain(view, decision)
        best = best_worth(view, pack(view.hand), named)
        spread = hand_weights(view.rules).spread * run_worth(view.rules)
        trumps = sum(card.suit == best.trump for card in view.hand)
        felt = best.total + trumps * _TRUMPS * trick_worth(view.rules, len(view.players))
        felt += self._rng.gauss(
            -hand_weights(view.rules).caution * run_worth(view.rules), _FEELING * spread
        )
        if felt >= legal.least:
            return Bid(legal.least), Explanation(ReasonTemplate.FEELS_WORTH, suit=Suit(best.trump))
        if legal.may_pass:
            return PASS, Explanation(ReasonTemplate.FEELS_WEAK)
        return Bid(legal.least), Explanation(ReasonTemplate.BID_FORCED)


def remembered(view: View) -> View:
    """The view of somebody who remembers the last trick, and of others only trumps and aces.

    Of melds laid at the table it sees those that lie there; who took the upcard it has forgotten.
    """
    last, earlier = view.tricks[-_REMEMBERED:], view.tricks[:-_REMEMBERED]
    gone = [
        card
        for trick in earlier
        for card in trick.cards
        if card.suit is view.trump or card.rank is Rank.ACE
    ]
    lying = [its for its in view.lying if its.until is None] if view.table else []
    return replace(
        view,
        tricks=last,
        buried=(*(view.buried or ()), *gone),
        lying=tuple(lying),
        taken=(),
        undone=(),
    )


def _by_habit(view: View, cards: Sequence[Card]) -> tuple[Action, Explanation]:
    """High when it may win, low when it cannot; who else is to play is not thought of."""
    trump = view.trump
    assert trump is not None
    if not view.trick:
        card = min(cards, key=lambda c: (c.rank, c.suit is trump, c.suit))
        return Play(card), Explanation(ReasonTemplate.HABIT_HIGH)
    best = view.trick[0]
    for other in view.trick[1:]:
        if beats(other, best, trump):
            best = other
    winning = [card for card in cards if beats(card, best, trump)]
    if winning:
        card = min(winning, key=lambda c: (c.suit is trump, c.rank, c.suit))
        return Play(card), Explanation(ReasonTemplate.HABIT_BEATS, rank=best.rank)
    card = max(cards, key=lambda c: (c.suit is not trump, c.rank, -c.suit))
    return Play(card), Explanation(ReasonTemplate.HABIT_LOW)
