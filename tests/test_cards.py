"""Cards and decks: rank order, notation, and how many of each card there are."""

from __future__ import annotations

import pickle

import pytest

from acesaround.cards import (
    CARDS,
    SUITS,
    Card,
    Deck,
    Rank,
    Suit,
    card_count,
    count,
    format_cards,
    kinds,
    kinds_in_set,
    pack,
    parse_cards,
    unpack,
)
from acesaround.errors import NotationError
from tests.scripted_games import hand


def test_ranks_high_to_low_are_ace_ten_king_queen_jack_nine() -> None:
    assert [rank.letter for rank in sorted(Rank)] == ["A", "T", "K", "Q", "J", "9"]


def test_the_24_cards_are_named_by_rank_and_suit() -> None:
    assert [str(card) for card in CARDS] == [r + s for s in "SHDC" for r in "ATKQJ9"]


@pytest.mark.parametrize("written", ["TH", "10H", "th", "10h", " TH ", "T♥", "10♥"])
def test_a_ten_is_read_as_t_or_10_and_written_as_t(written: str) -> None:
    card = Card(written)
    assert (card.rank, card.suit) == (Rank.TEN, Suit.H)
    assert str(card) == "TH"


def test_pretty_shows_10_and_the_suit_sign() -> None:
    assert [Card(name).pretty for name in ("TH", "AS", "9D", "QC")] == ["10♥", "A♠", "9♦", "Q♣"]


@pytest.mark.parametrize("written", ["", "A", "H", "HA", "1H", "8S", "AX", "TTH", "100H", "AS TH"])
def test_invalid_card_names_are_refused(written: str) -> None:
    with pytest.raises(NotationError, match="is not a card"):
        Card(written)


@pytest.mark.parametrize("number", [-1, 24])
def test_card_numbers_outside_0_to_23_are_refused(number: int) -> None:
    with pytest.raises(NotationError):
        Card(number)


def test_equal_cards_are_one_object() -> None:
    assert Card("QS") is Card("qs")
    assert pickle.loads(pickle.dumps(Card("QS"))) is Card("QS")


@pytest.mark.parametrize("written", ["H", "h", "hearts", "Heart", "♥"])
def test_a_suit_is_read_from_letter_word_or_sign(written: str) -> None:
    assert Suit(written) is Suit.H


def test_invalid_suits_are_refused_with_the_valid_ones() -> None:
    with pytest.raises(NotationError, match="S H D C"):
        Suit("X")


def test_cards_are_separated_by_blanks_or_commas() -> None:
    assert parse_cards("AS, 10H,9d") == (Card("AS"), Card("TH"), Card("9D"))
    assert parse_cards(["AS", "TH"]) == parse_cards("AS TH")
    assert format_cards(parse_cards("as 10h 9d")) == "AS TH 9D"


def test_a_packed_hand_counts_twins() -> None:
    held = hand("9C AS TH AS")
    assert format_cards(unpack(held)) == "AS AS TH 9C"
    assert card_count(held) == 4
    assert [count(held, Card(c)) for c in ("AS", "TH", "KD")] == [2, 1, 0]
    assert format_cards(kinds_in_set(kinds(held))) == "AS TH 9C"


@pytest.mark.parametrize(
    ("deck", "cards", "of_each"),
    [
        (Deck(copies=2), 48, 2),
        (Deck(copies=4, nines=False), 80, 4),
        (Deck(copies=3), 72, 3),
        (Deck(copies=4), 96, 4),
    ],
)
def test_a_deck_holds_the_same_number_of_each_card(deck: Deck, cards: int, of_each: int) -> None:
    assert deck.size == cards == len(deck.cards)
    assert {deck.cards.count(card) for card in deck.cards} == {of_each}


def test_the_double_deck_has_no_nines_and_twenty_cards_a_suit() -> None:
    cards = Deck(copies=4, nines=False).cards
    assert Rank.NINE not in {card.rank for card in cards}
    assert [sum(card.suit is suit for card in cards) for suit in SUITS] == [20, 20, 20, 20]


def test_first_excess_card_finds_a_card_beyond_the_deck() -> None:
    deck = Deck(copies=2)
    assert deck.first_excess_card(parse_cards("AS AS TH")) is None
    assert deck.first_excess_card(parse_cards("AS TH AS AS")) == Card("AS")
    assert Deck(copies=4, nines=False).first_excess_card(parse_cards("9H")) == Card("9H")


def test_a_packed_deck_has_all_its_cards() -> None:
    assert Deck(copies=4).packed == pack(Deck(copies=4).cards)
