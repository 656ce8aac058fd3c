"""The `easy` bot: rules of thumb, with the errors of an occasional player.

The bot forgets the cards played before the last trick, except trumps and aces. It overvalues its
trumps and bids by feeling. Sometimes it plays by habit and does not count at all. It needs no
extra.
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

_REMEMBERED: Final = 1  # number of last tricks that are remembered card by card
_HABIT: Final = 0.6  # probability that a card is played without counting
_FEELING: Final = 1.0  # standard deviation of bids, in spreads of results
_TRUMPS: Final = 0.3  # overvaluation of each trump, in tricks


class EasyBot:
    """A bot that plays like a beginner who knows the rules of thumb."""

    name = "easy"

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._thumb = HeuristicBot()

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the action that `explain` explains."""
        return self.explain(view, decision)[0]

    def explain(self, view: View, decision: Decision) -> tuple[Action, Explanation]:
        """Return a legal action and the reason for it, as far as the bot remembers the play."""
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
    """Return the view of a player who remembers only the last trick, and trumps and aces of others.

    Of melds laid on the table, the view keeps only melds that are still there. The view drops who
    took the upcard.
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
    """Play high if the card may win, else low. The seats still to play are ignored."""
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
