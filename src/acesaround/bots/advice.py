"""The advice of a bot: an action, the reason, and the expected value of each action tried.

Every bot can give advice. A bot without reasons gives its action alone.
"""

from __future__ import annotations

from typing import Final, Protocol, runtime_checkable

import msgspec

from acesaround.actions import Action
from acesaround.bots.explanations import ActionReason, SeatNamer, explanation_parts
from acesaround.bots.player import Explainer, Player
from acesaround.game.state import Decision
from acesaround.game.view import View

_QUICK: Final = "This is quick advice: the computer had no time to think it through."
_ORDINALS: Final = ("", "first", "second", "third", "fourth")


class ActionValue(msgspec.Struct, frozen=True):
    """The value of one action, averaged over all worlds that a bot tried it in.

    `points`: the change of the own side's total in this deal. `chance`: the probability of
    winning the game. `made`: how often the bid of this deal is made, 0 if there is
    none.
    """

    action: Action
    points: float
    chance: float
    made: float


class Advice(msgspec.Struct, frozen=True):
    """An action and the one reason for it. `tried`: all actions tried, best first, or empty.

    `is_quick`: rules of thumb answered, because a bot that searches did not.
    """

    action: Action
    why: ActionReason
    tried: tuple[ActionValue, ...] = ()
    is_quick: bool = False


@runtime_checkable
class Adviser(Player, Protocol):
    """A player that can return the expected value of each action."""

    def advise(self, view: View, decision: Decision) -> Advice:
        """Return the action of `choose`, the reason, and the value of each action tried."""
        ...


def reason_parts(advice: Advice) -> tuple[str | int, ...]:
    """Return the reason as sentences with seats by number, and whether it is quick advice."""
    parts = explanation_parts(advice.why)
    return (*parts, " " + _QUICK if parts else _QUICK) if advice.is_quick else parts


def ask_for_advice(player: Player, view: View, decision: Decision) -> Advice:
    """Return everything that a player can tell about a decision."""
    if isinstance(player, Adviser):
        return player.advise(view, decision)
    if isinstance(player, Explainer):
        return Advice(*player.explain(view, decision))
    return Advice(player.choose(view, decision), "")


def seat_name(view: View, seat: int) -> str:
    """Return the name of a seat as the viewer calls it, such as "the player on your left"."""
    me, players = view.seat, view.players
    assert me is not None
    if seat == me:
        return "you"
    partners = view.rules.partners_of(me)
    if partners == (seat,):
        return "your partner"
    role, number = "partner" if seat in partners else "player", len(players)
    if number == 2:
        return "your opponent"
    distance = (players.index(seat) - players.index(me)) % number
    if distance == 1:
        return f"the {role} on your left"
    if distance == number - 1:
        return f"the {role} on your right"
    if 2 * distance == number:
        return f"the {role} across"
    side, distance = ("left", distance) if 2 * distance < number else ("right", number - distance)
    if seat in partners:
        return f"your partner on the {side}"
    return f"the {_ORDINALS[distance]} player on your {side}"


def relative_seat_names(view: View) -> SeatNamer:
    """Return the function that names seats for a viewer who knows no names."""
    return lambda seat: seat_name(view, seat)
