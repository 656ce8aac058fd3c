"""House melds, with any cards and name, and melds of value 0."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from acesaround import hand_queries, variants
from acesaround.cards import Suit, format_cards, pack, parse_cards
from acesaround.errors import ContradictionError, IllegalAction, Reason
from acesaround.rulebook import page
from acesaround.rules import HouseMeld, MeldTable, Rules
from acesaround.rules.feature_support import Feature, why_unsupported
from acesaround.rules.laid_melds import NO_LAID_MELDS, best_layable_melds, lay_meld, layable_melds
from acesaround.rules.melds import MeldKind, cards_on_table, find_melds, total_points
from acesaround.sheets import SheetError
from acesaround.variants import load

GRAND = HouseMeld("grand pinochle", "QS QS JD JD", 80)
ACES = HouseMeld("trump aces", "A* A*", 20)


def with_melds(game: str, *others: HouseMeld, **values: Any) -> Rules:
    """Return a variant with these house melds and values of other melds."""
    rules = variants.get(game)
    return replace(rules, melds=replace(rules.melds, others=others, **values))


def found(table: MeldTable, hand: str, trump: str | None) -> list[tuple[str, str, int]]:
    """Return names, cards and points of the melds of a hand."""
    suit = None if trump is None else Suit(trump)
    melds = find_melds(table, pack(parse_cards(hand)), suit)
    return [(meld.name, format_cards(meld.cards), meld.points) for meld in melds]


def test_the_cards_of_a_house_meld_count_in_other_melds_too() -> None:
    melds = with_melds("partnership", GRAND).melds
    assert found(melds, "KS QS QS JD JD", "H") == [
        ("marriage", "KS QS", 20),
        ("double pinochle", "QS QS JD JD", 300),
        ("grand pinochle", "QS QS JD JD", 80),
    ]


def test_a_house_meld_counts_once_for_each_full_set_of_cards() -> None:
    melds = with_melds("double-deck", HouseMeld("black queens", "QS QC", 3)).melds
    assert found(melds, "QS QS QS QC QC", "H") == [("black queens", "QS QC", 3)] * 2


@pytest.mark.parametrize(("number", "points"), [(1, 80), (2, 300), (3, 380)])
def test_a_meld_of_two_together_makes_them_worth_more(number: int, points: int) -> None:
    both = HouseMeld("two grand pinochles", "QS QS QS QS JD JD JD JD", 140)
    melds = with_melds("triple-deck", GRAND, both).melds
    hand = " ".join(["QS QS JD JD"] * number)
    assert sum(worth for name, _, worth in found(melds, hand, "H") if "grand" in name) == points


@pytest.mark.parametrize(("trump", "number"), [("S", 1), ("H", 0), (None, 0)])
def test_a_star_stands_for_the_suit_that_is_trump(trump: str | None, number: int) -> None:
    melds = with_melds("partnership", ACES).melds
    assert found(melds, "AS AS AH", trump) == [("trump aces", "AS AS", 20)] * number


def test_the_cards_of_a_house_meld_are_laid_once_for_all_melds() -> None:
    melds = find_melds(
        with_melds("partnership", GRAND).melds, pack(parse_cards("QS QS JD JD KS")), None
    )
    assert format_cards(cards_on_table(melds)) == "KS QS QS JD JD"
    assert {meld.kind for meld in melds} == {MeldKind.MARRIAGE, MeldKind.PINOCHLE, MeldKind.OTHER}


def test_a_meld_of_value_0_does_not_exist() -> None:
    melds = with_melds("partnership", pinochle=(0, 40), kings=(0,), marriage=0).melds
    assert found(melds, "KS QS JD KH KD KC", "C") == []
    assert found(melds, "QS QS JD JD", "C") == [("double pinochle", "QS QS JD JD", 40)]


def test_between_tricks_a_house_meld_is_laid_once_with_the_same_cards() -> None:
    table = with_melds("two-handed", HouseMeld("black kings", "KS KC", 7), ACES).melds
    hand = pack(parse_cards("KS QS KC KC AH AH"))
    layable = layable_melds(table, hand, NO_LAID_MELDS, 1)
    assert ("black kings", 7) in [(meld.name, meld.points) for meld in layable]
    laid, down = lay_meld(table, hand, NO_LAID_MELDS, parse_cards("KS KC"), 1)
    assert (laid.name, laid.points, format_cards(laid.cards)) == ("black kings", 7, "KS KC")
    laid, down = lay_meld(table, hand, down, parse_cards("KS QS"), 1)
    assert laid.name == "marriage"
    with pytest.raises(IllegalAction) as refusal:
        lay_meld(table, hand, down, parse_cards("KS KC"), 1)
    assert refusal.value.reason is Reason.ALREADY_MELDED
    laid, down = lay_meld(table, hand, down, parse_cards("AH AH"), 1)
    assert laid.points == 20
    down = down.after_playing(parse_cards("KS")[0], hand - pack(parse_cards("KS")), 1)
    assert layable_melds(table, hand - pack(parse_cards("KS")), down, 1) == []
    assert total_points(best_layable_melds(table, hand, 1)) == 7 + 20 + 20


@pytest.mark.parametrize(
    ("others", "sentence"),
    [
        ('[["x", "QX", 3]]', "The cards of 'x': 'QX' is not a card"),
        ('[["x", "AS AS AS", 3]]', "x takes 3 A♠, and the deck has 2 of each card."),
        ('[["x", "", 3]]', "A meld has 1 to 12 cards, and x has 0."),
        ('[["x", "AS", 0]]', "A meld is worth 1 to 1000000 points, and x 0."),
        ('[["Double run", "AS", 3]]', "There is already a meld called Double run."),
        ('[["x", "AS", 3], ["X", "AH", 3]]', "There is already a meld called X."),
        ('[["x", "AS AH", 3], ["y", "AH AS", 3]]', "y has the cards of x."),
        ('[["", "AS", 3]]', "The name of a meld has 1 to 40 characters, not ''."),
        ('[["a|b", "AS", 3]]', "which format pages: not 'a|b'."),
        ('[["x", "AS"]]', "expected a list of [name, cards, points]."),
        ('"x"', "expected a list of [name, cards, points]."),
    ],
)
def test_an_invalid_house_meld_is_refused_with_its_line(
    tmp_path: Any, others: str, sentence: str
) -> None:
    sheet = tmp_path / "our.toml"
    sheet.write_text(f'base = "partnership"\n\n[melds]\ndix = 10\nothers = {others}\n')
    with pytest.raises(SheetError) as refusal:
        load(sheet)
    assert f"{sheet}:5: melds.others" in str(refusal.value)
    assert sentence in str(refusal.value)


def test_an_invalid_house_meld_does_not_hide_other_faults(tmp_path: Any) -> None:
    sheet = tmp_path / "our.toml"
    sheet.write_text(
        'base = "partnership"\n[deal]\npacket = 0\n\n'
        '[melds]\nothers = [["a", "5S", 1], ["b", "QS", 0]]\n'
    )
    with pytest.raises(SheetError) as refusal:
        load(sheet)
    assert [(fault.line, fault.path) for fault in refusal.value.faults] == [
        (3, "deal.packet"),
        (6, "melds.others"),
        (6, "melds.others"),
    ]
    assert "The cards of 'a': '5S' is not a card" in str(refusal.value)
    assert "A meld is worth 1 to 1000000 points, and b 0." in str(refusal.value)


def test_between_tricks_two_melds_cannot_have_the_same_cards() -> None:
    with pytest.raises(ContradictionError, match="the same cards as the pinochle"):
        with_melds("two-handed", GRAND)
    with_melds("two-handed", GRAND, pinochle=(40,))
    with pytest.raises(ContradictionError, match="two of a card at most"):
        replace(
            variants.get("two-handed", 3, {"deck": "24-each"}),
            melds=replace(
                variants.get("two-handed").melds, others=(HouseMeld("x", "9S 9S 9S", 1),)
            ),
        )


def test_house_melds_are_in_sheets_queries_and_the_rules_page(tmp_path: Any) -> None:
    sheet = tmp_path / "our.toml"
    sheet.write_text(
        'base = "partnership"\n[melds]\nothers = [["grand pinochle", "QS QS JD JD", 80],\n'
        '  ["trump aces", "A* A*", 20]]\n'
    )
    rules = load(sheet)
    assert rules.melds.others == (GRAND, ACES)
    assert "| grand pinochle | Q♠ Q♠ J♦ J♦ | 80 |  |" in page(rules)
    assert "| trump aces | A A of trump | 20 |  |" in page(rules)
    assert "*grand pinochle* and *trump aces* are each a class by itself" in page(rules)
    answer = hand_queries.answer_meld_query(rules, {"hand": "AS AS 9S", "trump": "S"})
    assert [meld["name"] for meld in answer["melds"]] == ["dix", "trump aces"]
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Rules) == rules


def test_unsupported_house_melds_are_named() -> None:
    laid = with_melds("two-handed", ACES)
    assert "melds of your own between tricks" in (why_unsupported(laid, Feature.SEARCH) or "")
    uneven = with_melds("partnership", HouseMeld("uneven", "9S 9S AH", 5))
    assert why_unsupported(uneven, Feature.PLAYOUTS) is None
    assert "as uneven does" in (why_unsupported(uneven, Feature.SEARCH) or "")
    assert why_unsupported(with_melds("partnership", GRAND, ACES), Feature.SEARCH) is None
