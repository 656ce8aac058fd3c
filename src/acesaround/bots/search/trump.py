"""The search for trump: each suit that may be named is rolled out in the same worlds."""

from __future__ import annotations

from acesaround.actions import NameTrump
from acesaround.bots.heuristic.bidding import name_trump
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.passing import PassChoice, best_choice
from acesaround.bots.search.result import SearchResult
from acesaround.fast.rollouts.before_play import NAME
from acesaround.game.state import Decision
from acesaround.game.view import View


def search_trump(view: View, decision: Decision, budget: SearchBudget) -> SearchResult:
    """Choose the trump suit."""
    heuristic_action = name_trump(view, decision)[0]
    suits = [action for action in decision.legal if isinstance(action, NameTrump)]
    suits.sort(key=lambda action: action != heuristic_action)
    action_of_choice = {PassChoice((), int(action.suit)): action for action in suits}
    return best_choice(view, NAME, action_of_choice, budget)
