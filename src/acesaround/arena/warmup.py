"""A bot's first decision of a kind in a process, made once before it counts.

Bots that stand on compiled code load it then, or even compile it: that is no thinking, and is
neither in their times nor held against their limit. The answer is thrown away.
"""

from __future__ import annotations

import contextlib
import random

from acesaround import bots
from acesaround.bots import SeesState
from acesaround.bots.spec import parse
from acesaround.game.state import Decision, GameState, Kind
from acesaround.game.view import view_for

_seen: set[tuple[str, Kind]] = set()


def uses_kernels(name: str) -> bool:
    """Whether a bot stands on compiled code."""
    bot = bots.BOTS.get(parse(name).name)  # a program is none of them
    return bot is not None and bot.needs is not None


def warm_up(name: str, state: GameState, decision: Decision) -> None:
    """Have another bot of that name decide this, unless one has decided such a thing before."""
    if (name, decision.kind) in _seen:
        return
    _seen.add((name, decision.kind))
    if not uses_kernels(name):
        return
    player = bots.make(name, random.Random(0))
    with contextlib.suppress(Exception):  # what is wrong with it is seen when it counts
        if isinstance(player, SeesState):
            player.observe_state(state)
        player.choose(view_for(state, decision.seat), decision)
    with contextlib.suppress(Exception):
        bots.close(player)
