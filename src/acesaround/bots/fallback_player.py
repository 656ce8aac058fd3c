"""A player that never fails: if the player inside fails, the safest action is done.

So no bot can end a game. Failures are reported to a callback and can be counted.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from acesaround.actions import Action, Bid, describe
from acesaround.bots.advice import Advice, ask_for_advice
from acesaround.bots.explanations import ActionReason
from acesaround.bots.player import OmniscientPlayer, Player, close
from acesaround.bots.safe_action import fallback_action
from acesaround.errors import BotError, Failure
from acesaround.game.state import Call, Decision, GameState
from acesaround.game.view import View

_MAX_AUCTION_CALLS: Final = 400  # more than three times what any game can need


class Failures:
    """The failures of bots.

    `counts`: the number of failures, by the bot's name and the kind. `own_decisions`: the
    number of decisions that each bot made itself. `first_sentences`: the first sentence about each
    bot and kind.
    """

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, Failure]] = Counter()
        self.own_decisions: Counter[str] = Counter()
        self.first_sentences: dict[tuple[str, Failure], str] = {}

    def record_success(self, bot: str) -> None:
        """Count a decision that the bot made itself."""
        self.own_decisions[bot] += 1

    def record_failure(self, bot: str, error: BotError) -> None:
        """Count one failure."""
        self.counts[bot, error.failure] += 1
        self.first_sentences.setdefault((bot, error.failure), str(error))

    def always_failed(self) -> list[str]:
        """Return the names of the bots that failed in every decision."""
        names = dict.fromkeys(name for name, _ in self.counts)
        return [name for name in names if not self.own_decisions[name]]

    def lines(self) -> list[str]:
        """Return a line for people for each bot and kind of failure."""
        return [
            f"{sentence} The safest action was played instead, {_times_text(self.counts[key])}."
            for key, sentence in self.first_sentences.items()
        ]


def _times_text(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


class WithFallback:
    """A wrapper that replaces a player's failed decisions by the safest action.

    `on_failure`: the callback for failures, with the bot's name and the error. `on_success`: the
    callback for decisions that the player made itself, with the bot's name.
    """

    def __init__(
        self,
        player: Player,
        on_failure: Callable[[str, BotError], None],
        on_success: Callable[[str], None] = lambda name: None,
    ) -> None:
        self.name: str = player.name
        self._player = player
        self._on_failure = on_failure
        self._on_success = on_success

    def choose(self, view: View, decision: Decision) -> Action:
        """Return the player's action if it is legal, else the safest action."""
        player = self._player
        return self._advise_safely(
            view, decision, lambda: Advice(player.choose(view, decision), "")
        ).action

    def explain(self, view: View, decision: Decision) -> tuple[Action, ActionReason]:
        """Return the action with the player's reason, or a sentence about its failure."""
        result = self.advise(view, decision)
        return result.action, result.why

    def advise(self, view: View, decision: Decision) -> Advice:
        """Return the action, the reason, and what the player expects of each action it tried."""
        return self._advise_safely(
            view, decision, lambda: ask_for_advice(self._player, view, decision)
        )

    def observe_state(self, state: GameState) -> None:
        """Show the whole state to a player that sees all cards. Do nothing for other players."""
        if isinstance(self._player, OmniscientPlayer):
            try:
                self._player.observe_state(state)
            except Exception as error:
                self._on_failure(self.name, to_bot_error(self.name, error))

    def close(self) -> None:
        """Close the player inside. Errors are ignored."""
        with contextlib.suppress(Exception):
            close(self._player)

    def _advise_safely(
        self, view: View, decision: Decision, get_advice: Callable[[], Advice]
    ) -> Advice:
        try:
            result = get_advice()
            action = result.action
            if action not in decision.legal:
                error = BotError(
                    Failure.ILLEGAL, bot=repr(self.name), action=describe(action)[:200]
                )
            elif isinstance(action, Bid) and auction_too_long(view.auction):
                error = BotError(Failure.RAISED, bot=repr(self.name), why="it bids without end")
            else:
                self._on_success(self.name)
                return result
        except (Exception, SystemExit) as exception:
            error = to_bot_error(self.name, exception)
        self._on_failure(self.name, error)
        return Advice(fallback_action(view, decision), str(error))


def auction_too_long(auction: Sequence[Call]) -> bool:
    """Return whether an auction is so long that a bot may no longer bid.

    If any jump is allowed, only this limit stops two bots that always raise each other.
    """
    return len(auction) >= _MAX_AUCTION_CALLS


def to_bot_error(name: str, error: BaseException) -> BotError:
    """Return an exception that a bot raised as a BotError."""
    if isinstance(error, BotError):
        return error
    reason = type(error).__name__
    with contextlib.suppress(Exception):  # the error's own `str` may raise
        reason = " ".join(f"{reason}: {error}".split())[:300].rstrip(".: ")
    bot_error = BotError(Failure.RAISED, bot=repr(name), why=reason)
    bot_error.__cause__ = error  # so that the log shows where it failed
    return bot_error
