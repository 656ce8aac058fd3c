"""The `thumb` bot, which plays by the rules of thumb that good players teach.

The bot is deterministic: the same view gets the same answer. There is one module per kind of
decision: `bidding`, `card_passing`, `upcard`, `conceding`, `leading`,
`following`, `meld_laying`. Partners tell each other things by `bidding_conventions` and
`ace_signals`. The modules use `hand_value` (the value of a hand, explained by
`hand_reasons`), `card_tracking` (the unseen cards) and `trick_value` (the value of a trick).
"""

from __future__ import annotations

from collections.abc import Callable

from acesaround.actions import PASS, Action, CardSelections, Concede, LayMeld, Play
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic import bidding, card_passing, conceding, meld_laying, upcard
from acesaround.bots.heuristic.ace_signals import SignalRules
from acesaround.bots.heuristic.card_tracking import CardTracker
from acesaround.bots.heuristic.following import follow
from acesaround.bots.heuristic.leading import lead
from acesaround.bots.heuristic.meld_laying import MeldProspects
from acesaround.bots.heuristic.trick_value import TrickStakes
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View
from acesaround.heuristic_weights import (
    REFERENCE_ROLE_WEIGHTS,
    HandWeights,
    RoleWeights,
    derived_weights,
    hand_weights,
)
from acesaround.legal_bids import Bids
from acesaround.rules import Rules


class HeuristicBot:
    """A bot that plays by rules of thumb, and can tell which one."""

    name = "thumb"
    _role_weights: RoleWeights | None = None
    _is_natural = False
    _signals = SignalRules.CURRENT
    _hand_weights_for: Callable[[Rules], HandWeights] = staticmethod(hand_weights)

    def __init__(self, version: str | None = None, natural: bool = False) -> None:
        """Create the bot.

        `version`: the month of earlier weights to use, None for the current ones. `natural`:
        whether the bot plays without conventions.

        With earlier weights, hands are judged by numbers derived from the rules, not by measured
        numbers.
        """
        self._is_natural = natural
        if version is not None:
            self.name = f"thumb:{version}"
            self._signals = SignalRules.NOVEMBER_2026
            self._role_weights, self._hand_weights_for = (
                REFERENCE_ROLE_WEIGHTS[version],
                derived_weights,
            )

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the action that `explain` explains."""
        return self.explain(view, decision)[0]

    def explain(self, view: View, decision: Decision) -> tuple[Action, Explanation]:
        """Return a legal action and the one reason for it."""
        legal = decision.legal
        match decision.kind:
            case DecisionKind.BID:
                assert isinstance(legal, Bids)
                return bidding.choose_bid(
                    view, legal, self._hand_weights_for(view.rules), is_natural=self._is_natural
                )
            case DecisionKind.TRUMP:
                return bidding.name_trump(view, decision, self._hand_weights_for(view.rules))
            case DecisionKind.GIVE:
                return card_passing.give(view)
            case DecisionKind.BURY:
                return card_passing.bury(view, self._hand_weights_for(view.rules))
            case DecisionKind.DISCARD:
                assert isinstance(legal, CardSelections)
                return card_passing.discard(view, legal.sizes[-1])
            case DecisionKind.UPCARD:
                return upcard.choose_upcard(view)
            case _:
                return _choose_play(
                    view,
                    decision,
                    self._role_weights,
                    self._hand_weights_for(view.rules),
                    SignalRules.NONE if self._is_natural else self._signals,
                )


def _choose_play(
    view: View,
    decision: Decision,
    weights: RoleWeights | None,
    value_weights: HandWeights,
    signals: SignalRules,
) -> tuple[Action, Explanation]:
    """Choose a card, a meld to lay before the lead, or conceding."""
    cards, melds, can_concede = [], [], False
    for action in decision.legal:
        if isinstance(action, Play):
            cards.append(action.card)
        elif isinstance(action, LayMeld):
            melds.append(action)
        elif isinstance(action, Concede):
            can_concede = True
    if can_concede and (concession := conceding.concede(view, value_weights)):
        return concession
    if not cards and not melds:
        return PASS, Explanation(ReasonTemplate.NOTHING_TO_LAY)
    if len(cards) == 1 and not melds:
        return Play(cards[0]), Explanation(ReasonTemplate.ONLY_CARD)
    tracker = CardTracker(view, weights, signals)
    if melds:
        return meld_laying.choose_meld(view, tracker, melds)
    meld_values, trick_bonus = None, 0.0
    if not tracker.is_strict:
        prospects = MeldProspects(view, tracker, tracker.held)
        meld_values, trick_bonus = prospects.keep_values, meld_laying.trick_prize(view, prospects)
    stakes = TrickStakes(view, tracker, trick_bonus)
    choose_card = follow if view.trick else lead
    return choose_card(view, tracker, cards, stakes, meld_values)
