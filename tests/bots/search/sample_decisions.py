"""States of sensible games in which a seat has a choice, and the advice of bots there."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import msgspec
import pytest

from acesaround import bots, game, variants
from acesaround.bots.advice import ask_for_advice
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.situation import Situation, build_situation
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState
from acesaround.game.view import view_for
from tests.random_games import FEW_UNSEEN

BOTS = ("search:time=0.003", "medium:time=0.003", "hard:time=0.003", "expert:time=0.003", "easy")
_VARIANTS_OF_ALL_BOTS = ("double-deck", "five-card", "partnership", "two-handed")
_BOTS_OF_ALL_VARIANTS = ("hard:time=0.003", "easy")


def _pair(variant: str, bot: str) -> Any:
    is_gate = variant in _VARIANTS_OF_ALL_BOTS or bot in _BOTS_OF_ALL_VARIANTS
    return pytest.param(variant, bot, marks=[] if is_gate else [pytest.mark.soak])


EACH_VARIANT_AND_BOT = pytest.mark.parametrize(
    ("variant", "bot"), [_pair(variant, bot) for variant in FEW_UNSEEN for bot in BOTS]
)
"""All levels search in the same way, so only some variants try each of them in the gate."""


def sample_states(variant: str, seed: int, plays: int = 3) -> list[GameState]:
    """Return states of one deal: the first decision of each kind, and some of the play."""
    rng = random.Random(seed)
    found: dict[DecisionKind, GameState] = {}
    cards: list[GameState] = []
    state = game.start(variants.VARIANTS[variant], 0)
    while state.phase is not None and state.deals == 0:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            state, _ = game.apply(state, decision.legal.sample(rng))
            continue
        assert decision.seat is not None
        if len(list(islice(decision.legal, 2))) == 2:
            found.setdefault(decision.kind, state)
            if decision.kind is DecisionKind.PLAY:
                cards.append(state)
        action = HeuristicBot().choose(view_for(state, decision.seat), decision)
        state, _ = game.apply(state, action)
    return [*found.values(), *rng.sample(cards[1:], max(0, min(plays, len(cards) - 1)))]


def situation(state: GameState, budget: SearchBudget) -> Situation:
    decision = game.decision(state)
    return build_situation(view_for(state, decision.seat), decision, budget)


def advice_bytes(state: GameState, bot: str, seed: int = 7) -> bytes:
    """Return the advice of a bot in a state as bytes: action, reason and expectations."""
    decision = game.decision(state)
    seen = view_for(state, decision.seat)
    return msgspec.json.encode(
        ask_for_advice(bots.make(bot, random.Random(seed)), seen, decision), enc_hook=str
    )
