"""The `thumb` bot, which plays by the rules of thumb that good players teach.

The bot is deterministic: the same view gets the same answer. There is one module per kind of
decision: `bidding` (with `bidding_conventions`), `passing`, `upcard`, `conceding`, `leading`,
`following`, `meld_laying`. They use `hand_value` (the value of a hand, explained by
`hand_reasons`), `card_tracking` (the unseen cards) and `trick_value` (the value of a trick).
"""

from __future__ import annotations

from collections.abc import Callable

from acesaround.actions import PASS, Action, Bids, CardSelections, Concede, LayMeld, Play
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic import bidding, conceding, meld_laying, passing, upcard
from acesaround.bots.heuristic.card_tracking import CardTracker
from acesaround.bots.heuristic.following import follow
from acesaround.bots.heuristic.leading import lead
from acesaround.bots.heuristic.meld_laying import Prospects
from acesaround.bots.heuristic.trick_value import Stakes
from acesaround.game.state import Decision, Kind
from acesaround.game.view import View
from acesaround.heuristic_weights import MANNERS, HandWeights, Manner, derived, hand_weights
from acesaround.rules import Rules


class HeuristicBot:
    """A bot that plays by rules of thumb, and can tell which one."""

    name = "thumb"
    _manner: Manner | None = None
    _judge: Callable[[Rules], HandWeights] = staticmethod(hand_weights)

    def __init__(self, manner: str | None = None) -> None:
        """Create the bot. `manner`: the month of earlier weights to use, None for the current ones.

        With earlier weights, hands are judged by numbers derived from the rules, not by measured
        numbers.
        """
        if manner is not None:
            self.name = f"thumb:{manner}"
            self._manner, self._judge = MANNERS[manner], derived

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the action that `explain` explains."""
        return self.explain(view, decision)[0]

    def explain(self, view: View, decision: Decision) -> tuple[Action, Explanation]:
        """Return a legal action and the one reason for it."""
        legal = decision.legal
        match decision.kind:
            case Kind.BID:
                assert isinstance(legal, Bids)
                return bidding.bid(view, legal, self._judge(view.rules))
            case Kind.TRUMP:
                return bidding.name_trump(view, decision, self._judge(view.rules))
            case Kind.GIVE:
                return passing.give(view)
            case Kind.BURY:
                return passing.bury(view, self._judge(view.rules))
            case Kind.DISCARD:
                assert isinstance(legal, CardSelections)
                return passing.discard(view, legal.sizes[-1])
            case Kind.UPCARD:
                return upcard.turn(view)
            case _:
                return _play(view, decision, self._manner, self._judge(view.rules))


def _play(
    view: View, decision: Decision, its: Manner | None, numbers: HandWeights
) -> tuple[Action, Explanation]:
    """Choose a card, a meld to lay before the lead, or conceding."""
    cards, melds, may_concede = [], [], False
    for action in decision.legal:
        if isinstance(action, Play):
            cards.append(action.card)
        elif isinstance(action, LayMeld):
            melds.append(action)
        elif isinstance(action, Concede):
            may_concede = True
    if may_concede and (given_up := conceding.concede(view, numbers)):
        return given_up
    if not cards and not melds:
        return PASS, Explanation(ReasonTemplate.NOTHING_TO_LAY)
    if len(cards) == 1 and not melds:
        return Play(cards[0]), Explanation(ReasonTemplate.ONLY_CARD)
    sight = CardTracker(view, its)
    if melds:
        return meld_laying.lay(view, sight, melds)
    meld_keep, extra = None, 0.0
    if not sight.strict:
        prospects = Prospects(view, sight, sight.held)
        meld_keep, extra = prospects.keep, meld_laying.prize(view, prospects)
    stakes = Stakes(view, sight, extra)
    decide = follow if view.trick else lead
    return decide(view, sight, cards, stakes, meld_keep)
