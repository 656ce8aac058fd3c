"""Questions for the tests of those who answer them."""

from __future__ import annotations

import random

from acesaround import bots, game, variants
from acesaround.minds.question import Question
from acesaround.phases.dealing import Deals
from acesaround.view import view


def questions(bot: str, variant: str = "partnership", every: int = 9) -> list[Question]:
    """What a bot is asked in a deal between rules of thumb: every so many decisions."""
    state, rng, found = game.start(variants.get(variant)), random.Random(5), list[Question]()
    thumb = bots.make("thumb", rng)
    while state.phase is not None and state.deals < 1:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            state, _ = game.apply(state, decision.legal.sample(rng))
            continue
        seen = view(state, decision.seat)
        found.append(Question(bot, seen, decision, seed=len(found)))
        state, _ = game.apply(state, thumb.choose(seen, decision))
    return found[::every]


def question(bot: str) -> Question:
    """What a bot is asked about the first bid."""
    return questions(bot)[0]
