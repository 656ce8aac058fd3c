"""What bids and cards say at a table, natural bots, and the counting trainer."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from acesaround import game
from acesaround.bots.call_meanings import meaning_of_call
from acesaround.cards import Card, Rank
from acesaround.game.state import DecisionKind, Playing
from acesaround.game.view import turn_of, view_for
from acesaround.table import Config, Person, Table, fold
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.screen_checks import CheckScreen
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_asked_for
from tests.browser.table_setup import open_stored_table
from tests.browser.viewports import PHONE
from tests.table.table_log import play_table_until

ASKED_TO_BID = is_asked_for(DecisionKind.BID)


def is_asked_after_convention(table: Table) -> bool:
    """Return True if seat 0 is to bid, and the last call was a bid by the convention."""
    if not ASKED_TO_BID(table):
        return False
    assert table.game is not None
    view = view_for(table.game, None)
    if not view.auction or view.auction[-1].bid is None:
        return False
    meaning = meaning_of_call(view, view.auction[:-1], view.auction[-1])
    return meaning is not None and meaning.is_convention


def is_last_of_fourth_trick(table: Table) -> bool:
    """Return True if seat 0 is about to win the fourth trick of the first deal, with any card."""
    state = table.game
    return (
        state is not None
        and isinstance(state.phase, Playing)
        and (state.deals, len(state.deal.tricks), len(state.phase.cards)) == (0, 3, 3)
        and turn_of(state) == 0
        and all(turn_of(game.apply(state, action)[0]) == 0 for action in game.decision(state).legal)
    )


def aces_out(table: Table, played: Card) -> set[str]:
    """Return the suits of which seat 0 does not see all aces, after it has played a card."""
    state = table.game
    assert state is not None
    assert isinstance(state.phase, Playing)
    seen = [*state.hand(0), *state.phase.cards, played]
    seen.remove(played)
    seen += [card for trick in state.deal.tricks for card in trick.cards]
    aces = [card for card in seen if card.rank is Rank.ACE]
    return {
        suit.word
        for suit in {card.suit for card in table.rules.deck.cards}
        if sum(card.suit is suit for card in aces) < table.rules.deck.copies
    }


def test_a_bid_says_what_it_shows_when_it_is_tapped(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    entries = play_table_until(Config("double-deck", 4), person, is_asked_after_convention)
    visitor = open_stored_table(new_visitor, server, "alert", entries)
    check_screen(visitor, "alert")
    auction = visitor.page.get_by_role("table", name="Auction")
    visitor.press(auction.get_by_role("button", name=re.compile(r"^Explain \d+: ")).last)
    expect(visitor.panel("What it means")).to_contain_text("By convention, 5")
    visitor.close_panel()
    own = visitor.button(re.compile(r"^\d+: "))
    before = own.inner_text()
    visitor.press(visitor.button("Higher"))
    expect(own).not_to_have_text(before)
    visitor.press(own)
    expect(visitor.panel("What it means")).to_contain_text(own.inner_text().split(":")[0])
    visitor.close_panel()


def test_natural_bots_promise_nothing(
    new_visitor: NewVisitor, server: Server, person: Person
) -> None:
    config = Config("double-deck", 4, natural=True)
    entries = play_table_until(config, person, is_asked_after_convention)
    visitor = open_stored_table(new_visitor, server, "natural", entries)
    auction = visitor.page.get_by_role("table", name="Auction")
    visitor.press(auction.get_by_role("button", name=re.compile(r"^Explain \d+: ")).last)
    expect(visitor.panel("What it means")).to_contain_text("can usually make")
    visitor.close_panel()
    visitor.open_menu_item("Rules")
    expect(visitor.panel("Rules")).to_contain_text("The bots play without conventions here")


def test_form_offers_natural_bots_where_there_is_a_convention(new_visitor: NewVisitor) -> None:
    visitor: Visitor = new_visitor()
    visitor.open_house_rules("partnership")
    expect(visitor.page.get_by_label("Conventions of bots")).to_have_count(0)
    visitor.open_house_rules("double-deck")
    visitor.select_option("Conventions of bots", "None: natural bots")
    visitor.wait_for_rules_text("What a bid says")


def test_counting_trainer_asks_which_aces_are_out(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    entries = play_table_until(Config("partnership", 4), person, is_last_of_fourth_trick)
    visitor = open_stored_table(
        new_visitor, server, "counting", entries, settings={"counting": True}, viewport=PHONE
    )
    position = visitor.legal_positions()[0]
    played = Card(visitor.hand()[position])
    visitor.press(visitor.hand_card(position), card=True)
    trainer = visitor.panel("Counting trainer")
    expect(trainer).to_contain_text("Which suits still have an ace out?")
    check_screen(visitor, "counting")
    for suit in aces_out(fold(entries), played):
        visitor.press(trainer.get_by_role("button", name=suit))
    visitor.press(trainer.get_by_role("button", name=re.compile("Done|None of them")))
    expect(trainer.get_by_role("status")).to_contain_text("Right!")
    expect(trainer).to_contain_text("1 of 1 right so far.")
    visitor.press(trainer.get_by_role("button", name="Ask no more"))
    expect(trainer).to_have_count(0)
    settings = visitor.page.evaluate("() => JSON.parse(localStorage['acesaround.settings'])")
    assert settings["counting"] is False
    assert settings["counted"] == {"right": 1, "asked": 1}


def test_counting_trainer_is_off_unless_chosen(
    new_visitor: NewVisitor, server: Server, person: Person
) -> None:
    entries = play_table_until(Config("partnership", 4), person, is_last_of_fourth_trick)
    visitor = open_stored_table(new_visitor, server, "no-counting", entries)
    visitor.press(visitor.hand_card(visitor.legal_positions()[0]), card=True)
    visitor.wait_for_seq_after(len(entries))
    visitor.wait_until_settled()
    expect(visitor.panel("Counting trainer")).to_have_count(0)
