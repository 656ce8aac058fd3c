"""Calls of a bot for an action, with a fallback so that the match goes on if the bot fails.

Times and failures are counted. If a bot fails, the safest legal action is played.
"""

from __future__ import annotations

import contextlib
from time import perf_counter

from acesaround import game
from acesaround.actions import ACTIONS, Action, Bid, describe
from acesaround.arena.bot_stats import BotStats
from acesaround.bots import Player, SeesState, fallback_action
from acesaround.bots.fallback import as_bot_error, auction_too_long
from acesaround.errors import BotError, Failure, IllegalAction
from acesaround.game.state import Decision, GameState
from acesaround.game.view import View, view_for


def choose_with_fallback(
    player: Player,
    name: str,
    state: GameState,
    decision: Decision,
    conduct: BotStats,
    limit: float | None,
) -> Action:
    """Return a legal action: the bot's if it gives one in time, else the safest.

    Counts failures in `conduct`, and also the time unless the decision is forced. A late bot is not
    interrupted. An external program has its own deadline.
    """
    assert decision.seat is not None
    seen = view_for(state, decision.seat)
    began = perf_counter()
    try:
        try:
            choice = _choose(player, state, seen, decision)
        finally:
            took = perf_counter() - began
            if not decision.forced:
                conduct.record_decision(decision.kind, took)
        if limit is not None and took > limit:
            raise BotError(Failure.LATE, bot=repr(name), seconds=limit)
        action = _legal(choice, name, state, decision)
        conduct.decided += 1
        return action
    except KeyboardInterrupt:
        raise
    except Exception as raised:
        error = as_bot_error(name, raised)
    except BaseException as raised:  # such as SystemExit
        error = as_bot_error(name, RuntimeError(f"it raised {type(raised).__name__}"))
    conduct.record_failure(error.failure, str(error))
    return fallback_action(seen, decision)


def _choose(player: Player, state: GameState, seen: View, decision: Decision) -> object:
    if isinstance(player, SeesState):
        player.observe_state(state)
    return player.choose(seen, decision)


def _legal(choice: object, name: str, state: GameState, decision: Decision) -> Action:
    """Return the chosen action if it is legal. Raise BotError otherwise.

    A renege is never legal here, even if the rules punish it instead of refusing it.
    """
    if isinstance(choice, ACTIONS):
        if choice in decision.legal:
            if isinstance(choice, Bid) and auction_too_long(state.deal.auction):
                raise BotError(Failure.RAISED, bot=repr(name), why="it bids without end")
            return choice
        what = describe(choice)
        with contextlib.suppress(Exception):  # the action may contain invalid values
            what = _refused(choice, state, decision)
    else:
        what = f"{choice!r:.100}"
    raise BotError(Failure.ILLEGAL, bot=repr(name), action=what)


def _refused(choice: Action, state: GameState, decision: Decision) -> str:
    """Return a description of an action and the reason why the rules refuse it."""
    try:
        game.apply(state, choice, decision.seat)
    except IllegalAction as error:
        return f"{describe(choice)} ({str(error).removesuffix('.')})"
    return describe(choice)
