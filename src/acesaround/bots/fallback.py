"""A player that never fails: where the one inside does, the safest action is done.

So no bot can end a game. What went wrong is told to whoever wants to know, and can be counted.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from acesaround.actions import Action, Bid, describe
from acesaround.bots.advice import Advice, advice
from acesaround.bots.explanations import Reason
from acesaround.bots.player import Player, SeesState, close
from acesaround.bots.safe_choice import fallback_action
from acesaround.errors import BotError, Failure
from acesaround.game.state import Call, Decision, GameState
from acesaround.game.view import View

_CALLS: Final = 400  # more than thrice what any game can need


class Failures:
    """What bots did wrong: how often, by the bot's name and the kind, and the first sentences."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, Failure]] = Counter()
        self.decided: Counter[str] = Counter()
        self.first: dict[tuple[str, Failure], str] = {}

    def record_success(self, bot: str) -> None:
        """Count a decision that was the bot's own."""
        self.decided[bot] += 1

    def record_failure(self, bot: str, error: BotError) -> None:
        """Count one failure."""
        self.counts[bot, error.failure] += 1
        self.first.setdefault((bot, error.failure), str(error))

    def always_failed(self) -> list[str]:
        """The names of bots that failed in every decision."""
        names = dict.fromkeys(name for name, _ in self.counts)
        return [name for name in names if not self.decided[name]]

    def lines(self) -> list[str]:
        """A line for people for each bot and kind."""
        return [
            f"{sentence} The safest action was done instead, {_times(self.counts[place])}."
            for place, sentence in self.first.items()
        ]


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


class WithFallback:
    """A player around another. `told` hears of every failure, with the name of the bot.

    `decided` hears the name wherever the player itself has decided.
    """

    def __init__(
        self,
        player: Player,
        told: Callable[[str, BotError], None],
        decided: Callable[[str], None] = lambda name: None,
    ) -> None:
        self.name = player.name
        self._player = player
        self._told = told
        self._decided = decided

    def choose(self, view: View, decision: Decision) -> Action:
        """The action of the player inside, if it is legal, else the safest."""
        player = self._player
        return self._sound(view, decision, lambda: Advice(player.choose(view, decision), "")).action

    def explain(self, view: View, decision: Decision) -> tuple[Action, Reason]:
        """The same action with the player's reason, or what is wrong with the player; or ""."""
        found = self.advise(view, decision)
        return found.action, found.why

    def advise(self, view: View, decision: Decision) -> Advice:
        """The same action, why, and what the player expects of each it tried."""
        return self._sound(view, decision, lambda: advice(self._player, view, decision))

    def observe_state(self, state: GameState) -> None:
        """Show the whole state to a player that cheats. Do nothing for others."""
        if isinstance(self._player, SeesState):
            try:
                self._player.observe_state(state)
            except Exception as error:
                self._told(self.name, as_bot_error(self.name, error))

    def close(self) -> None:
        """Close the player inside."""
        with contextlib.suppress(Exception):
            close(self._player)

    def _sound(self, view: View, decision: Decision, chosen: Callable[[], Advice]) -> Advice:
        try:
            found = chosen()
            action = found.action
            if action not in decision.legal:
                error = BotError(
                    Failure.ILLEGAL, bot=repr(self.name), action=describe(action)[:200]
                )
            elif isinstance(action, Bid) and auction_too_long(view.auction):
                error = BotError(Failure.RAISED, bot=repr(self.name), why="it bids without end")
            else:
                self._decided(self.name)
                return found
        except (Exception, SystemExit) as raised:
            error = as_bot_error(self.name, raised)
        self._told(self.name, error)
        return Advice(fallback_action(view, decision), str(error))


def auction_too_long(auction: Sequence[Call]) -> bool:
    """Whether an auction has gone on for so long that a bot may bid in it no more.

    Where any jump is allowed nothing else would stop two bots that always raise each other.
    """
    return len(auction) >= _CALLS


def as_bot_error(name: str, error: BaseException) -> BotError:
    """What a bot raised, as an error of bots."""
    if isinstance(error, BotError):
        return error
    why = type(error).__name__
    with contextlib.suppress(Exception):  # whatever it cannot say of itself
        why = " ".join(f"{why}: {error}".split())[:300].rstrip(".: ")
    found = BotError(Failure.RAISED, bot=repr(name), why=why)
    found.__cause__ = error  # for a log that shows where
    return found
