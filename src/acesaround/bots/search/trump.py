"""Naming trump: every suit that may be named, each deal played out in the same worlds."""

from __future__ import annotations

from acesaround.actions import NameTrump
from acesaround.bots.search.choice import Choice
from acesaround.bots.search.effort import Effort
from acesaround.bots.search.parting import Part, settled
from acesaround.bots.thumb.bidding import name_trump
from acesaround.fast.trials.deals import NAME
from acesaround.state import Decision
from acesaround.view import View


def name(view: View, decision: Decision, effort: Effort) -> Choice:
    """The suit."""
    thumb = name_trump(view, decision)[0]
    suits = [action for action in decision.legal if isinstance(action, NameTrump)]
    suits.sort(key=lambda action: action != thumb)
    parts = {Part((), int(action.suit)): action for action in suits}
    return settled(view, NAME, parts, effort)
