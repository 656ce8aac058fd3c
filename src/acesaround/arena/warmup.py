"""Warm-up: a bot's first decision of each kind in a process is made once before it counts.

Some bots use compiled code and load or compile it at their first decision. That time should not
count as thinking time or against the bot's limit. The answer is discarded.
"""

from __future__ import annotations

import contextlib
import random

from acesaround import bots
from acesaround.bots import OmniscientPlayer
from acesaround.bots.spec import parse_bot_name
from acesaround.game.state import Decision, DecisionKind, GameState
from acesaround.game.view import view_for

_warmed_up: set[tuple[str, DecisionKind]] = set()


def uses_kernels(name: str) -> bool:
    """Return whether a bot uses compiled code."""
    bot = bots.BOTS.get(parse_bot_name(name).name)  # None for an external program
    return bot is not None and bot.required_extra is not None


def warm_up(name: str, state: GameState, decision: Decision) -> None:
    """Let a separate bot of that name make this decision, once for each kind of decision."""
    if (name, decision.kind) in _warmed_up:
        return
    _warmed_up.add((name, decision.kind))
    if not uses_kernels(name):
        return
    player = bots.make(name, random.Random(0))
    with contextlib.suppress(Exception):  # an error is reported when the decision counts
        if isinstance(player, OmniscientPlayer):
            player.observe_state(state)
        player.choose(view_for(state, decision.seat), decision)
    with contextlib.suppress(Exception):
        bots.close(player)
