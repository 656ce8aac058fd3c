"""The engine and the independent referee (`tests/referee`, written from the rules alone) agree."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import ask, variants
from acesaround.record import Recorder
from acesaround.record.model import encode
from acesaround.rules import Phase, Rules
from acesaround.variants import changed_options
from tests.random_games import tables, turns
from tests.referee import legal as referee_legal
from tests.referee import melds as referee_melds
from tests.referee import replay as referee_replay

seeds = st.integers(0, 2**32)


def disagreements(rules: Rules, seed: int, deals: int = 3) -> list[str]:
    """What the referee finds wrong with a random game."""
    recorder = Recorder(rules, ["a"] * rules.seats)
    for turn in turns(rules, seed, deals):
        recorder.add(turn.before, turn.decision.seat, turn.action, turn.events)
    return referee_replay.check(msgspec.json.decode(encode(recorder.record)))


@given(tables(), seeds)
@settings(max_examples=150, deadline=None)
def test_the_referee_finds_no_fault_in_random_games(rules: Rules, seed: int) -> None:
    """Every variant, any number of players, any house options."""
    assert disagreements(rules, seed) == []


@pytest.mark.soak
@given(tables(), seeds)
@settings(max_examples=5000, deadline=None)
def test_the_referee_finds_no_fault_in_thousands_of_games(rules: Rules, seed: int) -> None:
    """The same, at length."""
    assert disagreements(rules, seed, deals=12) == []


def hands(rules: Rules, rng: random.Random, trick: int = 0) -> tuple[list[str], list[str]]:
    """A random hand, sometimes of few suits or ranks so that much melds, and cards of a trick."""
    deck = list(rules.deck.cards)
    rng.shuffle(deck)
    if rng.random() < 0.5:
        weight = {card: rng.random() for card in deck}
        deck.sort(key=lambda card: weight[card] + 0.4 * rng.random())
    size = rng.randint(max(1, rules.hand_size - 3), rules.hand_size)
    cards = [str(card) for card in deck[: size + trick]]
    return cards[:size], cards[size:]


def compare_melds(rules: Rules, number: int, seed: int) -> None:
    rng = random.Random(seed)
    options = msgspec.to_builtins(changed_options(rules))
    for _ in range(number):
        hand, _ = hands(rules, rng)
        trump = rng.choice("SHDC")
        ours = ask.meld(rules, {"trump": trump, "hand": hand})
        theirs = referee_melds.meld(
            rules.variant, trump, hand, players=rules.seats, options=options
        )
        assert ours["points"] == theirs["points"], (trump, hand, ours, theirs)
        if Phase.MELDING in rules.phases:
            assert items(ours) == items(theirs), (trump, hand)


def items(answer: dict[str, object]) -> list[tuple[str, list[str], int]]:
    melds = answer["melds"]
    assert isinstance(melds, list)
    return sorted((m["name"], sorted(m["cards"]), m["points"]) for m in melds)


def compare_plays(rules: Rules, number: int, seed: int) -> None:
    rng = random.Random(seed)
    phases = ["playoff", "stock"] if Phase.STOCK_PLAY in rules.phases else ["playoff"]
    for _ in range(number):
        hand, trick = hands(rules, rng, rng.randrange(rules.seats))
        trump, broken, phase = rng.choice("SHDC"), rng.random() < 0.5, rng.choice(phases)
        asked = {"trump": trump, "hand": hand, "trick": trick, "broken": broken, "phase": phase}
        theirs = referee_legal.legal_plays(
            rules.variant, trump, hand, trick, broken=broken, phase=phase, players=rules.seats
        )
        assert ask.legal(rules, asked)["legal"] == theirs, asked


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_melds_agree_with_the_referee(variant: str) -> None:
    """Points and items of random hands, some of them rich in melds."""
    for players in variants.VARIANTS[variant].players:
        compare_melds(variants.get(variant, players), 150, players)


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("double-deck", {"duplicate_runs_extra": False}),
        ("double-deck-classic", {"duplicate_runs_extra": False, "double_roundhouse": 30}),
        ("two-handed", {"meld_from_hand": False}),
        ("two-handed", {"deck": "24-each"}),
    ],
)
def test_melds_agree_under_house_options(variant: str, options: dict[str, object]) -> None:
    """House options that change what a hand melds."""
    for players in variants.VARIANTS[variant].players:
        compare_melds(variants.get(variant, players, options), 150, players)


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_legal_plays_agree_with_the_referee(variant: str) -> None:
    """Random hands and tricks, trump broken or not, stock phase or play-off."""
    for players in variants.VARIANTS[variant].players:
        compare_plays(variants.get(variant, players), 300, players)


@pytest.mark.soak
@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_hands_agree_with_the_referee_at_length(variant: str) -> None:
    """Ten thousand hands of every variant and number of players."""
    for players in variants.VARIANTS[variant].players:
        compare_melds(variants.get(variant, players), 10_000, players)
        compare_plays(variants.get(variant, players), 10_000, players)
