"""The meld tables: every name and value, and in which melds a card may count at once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.cards import Card, Suit, format_cards, parse_cards
from acesaround.rules import Rules
from acesaround.rules.melds import (
    CLASS_OF_KIND,
    Meld,
    MeldKind,
    always_shown_melds,
    cards_on_table,
    find_melds,
    single_meld,
    total_points,
)
from tests.scripted_games import hand, priced

Items = list[tuple[str, int]]
RUN = "AH TH KH QH JH"
BIG = ["three-handed", "partnership"]
SMALL = ["five-card", "seven-card"]
DOUBLE = ["double-deck", "double-deck-classic"]
HOUSE_RULE = variants.DOUBLE_DECK_CLASSIC.with_options(duplicate_runs_extra=False)
ROUNDHOUSE = "KS QS KH QH KD QD KC QC"


def melds(variant: str | Rules, cards: str, trump: Suit | None = Suit.H) -> Items:
    """Return the melds in the cards, as sorted (name, points)."""
    rules = variants.get(variant) if isinstance(variant, str) else variant
    return priced(find_melds(rules.melds, hand(cards), trump))


def meld_points(variant: str | Rules, cards: str, trump: Suit | None = Suit.H) -> int:
    """Return the points of the melds in the cards."""
    return sum(value for _, value in melds(variant, cards, trump))


def copies(cards: str, number: int) -> str:
    """Return so many copies of each card."""
    return " ".join([cards] * number)


def around(rank: str) -> str:
    """Return one card of a rank in each suit."""
    return " ".join(rank + suit for suit in "SHDC")


SINGLES: list[tuple[str, str, int, int, int | None]] = [
    (RUN, "run", 150, 15, 15),
    ("KH QH", "royal marriage", 40, 4, 4),
    ("KS QS", "marriage", 20, 2, 2),
    ("KD QD", "marriage", 20, 2, 2),
    ("KC QC", "marriage", 20, 2, 2),
    ("9H", "dix", 10, 1, None),
    ("QS JD", "pinochle", 40, 4, 4),
    (around("A"), "aces around", 100, 10, 10),
    (around("K"), "kings around", 80, 8, 8),
    (around("Q"), "queens around", 60, 6, 6),
    (around("J"), "jacks around", 40, 4, 4),
]


@pytest.mark.parametrize(("cards", "name", "big", "small", "double"), SINGLES)
def test_each_single_meld_has_its_value_in_each_variant(
    cards: str, name: str, big: int, small: int, double: int | None
) -> None:
    for variant in BIG:
        assert melds(variant, cards) == [(name, big)]
    for variant in SMALL:
        assert melds(variant, cards) == [(name, small)]
    for variant in DOUBLE:
        assert melds(variant, cards) == ([] if double is None else [(name, double)])


@pytest.mark.parametrize("missing", RUN.split())
def test_a_run_needs_all_five_high_trumps(missing: str) -> None:
    cards = RUN.replace(missing, "9H")
    assert "run" not in dict(melds("three-handed", cards))
    assert "run" not in dict(melds("three-handed", RUN.replace("H", "S")))


@pytest.mark.parametrize(
    "cards", ["KS QH", "QS JS", "QD JD", "QC JD", "QS JH", "AS AH AD", "TS TH TD TC", "9S 9D 9C"]
)
def test_other_cards_are_no_meld(cards: str) -> None:
    """Nines of plain suits are no meld, tens only in a run, other queens and jacks no pinochle."""
    for variant in ("three-handed", "five-card", "partnership"):
        assert melds(variant, cards) == []


DOUBLES: list[tuple[str, str, int]] = [
    (RUN, "double run", 1500),
    ("QS JD", "double pinochle", 300),
    (around("A"), "double aces around", 1000),
    (around("K"), "double kings around", 800),
    (around("Q"), "double queens around", 600),
    (around("J"), "double jacks around", 400),
]


@pytest.mark.parametrize("variant", BIG)
@pytest.mark.parametrize(("cards", "name", "value"), DOUBLES)
def test_two_of_a_meld_score_as_a_double_on_the_big_scale(
    variant: str, cards: str, name: str, value: int
) -> None:
    assert melds(variant, copies(cards, 2)) == [(name, value)]


@pytest.mark.parametrize("variant", SMALL)
def test_a_double_pinochle_scores_30_on_the_small_scale(variant: str) -> None:
    assert melds(variant, "QS QS JD JD") == [("double pinochle", 30)]


@pytest.mark.parametrize(
    ("cards", "items"),
    [
        ("KH QH KH QH", [("royal marriage", 40)] * 2),
        ("KS QS KS QS", [("marriage", 20)] * 2),
        ("9H 9H", [("dix", 10)] * 2),
    ],
)
@pytest.mark.parametrize("variant", BIG)
def test_marriages_and_dixes_twice_are_two_singles(variant: str, cards: str, items: Items) -> None:
    assert melds(variant, cards) == items


@pytest.mark.parametrize(
    ("cards", "items"),
    [
        ("KS KS QS", [("marriage", 20)]),
        ("KS QS QS", [("marriage", 20)]),
        ("QS QS JD", [("pinochle", 40)]),
        ("QS JD JD", [("pinochle", 40)]),
        (copies(around("A"), 2)[3:], [("aces around", 100)]),
    ],
)
def test_a_card_counts_once_in_a_class(cards: str, items: Items) -> None:
    assert melds("three-handed", cards) == items


@pytest.mark.parametrize(
    ("cards", "value"),
    [
        (f"{around('Q')} JD", 100),  # 60 queens and a pinochle
        (f"{RUN} AS AD AC", 250),  # a run and 100 aces
        ("QS JD KS", 60),  # the queen in a marriage and in a pinochle
    ],
)
def test_a_card_counts_in_several_classes_at_once(cards: str, value: int) -> None:
    assert meld_points("three-handed", cards) == value
    assert meld_points("partnership", cards) == value


EXTRAS: list[tuple[str, Items, Items]] = [
    ("", [("run", 150)], [("run", 150)]),
    ("KH", [("run", 150)], [("run and king", 190)]),
    ("QH", [("run", 150)], [("run and queen", 190)]),
    ("KH QH", [("royal marriage", 40), ("run", 150)], [("run and marriage", 230)]),
    ("AH", [("run", 150)], [("run", 150)]),
]


@pytest.mark.parametrize(("extra", "three_handed", "partnership"), EXTRAS)
def test_extra_kings_and_queens_beside_a_run_score_by_variant(
    extra: str, three_handed: Items, partnership: Items
) -> None:
    """A further K and Q of trumps is a royal marriage; partnership has own names and values."""
    cards = f"{RUN} {extra}"
    assert melds("three-handed", cards) == three_handed
    assert melds("partnership", cards) == partnership


@pytest.mark.parametrize(("extra", "value"), [("KH", 15), ("QH", 15), ("KH QH", 19), ("9H 9H", 17)])
def test_on_the_small_scale_only_a_whole_marriage_adds_to_a_run(extra: str, value: int) -> None:
    assert meld_points("seven-card", f"{RUN} {extra}") == value


@pytest.mark.parametrize(
    ("variant", "parts", "with_run"),
    [
        ("three-handed", 240, 350),
        ("partnership", 240, 350),
        ("seven-card", 24, 35),
        ("double-deck", 24, 35),
        ("double-deck-classic", 24, 35),
    ],
)
def test_a_roundhouse_is_the_sum_of_its_parts(variant: str, parts: int, with_run: int) -> None:
    assert meld_points(variant, ROUNDHOUSE) == parts
    assert meld_points(variant, f"{ROUNDHOUSE} AH TH JH") == with_run


def test_a_roundhouse_is_listed_as_arounds_and_marriages() -> None:
    assert melds("three-handed", ROUNDHOUSE) == [
        ("kings around", 80),
        ("marriage", 20),
        ("marriage", 20),
        ("marriage", 20),
        ("queens around", 60),
        ("royal marriage", 40),
    ]


TABLES: dict[str, dict[str, tuple[int, int, int, int]]] = {
    "double-deck": {
        "run": (15, 150, 300, 600),
        "aces around": (10, 100, 200, 400),
        "kings around": (8, 80, 160, 320),
        "queens around": (6, 60, 120, 240),
        "jacks around": (4, 40, 80, 160),
        "pinochle": (4, 30, 90, 270),
    },
    "double-deck-classic": {
        "run": (15, 150, 225, 300),
        "aces around": (10, 100, 150, 200),
        "kings around": (8, 80, 120, 160),
        "queens around": (6, 60, 90, 120),
        "jacks around": (4, 40, 60, 80),
        "pinochle": (4, 30, 60, 90),
    },
}
CARDS = {
    "run": RUN,
    "aces around": around("A"),
    "kings around": around("K"),
    "queens around": around("Q"),
    "jacks around": around("J"),
    "pinochle": "QS JD",
}


@pytest.mark.parametrize("variant", DOUBLE)
@pytest.mark.parametrize("name", CARDS)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_multiples_of_a_meld_have_their_value_in_the_double_deck(
    variant: str, name: str, number: int
) -> None:
    multiple = ["", "double ", "triple ", "quadruple "][number - 1]
    value = TABLES[variant][name][number - 1]
    assert melds(variant, copies(CARDS[name], number)) == [(multiple + name, value)]


@pytest.mark.parametrize("variant", DOUBLE)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_marriages_count_singly_in_the_double_deck(variant: str, number: int) -> None:
    assert melds(variant, copies("KH QH", number)) == [("royal marriage", 4)] * number
    assert melds(variant, copies("KC QC", number)) == [("marriage", 2)] * number


@pytest.mark.parametrize("variant", DOUBLE)
def test_further_royal_marriages_beside_two_runs_count(variant: str) -> None:
    cards = f"{copies(RUN, 2)} KH QH KH QH QH"
    assert melds(variant, cards)[1:] == [("royal marriage", 4)] * 2
    assert meld_points(variant, cards) == 150 + 8


@pytest.mark.parametrize("variant", DOUBLE)
def test_a_further_king_adds_nothing_to_a_run_in_the_double_deck(variant: str) -> None:
    assert melds(variant, f"{RUN} KH") == [("run", 15)]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_without_duplicate_runs_extra_each_run_scores_15(number: int) -> None:
    assert melds(HOUSE_RULE, copies(RUN, number)) == [("run", 15)] * number


def test_without_duplicate_runs_extra_other_doubles_still_score() -> None:
    assert melds(HOUSE_RULE, copies(around("A"), 2)) == [("double aces around", 100)]
    rules = variants.DOUBLE_DECK.with_options(duplicate_runs_extra=False)
    assert melds(rules, f"{copies(RUN, 2)} KH QH") == [
        ("royal marriage", 4),
        ("run", 15),
        ("run", 15),
    ]


@pytest.mark.parametrize("variant", DOUBLE)
def test_a_double_roundhouse_scores_a_bonus_only_with_its_option(variant: str) -> None:
    """Two marriages in every suit: 2 x (4 + 2 + 2 + 2) + double kings 80 + double queens 60."""
    cards = copies(ROUNDHOUSE, 2)
    assert meld_points(variant, cards) == 160
    bonus = variants.get(variant).with_options(double_roundhouse=16)
    assert ("double roundhouse", 16) in melds(bonus, cards)
    assert meld_points(bonus, cards) == 176
    assert meld_points(bonus, cards.replace("KC", "JC", 1)) == 160 - 2 - 80 + 8


@pytest.mark.parametrize("variant", DOUBLE)
def test_marriages_inside_runs_count_toward_a_double_roundhouse(variant: str) -> None:
    cards = f"{copies(ROUNDHOUSE, 2)} AH TH JH"
    bonus = variants.get(variant).with_options(double_roundhouse=16)
    assert ("double roundhouse", 16) in melds(bonus, cards)
    assert meld_points(bonus, cards) == 15 + 4 + 12 + 80 + 60 + 16


@pytest.mark.parametrize("variant", DOUBLE)
def test_the_example_hand_of_the_tournament_rules_scores_35(variant: str) -> None:
    cards = "AS KS QS AH TH TH TH KH KH QH QH JH AC TC AD TD KD KD KD JD"
    assert melds(variant, cards) == [
        ("aces around", 10),
        ("marriage", 2),
        ("pinochle", 4),
        ("royal marriage", 4),
        ("run", 15),
    ]
    assert meld_points(variant, cards) == 35


@pytest.mark.parametrize(
    ("variant", "value"), [("three-handed", 100), ("five-card", 10), ("double-deck", 10)]
)
def test_without_trump_there_is_no_run_royal_marriage_or_dix(variant: str, value: int) -> None:
    """A marriage of any suit counts at the common value; arounds and pinochles as usual."""
    nine = "" if variant == "double-deck" else "9H 9S"
    common = value // 5
    assert melds(variant, f"{RUN} {nine}", None) == [("marriage", common)]
    assert meld_points(variant, f"{around('A')} QS JD KS", None) == value + 2 * common + common


def test_a_meld_lists_its_cards() -> None:
    found = find_melds(variants.PARTNERSHIP.melds, hand(f"{RUN} KH QS JD 9H"), Suit.H)
    assert {meld.name: format_cards(meld.cards) for meld in found} == {
        "run and king": "AH TH KH KH QH JH",
        "pinochle": "QS JD",
        "dix": "9H",
    }
    assert total_points(found) == 190 + 40 + 10
    double = find_melds(variants.PARTNERSHIP.melds, hand("QS QS JD JD"), Suit.H)
    assert [format_cards(meld.cards) for meld in double] == ["QS QS JD JD"]


def test_royal_marriages_and_dixes_depend_on_trump() -> None:
    cards = "KS QS KH QH 9S 9H 9H"
    assert meld_points("three-handed", cards, Suit.H) == 40 + 20 + 20
    assert meld_points("three-handed", cards, Suit.S) == 40 + 20 + 10
    assert meld_points("three-handed", cards, Suit.C) == 40


def kinds(variant: str | Rules, cards: str) -> list[tuple[str, MeldKind]]:
    """Return the melds in the cards with hearts as trump, as (name, kind)."""
    rules = variants.get(variant) if isinstance(variant, str) else variant
    return [(meld.name, meld.kind) for meld in find_melds(rules.melds, hand(cards), Suit.H)]


@pytest.mark.parametrize(("cards", "name"), [(cards, name) for cards, name, *_ in SINGLES])
def test_the_name_of_a_single_meld_is_its_kind(cards: str, name: str) -> None:
    assert kinds("partnership", cards) == [(name, MeldKind(name))]


@pytest.mark.parametrize(
    ("variant", "cards", "expected"),
    [
        ("partnership", f"{RUN} KH", [("run and king", MeldKind.RUN)]),
        ("partnership", f"{RUN} QH", [("run and queen", MeldKind.RUN)]),
        ("partnership", f"{RUN} KH QH", [("run and marriage", MeldKind.RUN)]),
        ("partnership", copies(RUN, 2), [("double run", MeldKind.RUN)]),
        (
            "three-handed",
            f"{RUN} KH QH",
            [("run", MeldKind.RUN), ("royal marriage", MeldKind.ROYAL_MARRIAGE)],
        ),
        ("double-deck", copies("QS JD", 3), [("triple pinochle", MeldKind.PINOCHLE)]),
        ("double-deck", copies(around("A"), 4), [("quadruple aces around", MeldKind.ACES_AROUND)]),
        ("double-deck", copies(around("J"), 2), [("double jacks around", MeldKind.JACKS_AROUND)]),
    ],
)
def test_multiples_and_extended_runs_keep_their_kind(
    variant: str, cards: str, expected: list[tuple[str, MeldKind]]
) -> None:
    assert kinds(variant, cards) == expected


def test_all_kinds_but_bonus_and_house_melds_have_a_class() -> None:
    assert set(MeldKind) - set(CLASS_OF_KIND) == {MeldKind.DOUBLE_ROUNDHOUSE, MeldKind.OTHER}


def test_always_shown_melds_are_the_aces_around() -> None:
    held = find_melds(variants.DOUBLE_DECK.melds, hand(copies(around("A"), 2)), Suit.H)
    assert always_shown_melds(held) == held
    others = find_melds(variants.DOUBLE_DECK.melds, hand("KH QH QS JD"), Suit.H)
    assert always_shown_melds(others) == ()


def laid_cards(variant: str | Rules, cards: str) -> str:
    """Return the cards on the table when all melds in `cards` are laid."""
    rules = variants.get(variant) if isinstance(variant, str) else variant
    return format_cards(sorted(cards_on_table(find_melds(rules.melds, hand(cards), Suit.H))))


def test_a_card_in_several_classes_is_laid_once() -> None:
    assert laid_cards("partnership", "QS JD KS JS JH JC 9H 9D") == "KS QS JS JH 9H JD JC"


def test_twins_in_one_class_are_both_laid() -> None:
    assert laid_cards("three-handed", f"{RUN} KH QH QS") == "AH TH KH KH QH QH JH"


def test_a_double_roundhouse_lays_no_further_card() -> None:
    rules = variants.DOUBLE_DECK.with_options(double_roundhouse=40)
    held = hand(copies(ROUNDHOUSE, 2))
    assert "double roundhouse" in [meld.name for meld in find_melds(rules.melds, held, Suit.H)]
    assert laid_cards(rules, copies(ROUNDHOUSE, 2)) == format_cards(
        sorted(parse_cards(copies(ROUNDHOUSE, 2).split()))
    )


def test_single_meld_takes_its_name_from_its_kind() -> None:
    nine = (Card("9H"),)
    assert single_meld(MeldKind.DIX, nine, 10) == Meld("dix", nine, 10, MeldKind.DIX)


def test_a_double_run_needs_two_of_each_card() -> None:
    """With one of ten cards missing there is one run; a further king or queen is named with it."""
    hands = {card: f"{RUN} {RUN}".replace(card, "9S", 1) for card in RUN.split()}
    expected = {"KH": [("run and queen", 190)], "QH": [("run and king", 190)]}
    for card, cards in hands.items():
        found = melds("partnership", cards)
        assert found == expected.get(card, [("run and marriage", 230)]), card
        found = melds("three-handed", cards)
        marriages = [] if card in expected else [("royal marriage", 40)]
        assert found == sorted([*marriages, ("run", 150)]), card


def test_a_third_king_and_queen_beside_run_and_marriage_are_a_royal_marriage() -> None:
    found = melds("partnership", f"{RUN} KH QH KH QH")
    assert found == [("royal marriage", 40), ("run and marriage", 230)]


def test_the_cards_of_a_double_roundhouse_are_two_kings_and_queens_a_suit() -> None:
    table = variants.DOUBLE_DECK.with_options(double_roundhouse=30).melds
    found = find_melds(table, hand(copies(ROUNDHOUSE, 3)), Suit.H)
    (bonus,) = [meld for meld in found if "house" in meld.name]
    assert hand(" ".join(map(str, bonus.cards))) == hand(copies(ROUNDHOUSE, 2))


def test_runs_of_value_0_count_as_royal_marriages() -> None:
    rules = replace(variants.THREE_HANDED, melds=replace(variants.THREE_HANDED.melds, run=(0, 0)))
    assert melds(rules, RUN + " KH QH") == [("royal marriage", 40), ("royal marriage", 40)]


def test_doubles_of_marriages_and_dixes_can_have_own_values() -> None:
    table = replace(variants.THREE_HANDED.melds, royal_marriage=(40, 100), marriage=(20, 50))
    rules = replace(variants.THREE_HANDED, melds=replace(table, dix=(10, 30)))
    assert melds(rules, "KH KH QH QH 9H 9H KS KS QS QS") == [
        ("double dix", 30),
        ("double marriage", 50),
        ("double royal marriage", 100),
    ]
    assert replace(table, dix=(10,)).dix == 10  # a tuple of one becomes its number
