"""The search for trump: each suit that may be named is rolled out in the same worlds."""

from __future__ import annotations

from acesaround.actions import NameTrump
from acesaround.bots.heuristic.bidding import name_trump
from acesaround.bots.search.card_passing import PassChoice, best_choice
from acesaround.bots.search.search_result import SearchResult
from acesaround.bots.search.situation import Situation
from acesaround.fast.rollouts.before_play import NAME


def search_trump(situation: Situation) -> SearchResult:
    """Choose the trump suit."""
    heuristic_action = name_trump(situation.view, situation.decision)[0]
    suits = [action for action in situation.decision.legal if isinstance(action, NameTrump)]
    suits.sort(key=lambda action: action != heuristic_action)
    action_of_choice = {PassChoice((), int(action.suit)): action for action in suits}
    return best_choice(situation, NAME, action_of_choice)
