"""Naming trump: every suit that may be named, each deal played out in the same worlds."""

from __future__ import annotations

from acesaround.actions import NameTrump
from acesaround.bots.search.choice import SearchResult
from acesaround.bots.search.effort import SearchBudget
from acesaround.bots.search.parting import PassChoice, best_of
from acesaround.bots.thumb.bidding import name_trump
from acesaround.fast.trials.deals import NAME
from acesaround.state import Decision
from acesaround.view import View


def name(view: View, decision: Decision, effort: SearchBudget) -> SearchResult:
    """The suit."""
    thumb = name_trump(view, decision)[0]
    suits = [action for action in decision.legal if isinstance(action, NameTrump)]
    suits.sort(key=lambda action: action != thumb)
    parts = {PassChoice((), int(action.suit)): action for action in suits}
    return best_of(view, NAME, parts, effort)
