"""Calls of a bot for an action, with a fallback so that the match continues if the bot fails.

Times and failures are counted. If a bot fails, the safest legal action is played.
"""

from __future__ import annotations

import contextlib
from time import perf_counter

from acesaround import game
from acesaround.actions import ACTION_TYPES, Action, Bid, describe
from acesaround.arena.bot_stats import BotStats
from acesaround.bots import OmniscientPlayer, Player, fallback_action
from acesaround.bots.fallback_player import auction_too_long, to_bot_error
from acesaround.errors import BotError, Failure, IllegalAction
from acesaround.game.state import Decision, GameState
from acesaround.game.view import View, view_for


def choose_with_fallback(
    player: Player,
    name: str,
    state: GameState,
    decision: Decision,
    stats: BotStats,
    limit_seconds: float | None,
) -> Action:
    """Return a legal action: the bot's if it gives one in time, else the safest.

    Counts failures in `stats`, and also the time unless the decision is forced. A late bot is not
    interrupted. An external program has its own deadline.
    """
    assert decision.seat is not None
    view = view_for(state, decision.seat)
    started_at = perf_counter()
    try:
        try:
            choice = _ask_player(player, state, view, decision)
        finally:
            seconds_taken = perf_counter() - started_at
            if not decision.is_forced:
                stats.record_decision(decision.kind, seconds_taken)
        if limit_seconds is not None and seconds_taken > limit_seconds:
            raise BotError(Failure.LATE, bot=repr(name), seconds=limit_seconds)
        action = _require_legal(choice, name, state, decision)
        stats.own_decisions += 1
        return action
    except KeyboardInterrupt:
        raise
    except Exception as exception:
        error = to_bot_error(name, exception)
    except BaseException as exception:  # such as SystemExit
        error = to_bot_error(name, RuntimeError(f"it raised {type(exception).__name__}"))
    stats.record_failure(error.failure, str(error))
    return fallback_action(view, decision)


def _ask_player(player: Player, state: GameState, view: View, decision: Decision) -> object:
    if isinstance(player, OmniscientPlayer):
        player.observe_state(state)
    return player.choose(view, decision)


def _require_legal(choice: object, name: str, state: GameState, decision: Decision) -> Action:
    """Return the chosen action if it is legal. Raise BotError otherwise.

    A renege is never legal in a match, even if the rules punish it instead of refusing it.
    """
    if isinstance(choice, ACTION_TYPES):
        if choice in decision.legal:
            if isinstance(choice, Bid) and auction_too_long(state.deal.auction):
                raise BotError(Failure.RAISED, bot=repr(name), why="it bids without end")
            return choice
        description = describe(choice)
        with contextlib.suppress(Exception):  # the action may contain invalid values
            description = _describe_refusal(choice, state, decision)
    else:
        description = f"{choice!r:.100}"
    raise BotError(Failure.ILLEGAL, bot=repr(name), action=description)


def _describe_refusal(choice: Action, state: GameState, decision: Decision) -> str:
    """Return a description of an action and the reason why the rules refuse it."""
    try:
        game.apply(state, choice, decision.seat)
    except IllegalAction as error:
        return f"{describe(choice)} ({str(error).removesuffix('.')})"
    return describe(choice)
