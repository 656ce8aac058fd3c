"""Laying melds one at a time, as in the two-handed game: values, growth and refusals."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from acesaround.cards import (
    CARDS,
    ONE_OF_KIND,
    SUITS,
    Card,
    Suit,
    count,
    format_cards,
    parse_cards,
    unpack,
)
from acesaround.errors import IllegalAction, Reason
from acesaround.rules import MeldTable
from acesaround.rules.laid_melds import (
    NO_LAID_MELDS,
    STANDARD_CANDIDATE_COUNT,
    best_layable_melds,
    lay_meld,
    layable_melds,
    meld_candidates,
)
from acesaround.rules.melds import total_points
from acesaround.variants import TWO_HANDED
from tests.scripted_games import hand, priced

TABLE = TWO_HANDED.melds
FREE = TWO_HANDED.with_options(meld_from_hand=False).melds
RUN = "AH TH KH QH JH"
KINGS, QUEENS = "KS KH KD KC", "QS QH QD QC"


class Seat:
    """A seat's hand and its melds on the table; hearts are trump."""

    def __init__(self, held: str, table: MeldTable = TABLE) -> None:
        self.held, self.down, self.table = hand(held), NO_LAID_MELDS, table

    def lay(self, cards: str) -> int:
        """Lay a meld; return its points."""
        meld, self.down = lay_meld(self.table, self.held, self.down, parse_cards(cards), Suit.H)
        return meld.points

    def name(self, cards: str) -> str:
        """Lay a meld; return its name."""
        meld, self.down = lay_meld(self.table, self.held, self.down, parse_cards(cards), Suit.H)
        return meld.name

    def refusal(self, cards: str) -> Reason:
        """Return the reason why a meld is refused."""
        with pytest.raises(IllegalAction) as refused:
            self.lay(cards)
        return refused.value.reason

    def play(self, name: str) -> None:
        """Play a card from the hand, else from the table."""
        card = Card(name)
        self.held -= ONE_OF_KIND[card]
        self.down = self.down.after_playing(card, self.held, Suit.H)

    def on_table(self, name: str) -> int:
        """Return how many copies of a card are on the table."""
        return count(self.down.cards, Card(name))


@pytest.mark.parametrize(
    ("cards", "name", "value"),
    [
        (RUN, "run", 150),
        ("KH QH", "royal marriage", 40),
        ("KS QS", "marriage", 20),
        ("KC QC", "marriage", 20),
        ("9H", "dix", 10),
        ("QS JD", "pinochle", 40),
        ("QS QS JD JD", "double pinochle", 300),
        ("AS AH AD AC", "aces around", 100),
        (KINGS, "kings around", 80),
        (QUEENS, "queens around", 60),
        ("JS JH JD JC", "jacks around", 40),
    ],
)
def test_each_meld_scores_its_value_when_laid(cards: str, name: str, value: int) -> None:
    assert Seat(cards).lay(cards) == value
    assert Seat(cards).name(cards) == name
    assert Seat(cards).lay(" ".join(reversed(cards.split()))) == value


@pytest.mark.parametrize(
    "cards",
    ["AH", "9S", "KH KH", "KS QH", "AH TH JH", "QH JD", "TS TH TD TC", "KS QS KH QH", "9H 9H"],
)
def test_other_cards_are_refused_as_no_meld(cards: str) -> None:
    assert Seat(cards).refusal(cards) is Reason.NOT_A_MELD


def test_double_runs_and_double_arounds_are_no_melds() -> None:
    for cards in (f"{RUN} {RUN}", f"{KINGS} {KINGS}"):
        assert Seat(cards).refusal(cards) is Reason.NOT_A_MELD


def test_cards_that_are_not_held_cannot_be_melded() -> None:
    assert Seat("KH QS").refusal("KH QH") is Reason.NOT_HELD
    assert Seat("QS QS JD").refusal("QS QS JD JD") is Reason.NOT_HELD


def test_second_runs_and_arounds_score_as_the_first() -> None:
    seat = Seat(f"{RUN} {RUN} AS AS AD AD AC AC")
    assert [seat.lay(RUN), seat.lay(RUN)] == [150, 150]
    assert [seat.lay("AS AH AD AC"), seat.lay("AS AH AD AC")] == [100, 100]


def test_a_card_counts_again_in_another_class() -> None:
    seat = Seat("KS QS JD KH KD KC QH QD QC")
    assert seat.lay("KS QS") == 20
    assert seat.lay("QS JD") == 40
    assert seat.lay(KINGS) == 80
    assert seat.lay(QUEENS) == 60


def test_a_card_counts_once_in_a_class() -> None:
    seat = Seat("KS QS QS JD JD")
    seat.lay("KS QS")
    assert seat.refusal("KS QS") is Reason.ALREADY_MELDED
    seat.lay("QS JD")
    seat.play("JD")
    assert seat.refusal("QS JD") is Reason.ALREADY_MELDED


def test_two_kings_and_two_queens_are_two_marriages() -> None:
    seat = Seat("KS KS QS QS")
    assert [seat.lay("KS QS"), seat.lay("KS QS")] == [20, 20]
    assert seat.refusal("KS QS") is Reason.ALREADY_MELDED


def test_a_royal_marriage_grown_into_a_run_scores_the_difference() -> None:
    seat = Seat(RUN)
    assert [seat.lay("KH QH"), seat.lay(RUN)] == [40, 110]
    assert seat.refusal(RUN) is Reason.ALREADY_MELDED


def test_only_the_whole_grown_meld_can_be_named() -> None:
    seat = Seat(RUN)
    seat.lay("KH QH")
    assert seat.refusal("AH TH JH") is Reason.NOT_A_MELD


def test_the_king_and_queen_of_a_run_are_no_royal_marriage() -> None:
    seat = Seat(RUN)
    seat.lay(RUN)
    assert seat.refusal("KH QH") is Reason.ALREADY_MELDED


def test_a_second_king_and_queen_of_trumps_are_a_separate_40() -> None:
    seat = Seat(f"{RUN} KH QH")
    assert [seat.lay(RUN), seat.lay("KH QH")] == [150, 40]
    seat = Seat(f"{RUN} KH QH")
    assert [seat.lay("KH QH"), seat.lay("KH QH"), seat.lay(RUN)] == [40, 40, 110]
    seat = Seat(f"{RUN} KH QH")
    assert [seat.lay("KH QH"), seat.lay(RUN)] == [40, 150]  # a run of fresh cards is a new one


WHOLE = replace(TABLE, grown_scores_whole=True)


def test_grown_scores_whole_gives_a_grown_meld_its_whole_value() -> None:
    """pokerwiner.com, Pinocle: the royal marriage is scored, and later the sequence too."""
    seat = Seat(f"{RUN} QS QS JD JD", WHOLE)
    assert [seat.lay("KH QH"), seat.lay(RUN)] == [40, 150]
    assert [seat.lay("QS JD"), seat.lay("QS QS JD JD")] == [40, 300]
    assert seat.refusal("KH QH") is Reason.ALREADY_MELDED
    assert seat.refusal(RUN) is Reason.ALREADY_MELDED
    seat = Seat(RUN, WHOLE)  # a run that is laid at once is a run, and no marriage comes after it
    assert seat.lay(RUN) == 150
    assert seat.refusal("KH QH") is Reason.ALREADY_MELDED


def test_with_grown_scores_whole_the_best_melds_are_laid_step_by_step() -> None:
    assert total_points(best_layable_melds(WHOLE, hand(RUN), Suit.H)) == 190
    assert total_points(best_layable_melds(WHOLE, hand("QS QS JD JD"), Suit.H)) == 340
    assert total_points(best_layable_melds(TABLE, hand(RUN), Suit.H)) == 150


def test_two_royal_marriages_grow_into_two_runs() -> None:
    seat = Seat(f"{RUN} {RUN}")
    assert [seat.lay("KH QH"), seat.lay("KH QH")] == [40, 40]
    assert [seat.lay(RUN), seat.lay(RUN)] == [110, 110]


def test_a_royal_marriage_grows_only_once() -> None:
    seat = Seat(f"{RUN} AH TH JH")
    assert [seat.lay("KH QH"), seat.lay(RUN)] == [40, 110]
    assert seat.refusal(RUN) is Reason.ALREADY_MELDED


@pytest.mark.parametrize("card", ["KH", "QH"])
def test_a_royal_marriage_with_a_played_card_cannot_grow(card: str) -> None:
    seat = Seat(RUN)
    seat.lay("KH QH")
    seat.play(card)
    assert seat.refusal(RUN) is Reason.NOT_HELD


@pytest.mark.parametrize("card", ["KH", "QH"])
def test_a_run_with_a_twin_of_the_played_card_is_refused(card: str) -> None:
    """The other card of the marriage has counted in class A already."""
    seat = Seat(RUN)
    seat.lay("KH QH")
    seat.play(card)
    seat.held += ONE_OF_KIND[Card(card)]  # drawn later
    assert seat.refusal(RUN) is Reason.ALREADY_MELDED


def test_a_pinochle_grown_into_a_double_scores_the_difference() -> None:
    seat = Seat("QS QS JD JD")
    assert [seat.lay("QS JD"), seat.lay("QS QS JD JD")] == [40, 260]


def test_a_second_pinochle_may_be_laid_as_a_single() -> None:
    seat = Seat("QS QS JD JD")
    assert [seat.lay("QS JD"), seat.lay("QS JD")] == [40, 40]
    assert seat.refusal("QS JD") is Reason.ALREADY_MELDED


def test_a_third_pinochle_scores_as_a_single() -> None:
    seat = Seat("QS QS QS JD JD JD")
    assert [seat.lay("QS QS JD JD"), seat.lay("QS JD")] == [300, 40]


def test_there_is_no_second_double_pinochle() -> None:
    seat = Seat("QS QS QS QS JD JD JD JD")
    assert seat.lay("QS QS JD JD") == 300
    assert seat.refusal("QS QS JD JD") is Reason.DOUBLED_ALREADY
    assert seat.lay("QS JD") == 40


@pytest.mark.parametrize("card", ["QS", "JD"])
def test_a_pinochle_with_a_played_card_cannot_grow(card: str) -> None:
    seat = Seat("QS JD")
    seat.lay("QS JD")
    seat.play(card)
    seat.held += hand("QS JD") + ONE_OF_KIND[Card(card)]
    assert seat.refusal("QS QS JD JD") is Reason.ALREADY_MELDED
    assert seat.lay("QS JD") == 40


def test_each_nine_of_trumps_is_a_dix_once() -> None:
    seat = Seat("9H 9H")
    assert [seat.lay("9H"), seat.lay("9H")] == [10, 10]
    assert seat.refusal("9H") is Reason.ALREADY_MELDED


def seat_without_queens_around(table: MeldTable, more: str = "") -> Seat:
    """Return a seat that laid kings around and every marriage: all eight cards on the table."""
    seat = Seat(f"{KINGS} {QUEENS} {more}", table)
    assert seat.lay(KINGS) == 80
    assert [seat.lay(f"K{s} Q{s}") for s in "SHDC"] == [20, 40, 20, 20]
    return seat


def test_a_meld_needs_a_card_from_the_hand() -> None:
    seat = seat_without_queens_around(TABLE)
    assert seat.refusal(QUEENS) is Reason.NEEDS_CARD_FROM_HAND


def test_a_twin_in_the_hand_counts_as_a_card_from_the_hand() -> None:
    seat = seat_without_queens_around(TABLE, "QS")
    assert seat.on_table("QS") == 1
    assert seat.lay(QUEENS) == 60
    assert seat.on_table("QS") == 2


def test_only_one_twin_is_laid_from_the_hand() -> None:
    seat = seat_without_queens_around(TABLE, "QS QC")
    assert seat.lay(QUEENS) == 60
    assert [seat.on_table("QS"), seat.on_table("QC")] == [2, 1]


def test_without_meld_from_hand_all_cards_may_lie_on_the_table() -> None:
    seat = seat_without_queens_around(FREE)
    assert seat.lay(QUEENS) == 60
    assert seat.refusal(QUEENS) is Reason.ALREADY_MELDED


def test_the_card_in_the_hand_is_played_before_its_twin_on_the_table() -> None:
    seat = Seat(f"{RUN} KH")
    seat.lay("KH QH")
    seat.play("KH")
    assert seat.on_table("KH") == 1
    assert seat.lay(RUN) == 110


def test_a_card_on_the_table_is_used_before_its_twin_in_the_hand() -> None:
    seat = Seat(f"{KINGS} KS QS")
    seat.lay(KINGS)
    seat.lay("KS QS")
    assert [seat.on_table("KS"), seat.on_table("QS")] == [1, 1]


def test_a_played_card_leaves_the_table() -> None:
    seat = Seat(KINGS)
    seat.lay(KINGS)
    seat.play("KD")
    assert [seat.on_table(name) for name in KINGS.split()] == [1, 1, 0, 1]


def test_layable_melds_lists_names_and_points() -> None:
    seat = Seat(f"{RUN} QS JD KS 9S")
    assert priced(tuple(layable_melds(TABLE, seat.held, seat.down, Suit.H))) == [
        ("marriage", 20),
        ("pinochle", 40),
        ("royal marriage", 40),
        ("run", 150),
    ]
    seat.lay("KH QH")
    assert priced(tuple(layable_melds(TABLE, seat.held, seat.down, Suit.H))) == [
        ("marriage", 20),
        ("pinochle", 40),
        ("run", 110),
    ]
    seat.lay(RUN)
    seat.lay("QS JD")
    seat.lay("KS QS")
    assert layable_melds(TABLE, seat.held, seat.down, Suit.H) == []


def test_meld_from_hand_costs_a_roundhouse_one_marriage() -> None:
    """Kings, three marriages, then queens with the fourth queen: 80 + 40 + 20 + 20 + 60."""
    assert total_points(best_layable_melds(TABLE, hand(f"{KINGS} {QUEENS}"), Suit.H)) == 220
    assert total_points(best_layable_melds(FREE, hand(f"{KINGS} {QUEENS}"), Suit.H)) == 240


@pytest.mark.parametrize("table", [TABLE, FREE])
def test_layable_melds_are_those_that_lay_meld_accepts(table: MeldTable) -> None:
    """Lay melds at random from a hand with two of each card until none is left."""
    rng = random.Random(1)
    for _ in range(20):
        seat = Seat(" ".join(f"{card} {card}" for card in CARDS), table)
        while offered := layable_melds(table, seat.held, seat.down, Suit.H):
            taken = []
            for meld in (candidate.results[0] for candidate in meld_candidates(table, Suit.H)):
                try:
                    taken.append(lay_meld(table, seat.held, seat.down, meld.cards, Suit.H)[0])
                except IllegalAction:
                    continue
            assert offered == taken
            seat.lay(format_cards(rng.choice(offered).cards))
            if rng.random() < 0.5:
                seat.play(str(rng.choice(unpack(seat.held))))


def test_a_pinochle_of_cards_on_the_table_takes_one_twin_from_the_hand() -> None:
    seat = Seat(f"{QUEENS} JS JH JD JC QS AS")
    seat.lay(QUEENS)
    seat.lay("JS JH JD JC")
    assert seat.lay("QS JD") == 40
    assert (seat.on_table("QS"), seat.on_table("JD"), seat.on_table("AS")) == (2, 1, 0)


def test_candidates_are_numbered_in_order() -> None:
    for trump in SUITS:
        numbers = [candidate.pattern.number for candidate in meld_candidates(TABLE, trump)]
        assert numbers == list(range(STANDARD_CANDIDATE_COUNT))
