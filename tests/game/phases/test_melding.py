"""Automatic melds: laid by every seat before the first lead, and shown by the side's total."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.cards import parse_cards
from acesaround.game.events import Melded
from acesaround.game.state import DecisionKind
from acesaround.game.view import view_for
from tests.scripted_games import Table, contract, deal, priced

DOUBLE, PARTNERS = variants.DOUBLE_DECK, variants.PARTNERSHIP
# Hearts are trump. Side 1: royal marriage 4 and aces around 10. Side 0: a marriage 2 and aces
# around 10 with seat 0, kings around 8 with seat 2, whose queens match no king.
ACES = "AS AH AD AC"


def double_deck(seat_1: str, seat_3: str, seat_0: str, seat_2: str) -> Table:
    """Return a double-deck table where seat 1 declared hearts at 50."""
    hands = {0: seat_0, 1: seat_1, 2: seat_2, 3: seat_3}
    return contract(DOUBLE, deal(DOUBLE, hands), 1, 50).do("trump H")


LOW_1 = "KH QH " + ACES + " TS TS TS TS TD TD TD TD JC JC JC JC JS JS"
LOW_3 = "KS KS KS KS KD KD KD KD TH TH TH TH TC TC TC TC JH JH JS JS"
HIGH_0 = "KH KH KH KC KC KC KC QS QS QS QS QD QD QD QD JD JD JD JD JH"
HIGH_2 = "AS AS AS AH AH AH AD AD AD AC AC AC QH QH QH QC QC QC QC JH"


def table_with_low_meld() -> Table:
    """Return a table where side 1 melds 14 (royal marriage, aces around), side 0 270 and 200."""
    return double_deck(LOW_1, LOW_3, HIGH_0, HIGH_2)


def test_every_seat_melds_at_once_and_the_declarer_then_leads() -> None:
    table = table_with_low_meld()
    events = table.all(Melded)
    assert sorted(event.seat for event in events) == [0, 1, 2, 3]
    assert {event.seat: event.points for event in events} == {0: 270, 1: 14, 2: 200, 3: 0}
    assert (table.turn, table.kind) == (1, DecisionKind.PLAY)


def test_a_side_of_20_or_more_shows_all_its_meld() -> None:
    """Four pinochles with seat 0, triple aces with seat 2."""
    shown = {event.seat: priced(event.shown) for event in table_with_low_meld().all(Melded)}
    assert shown[0] == [("quadruple pinochle", 270)]
    assert shown[2] == [("triple aces around", 200)]


def test_double_deck_a_side_below_20_shows_only_aces_around() -> None:
    table = table_with_low_meld()
    events = {event.seat: event for event in table.all(Melded)}
    assert [meld.name for meld in events[1].shown] == ["aces around"]
    assert events[3].shown == events[3].melds == ()
    assert events[3].seen_by(0).points is None, "that a seat has no meld is hidden too"
    assert events[1].seen_by(0).melds is None
    assert events[1].seen_by(0).points is None
    assert events[1].seen_by(1).points == 14
    seen = {shown.seat: shown for shown in view_for(table.state, 0).melds}
    assert [meld.name for meld in seen[1].melds] == ["aces around"]
    own = {shown.seat: shown for shown in view_for(table.state, 1).melds}
    assert priced(own[1].melds) == [("aces around", 10), ("royal marriage", 4)]


def test_double_deck_hidden_meld_counts_in_the_score() -> None:
    rules = DOUBLE.with_options(concede="always")
    hands = {0: HIGH_0, 1: LOW_1, 2: HIGH_2, 3: LOW_3}
    table = contract(rules, deal(rules, hands), 1, 50).do("trump H", "concede")
    assert table.score.meld == (470, 14)
    assert table.score.change == (470, -50)


@pytest.mark.parametrize(
    ("diamonds", "points", "shown"), [("QD QD", 10, True), ("QD TC", 8, False)]
)
def test_the_20_for_meld_is_the_combined_meld_of_a_side(
    diamonds: str, points: int, shown: bool
) -> None:
    """Aces around with seat 1; three marriages in spades and one or two in diamonds with 3."""
    hand_1 = LOW_1.replace("KH QH", "KH QC")
    hand_3 = f"KS KS KS KS KD KD KD KD TH TH TH TH QS QS QS {diamonds} JH JS JS"
    rules = DOUBLE.with_options(marriage_needed=False)
    table = contract(rules, deal(rules, {1: hand_1, 3: hand_3}), 1, 50).do("trump H")
    events = {event.seat: event for event in table.all(Melded)}
    assert (events[1].points, events[3].points) == (10, points)
    assert [meld.name for meld in events[1].shown] == ["aces around"]
    assert (events[3].shown == events[3].melds) is shown
    assert bool(events[3].shown) is shown


def test_double_deck_a_side_with_19_shows_nothing() -> None:
    """A run 15 with seat 1, two marriages 4 with seat 3: one short of the 20."""
    run = "AH TH KH QH JH " + "TS TS TS TS TD TD TD TD TC TC TC TC TH TH TH"
    marriages = "KS QS KD QD " + "KS KS KS KD KD KD AS AS AS AS JC JC JC JC JS JS"
    table = contract(DOUBLE, deal(DOUBLE, {1: run, 3: marriages}), 1, 50).do("trump H")
    events = {event.seat: event for event in table.all(Melded)}
    assert (events[1].points, events[3].points) == (15, 4)
    assert events[1].shown == events[3].shown == ()
    assert not events[1].open
    assert not events[3].open


def test_partnership_shows_all_melds() -> None:
    dealt = deal(PARTNERS, {1: "KS QS"})
    table = contract(PARTNERS.with_options(exchange=0), dealt, 1, 250).do("trump H")
    for event in table.all(Melded):
        assert event.shown == event.melds == event.seen_by(None).melds


def test_the_automatic_meld_scores_the_most() -> None:
    """Run and marriage together count 230, apart only 190."""
    hands = {1: "AH TH KH KH QH QH JH QS JD KS 9H 9H"}
    table = contract(PARTNERS.with_options(exchange=0), deal(PARTNERS, hands), 1, 250)
    table.do("trump H")
    (event,) = [event for event in table.all(Melded) if event.seat == 1]
    assert event.melds is not None
    assert priced(event.melds) == [
        ("dix", 10),
        ("dix", 10),
        ("marriage", 20),
        ("pinochle", 40),
        ("run and marriage", 230),
    ]
    assert event.points == 310


def test_a_seat_without_meld_lays_nothing() -> None:
    rules = variants.FIVE_CARD.with_options(players=2)
    hands = {1: "9S 9D 9C JS JC", 0: "AS TS KS AH TH"}
    table = contract(rules, deal(rules, hands), 1, 1).do("trump H", "discard", "discard")
    assert [(event.points, event.melds) for event in table.all(Melded)] == [(0, ()), (0, ())]
    assert [laid.points for laid in table.state.deal.laid] == [0, 0]


def test_melded_cards_stay_in_the_hand() -> None:
    dealt = deal(PARTNERS, {1: "KS QS"})
    table = contract(PARTNERS.with_options(exchange=0), dealt, 1, 250).do("trump H")
    assert set(parse_cards("KS QS")) <= set(table.state.hand(1))
    assert len(table.state.hand(1)) == 12
