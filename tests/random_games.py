"""Random tables and random games for the property tests: any variant, players and house options."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import msgspec
from hypothesis import strategies as st

from acesaround import game, variants
from acesaround.actions import Action
from acesaround.bots.random_bot import RandomBot
from acesaround.errors import RulesError
from acesaround.events import Event
from acesaround.phases.dealing import Deals
from acesaround.rules import Rules
from acesaround.state import Decision, GameState

VALUES: dict[str, st.SearchStrategy[object]] = {
    "target": st.integers(1, 2000),
    "hands": st.none() | st.integers(1, 3),
    "lowest_bid": st.sampled_from([1, 10, 50, 52, 60, 65, 100, 120, 250, 300]),
    "all_pass": st.sampled_from(["redeal", "dealer", "dealer-bids"]),
    "concede": st.sampled_from(["never", "hopeless", "always"]),
    "exchange": st.integers(0, 4),
    "marriage_needed": st.booleans(),
    "set_pays_defenders": st.booleans(),
    "duplicate_runs_extra": st.booleans(),
    "min_twenty": st.booleans(),
    "double_roundhouse": st.integers(0, 60),
    "renege": st.sampled_from(["refuse", "penalty"]),
    "card_points": st.sampled_from(["tens", "kings-fives", "traditional"]),
    "meld_from_hand": st.booleans(),
    "deck": st.sampled_from(["48", "24-each"]),
}


@st.composite
def tables(draw: st.DrawFn, variant: str | None = None) -> Rules:
    """A variant with an allowed number of players and a few random house options."""
    preset = variants.VARIANTS[variant or draw(st.sampled_from(sorted(variants.VARIANTS)))]
    players = draw(st.sampled_from(preset.players))
    names = draw(st.lists(st.sampled_from(preset.options), unique=True, max_size=4))
    rules = preset.but(players=players)
    for name in names:
        try:
            rules = rules.but(**{name: draw(VALUES[name])})
        except RulesError:  # a lowest bid between two steps of this auction
            continue
    return rules


class Turn(msgspec.Struct, frozen=True):
    """One step of a game: the state before it, the decision, what was done, and what came of it."""

    before: GameState
    decision: Decision
    action: Action
    after: GameState
    events: tuple[Event, ...]


def turns(
    rules: Rules,
    seed: int,
    deals: int = 2,
    choose: Callable[[Decision, random.Random], Action] | None = None,
) -> Iterator[Turn]:
    """A random game, turn by turn, of at most that many deals."""
    rng = random.Random(seed)
    bot = RandomBot(rng)
    state = game.start(rules, game.first_dealer(rules, rng))
    while state.phase is not None and state.deals < deals:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            action: Action = decision.legal.sample(rng)
        elif choose is not None:
            action = choose(decision, rng)
        else:
            action = bot.choose(None, decision)
        after, events = game.apply(state, action, decision.seat)
        yield Turn(state, decision, action, after, events)
        state = after
