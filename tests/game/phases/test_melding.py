"""Automatic melds: laid by every seat before the first lead, and what the table sees of them."""

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
    """Seat 1 has it for 50 with hearts. Hands are completed with tens and jacks by name."""
    hands = {0: seat_0, 1: seat_1, 2: seat_2, 3: seat_3}
    return contract(DOUBLE, deal(DOUBLE, hands), 1, 50).do("trump H")


# The eighty cards, shared so that each seat's meld is known.
LOW_1 = "KH QH " + ACES + " TS TS TS TS TD TD TD TD JC JC JC JC JS JS"
LOW_3 = "KS KS KS KS KD KD KD KD TH TH TH TH TC TC TC TC JH JH JS JS"
HIGH_0 = "KH KH KH KC KC KC KC QS QS QS QS QD QD QD QD JD JD JD JD JH"
HIGH_2 = "AS AS AS AH AH AH AD AD AD AC AC AC QH QH QH QC QC QC QC JH"


def table() -> Table:
    """Side 1 has 14 (royal marriage, aces around), side 0 has 270 and 200."""
    return double_deck(LOW_1, LOW_3, HIGH_0, HIGH_2)


def test_every_seat_melds_at_once_and_the_declarer_then_leads() -> None:
    at = table()
    events = at.all(Melded)
    assert sorted(event.seat for event in events) == [0, 1, 2, 3]
    assert {event.seat: event.points for event in events} == {0: 270, 1: 14, 2: 200, 3: 0}
    assert (at.turn, at.kind) == (1, DecisionKind.PLAY)


def test_a_side_of_20_or_more_shows_all_its_meld() -> None:
    """Four pinochles with seat 0, triple aces with seat 2."""
    shown = {event.seat: priced(event.shown) for event in table().all(Melded)}
    assert shown[0] == [("quadruple pinochle", 270)]
    assert shown[2] == [("triple aces around", 200)]


def test_double_deck_a_side_below_20_shows_nothing_but_aces_around() -> None:
    at = table()
    events = {event.seat: event for event in at.all(Melded)}
    assert [meld.name for meld in events[1].shown] == ["aces around"]
    assert events[3].shown == events[3].melds == ()
    assert events[3].seen_by(0).points is None, "that nothing is hidden is hidden as well"
    assert events[1].seen_by(0).melds is None
    assert events[1].seen_by(0).points is None
    assert events[1].seen_by(1).points == 14
    seen = {shown.seat: shown for shown in view_for(at.state, 0).melds}
    assert [meld.name for meld in seen[1].melds] == ["aces around"]
    own = {shown.seat: shown for shown in view_for(at.state, 1).melds}
    assert priced(own[1].melds) == [("aces around", 10), ("royal marriage", 4)]


def test_double_deck_aces_around_are_shown_unscored_but_kept_at_full_value_in_the_score() -> None:
    rules = DOUBLE.with_options(concede="always")
    hands = {0: HIGH_0, 1: LOW_1, 2: HIGH_2, 3: LOW_3}
    at = contract(rules, deal(rules, hands), 1, 50).do("trump H", "concede")
    assert at.score.meld == (470, 14)
    assert at.score.change == (470, -50)


@pytest.mark.parametrize(
    ("diamonds", "points", "shown"), [("QD QD", 10, True), ("QD TC", 8, False)]
)
def test_the_20_for_meld_is_the_sides_combined_meld(
    diamonds: str, points: int, shown: bool
) -> None:
    """Aces around with seat 1; three marriages in spades and one or two in diamonds with 3."""
    one = LOW_1.replace("KH QH", "KH QC")
    three = f"KS KS KS KS KD KD KD KD TH TH TH TH QS QS QS {diamonds} JH JS JS"
    rules = DOUBLE.with_options(marriage_needed=False)
    at = contract(rules, deal(rules, {1: one, 3: three}), 1, 50).do("trump H")
    events = {event.seat: event for event in at.all(Melded)}
    assert (events[1].points, events[3].points) == (10, points)
    assert [meld.name for meld in events[1].shown] == ["aces around"]
    assert (events[3].shown == events[3].melds) is shown
    assert bool(events[3].shown) is shown


def test_double_deck_a_side_with_19_shows_nothing() -> None:
    """A run 15 with seat 1, two marriages 4 with seat 3: one short of the 20."""
    run = "AH TH KH QH JH " + "TS TS TS TS TD TD TD TD TC TC TC TC TH TH TH"
    marriages = "KS QS KD QD " + "KS KS KS KD KD KD AS AS AS AS JC JC JC JC JS JS"
    at = contract(DOUBLE, deal(DOUBLE, {1: run, 3: marriages}), 1, 50).do("trump H")
    events = {event.seat: event for event in at.all(Melded)}
    assert (events[1].points, events[3].points) == (15, 4)
    assert events[1].shown == events[3].shown == ()
    assert not events[1].open
    assert not events[3].open


def test_elsewhere_everything_is_shown() -> None:
    dealt = deal(PARTNERS, {1: "KS QS"})
    at = contract(PARTNERS.with_options(exchange=0), dealt, 1, 250).do("trump H")
    for event in at.all(Melded):
        assert event.shown == event.melds == event.seen_by(None).melds


def test_the_automatic_meld_is_the_highest_scoring_one() -> None:
    """The run takes its own king and queen; the extra pair stays with it at 230, not 190."""
    mine = "AH TH KH KH QH QH JH QS JD KS 9H 9H"
    at = contract(PARTNERS.with_options(exchange=0), deal(PARTNERS, {1: mine}), 1, 250).do(
        "trump H"
    )
    (event,) = [event for event in at.all(Melded) if event.seat == 1]
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
    at = contract(
        variants.FIVE_CARD.with_options(players=2),
        deal(
            variants.FIVE_CARD.with_options(players=2), {1: "9S 9D 9C JS JC", 0: "AS TS KS AH TH"}
        ),
        1,
        1,
    ).do("trump H", "discard", "discard")
    assert [(event.points, event.melds) for event in at.all(Melded)] == [(0, ()), (0, ())]
    assert [laid.points for laid in at.state.deal.laid] == [0, 0]


def test_melded_cards_stay_in_the_hand() -> None:
    at = contract(PARTNERS.with_options(exchange=0), deal(PARTNERS, {1: "KS QS"}), 1, 250).do(
        "trump H"
    )
    assert set(parse_cards("KS QS")) <= set(at.state.hand(1))
    assert len(at.state.hand(1)) == 12
