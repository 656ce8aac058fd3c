"""Sample requests for tests of worker pools."""

from __future__ import annotations

import os
import random

import msgspec

from acesaround import bots, game, variants
from acesaround.bots.pool.request import BotRequest
from acesaround.game.phases.dealing import Deals
from acesaround.game.view import view_for


def bot_requests(bot: str, variant: str = "partnership", every: int = 9) -> list[BotRequest]:
    """Return every n-th request (`every`) to a bot in a deal between bots `thumb`."""
    state, rng, found = game.start(variants.get(variant)), random.Random(5), list[BotRequest]()
    thumb = bots.make("thumb", rng)
    while state.phase is not None and state.deals < 1:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            state, _ = game.apply(state, decision.legal.sample(rng))
            continue
        seen = view_for(state, decision.seat)
        found.append(BotRequest(bot, seen, decision, seed=len(found)))
        state, _ = game.apply(state, thumb.choose(seen, decision))
    return found[::every]


def first_bid_request(bot: str) -> BotRequest:
    return bot_requests(bot)[0]


class SumTask(msgspec.Struct, frozen=True):
    """A task whose result is a sum and the process that computed it. It fails without numbers."""

    numbers: tuple[int, ...]
    name: str = "a sum"

    def run(self) -> tuple[int, int]:
        if not self.numbers:
            raise ValueError("no numbers")
        return sum(self.numbers), os.getpid()
