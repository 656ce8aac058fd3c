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

from acesaround.actions import PASS, Action, Bid, LayMeld, Play
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.heuristic.bidding import nameable_suits
from acesaround.bots.heuristic.hand_value import best_hand_value
from acesaround.cards import Card, Rank, Suit, pack
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View
from acesaround.heuristic_weights import average_trick_points, hand_weights, run_points
from acesaround.legal_bids import Bids
from acesaround.rules.tricks import beats

_REMEMBERED_TRICKS: Final = 1  # number of last tricks that are remembered card by card
_HABIT_CHANCE: Final = 0.6  # probability that a card is played without counting
_BID_NOISE_SPREADS: Final = 1.0  # standard deviation of bids, in spreads of results
_TRUMP_OVERVALUE_TRICKS: Final = 0.3  # overvaluation of each trump, in tricks


class EasyBot:
    """A bot that plays like a beginner who knows the rules of thumb."""

    name = "easy"

    def __init__(self, rng: random.Random, natural: bool = False) -> None:
        """Create the bot. `natural`: whether it plays without conventions."""
        self._rng = rng
        self._heuristic_bot = HeuristicBot(natural=natural)

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the action that `explain` explains."""
        return self.explain(view, decision)[0]

    def explain(self, view: View, decision: Decision) -> tuple[Action, Explanation]:
        """Return a legal action and the reason for it, as far as the bot remembers the play."""
        if decision.kind is DecisionKind.BID:
            assert isinstance(decision.legal, Bids)
            return self._bid(view, decision, decision.legal)
        if decision.kind is not DecisionKind.PLAY:
            return self._heuristic_bot.explain(view, decision)
        cards = [action.card for action in decision.legal if isinstance(action, Play)]
        can_lay_meld = any(isinstance(action, LayMeld) for action in decision.legal)
        if len(cards) > 1 and not can_lay_meld and self._rng.random() < _HABIT_CHANCE:
            return _play_by_habit(view, cards)
        action, why = self._heuristic_bot.explain(remembered_view(view), decision)
        if len(view.tricks) > _REMEMBERED_TRICKS:
            why = replace(why, is_from_memory=True)
        return action, why

    def _bid(self, view: View, decision: Decision, legal: Bids) -> tuple[Action, Explanation]:
        possible_suits = nameable_suits(view)
        if not possible_suits:
            return self._heuristic_bot.explain(view, decision)
        best = best_hand_value(view, pack(view.hand), possible_suits)
        spread = hand_weights(view.rules).spread * run_points(view.rules)
        trumps = sum(card.suit == best.trump for card in view.hand)
        estimate = best.total + trumps * _TRUMP_OVERVALUE_TRICKS * average_trick_points(
            view.rules, len(view.players)
        )
        estimate += self._rng.gauss(
            -hand_weights(view.rules).caution * run_points(view.rules), _BID_NOISE_SPREADS * spread
        )
        if estimate >= legal.lowest_bid:
            return Bid(legal.lowest_bid), Explanation(
                ReasonTemplate.HAND_FEELS_WORTH_IT, suit=Suit(best.trump)
            )
        if legal.may_pass:
            return PASS, Explanation(ReasonTemplate.HAND_FEELS_TOO_WEAK)
        return Bid(legal.lowest_bid), Explanation(ReasonTemplate.BID_FORCED)


def remembered_view(view: View) -> View:
    """Return the view of a player who remembers only the last trick, and trumps and aces of others.

    Of melds laid on the table, the view keeps only melds that are still there. The view drops who
    took the upcard.
    """
    last_tricks, earlier_tricks = (
        view.tricks[-_REMEMBERED_TRICKS:],
        view.tricks[:-_REMEMBERED_TRICKS],
    )
    remembered_cards = [
        card
        for trick in earlier_tricks
        for card in trick.cards
        if card.suit is view.trump or card.rank is Rank.ACE
    ]
    table_melds = (
        [table_meld for table_meld in view.lying if table_meld.until is None] if view.table else []
    )
    return replace(
        view,
        tricks=last_tricks,
        buried=(*(view.buried or ()), *remembered_cards),
        lying=tuple(table_melds),
        taken=(),
        undone=(),
    )


def _play_by_habit(view: View, cards: Sequence[Card]) -> tuple[Action, Explanation]:
    """Play high if the card may win, else low. The seats still to play are ignored."""
    trump = view.trump
    assert trump is not None
    if not view.trick:
        card = min(cards, key=lambda c: (c.rank, c.suit is trump, c.suit))
        return Play(card), Explanation(ReasonTemplate.HABIT_HIGH_CARDS_WIN)
    best = view.trick[0]
    for other in view.trick[1:]:
        if beats(other, best, trump):
            best = other
    winning = [card for card in cards if beats(card, best, trump)]
    if winning:
        card = min(winning, key=lambda c: (c.suit is trump, c.rank, c.suit))
        return Play(card), Explanation(ReasonTemplate.HABIT_BEATS_RANK, rank=best.rank)
    card = max(cards, key=lambda c: (c.suit is not trump, c.rank, -c.suit))
    return Play(card), Explanation(ReasonTemplate.HABIT_HIGHER_CARD_WINS)
