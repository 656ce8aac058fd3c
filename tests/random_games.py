"""Random rules and games for property tests: any variant, players and house options."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import msgspec
from hypothesis import strategies as st

from acesaround import game, variants
from acesaround.actions import Action
from acesaround.bots.random_bot import RandomBot
from acesaround.errors import RulesError
from acesaround.game.events import Event
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import Decision, GameState
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature, why_unsupported
from tests.sheets.random_sheets import random_rules

VALUES: dict[str, st.SearchStrategy[object]] = {
    "target": st.integers(1, 2000),
    "hands": st.none() | st.integers(1, 3),
    "lowest_bid": st.sampled_from([1, 10, 50, 52, 60, 65, 100, 120, 250, 300]),
    "all_pass": st.sampled_from(["redeal", "dealer", "dealer-bids", "first-bids"]),
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
    "meld_before_draw": st.booleans(),
    "meld_after_stock": st.booleans(),
    "nine_beside": st.booleans(),
    "nine_turned_up": st.sampled_from([0, 10, 30]),
    "nine_must_take": st.booleans(),
    "deck": st.sampled_from(["48", "24-each"]),
}


def tables(variant: str | None = None, part: Feature = Feature.ENGINE) -> st.SearchStrategy[Rules]:
    """Return a strategy of rules: a variant with random players and options, or a random sheet.

    Only rules are drawn that the feature `part` supports.
    """
    return _tables(variant).filter(
        lambda rules: (
            why_unsupported(rules, part) is None
            and (part is not Feature.SEARCH or few_unseen(rules))
        )
    )


def few_unseen(rules: Rules) -> bool:
    """Return True if hidden hands are small enough for the sampler to satisfy all evidence.

    For five hands of twenty cards it relaxes worlds (`Worlds.relaxed`).
    """
    return (rules.seats - 1) * rules.hand_size <= 80


FEW_UNSEEN = sorted(name for name, rules in variants.VARIANTS.items() if few_unseen(rules))


@st.composite
def _tables(draw: st.DrawFn, variant: str | None) -> Rules:
    if variant is None and draw(st.integers(0, 3)) == 0:
        return random_rules(random.Random(draw(st.integers(0, 2**32))))
    preset = variants.VARIANTS[variant or draw(st.sampled_from(sorted(variants.VARIANTS)))]
    players = draw(st.sampled_from(preset.players))
    names = draw(st.lists(st.sampled_from(preset.options), unique=True, max_size=4))
    rules = preset.with_options(players=players)
    for name in names:
        try:
            rules = rules.with_options(**{name: draw(VALUES[name])})
        except RulesError:  # a lowest bid between two steps of this auction
            continue
    return rules


class Turn(msgspec.Struct, frozen=True):
    """One step of a game: the state before it, the decision, the action, and the result."""

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
    """Yield the turns of a random game of at most so many deals."""
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
