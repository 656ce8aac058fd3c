"""The variants of the published rules and their house options: defaults and refusals."""

from __future__ import annotations

from collections import Counter

import pytest

from acesaround import variants
from acesaround.errors import RulesError
from acesaround.rules import Rules
from acesaround.rules.options import OPTIONS

BIDDING = {
    "three-handed",
    "five-card",
    "seven-card",
    "partnership",
    "double-deck",
    "double-deck-classic",
}
EVERY = {*BIDDING, "two-handed"}
DOUBLE = {"double-deck", "double-deck-classic"}
OFFERED = {
    "target": EVERY,
    "hands": EVERY,
    "lowest_bid": BIDDING,
    "all_pass": BIDDING,
    "concede": BIDDING,
    "exchange": {"partnership", *DOUBLE},
    "marriage_needed": BIDDING,
    "set_pays_defenders": {"partnership", *DOUBLE},
    "duplicate_runs_extra": DOUBLE,
    "min_twenty": {"double-deck-classic"},
    "double_roundhouse": DOUBLE,
    "renege": EVERY,
    "card_points": {"three-handed", "partnership", "two-handed"},
    "meld_from_hand": {"two-handed"},
    "deck": {"two-handed"},
}
LATER = {
    "meld_before_draw",
    "meld_after_stock",
    "nine_beside",
    "nine_turned_up",
    "nine_must_take",
}
"""Options that the variants of the five published rules do not have."""
GOOD = {
    "target": 700,
    "hands": 4,
    "lowest_bid": 300,
    "all_pass": "redeal",
    "concede": "never",
    "exchange": 3,
    "marriage_needed": True,
    "set_pays_defenders": True,
    "duplicate_runs_extra": False,
    "min_twenty": True,
    "double_roundhouse": 16,
    "renege": "penalty",
    "card_points": "traditional",
    "meld_from_hand": False,
    "deck": "24-each",
}


def test_the_variants_of_the_published_rules_exist() -> None:
    assert set(variants.VARIANTS) >= EVERY


def test_an_unknown_variant_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(RulesError) as refused:
        variants.get("pinocle")
    assert all(name in str(refused.value) for name in EVERY)


@pytest.mark.parametrize(
    ("variant", "players"),
    [
        ("three-handed", {3}),
        ("five-card", set(range(2, 10))),
        ("seven-card", set(range(2, 7))),
        ("partnership", {4}),
        ("two-handed", {2, 3, 4}),
        ("double-deck", {4}),
        ("double-deck-classic", {4}),
    ],
)
def test_a_variant_accepts_only_its_numbers_of_players(variant: str, players: set[int]) -> None:
    for number in range(12):
        if number in players:
            assert variants.get(variant, number).seats == number
        else:
            with pytest.raises(RulesError, match=str(min(players))):
                variants.get(variant, number)


@pytest.mark.parametrize(
    ("variant", "players", "cards", "each"),
    [
        ("three-handed", 3, 48, 15),
        ("five-card", 9, 48, 5),
        ("seven-card", 6, 48, 7),
        ("partnership", 4, 48, 12),
        ("two-handed", 2, 48, 12),
        ("two-handed", 3, 48, 8),
        ("two-handed", 4, 48, 6),
        ("double-deck", 4, 80, 20),
        ("double-deck-classic", 4, 80, 20),
    ],
)
def test_deck_and_hand_sizes_of_each_variant(
    variant: str, players: int, cards: int, each: int
) -> None:
    rules = variants.get(variant, players)
    assert (rules.deck.size, rules.hand_size) == (cards, each)


@pytest.mark.parametrize(("players", "cards"), [(2, 48), (3, 72), (4, 96)])
def test_with_24_cards_a_player_each_gets_twelve(players: int, cards: int) -> None:
    rules = variants.get("two-handed", players, {"deck": "24-each"})
    assert (rules.deck.size, rules.hand_size) == (cards, 12)
    assert set(Counter(rules.deck.cards).values()) == {players}


@pytest.mark.parametrize("variant", ["partnership", *sorted(DOUBLE)])
def test_partners_sit_opposite_each_other(variant: str) -> None:
    rules = variants.get(variant)
    assert rules.sides == ((0, 2), (1, 3))
    assert [rules.partners_of(seat) for seat in range(4)] == [(2,), (3,), (0,), (1,)]
    assert [rules.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]


@pytest.mark.parametrize("variant", ["three-handed", "five-card", "seven-card", "two-handed"])
def test_other_variants_have_no_partners(variant: str) -> None:
    rules = variants.get(variant)
    assert rules.sides == tuple((seat,) for seat in range(rules.seats))
    assert rules.partners_of(0) == ()


PRESETS: list[tuple[str, dict[str, object]]] = [
    (
        "target",
        {
            "three-handed": 1500,
            "five-card": 50,
            "seven-card": 50,
            "partnership": 1500,
            "two-handed": 1000,
            "double-deck": 350,
            "double-deck-classic": 500,
        },
    ),
    (
        "lowest_bid",
        {
            "three-handed": 250,
            "five-card": 1,
            "seven-card": 1,
            "partnership": 250,
            "double-deck": 50,
            "double-deck-classic": 50,
        },
    ),
    (
        "all_pass",
        {
            "three-handed": "redeal",
            "five-card": "dealer",
            "seven-card": "dealer",
            "partnership": "dealer",
            "double-deck": "dealer",
            "double-deck-classic": "dealer-bids",
        },
    ),
    (
        "concede",
        {
            "three-handed": "always",
            "five-card": "never",
            "seven-card": "never",
            "partnership": "hopeless",
            "double-deck": "never",
            "double-deck-classic": "never",
        },
    ),
    ("exchange", {"partnership": 4, "double-deck": 0, "double-deck-classic": 0}),
    ("marriage_needed", {name: name in DOUBLE for name in BIDDING}),
    ("card_points", {"three-handed": "tens", "partnership": "tens", "two-handed": "kings-fives"}),
    ("hands", dict.fromkeys(EVERY)),
    ("renege", dict.fromkeys(EVERY, "refuse")),
    ("set_pays_defenders", dict.fromkeys(OFFERED["set_pays_defenders"], False)),
    ("duplicate_runs_extra", dict.fromkeys(DOUBLE, True)),
    ("min_twenty", {"double-deck-classic": False}),
    ("double_roundhouse", dict.fromkeys(DOUBLE, 0)),
    ("meld_from_hand", {"two-handed": True}),
    ("deck", {"two-handed": "48"}),
]


@pytest.mark.parametrize(
    ("name", "variant", "value"),
    [(name, variant, value) for name, row in PRESETS for variant, value in sorted(row.items())],
)
def test_options_have_their_default_in_each_variant(name: str, variant: str, value: object) -> None:
    assert variants.get(variant).option_value(name) == value


def test_every_option_of_a_variant_has_a_default() -> None:
    assert {name: set(row) for name, row in PRESETS} == OFFERED
    assert set(OPTIONS) == {*OFFERED, *LATER}
    of_others = {name for rules in variants.VARIANTS.values() for name in rules.options}
    assert of_others == set(OPTIONS)


@pytest.mark.parametrize("variant", sorted(EVERY))
@pytest.mark.parametrize("name", OFFERED)
def test_options_are_accepted_by_their_variants_and_refused_by_others(
    name: str, variant: str
) -> None:
    preset = variants.get(variant)
    if variant in OFFERED[name]:
        rules = preset.with_options(**{name: GOOD[name]})
        assert rules.option_value(name) == GOOD[name]
        assert variants.get(variant, options={name: GOOD[name]}) == rules
    else:
        with pytest.raises(RulesError) as refused:
            preset.with_options(**{name: GOOD[name]})
        possible = {other for other, where in OFFERED.items() if variant in where}
        assert all(other in str(refused.value) for other in possible)


BAD: list[tuple[str, str, object, str]] = [
    ("three-handed", "target", 0, "1 to 1000000"),
    ("three-handed", "target", -5, "1 to 1000000"),
    ("three-handed", "target", None, "points"),
    ("three-handed", "target", "many", "points"),
    ("three-handed", "hands", 0, "1 to 10000, or none"),
    ("three-handed", "hands", "few", "none"),
    ("three-handed", "lowest_bid", 0, "lowest_bid"),
    ("three-handed", "lowest_bid", 255, "multiples of 10"),
    ("partnership", "lowest_bid", 251, "multiples of 10"),
    ("double-deck", "lowest_bid", 61, "multiples of 5"),
    ("double-deck", "lowest_bid", 105, "multiples of 10"),
    ("double-deck-classic", "lowest_bid", 103, "multiples of 5"),
    ("partnership", "all_pass", "throw", "redeal, dealer, dealer-bids or first-bids"),
    ("partnership", "concede", "sometimes", "never, hopeless or always"),
    ("partnership", "concede", True, "never, hopeless or always"),
    ("partnership", "exchange", 5, "0, 1, 2, 3 or 4"),
    ("partnership", "exchange", -1, "0, 1, 2, 3 or 4"),
    ("partnership", "marriage_needed", "perhaps", "yes or no"),
    ("partnership", "set_pays_defenders", 2, "yes or no"),
    ("double-deck", "duplicate_runs_extra", "extra", "yes or no"),
    ("double-deck-classic", "min_twenty", 20, "yes or no"),
    ("double-deck", "double_roundhouse", -1, "0 to 1000000"),
    ("double-deck", "renege", "forgive", "refuse or penalty"),
    ("partnership", "card_points", "ones", "tens, kings-fives or traditional"),
    ("two-handed", "meld_from_hand", "table", "yes or no"),
    ("two-handed", "deck", "80", "48 or 24-each"),
    ("two-handed", "deck", 80, "48 or 24-each"),
]


@pytest.mark.parametrize(("variant", "name", "value", "possible"), BAD)
def test_an_invalid_value_is_refused_with_the_valid_ones(
    variant: str, name: str, value: object, possible: str
) -> None:
    with pytest.raises(RulesError, match=possible):
        variants.get(variant).with_options(**{name: value})


@pytest.mark.parametrize(
    ("name", "word", "value"),
    [
        ("target", "1000", 1000),
        ("hands", "none", None),
        ("hands", "null", None),
        ("hands", "12", 12),
        ("set_pays_defenders", "yes", True),
        ("set_pays_defenders", "true", True),
        ("marriage_needed", "no", False),
        ("marriage_needed", "false", False),
        ("concede", "always", "always"),
        ("exchange", "0", 0),
    ],
)
def test_option_values_may_be_words(name: str, word: str, value: object) -> None:
    assert variants.get("double-deck").with_options(**{name: word}).option_value(name) == value


@pytest.mark.parametrize("value", ["48", 48])
def test_deck_48_may_be_text_or_a_number(value: object) -> None:
    assert variants.TWO_HANDED.with_options(deck=value).option_value("deck") == "48"


def test_an_unknown_option_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(RulesError, match="target"):
        variants.THREE_HANDED.with_options(tarket=1000)
    with pytest.raises(RulesError, match="target"):
        variants.THREE_HANDED.option_value("tarket")


def test_changed_options_differ_from_the_variant() -> None:
    rules = variants.DOUBLE_DECK.with_options(target=500, hands=None, set_pays_defenders=True)
    assert variants.changed_options(rules) == {"target": 500, "set_pays_defenders": True}
    assert variants.changed_options(variants.get("two-handed", 4)) == {}


def test_with_options_does_not_change_the_variant() -> None:
    before: Rules = variants.PARTNERSHIP
    assert before.with_options(target=1000) != before
    assert before.option_value("target") == 1500
