"""The game: states, decisions, actions applied to them, and what each seat sees.

`start` returns the first state of a game, `decision` the seat to act and its legal actions, `apply`
the next state and its events, `view_for` the view of one seat. A decision without a seat is a deal:
its `legal` has `sample(rng)`. `state_to_json`, `view_to_json` and their opposites write states and
views as JSON and read them. No function of this package reads a clock or makes its own random
generator.
"""

from acesaround.game.engine import (
    apply,
    decision,
    decision_kind,
    first_dealer,
    last_state_of_deal,
    start,
    turn_of,
)
from acesaround.game.json_format import (
    state_from_json,
    state_to_json,
    view_from_json,
    view_to_json,
)
from acesaround.game.state import Decision, DecisionKind, GameState
from acesaround.game.view import View, view_for

__all__ = [
    "Decision",
    "DecisionKind",
    "GameState",
    "View",
    "apply",
    "decision",
    "decision_kind",
    "first_dealer",
    "last_state_of_deal",
    "start",
    "state_from_json",
    "state_to_json",
    "turn_of",
    "view_for",
    "view_from_json",
    "view_to_json",
]
