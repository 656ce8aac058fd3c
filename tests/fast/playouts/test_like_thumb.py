"""The fast player of rules plays as the bot `thumb` does, but for what that one remembers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from acesaround import game, variants
from acesaround.actions import Action, LayMeld, Play
from acesaround.bots.thumb import ThumbBot
from acesaround.cards import CARDS, KINDS
from acesaround.cards import pack as packed_hand
from acesaround.fast.playouts.flat import flat
from acesaround.fast.playouts.packed import Packed, hand, pack
from acesaround.fast.playouts.playing import KIND_MASK, RULES_OF_THUMB, play_on
from acesaround.phases.dealing import Deals
from acesaround.rules import Rules
from acesaround.state import GameState, Kind, Playing, StockPlaying
from acesaround.view import view
from tests.wide import NINES_SIX, PARTNERS, TRIPLE_THREE_SIDES, TRIPLE_TWO_SIDES

_DEALS = 12


def fast(state: GameState) -> int:
    """The kind that the fast player plays next, or a number from KINDS on for a meld laid."""
    return next_kind(state, pack(state))


def next_kind(state: GameState, packed: Packed) -> int:
    log = np.zeros(1, np.int64)
    policies = np.full(len(state.players), RULES_OF_THUMB)
    play_on(flat(state.rules, state.players), packed, policies, 0, log, 1)
    return int(log[0]) & KIND_MASK


def choices_of_thumb(rules: Rules, seed: int) -> Iterator[tuple[GameState, Action]]:
    """Each play or lay-down with a choice in some deals between `thumb`, and what it chose."""
    rng, thumb = random.Random(seed), ThumbBot()
    for _ in range(_DEALS):
        state = game.start(rules, rng.randrange(rules.seats))
        while state.phase is not None and not state.deals:
            decision = game.decision(state)
            if isinstance(decision.legal, Deals):
                action: Action = decision.legal.sample(rng)
            else:
                action = thumb.choose(view(state, decision.seat), decision)
                if decision.kind is Kind.PLAY and not decision.forced:
                    yield state, action
            state, _ = game.apply(state, action)


def agreed(rules: Rules) -> Counter[tuple[str, bool]]:
    """How often both play the same where there is a choice, in deals between `thumb`: by moment."""
    found = Counter[tuple[str, bool]]()
    for state, action in choices_of_thumb(rules, 11):
        if isinstance(action, Play):
            assert isinstance(state.phase, Playing | StockPlaying)
            moment = "following" if state.phase.cards else "leading"
            found[moment, alike(rules, action.card, fast(state))] += 1
        elif isinstance(action, LayMeld):
            found["laying", fast(state) >= KINDS] += 1
    return found


def alike(rules: Rules, card: int, kind: int) -> bool:
    """Whether a kind is as good as a card: nothing but nines and courts of no worth lie between."""
    points = flat(rules, tuple(range(rules.seats))).points
    return kind < KINDS and CARDS[kind].suit is CARDS[card].suit and points[kind] == points[card]


EVERY: list[Rules] = [
    *variants.VARIANTS.values(),
    *(TRIPLE_TWO_SIDES, TRIPLE_THREE_SIDES, NINES_SIX, PARTNERS[2]),
]


@pytest.mark.parametrize("rules", EVERY, ids=lambda r: f"{r.variant}-{r.deck.copies}-{r.side_size}")
def test_it_plays_as_thumb_does(rules: Rules) -> None:
    found = agreed(rules)
    least = {"following": 0.9, "leading": 0.6 if rules.hand_size < 12 else 0.75, "laying": 1.0}
    for moment, share in least.items():
        same, other = found[moment, True], found[moment, False]
        assert same >= share * (same + other), (moment, same, other)
    assert found["leading", True] > 20


def test_the_declarer_and_nobody_else_reckons_without_the_cards_it_has_buried() -> None:
    changed, decided = Counter[bool](), Counter[bool]()
    for state, _ in choices_of_thumb(variants.get("three-handed"), 3):
        packed, forgetful = pack(state), pack(state)
        assert hand(packed.left[1]) == sum(state.hands)
        assert hand(packed.left[0]) == sum(state.hands) + packed_hand(state.deal.buried)
        forgetful.left[1] = forgetful.left[0]
        declares = game.decision(state).seat == state.deal.declarer
        decided[declares] += 1
        changed[declares] += next_kind(state, packed) != next_kind(state, forgetful)
    assert decided[False] > 100
    assert changed[True] > 0 == changed[False]
