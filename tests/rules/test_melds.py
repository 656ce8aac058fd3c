"""The meld tables: every name and value, and which melds a card may serve in at once."""

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
    points,
    single_meld,
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
    """What cards meld, as sorted (name, points)."""
    rules = variants.get(variant) if isinstance(variant, str) else variant
    return priced(find_melds(rules.melds, hand(cards), trump))


def worth(variant: str | Rules, cards: str, trump: Suit | None = Suit.H) -> int:
    """What cards are worth in meld."""
    return sum(value for _, value in melds(variant, cards, trump))


def times(cards: str, number: int) -> str:
    """That many of each card."""
    return " ".join([cards] * number)


def around(rank: str) -> str:
    """One of a rank in each suit."""
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
def test_the_value_of_each_single_meld(
    cards: str, name: str, big: int, small: int, double: int | None
) -> None:
    for variant in BIG:
        assert melds(variant, cards) == [(name, big)]
    for variant in SMALL:
        assert melds(variant, cards) == [(name, small)]
    for variant in DOUBLE:
        assert melds(variant, cards) == ([] if double is None else [(name, double)])


@pytest.mark.parametrize("missing", RUN.split())
def test_a_run_takes_all_five_high_trumps(missing: str) -> None:
    cards = RUN.replace(missing, "9H")
    assert "run" not in dict(melds("three-handed", cards))
    assert "run" not in dict(melds("three-handed", RUN.replace("H", "S")))


@pytest.mark.parametrize(
    "cards", ["KS QH", "QS JS", "QD JD", "QC JD", "QS JH", "AS AH AD", "TS TH TD TC", "9S 9D 9C"]
)
def test_what_is_no_meld(cards: str) -> None:
    """Nines of plain suits meld nothing, tens only in a run, pinochle is no other Q and J."""
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
def test_double_melds_on_the_big_scale(variant: str, cards: str, name: str, value: int) -> None:
    assert melds(variant, times(cards, 2)) == [(name, value)]


@pytest.mark.parametrize("variant", SMALL)
def test_a_double_pinochle_on_the_small_scale(variant: str) -> None:
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
        (times(around("A"), 2)[3:], [("aces around", 100)]),
    ],
)
def test_a_card_counts_never_twice_in_one_class(cards: str, items: Items) -> None:
    assert melds("three-handed", cards) == items


@pytest.mark.parametrize(
    ("cards", "value"),
    [
        (f"{around('Q')} JD", 100),  # 60 queens and a pinochle
        (f"{RUN} AS AD AC", 250),  # a run and 100 aces
        ("QS JD KS", 60),  # the queen in a marriage and in a pinochle
    ],
)
def test_a_card_may_count_in_several_classes_at_once(cards: str, value: int) -> None:
    assert worth("three-handed", cards) == value
    assert worth("partnership", cards) == value


EXTRAS: list[tuple[str, Items, Items]] = [
    ("", [("run", 150)], [("run", 150)]),
    ("KH", [("run", 150)], [("run and king", 190)]),
    ("QH", [("run", 150)], [("run and queen", 190)]),
    ("KH QH", [("royal marriage", 40), ("run", 150)], [("run and marriage", 230)]),
    ("AH", [("run", 150)], [("run", 150)]),
]


@pytest.mark.parametrize(("extra", "three_handed", "partnership"), EXTRAS)
def test_a_run_and_extra_kings_and_queens(
    extra: str, three_handed: Items, partnership: Items
) -> None:
    """A further K and Q of trumps is a royal marriage; in partnership the table has its own."""
    cards = f"{RUN} {extra}"
    assert melds("three-handed", cards) == three_handed
    assert melds("partnership", cards) == partnership


@pytest.mark.parametrize(("extra", "value"), [("KH", 15), ("QH", 15), ("KH QH", 19), ("9H 9H", 17)])
def test_on_the_small_scale_only_a_whole_further_marriage_adds_to_a_run(
    extra: str, value: int
) -> None:
    assert worth("seven-card", f"{RUN} {extra}") == value


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
    assert worth(variant, ROUNDHOUSE) == parts
    assert worth(variant, f"{ROUNDHOUSE} AH TH JH") == with_run


def test_the_items_of_a_roundhouse() -> None:
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
def test_single_double_triple_and_quadruple_melds_of_the_double_deck(
    variant: str, name: str, number: int
) -> None:
    multiple = ["", "double ", "triple ", "quadruple "][number - 1]
    value = TABLES[variant][name][number - 1]
    assert melds(variant, times(CARDS[name], number)) == [(multiple + name, value)]


@pytest.mark.parametrize("variant", DOUBLE)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_marriages_of_the_double_deck_are_singles_each(variant: str, number: int) -> None:
    assert melds(variant, times("KH QH", number)) == [("royal marriage", 4)] * number
    assert melds(variant, times("KC QC", number)) == [("marriage", 2)] * number


@pytest.mark.parametrize("variant", DOUBLE)
def test_further_trump_marriages_beside_several_runs(variant: str) -> None:
    cards = f"{times(RUN, 2)} KH QH KH QH QH"
    assert melds(variant, cards)[1:] == [("royal marriage", 4)] * 2
    assert worth(variant, cards) == 150 + 8


@pytest.mark.parametrize("variant", DOUBLE)
def test_a_run_with_a_king_more_is_only_a_run_in_the_double_decks(variant: str) -> None:
    assert melds(variant, f"{RUN} KH") == [("run", 15)]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_without_extra_for_duplicate_runs_each_is_a_run_of_15(number: int) -> None:
    assert melds(HOUSE_RULE, times(RUN, number)) == [("run", 15)] * number


def test_without_extra_for_duplicate_runs_other_doubles_still_score() -> None:
    assert melds(HOUSE_RULE, times(around("A"), 2)) == [("double aces around", 100)]
    rules = variants.DOUBLE_DECK.with_options(duplicate_runs_extra=False)
    assert melds(rules, f"{times(RUN, 2)} KH QH") == [
        ("royal marriage", 4),
        ("run", 15),
        ("run", 15),
    ]


@pytest.mark.parametrize("variant", DOUBLE)
def test_a_double_roundhouse_has_a_bonus_only_as_a_house_option(variant: str) -> None:
    """Two marriages in every suit: 2 x (4 + 2 + 2 + 2) + double kings 80 + double queens 60."""
    cards = times(ROUNDHOUSE, 2)
    assert worth(variant, cards) == 160
    bonus = variants.get(variant).with_options(double_roundhouse=16)
    assert ("double roundhouse", 16) in melds(bonus, cards)
    assert worth(bonus, cards) == 176
    assert worth(bonus, cards.replace("KC", "JC", 1)) == 160 - 2 - 80 + 8


@pytest.mark.parametrize("variant", DOUBLE)
def test_marriages_inside_runs_count_toward_a_double_roundhouse(variant: str) -> None:
    cards = f"{times(ROUNDHOUSE, 2)} AH TH JH"
    bonus = variants.get(variant).with_options(double_roundhouse=16)
    assert ("double roundhouse", 16) in melds(bonus, cards)
    assert worth(bonus, cards) == 15 + 4 + 12 + 80 + 60 + 16


@pytest.mark.parametrize("variant", DOUBLE)
def test_the_example_hand_of_the_tournament_rules_is_worth_35(variant: str) -> None:
    cards = "AS KS QS AH TH TH TH KH KH QH QH JH AC TC AD TD KD KD KD JD"
    assert melds(variant, cards) == [
        ("aces around", 10),
        ("marriage", 2),
        ("pinochle", 4),
        ("royal marriage", 4),
        ("run", 15),
    ]
    assert worth(variant, cards) == 35


@pytest.mark.parametrize(
    ("variant", "value"), [("three-handed", 100), ("five-card", 10), ("double-deck", 10)]
)
def test_without_trump_there_is_no_run_royal_marriage_or_dix(variant: str, value: int) -> None:
    """The marriage counts at the common value; arounds and pinochles as ever."""
    nine = "" if variant == "double-deck" else "9H 9S"
    common = value // 5
    assert melds(variant, f"{RUN} {nine}", None) == [("marriage", common)]
    assert worth(variant, f"{around('A')} QS JD KS", None) == value + 2 * common + common


def test_a_meld_lists_its_cards() -> None:
    found = find_melds(variants.PARTNERSHIP.melds, hand(f"{RUN} KH QS JD 9H"), Suit.H)
    assert {meld.name: format_cards(meld.cards) for meld in found} == {
        "run and king": "AH TH KH KH QH JH",
        "pinochle": "QS JD",
        "dix": "9H",
    }
    assert points(found) == 190 + 40 + 10
    double = find_melds(variants.PARTNERSHIP.melds, hand("QS QS JD JD"), Suit.H)
    assert [format_cards(meld.cards) for meld in double] == ["QS QS JD JD"]


def test_trump_decides_which_marriage_is_royal_and_which_nine_is_a_dix() -> None:
    cards = "KS QS KH QH 9S 9H 9H"
    assert worth("three-handed", cards, Suit.H) == 40 + 20 + 20
    assert worth("three-handed", cards, Suit.S) == 40 + 20 + 10
    assert worth("three-handed", cards, Suit.C) == 40


def kinds(variant: str | Rules, cards: str) -> list[tuple[str, MeldKind]]:
    """What cards meld with hearts as trump, as (name, kind)."""
    rules = variants.get(variant) if isinstance(variant, str) else variant
    return [(meld.name, meld.kind) for meld in find_melds(rules.melds, hand(cards), Suit.H)]


@pytest.mark.parametrize(("cards", "name"), [(cards, name) for cards, name, *_ in SINGLES])
def test_a_single_meld_bears_the_name_of_its_kind(cards: str, name: str) -> None:
    assert kinds("partnership", cards) == [(name, MeldKind(name))]


@pytest.mark.parametrize(
    ("variant", "cards", "expected"),
    [
        ("partnership", f"{RUN} KH", [("run and king", MeldKind.RUN)]),
        ("partnership", f"{RUN} QH", [("run and queen", MeldKind.RUN)]),
        ("partnership", f"{RUN} KH QH", [("run and marriage", MeldKind.RUN)]),
        ("partnership", times(RUN, 2), [("double run", MeldKind.RUN)]),
        (
            "three-handed",
            f"{RUN} KH QH",
            [("run", MeldKind.RUN), ("royal marriage", MeldKind.ROYAL_MARRIAGE)],
        ),
        ("double-deck", times("QS JD", 3), [("triple pinochle", MeldKind.PINOCHLE)]),
        ("double-deck", times(around("A"), 4), [("quadruple aces around", MeldKind.ACES_AROUND)]),
        ("double-deck", times(around("J"), 2), [("double jacks around", MeldKind.JACKS_AROUND)]),
    ],
)
def test_more_of_a_kind_together_and_runs_with_more_are_of_that_kind(
    variant: str, cards: str, expected: list[tuple[str, MeldKind]]
) -> None:
    assert kinds(variant, cards) == expected


def test_every_kind_but_the_bonus_for_cards_that_have_served_is_in_a_class() -> None:
    assert set(MeldKind) - set(CLASS_OF_KIND) == {MeldKind.DOUBLE_ROUNDHOUSE, MeldKind.OTHER}


def test_below_the_floor_a_side_shows_its_aces_around_however_many() -> None:
    held = find_melds(variants.DOUBLE_DECK.melds, hand(times(around("A"), 2)), Suit.H)
    assert always_shown_melds(held) == held
    assert (
        always_shown_melds(find_melds(variants.DOUBLE_DECK.melds, hand("KH QH QS JD"), Suit.H))
        == ()
    )


def laid(variant: str | Rules, cards: str) -> str:
    """The cards that lie on the table when those meld."""
    rules = variants.get(variant) if isinstance(variant, str) else variant
    return format_cards(sorted(cards_on_table(find_melds(rules.melds, hand(cards), Suit.H))))


def test_a_card_that_serves_in_several_classes_lies_there_once() -> None:
    assert laid("partnership", "QS JD KS JS JH JC 9H 9D") == "KS QS JS JH 9H JD JC"


def test_twins_that_serve_in_one_class_both_lie_there() -> None:
    assert laid("three-handed", f"{RUN} KH QH QS") == "AH TH KH KH QH QH JH"


def test_a_double_roundhouse_lays_no_card_that_does_not_lie_there_already() -> None:
    rules = variants.DOUBLE_DECK.with_options(double_roundhouse=40)
    held = hand(times(ROUNDHOUSE, 2))
    assert "double roundhouse" in [meld.name for meld in find_melds(rules.melds, held, Suit.H)]
    assert laid(rules, times(ROUNDHOUSE, 2)) == format_cards(
        sorted(parse_cards(times(ROUNDHOUSE, 2).split()))
    )


def test_a_single_is_named_by_its_kind() -> None:
    nine = (Card("9H"),)
    assert single_meld(MeldKind.DIX, nine, 10) == Meld("dix", nine, 10, MeldKind.DIX)


def test_a_double_run_takes_both_of_each_of_its_cards() -> None:
    """With one of ten cards missing there is one run; a king or queen left over goes with it."""
    without = {card: f"{RUN} {RUN}".replace(card, "9S", 1) for card in RUN.split()}
    left = {"KH": [("run and queen", 190)], "QH": [("run and king", 190)]}
    for card, cards in without.items():
        found = melds("partnership", cards)
        assert found == left.get(card, [("run and marriage", 230)]), card
        found = melds("three-handed", cards)
        alone = [] if card in left else [("royal marriage", 40)]
        assert found == sorted([*alone, ("run", 150)]), card


def test_beside_a_run_with_its_marriage_a_third_pair_is_a_royal_marriage() -> None:
    found = melds("partnership", f"{RUN} KH QH KH QH")
    assert found == [("royal marriage", 40), ("run and marriage", 230)]


def test_a_double_roundhouse_is_two_kings_and_two_queens_of_each_suit() -> None:
    table = variants.DOUBLE_DECK.with_options(double_roundhouse=30).melds
    (item,) = [
        m for m in find_melds(table, hand(times(ROUNDHOUSE, 3)), Suit.H) if "house" in m.name
    ]
    assert hand(" ".join(map(str, item.cards))) == hand(times(ROUNDHOUSE, 2))


def test_where_runs_are_worth_nothing_their_kings_and_queens_are_marriages() -> None:
    none = replace(variants.THREE_HANDED, melds=replace(variants.THREE_HANDED.melds, run=(0, 0)))
    assert melds(none, RUN + " KH QH") == [("royal marriage", 40), ("royal marriage", 40)]


def test_two_royal_marriages_marriages_or_dixes_may_be_worth_more_than_twice_one() -> None:
    more = replace(variants.THREE_HANDED.melds, royal_marriage=(40, 100), marriage=(20, 50))
    rules = replace(variants.THREE_HANDED, melds=replace(more, dix=(10, 30)))
    assert melds(rules, "KH KH QH QH 9H 9H KS KS QS QS") == [
        ("double dix", 30),
        ("double marriage", 50),
        ("double royal marriage", 100),
    ]
    assert replace(more, dix=(10,)).dix == 10  # a list of one is that one
