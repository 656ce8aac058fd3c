"""Melds of a table's own: any cards under any name; and melds that a table does not know."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from acesaround import queries, variants
from acesaround.cards import Suit, format_cards, pack, parse_cards
from acesaround.errors import ContradictionError, IllegalAction, Reason
from acesaround.rulebook import page
from acesaround.rules import HouseMeld, MeldTable, Rules
from acesaround.rules.laydown import NO_LAID_MELDS, best_layable_melds, lay_meld, layable_melds
from acesaround.rules.melds import MeldKind, cards_on_table, find_melds, points
from acesaround.rules.support import Feature, why_unsupported
from acesaround.sheets import SheetError
from acesaround.variants import load

GRAND = HouseMeld("grand pinochle", "QS QS JD JD", 80)
ACES = HouseMeld("trump aces", "A* A*", 20)


def own(game: str, *others: HouseMeld, **values: Any) -> Rules:
    """A game with those melds of its own, and values of others."""
    rules = variants.get(game)
    return replace(rules, melds=replace(rules.melds, others=others, **values))


def found(table: MeldTable, hand: str, trump: str | None) -> list[tuple[str, str, int]]:
    """What a hand melds: names, cards, points."""
    suit = None if trump is None else Suit(trump)
    melds = find_melds(table, pack(parse_cards(hand)), suit)
    return [(its.name, format_cards(its.cards), its.points) for its in melds]


def test_its_cards_serve_in_all_other_melds_too() -> None:
    melds = own("partnership", GRAND).melds
    assert found(melds, "KS QS QS JD JD", "H") == [
        ("marriage", "KS QS", 20),
        ("double pinochle", "QS QS JD JD", 300),
        ("grand pinochle", "QS QS JD JD", 80),
    ]


def test_it_is_made_as_often_as_its_cards_are_whole() -> None:
    melds = own("double-deck", HouseMeld("black queens", "QS QC", 3)).melds
    assert found(melds, "QS QS QS QC QC", "H") == [("black queens", "QS QC", 3)] * 2


@pytest.mark.parametrize(("trump", "number"), [("S", 1), ("H", 0), (None, 0)])
def test_a_star_stands_for_the_suit_that_is_trump(trump: str | None, number: int) -> None:
    melds = own("partnership", ACES).melds
    assert found(melds, "AS AS AH", trump) == [("trump aces", "AS AS", 20)] * number


def test_its_cards_lie_on_the_table_once_for_all_melds() -> None:
    melds = find_melds(own("partnership", GRAND).melds, pack(parse_cards("QS QS JD JD KS")), None)
    assert format_cards(cards_on_table(melds)) == "KS QS QS JD JD"
    assert {meld.kind for meld in melds} == {MeldKind.MARRIAGE, MeldKind.PINOCHLE, MeldKind.OTHER}


def test_a_meld_that_is_worth_nothing_does_not_exist() -> None:
    melds = own("partnership", pinochle=(0, 40), kings=(0,), marriage=0).melds
    assert found(melds, "KS QS JD KH KD KC", "C") == []
    assert found(melds, "QS QS JD JD", "C") == [("double pinochle", "QS QS JD JD", 40)]


def test_between_tricks_it_is_laid_once_with_the_same_cards() -> None:
    table = own("two-handed", HouseMeld("black kings", "KS KC", 7), ACES).melds
    hand = pack(parse_cards("KS QS KC KC AH AH"))
    assert ("black kings", 7) in [
        (its.name, its.points) for its in layable_melds(table, hand, NO_LAID_MELDS, 1)
    ]
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
    assert [its.name for its in layable_melds(table, hand - pack(parse_cards("KS")), down, 1)] == []
    assert points(best_layable_melds(table, hand, 1)) == 7 + 20 + 20


@pytest.mark.parametrize(
    ("others", "sentence"),
    [
        ('[["x", "QX", 3]]', "The cards of 'x': 'QX' is not a card"),
        ('[["x", "AS AS AS", 3]]', "x takes 3 A♠, and the deck has 2 of each card."),
        ('[["x", "", 3]]', "A meld has 1 to 12 cards, and x has 0."),
        ('[["x", "AS", 0]]', "A meld is worth 1 to 1000000 points, and x 0."),
        ('[["Double run", "AS", 3]]', "There is a Double run already."),
        ('[["x", "AS", 3], ["X", "AH", 3]]', "There is a X already."),
        ('[["x", "AS AH", 3], ["y", "AH AS", 3]]', "y has the cards of x."),
        ('[["", "AS", 3]]', "A meld has a name of 1 to 40 signs, not ''."),
        ('[["a|b", "AS", 3]]', "by which pages are laid out: not 'a|b'."),
        ('[["x", "AS"]]', "expected a list of [name, cards, points]."),
        ('"x"', "expected a list of [name, cards, points]."),
    ],
)
def test_what_cannot_be_is_refused_on_its_line(tmp_path: Any, others: str, sentence: str) -> None:
    sheet = tmp_path / "our.toml"
    sheet.write_text(f'base = "partnership"\n\n[melds]\ndix = 10\nothers = {others}\n')
    with pytest.raises(SheetError) as refusal:
        load(sheet)
    assert f"{sheet}:5: melds.others" in str(refusal.value)
    assert sentence in str(refusal.value)


def test_a_meld_of_unknown_cards_hides_no_other_fault(tmp_path: Any) -> None:
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


def test_what_lies_between_tricks_is_one_meld_only() -> None:
    with pytest.raises(ContradictionError, match="with the cards of the pinochle"):
        own("two-handed", GRAND)
    own("two-handed", GRAND, pinochle=(40,))
    with pytest.raises(ContradictionError, match="two of a card at most"):
        replace(
            variants.get("two-handed", 3, {"deck": "24-each"}),
            melds=replace(
                variants.get("two-handed").melds, others=(HouseMeld("x", "9S 9S 9S", 1),)
            ),
        )


def test_a_sheet_a_question_and_the_rules_page_know_it(tmp_path: Any) -> None:
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
    told = queries.answer_meld_query(rules, {"hand": "AS AS 9S", "trump": "S"})
    assert [its["name"] for its in told["melds"]] == ["dix", "trump aces"]
    again = msgspec.json.decode(msgspec.json.encode(rules), type=Rules)
    assert again == rules


def test_who_cannot_do_with_it_says_so() -> None:
    laid = own("two-handed", ACES)
    assert "melds of a table's own between tricks" in (why_unsupported(laid, Feature.SEARCH) or "")
    uneven = own("partnership", HouseMeld("uneven", "9S 9S AH", 5))
    assert why_unsupported(uneven, Feature.PLAYOUTS) is None
    assert "as uneven does" in (why_unsupported(uneven, Feature.SEARCH) or "")
    assert why_unsupported(own("partnership", GRAND, ACES), Feature.SEARCH) is None
