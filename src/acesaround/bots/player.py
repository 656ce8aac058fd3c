"""The protocol of everybody who decides: bots, the terminal, a browser.

What a player may have besides stands here too: reasons, things to close, a look at all cards.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from acesaround.actions import Action
from acesaround.bots.explanations import Reason
from acesaround.game.state import Decision, GameState
from acesaround.game.view import View


class Player(Protocol):
    """Chooses a legal action from what one seat sees."""

    name: str

    def choose(self, view: View, decision: Decision) -> Action:
        """A legal action for `decision.seat`, whose view this is."""
        ...


@runtime_checkable
class Explainer(Player, Protocol):
    """A player that can also say why."""

    def explain(self, view: View, decision: Decision) -> tuple[Action, Reason]:
        """The action `choose` would return, and the one reason for it."""
        ...


@runtime_checkable
class SeesState(Protocol):
    """A player that sees all cards. Only experiments let it look: never a table with people."""

    def observe_state(self, state: GameState) -> None:
        """What is so, right before the decision about it."""
        ...


@runtime_checkable
class Closeable(Protocol):
    """A player that holds something which outlives it unless it is closed."""

    def close(self) -> None:
        """Give back what is held. Closing twice does nothing more."""
        ...


def close(player: object) -> None:
    """Close a player that holds something."""
    if isinstance(player, Closeable):
        player.close()
