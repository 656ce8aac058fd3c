from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from acesaround import variants
from acesaround.cards import Suit, parse_cards
from acesaround.game.events import DealScored, Dealt, Melded, TrickWon
from acesaround.game.narration import Names, narrate
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.melds import MeldKind, single_meld
from acesaround.rules.scoring import DealScore, Outcome, card_points
from acesaround.terminal import info_pages, prompts, side_panel, summary
from acesaround.terminal.hand import BIG_CARD, SMALL_CARD, arrange_cards
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.session import Session, assign_bots
from acesaround.terminal.table_snapshot import TableSnapshot
from acesaround.terminal.table_widget import draw_table
from tests.scripted_games import contract, deal

HAND = parse_cards("AS TS KS QS JS AH AH TH QH JH AD TD KD QD JD AC KC QC JC JC")


@pytest.mark.parametrize("count", range(1, 21))
@pytest.mark.parametrize("width", [40, 80, 120, 160])
@pytest.mark.parametrize("card", [SMALL_CARD, BIG_CARD])
def test_cards_of_a_hand_do_not_overlap_and_stay_inside(
    count: int, width: int, card: tuple[int, int]
) -> None:
    places = arrange_cards(HAND[:count], width, card)
    assert len(places) == count
    for place, following in itertools.pairwise(places):
        assert following.y > place.y or following.x >= place.x + card[0]
    assert all(0 <= place.x <= width - card[0] for place in places)


@pytest.mark.parametrize(("variant", "players"), [("five-card", n) for n in range(2, 10)])
@pytest.mark.parametrize("size", [(50, 12), (50, 16), (84, 26), (120, 40)])
def test_all_names_and_cards_of_a_full_trick_are_drawn(
    tmp_path: Path, variant: str, players: int, size: tuple[int, int]
) -> None:
    rules = variants.get(variant, players)
    session = Session.new(tmp_path, rules, 0, assign_bots(rules, 0, ["random"]), SaveSettings(1))
    session.add_entries([session.next_automatic_entry()])
    seat_names = Names(rules, 0)
    cards = parse_cards("AS TH KD QC JS 9H AD TC KS")[:players]
    trick = tuple(enumerate(cards))
    drawn = draw_table(
        TableSnapshot(session.view, seat_names, trick, winner=1, turn=0), *size
    ).plain
    assert {len(line) for line in drawn.split("\n")} == {size[0]}
    assert len(drawn.split("\n")) == size[1]
    assert all(name in drawn for name in seat_names.names)
    assert all(card.pretty in drawn for card in cards)


def test_the_panel_stays_within_its_size(tmp_path: Path) -> None:
    rules = variants.get("five-card", 9)
    session = Session.new(tmp_path, rules, 0, assign_bots(rules, 0, ["random"]), SaveSettings(1))
    session.add_entries([session.next_automatic_entry()])
    snapshot = TableSnapshot(
        session.view, Names(rules, 0), log_lines=["A long sentence about what has happened."] * 9
    )
    for height in (13, 16, 40):
        drawn = side_panel.panel_lines(snapshot, 26, height)
        assert len(drawn) <= height
        assert all(len(line) <= 26 for line in drawn)


def draw_deal_end(
    rules: Rules,
    outcome: Outcome,
    *,
    meld: tuple[int, ...],
    play: tuple[int, ...],
    change: tuple[int, ...],
    tricks: str = "",
    nines: int = 0,
    buried: str = "",
) -> str:
    """Return the end page of a deal that seat 1 declared at 250 (or 5 on the small scale)."""
    small = rules.ending.target < 100
    deal_events: list[Dealt | Melded | TrickWon] = []
    if nines:
        dix = single_meld(MeldKind.DIX, parse_cards("9H"), 1)
        deal_events.append(Melded(0, (dix,) * nines, nines, (dix,) * nines))
    if tricks:
        deal_events.append(TrickWon(1, 1, parse_cards(tricks), 0))
    score = DealScore(outcome, 5 if small else 250, 1, Suit.H, meld, play, change)
    scored = DealScored(score, change, parse_cards(buried))
    assert len(rules.sides) == len(change)
    return summary.deal_end_page(deal_events, scored, Names(rules, 0)).plain


def test_the_end_page_explains_a_made_bid_and_lost_meld() -> None:
    page = draw_deal_end(
        variants.get("three-handed"),
        Outcome.MADE,
        meld=(40, 150, 0),
        play=(60, 150, 40),
        change=(100, 300, 40),
        tricks="AH TH KH",
    )
    assert "Ben had bid 250 and made it: meld 150 + play 150 = 300." in page
    assert "You won no counter, so the meld does not count." in page


def test_both_pages_of_a_scored_deal_list_the_buried_cards_with_their_points() -> None:
    rules = variants.get("three-handed")
    page = draw_deal_end(
        rules,
        Outcome.MADE,
        meld=(0, 250, 0),
        play=(60, 150, 40),
        change=(60, 400, 40),
        buried="AS TS 9D",
    )
    points = card_points(rules, parse_cards("AS TS 9D"))
    assert f"Buried cards: A♠ 10♠ 9♦, {points} points." in page
    score = DealScore(Outcome.MADE, 250, 1, Suit.H, (0, 250, 0), (60, 150, 40), (60, 400, 40))
    scored = DealScored(score, score.change, parse_cards("AS TS 9D"))
    deal_page = info_pages.deal_page([scored], Names(rules, 0)).plain
    assert f"Buried cards: A♠ 10♠ 9♦, {points} points." in deal_page


def test_the_end_page_lists_partners_as_a_sentence_does() -> None:
    page = draw_deal_end(
        variants.get("partnership"),
        Outcome.MADE,
        meld=(40, 150),
        play=(0, 250),
        change=(0, 400),
        tricks="AH TH KH QH",
    )
    assert "You and Cleo won no" in page


def test_the_end_page_says_by_how_much_the_declarer_was_set() -> None:
    page = draw_deal_end(
        variants.get("three-handed"),
        Outcome.SET,
        meld=(0, 150, 0),
        play=(100, 90, 60),
        change=(100, -250, 60),
        tricks="AH TH KH",
    )
    assert "Ben had bid 250 and was set, 10 short: meld 150 + play 90 = 240." in page
    assert "-250" in page


def test_the_end_page_names_nines_that_count_without_meld() -> None:
    page = draw_deal_end(
        variants.get("five-card", 3),
        Outcome.MADE,
        meld=(5, 3, 0),
        play=(0, 6, 0),
        change=(1, 9, 0),
        tricks="AH TH KH",
        nines=1,
    )
    assert "You won no point, so the meld does not count, except 1 for nines of trump." in page


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        (Outcome.CONCEDED, "Ben had bid 250 and gave up before the first lead"),
        (Outcome.NO_MARRIAGE, "Ben had bid 250 but held no marriage"),
        (Outcome.THROWN_IN, "Everybody passed: nobody scores"),
    ],
)
def test_the_end_page_explains_early_ends(outcome: Outcome, sentence: str) -> None:
    none = (0, 0, 0)
    page = draw_deal_end(variants.get("three-handed"), outcome, meld=none, play=none, change=none)
    assert sentence in page


def test_who_is_waited_for_and_for_what() -> None:
    rules = variants.get("partnership")
    at = contract(rules, deal(rules, {}), 2, 250).do("trump H")
    texts = [prompts.waiting_text(view_for(at.state, seat), Names(rules, seat)) for seat in (0, 1)]
    assert texts[0].startswith("Your turn to pass cards …")
    assert texts[1].startswith("Ada's turn to pass cards …")


def test_the_number_of_discards_is_narrated_after_all_have_chosen() -> None:
    rules = variants.get("five-card", 3)
    table = contract(rules, deal(rules, {}), 1, 6).do("trump H")
    names, before = Names(rules, 0), len(table.events)
    table.do("discard " + str(table.state.hand(1)[0]), "discard")
    seen = [event.seen_by(0) for event in table.events[before:]]
    assert narrate(seen, names) == [f"{name} has decided." for name in names.names[1:3]]
    before = len(table.events)
    table.do("discard")
    after = narrate([event.seen_by(0) for event in table.events[before:]], names)
    assert after[:2] == ["You have decided.", f"{names.names[1]} exchanges 1 card."]
