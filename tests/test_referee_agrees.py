"""The engine and the independent referee (`tests/referee`, written from the rules alone) agree."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import game, hand_queries, variants
from acesaround.actions import PASS
from acesaround.game.state import DecisionKind
from acesaround.record import Recorder
from acesaround.record.model import encode
from acesaround.rules import Phase, Rules
from tests.extended_rules import WIDE
from tests.random_games import tables, turns
from tests.referee import legal as referee_legal
from tests.referee import melds as referee_melds
from tests.referee import replay as referee_replay
from tests.referee.options import CHOICES, VARIANTS, house_of_rules, house_of_variant
from tests.sheets.random_sheets import random_rules
from tests.stock_rules import STOCK_RULES

seeds = st.integers(0, 2**32)


def plain(rules: Rules) -> dict[str, Any]:
    """Return a rules object as a record has it."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(rules))
    return found


def disagreements(rules: Rules, seed: int, deals: int = 3) -> list[str]:
    """Return the faults that the referee finds in a random game."""
    recorder = Recorder(rules, ["a"] * rules.seats)
    for turn in turns(rules, seed, deals):
        recorder.add(turn.before, turn.decision.seat, turn.action, turn.events)
    return referee_replay.check(msgspec.json.decode(encode(recorder.record)))


@given(tables(), seeds)
@settings(max_examples=150, deadline=None)
def test_the_referee_finds_no_fault_in_random_games(rules: Rules, seed: int) -> None:
    assert disagreements(rules, seed) == []


@pytest.mark.parametrize("seed", range(40))
def test_the_referee_finds_no_fault_in_games_by_random_sheets(seed: int) -> None:
    assert disagreements(random_rules(random.Random(seed)), seed) == []


GROWN_WHOLE = msgspec.structs.replace(
    variants.TWO_HANDED,
    melds=msgspec.structs.replace(variants.TWO_HANDED.melds, grown_scores_whole=True),
)
"""The two-handed game in which grown melds score their whole value."""


@pytest.mark.parametrize("seed", range(30))
def test_the_referee_finds_no_fault_with_grown_scores_whole(seed: int) -> None:
    assert disagreements(GROWN_WHOLE.with_options(players=2 + seed % 3), seed) == []
    compare_melds(GROWN_WHOLE, 5, seed)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rules", STOCK_RULES.values(), ids=STOCK_RULES)
def test_the_referee_finds_no_fault_with_house_rules_for_laid_melds(
    rules: Rules, seed: int
) -> None:
    assert disagreements(rules, seed) == []


@pytest.mark.parametrize("variant", ["five-card", "seven-card"])
def test_the_referee_finds_no_fault_with_nines_that_count_apart(variant: str) -> None:
    """Two dixes are worth more than twice one; with four copies they are dealt more often."""
    base = variants.VARIANTS[variant]
    rules = msgspec.structs.replace(
        base,
        deal=msgspec.structs.replace(base.deal, copies=4),
        melds=msgspec.structs.replace(base.melds, dix=(4, 30)),
    )
    for seed in range(60):
        assert disagreements(rules, seed, deals=12) == [], seed


@pytest.mark.parametrize("stuck", [None, 200, 260])
def test_the_referee_finds_no_fault_with_stuck_bids(stuck: int | None) -> None:
    """A deal in which everybody passes."""
    preset = variants.PARTNERSHIP
    assert preset.auction is not None
    rules = msgspec.structs.replace(
        preset, auction=msgspec.structs.replace(preset.auction, stuck_bid=stuck)
    )
    recorder = Recorder(rules, ["a"] * rules.seats)
    state, rng = game.start(rules, 0), random.Random(1)
    while state.deals < 1:
        decision = game.decision(state)
        legal = decision.legal
        action = PASS if decision.kind is DecisionKind.BID else legal.sample(rng)
        before = state
        state, events = game.apply(state, action)
        recorder.add(before, decision.seat, action, events)
    record = msgspec.json.decode(encode(recorder.record))
    assert record["deals"][0]["score"]["bid"] == (stuck or 250)
    assert referee_replay.check(record) == []


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_the_referee_finds_no_fault_with_wide_rules(rules: Rules) -> None:
    assert disagreements(rules, 1, deals=2) == []


@pytest.mark.soak
@pytest.mark.parametrize("part", range(10))
def test_the_referee_finds_no_fault_in_a_thousand_games_by_sheets(part: int) -> None:
    """The same, at length."""
    for seed in range(1000 + 100 * part, 1100 + 100 * part):
        assert disagreements(random_rules(random.Random(seed)), seed) == [], seed


@pytest.mark.soak
@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_the_referee_finds_no_fault_in_a_thousand_games_of_each(variant: str) -> None:
    """By its own rules, with any number of players."""
    rules = variants.VARIANTS[variant]
    for seed in range(1000):
        players = rules.players[seed % len(rules.players)]
        assert disagreements(rules.with_options(players=players), seed, deals=12) == [], seed


@pytest.mark.soak
@given(tables(), seeds)
@settings(max_examples=5000, deadline=None)
def test_the_referee_finds_no_fault_in_thousands_of_games(rules: Rules, seed: int) -> None:
    """The same, at length."""
    assert disagreements(rules, seed, deals=12) == []


def hands(rules: Rules, rng: random.Random, trick: int = 0) -> tuple[list[str], list[str]]:
    """Return a random hand, sometimes of few suits or ranks and so rich in melds, and a trick."""
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
    house = house_of_rules(plain(rules))
    for _ in range(number):
        hand, _ = hands(rules, rng)
        trump = rng.choice("SHDC")
        ours = hand_queries.answer_meld_query(rules, {"trump": trump, "hand": hand})
        theirs = referee_melds.of_hand(house, trump, hand)
        assert ours["points"] == theirs["points"], (trump, hand, ours, theirs)
        if Phase.MELDING in rules.phases:
            assert items(ours) == items(theirs), (trump, hand)


def items(answer: dict[str, object]) -> list[tuple[str, list[str], int]]:
    melds = answer["melds"]
    assert isinstance(melds, list)
    return sorted((m["name"], sorted(m["cards"]), m["points"]) for m in melds)


def compare_plays(rules: Rules, number: int, seed: int) -> None:
    rng, house = random.Random(seed), house_of_rules(plain(rules))
    phases = ["playoff", "stock"] if Phase.STOCK_PLAY in rules.phases else ["playoff"]
    for _ in range(number):
        hand, trick = hands(rules, rng, rng.randrange(rules.seats))
        trump, broken, phase = rng.choice("SHDC"), rng.random() < 0.5, rng.choice(phases)
        asked = {"trump": trump, "hand": hand, "trick": trick, "broken": broken, "phase": phase}
        stock = phase == "stock"
        theirs = referee_legal.allowed_plays(house, trump, hand, trick, broken=broken, stock=stock)
        assert hand_queries.answer_legal_query(rules, asked)["legal"] == theirs, asked


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_melds_agree_with_the_referee(variant: str) -> None:
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
    for players in variants.VARIANTS[variant].players:
        compare_melds(variants.get(variant, players, options), 150, players)


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_melds_and_plays_agree_with_wide_rules(rules: Rules) -> None:
    compare_melds(rules, 60, 1)
    compare_plays(rules, 100, 1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_objects_of_presets_equal_the_referees_tables(variant: str) -> None:
    for players in variants.get(variant).players:
        usual = variants.get(variant, players)
        assert house_of_rules(plain(usual)) == house_of_variant(variant, players)
        for name in usual.options:
            for value in OTHERS[name]:
                changed = usual.with_changes({name: value})
                told = plain(changed)
                assert house_of_rules(told) == house_of_variant(variant, players, {name: value}), (
                    name,
                    value,
                )


OTHERS: dict[str, tuple[Any, ...]] = {
    **CHOICES,
    "target": (700,), "hands": (3, None), "lowest_bid": (300,), "marriage_needed": (True, False),
    "set_pays_defenders": (True,), "duplicate_runs_extra": (False,), "double_roundhouse": (24,),
    "min_twenty": (True,), "meld_from_hand": (False,),
}  # fmt: skip
"""Other values of each house option."""


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_legal_plays_agree_with_the_referee(variant: str) -> None:
    for players in variants.VARIANTS[variant].players:
        compare_plays(variants.get(variant, players), 300, players)


@pytest.mark.soak
@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_hands_agree_with_the_referee_at_length(variant: str) -> None:
    """Ten thousand hands of every variant and number of players."""
    for players in variants.VARIANTS[variant].players:
        compare_melds(variants.get(variant, players), 10_000, players)
        compare_plays(variants.get(variant, players), 10_000, players)
