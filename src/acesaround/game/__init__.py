"""The game: states, decisions, actions applied to them, and what each seat sees.

`start` returns the first state of a game, `decision` who is to act and what is legal, `apply` the
next state and its events, `view_for` what one seat knows. A decision without a seat is a deal: its
`legal` has `sample(rng)`. Nothing here draws random numbers or reads a clock.
"""

from acesaround.game.engine import (
    apply,
    decision,
    first_dealer,
    kind_of,
    last_state_of_deal,
    start,
    turn_of,
)
from acesaround.game.state import Decision, GameState, Kind
from acesaround.game.view import View, view_for

__all__ = [
    "Decision",
    "GameState",
    "Kind",
    "View",
    "apply",
    "decision",
    "first_dealer",
    "kind_of",
    "last_state_of_deal",
    "start",
    "turn_of",
    "view_for",
]
