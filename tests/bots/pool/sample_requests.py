"""Questions for the tests of those who answer them."""

from __future__ import annotations

import random

from acesaround import bots, game, variants
from acesaround.bots.pool.request import BotRequest
from acesaround.game.phases.dealing import Deals
from acesaround.game.view import view_for


def questions(bot: str, variant: str = "partnership", every: int = 9) -> list[BotRequest]:
    """What a bot is asked in a deal between rules of thumb: every so many decisions."""
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


def question(bot: str) -> BotRequest:
    """What a bot is asked about the first bid."""
    return questions(bot)[0]
