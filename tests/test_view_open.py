"""The cards of other hands that a view shows: melded cards on the table, and cards taken openly."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.cards import Card, parse_cards, unpack
from acesaround.game.events import MeldLaid, Played, UpcardExchanged
from acesaround.game.state import Playing, StockPlaying, UpcardTaken
from acesaround.game.view import (
    TableHistory,
    Undone,
    known_melded_cards,
    known_taken_cards,
    played_since,
    view_for,
)
from acesaround.rules import Rules
from acesaround.rules.melds import Meld, MeldKind
from tests.game.phases.two_handed import MINE, table_after_first_trick, two_handed_table, win_trick
from tests.random_games import turns
from tests.scripted_games import Table

TWO = variants.TWO_HANDED
STOCKS = [
    TWO,
    TWO.with_options(players=3),
    TWO.with_options(players=4),
    TWO.with_options(players=3, deck="24-each"),
]


def cards(text: str) -> Counter[Card]:
    """Return the cards in a text, counted."""
    return Counter(parse_cards(text))


def known(table: Table, seat: int = 1, *undone: Undone) -> Counter[Card]:
    """Return the cards that a seat took openly and still holds."""
    return known_taken_cards(view_for(table.state, None, TableHistory(undone=undone)), seat)


@pytest.mark.parametrize("rules", [*STOCKS, variants.THREE_HANDED, variants.PARTNERSHIP])
def test_the_cards_played_since_a_trick_are_those_of_the_seat(
    rules: Rules,
) -> None:
    played: list[tuple[int, int, Card]] = []  # tricks complete before it, seat, card
    for turn in turns(rules, 5, deals=1):
        for event in turn.events:
            if isinstance(event, Played):
                played.append((len(turn.before.deal.tricks), event.seat, event.card))
        if turn.after.deals:
            break
        seen = view_for(turn.after, None)
        for seat in range(rules.seats):
            for after in (0, 1, len(seen.tricks)):
                mine = [card for when, who, card in played if who == seat and when >= after]
                assert played_since(seen, seat, after) == Counter(mine)


@pytest.mark.parametrize("rules", STOCKS)
def test_cards_on_the_table_are_held_until_they_are_played(rules: Rules) -> None:
    """In the play-off the cards are back in the hand, and known to be there."""
    found = {StockPlaying: 0, Playing: 0}
    for seed in range(30):
        lay = [Counter[Card]() for _ in range(rules.seats)]
        gone = [Counter[Card]() for _ in range(rules.seats)]
        for turn in turns(rules, seed, deals=1):
            phase = turn.after.phase
            if turn.after.deals or not isinstance(phase, StockPlaying | Playing):
                continue
            if isinstance(phase, StockPlaying):
                lay = [Counter(unpack(down.cards)) for down in phase.laid_melds]
            elif isinstance(turn.before.phase, StockPlaying):
                last = (
                    turn.before.phase.laid_melds
                )  # what lay before the last card of the stock phase
                lay = [Counter(unpack(down.cards)) for down in last]
                (played,) = [event for event in turn.events if isinstance(event, Played)]
                hand = Counter(unpack(turn.after.hands[played.seat]))
                lay[played.seat] &= hand
            else:
                for event in turn.events:
                    if isinstance(event, Played):
                        gone[event.seat][event.card] += 1
            for seat in range(rules.seats):
                open_cards = known_melded_cards(view_for(turn.after, None), seat)
                assert not open_cards - Counter(unpack(turn.after.hands[seat]))
                found[type(phase)] += open_cards.total()
                if isinstance(phase, StockPlaying):
                    assert open_cards == lay[seat]
                else:
                    assert open_cards == lay[seat] - gone[seat]
    assert all(found.values())


@pytest.mark.parametrize("rules", STOCKS)
def test_known_taken_cards_are_always_held(rules: Rules) -> None:
    found = 0
    for seed in range(12):
        for turn in turns(rules, seed, deals=1):
            if turn.after.deals:
                break
            for seat in range(rules.seats):
                took = known_taken_cards(view_for(turn.after, None), seat)
                assert not took - Counter(unpack(turn.after.hands[seat]))
                found += took.total()
    assert found


def test_the_card_taken_for_a_nine_is_known_until_it_is_played() -> None:
    table = table_after_first_trick()
    assert known(table) == cards("")
    table.do("meld 9H")
    assert table.all(UpcardExchanged)
    assert known(table) == cards("KH")
    assert known(table, 0) == cards("")
    assert known(table.do("play KH")) == cards(""), "that it holds another king nobody knows"


def test_a_card_taken_beside_its_twin_on_the_table_counts_as_two() -> None:
    table = win_trick(table_after_first_trick().do("meld KH QH"), "AH").do("meld 9H")
    assert known(table) == cards("KH KH")
    assert known(table.do("play KH")) == cards("KH")


def test_a_twin_played_before_the_exchange_does_not_count() -> None:
    assert known(
        win_trick(table_after_first_trick().do("meld KH QH"), "KH").do("meld 9H")
    ) == cards("KH")


def test_two_taken_cards_are_known_until_they_are_played() -> None:
    table = win_trick(table_after_first_trick().do("meld KH QH"), "AH").do("meld 9H")
    first = len(table.state.deal.tricks)
    table = win_trick(table, "TH")
    seen = view_for(table.do("play KH").state, None)
    drawn = UpcardTaken(1, Card("9C"), None, first + 1)
    assert known_taken_cards(replace(seen, taken=(*seen.taken, drawn)), 1) == cards("KH 9C")


def test_a_nine_taken_for_a_nine_counts_once() -> None:
    table = win_trick(two_handed_table(mine=MINE.replace("9H 9H", "9H KC"), upcard="9H"), "AS").do(
        "meld 9H"
    )
    assert known(table) == cards("9H")


def test_cards_of_undone_melds_are_known_until_they_are_played() -> None:
    table = table_after_first_trick()
    after = len(table.state.deal.tricks)
    marriage = Meld("royal marriage", parse_cards("KH QH"), 40, MeldKind.ROYAL_MARRIAGE)
    shown = [
        Undone(after, (Played(1, Card("AH")),)),
        Undone(after, (MeldLaid(1, marriage),)),
    ]
    assert known(table, 1, *shown) == cards("AH KH QH")
    assert known(table, 0, *shown) == cards("")
    table.do("play KH")
    assert known(table, 1, *shown) == cards("AH QH")


def test_a_nine_of_an_undone_exchange_is_known_until_it_is_exchanged() -> None:
    table = table_after_first_trick()
    after = len(table.state.deal.tricks)
    dix = Meld("dix", parse_cards("9H"), 10, MeldKind.DIX)
    seen = view_for(table.state, None, TableHistory(undone=(Undone(after, (MeldLaid(1, dix),)),)))
    assert known_taken_cards(seen, 1) == cards("9H")
    nine, king = Card("9H"), Card("KH")
    by_the_other = replace(seen, taken=(UpcardTaken(0, king, nine, after),))
    assert known_taken_cards(by_the_other, 1) == cards("9H")
    by_itself = replace(seen, taken=(UpcardTaken(1, king, nine, after),))
    assert known_taken_cards(by_itself, 1) == cards("KH")
    before_that = replace(seen, taken=(UpcardTaken(1, king, nine, after - 1),))
    assert known_taken_cards(before_that, 1) == cards("KH 9H")
