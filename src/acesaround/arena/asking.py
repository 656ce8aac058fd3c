"""Asking a bot for an action, whatever it does: the match goes on.

What it took and what it did wrong is counted, and in the place of a bot that fails the safest
legal action is played.
"""

from __future__ import annotations

from time import perf_counter

from acesaround import game
from acesaround.actions import (
    Action,
    Bid,
    Bury,
    Concede,
    Deal,
    Discard,
    Give,
    LayMeld,
    NameTrump,
    Pass,
    Play,
)
from acesaround.arena.conduct import Conduct
from acesaround.arena.limit import Late, within
from acesaround.bots import Cheat, Player, safest
from acesaround.errors import BotError, Failure, IllegalAction
from acesaround.state import Decision, GameState
from acesaround.view import View, view

_ACTIONS = (Deal, Bid, Pass, NameTrump, Bury, Give, Discard, LayMeld, Play, Concede)


def ask(
    player: Player,
    name: str,
    state: GameState,
    decision: Decision,
    conduct: Conduct,
    limit: float | None,
) -> Action:
    """A legal action: the bot's if it has one in time, else the safest. Counts in `conduct`."""
    assert decision.seat is not None
    seen = view(state, decision.seat)
    began = perf_counter()
    try:
        try:
            choice = within(limit, lambda: _choose(player, state, seen, decision))
        finally:
            took = perf_counter() - began
            conduct.took(decision.kind, took)
        if limit is not None and took > limit:  # it could not be interrupted
            raise Late
        return _legal(choice, name, state, decision)
    except KeyboardInterrupt:
        raise
    except BotError as error:
        conduct.failed(error.failure, str(error))
    except Late:
        late = BotError(Failure.LATE, bot=name, seconds=limit)
        conduct.failed(late.failure, str(late))
    except BaseException as error:  # even one that would end the program
        raised = BotError(Failure.RAISED, bot=name, why=_told(error))
        conduct.failed(raised.failure, str(raised))
    return safest(seen, decision)


def _choose(player: Player, state: GameState, seen: View, decision: Decision) -> object:
    if isinstance(player, Cheat):
        player.look(state)
    return player.choose(seen, decision)


def _legal(choice: object, name: str, state: GameState, decision: Decision) -> Action:
    """What was chosen, if it is legal. Raises BotError.

    Where the rules punish a renege instead of refusing it, it is no legal action all the same.
    """
    if isinstance(choice, _ACTIONS):
        if choice in decision.legal:
            return choice
        try:
            game.apply(state, choice, decision.seat)
            what = str(choice)
        except IllegalAction as error:
            what = f"{choice} ({str(error).removesuffix('.')})"
    else:
        what = f"{choice!r:.100}"
    raise BotError(Failure.ILLEGAL, bot=name, action=what)


def _told(error: BaseException) -> str:
    said = str(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
