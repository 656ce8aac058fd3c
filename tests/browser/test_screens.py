"""Every screen: its layout in all viewports, its accessibility, and pictures in `make soak`."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from acesaround import game
from acesaround.actions import Play
from acesaround.game.state import Bidding, DecisionKind, Playing
from acesaround.game.view import turn_of
from acesaround.table import Config, Person, Table
from tests.browser.layout_checks import WIDE_FONT, find_layout_faults
from tests.browser.page_objects.browser_page import NOT_FOUND_ERROR
from tests.browser.page_objects.table_page import DEAL_OVER, GAME_OVER
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.screen_checks import CheckScreen
from tests.browser.server_process import Server
from tests.browser.table_conditions import (
    can_claim_several_cards,
    has_unplayable_card,
    holds_last_card,
    is_asked_for,
    is_game_over,
    is_mid_trick,
    is_stock_play,
)
from tests.browser.table_setup import LONG_NAMES, open_stored_table
from tests.browser.viewports import PHONE
from tests.table.table_log import play_table_until

# The headings of a table that cards cover. Cards let taps through, so they are made to answer.
FIND_COVERED_HEADINGS = """(table) => {
  const layer = document.querySelector('.layer');
  layer.style.pointerEvents = 'auto';
  const covered = [...table.querySelectorAll('thead th')].filter((heading) => {
    const { x, y, width } = heading.getBoundingClientRect();
    return [0.2, 0.5, 0.8].some((part) =>
      document.elementFromPoint(x + part * width, y + 4).closest('.card'));
  });
  layer.style.pointerEvents = '';
  return covered.map((heading) => heading.textContent);
}"""


def can_concede(table: Table) -> bool:
    """Return True if seat 0 may give up."""
    phase = table.game and table.game.phase
    return isinstance(phase, Playing) and phase.may_concede and phase.turn == 0


def is_before_first_card(table: Table) -> bool:
    """Return True if seat 0 is to play its first card, after melds have been shown."""
    state = table.game
    return (
        state is not None
        and isinstance(state.phase, Playing)
        and len(state.hand(0)) == table.rules.hand_size
        and turn_of(state) == 0
    )


def has_scored_deal(table: Table) -> bool:
    """Return True if a deal has been scored."""
    return len(table.sheet) == 1


def test_first_page_and_house_rules(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    server.store_table(
        "of-ada", play_table_until(Config("two-handed", 2, public=True), person, is_stock_play)
    )
    visitor: Visitor = new_visitor(person=person)
    visitor.open_home()
    check_screen(visitor, "home")
    visitor.press(visitor.button("Settings"))
    visitor.panel().wait_for()
    check_screen(visitor, "home-settings")
    visitor.open_house_rules("double-deck")
    check_screen(visitor, "house-rules")
    visitor.select_option("Giving up", "Always")
    check_screen(visitor, "house-rules-changed")
    visitor.set_up_table()
    check_screen(visitor, "room")


def test_own_game_form(new_visitor: NewVisitor, check_screen: CheckScreen, person: Person) -> None:
    visitor: Visitor = new_visitor(person=person)
    visitor.open_own_game("partnership")
    check_screen(visitor, "own-game")
    for part in ("Deal", "Auction", "Melds", "Scoring"):
        visitor.toggle_section(part)
    visitor.fill_field("Pinochle, 1", "50")
    visitor.wait_for_rules_text("with 1 house rule")
    check_screen(visitor, "own-game-changed")
    visitor.fill_field("Pinochle, 2", "5")
    visitor.page.get_by_text("1 thing to fix").first.wait_for()
    check_screen(visitor, "own-game-refused")


def test_first_page_of_a_newcomer(new_visitor: NewVisitor, check_screen: CheckScreen) -> None:
    visitor: Visitor = new_visitor()
    visitor.open_home()
    check_screen(visitor, "home-new")


def test_auction(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    for variant, players in (("partnership", 4), ("double-deck", 4), ("five-card", 4)):
        entries = play_table_until(
            Config(variant, players), person, is_asked_for(DecisionKind.BID, after_seq=5)
        )
        check_screen(
            open_stored_table(new_visitor, server, f"auction-{variant}", entries),
            f"auction-{variant}",
        )


def test_cards_cover_no_name_above_the_auction_table(
    new_visitor: NewVisitor, server: Server, person: Person
) -> None:
    others = tuple(Person(f"{name} of {person.id}", name) for name in ("Ben", "Cleo", "Dan"))

    def is_third_round(table: Table) -> bool:
        in_auction = table.game is not None and isinstance(table.game.phase, Bidding)
        return in_auction and not table.sheet and table.seq > 15

    entries = play_table_until(Config("partnership", 4), person, is_third_round, others=others)
    visitor = open_stored_table(new_visitor, server, "auction-names", entries)
    visitor.resize({"width": 360, "height": 740})
    auction = visitor.page.get_by_role("table", name="Auction")
    expect(auction.locator("tbody tr")).to_have_count(3)
    visitor.wait_until_nothing_moves()
    assert auction.evaluate(FIND_COVERED_HEADINGS) == []


def test_decisions_before_play(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    for name, variant, players, kind in (
        ("bury", "three-handed", 3, DecisionKind.BURY),
        ("trump", "double-deck", 4, DecisionKind.TRUMP),
        ("give", "partnership", 4, DecisionKind.GIVE),
        ("discard", "five-card", 4, DecisionKind.DISCARD),
    ):
        visitor = open_stored_table(
            new_visitor,
            server,
            name,
            play_table_until(Config(variant, players), person, is_asked_for(kind)),
        )
        check_screen(visitor, name)
        if kind in (DecisionKind.BURY, DecisionKind.GIVE, DecisionKind.DISCARD):
            for place in (1, 2):
                visitor.press(visitor.hand_card(place), card=True)
            check_screen(visitor, f"{name}-chosen")


def test_wide_font_cuts_off_no_choice_in_the_auction(
    new_visitor: NewVisitor, server: Server, person: Person
) -> None:
    for name, kind in (("trump", DecisionKind.TRUMP), ("bid", DecisionKind.BID)):
        entries = play_table_until(
            Config("double-deck", 4), person, is_asked_for(kind, after_seq=3)
        )
        visitor = open_stored_table(new_visitor, server, f"wide-{name}", entries)
        page = visitor.page
        if kind is DecisionKind.BID:
            visitor.take_action()  # so that it may be taken back
            assert visitor.wait_until_asked()["asks"] == "bid"
        page.add_style_tag(content=WIDE_FONT)
        for width in (390, 360, 320):
            visitor.resize({"width": width, "height": 740})
            # What was called lies over cards for a moment.
            assert [fault for fault in find_layout_faults(page) if "div.call" not in fault] == [], (
                width
            )
            if kind is DecisionKind.TRUMP:
                question = page.locator(".ask")
                assert question.evaluate("(it) => getComputedStyle(it).clipPath") == "none"
            else:
                plate, row = page.locator(".me").bounding_box(), page.locator(".bid").bounding_box()
                assert plate is not None
                assert row is not None
                assert plate["y"] + plate["height"] <= row["y"] + 2, width


def test_shown_melds(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    """Naming trump shows them, so the game is taken up just before."""
    for variant, players in (("three-handed", 3), ("double-deck", 4)):
        entries = play_table_until(
            Config(variant, players), person, is_asked_for(DecisionKind.TRUMP)
        )
        visitor = open_stored_table(new_visitor, server, f"melds-{variant}", entries)
        visitor.take_action()
        assert visitor.wait_until_asked()["phase"] == "melds"
        check_screen(visitor, f"melds-{variant}")


def test_play(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    visitor = open_stored_table(
        new_visitor,
        server,
        "play",
        play_table_until(Config("partnership", 4), person, has_unplayable_card),
        settings={},
    )
    check_screen(visitor, "play-partnership")
    illegal_position = next(
        i for i in range(len(visitor.hand())) if i not in visitor.legal_positions()
    )
    visitor.press(visitor.hand_card(illegal_position), card=True)
    visitor.page.locator(".refusal").wait_for()
    check_screen(visitor, "play-refused")
    visitor.request_hint()
    visitor.page.locator(".refusal").wait_for(state="detached")
    check_screen(visitor, "play-hint")
    visitor.press(visitor.button("Last trick"))
    check_screen(visitor, "last-trick")
    visitor.press(visitor.button("Back"))
    visitor.press(visitor.button("Melds"))
    visitor.panel().wait_for()
    check_screen(visitor, "melds-panel")
    visitor.close_panel()
    for panel, name in (
        ("Score", "score-empty"),
        ("Seats and invitation", "seats"),
        ("Say something", "talk"),
        ("Rules", "rules"),
        ("Settings", "settings"),
        ("Keyboard", "keys"),
    ):
        visitor.open_menu_item(panel)
        visitor.panel(panel).wait_for()
        check_screen(visitor, name)
        visitor.close_panel()
    visitor.press(visitor.button("Menu"))
    visitor.panel().wait_for()
    check_screen(visitor, "menu")
    visitor.close_panel()
    visitor.open_menu_item("Pause")
    visitor.page.get_by_text("The table is paused.").wait_for()
    check_screen(visitor, "paused")


def test_play_of_other_variants(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    for variant, players, condition in (
        ("three-handed", 3, is_mid_trick),
        ("two-handed", 2, is_stock_play),
        ("double-deck", 4, is_before_first_card),
        ("five-card", 9, is_asked_for(DecisionKind.PLAY)),
    ):
        visitor = open_stored_table(
            new_visitor,
            server,
            variant,
            play_table_until(Config(variant, players), person, condition),
        )
        check_screen(visitor, f"play-{variant}-{players}")


def test_giving_up_and_claiming(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    partner = Person(f"partner of {person.id}", "Bob")
    concede_entries = play_table_until(Config("three-handed", 3), person, can_concede)
    visitor = open_stored_table(new_visitor, server, "give-up", concede_entries)
    visitor.press(visitor.button("Give up"))
    visitor.panel().wait_for()
    check_screen(visitor, "give-up")
    claim_entries = play_table_until(
        Config("partnership", 4),
        person,
        can_claim_several_cards,
        others=(partner,),
    )
    visitor = open_stored_table(new_visitor, server, "claim", claim_entries)
    visitor.press(visitor.button("Claim the rest"))
    visitor.panel().wait_for()
    check_screen(visitor, "claim")
    visitor.press(visitor.panel().get_by_role("button", name="Claim"))
    visitor.page.get_by_text("to agree").wait_for()
    check_screen(visitor, "claim-asked")
    bob: Visitor = new_visitor(person=partner)
    bob.page.goto(visitor.page.url)
    bob.panel("Claim the rest?").wait_for()
    check_screen(bob, "claim-answer")


def test_score_sheet(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    for variant, players in (("partnership", 4), ("three-handed", 3)):
        visitor = open_stored_table(
            new_visitor,
            server,
            f"score-{variant}",
            play_until_last_card_of_deal(person, variant, players),
        )
        assert visitor.play_deal()[-1] == DEAL_OVER
        if variant == "three-handed":
            buried = visitor.panel(DEAL_OVER).get_by_text(re.compile(r"buried"))
            expect(buried).to_have_text(re.compile(r" of \w+.* points?$"))
        check_screen(visitor, f"score-{variant}")
    visitor.press(visitor.panel(DEAL_OVER).locator(".headline").get_by_role("button"))
    visitor.panel("What it means").get_by_role("term").first.wait_for()
    visitor.page.keyboard.press("Escape")
    word = visitor.panel(DEAL_OVER).get_by_role("button", name="play", exact=True)
    visitor.press(word)
    visitor.panel("What it means").get_by_role("img").wait_for()
    check_screen(visitor, "words")
    visitor.page.keyboard.press("Escape")
    expect(word).to_be_focused()
    visitor.press(visitor.button("Look at this deal"))  # and its game goes on
    visitor.page.get_by_role("slider", name="Step").wait_for()
    visitor.press(visitor.button("Go to the table"))
    visitor.panel(DEAL_OVER).wait_for()


def play_until_last_card_of_deal(host: Person, variant: str, players: int) -> tuple[Any, ...]:
    """Return the log of a table where the host is to play the last card of the second deal."""

    def is_last_card(table: Table) -> bool:
        return len(table.sheet) >= 1 and holds_last_card(table)

    return play_table_until(Config(variant, players), host, is_last_card)


def is_last_card_of_game(table: Table) -> bool:
    """Return True if seat 0 is to play the last card of the game."""
    state = table.game
    if state is None or not isinstance(state.phase, Playing) or turn_of(state) != 0:
        return False
    if any(len(state.hand(seat)) > (seat == 0) for seat in state.players):
        return False
    legal = [move for move in game.decision(state).legal if isinstance(move, Play)]
    return game.apply(state, legal[0])[0].winner is not None


def test_end_of_a_game_and_replay(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    visitor = open_stored_table(
        new_visitor,
        server,
        "ending",
        play_table_until(Config("partnership", 4), person, is_last_card_of_game),
    )
    visitor.take_action()
    visitor.panel(GAME_OVER).wait_for()
    check_screen(visitor, "game-over")
    panel = visitor.panel(GAME_OVER)
    expect(panel.get_by_role("heading", name="Download")).to_be_visible()
    for form in ("text", "JSON"):
        expect(panel.get_by_role("link", name=f"Download as {form}", exact=True)).to_be_visible()
    visitor.close_panel()
    visitor.wait_until_nothing_moves()
    check_screen(visitor, "game-over-table")
    visitor.open_replay("ending")
    check_screen(visitor, "replay")
    visitor.go_to_step(30)
    check_screen(visitor, "replay-play")
    visitor.press(visitor.button("Why?"))
    visitor.page.get_by_text("The best bot").wait_for()
    check_screen(visitor, "replay-why")
    visitor.close_panel()
    visitor.press(visitor.button("Download"))
    visitor.panel().wait_for()
    check_screen(visitor, "replay-download")
    visitor.close_panel()
    visitor.resize(PHONE)
    visitor.press(visitor.button("This deal"))
    visitor.panel().wait_for()
    check_screen(visitor, "replay-facts")
    visitor.close_panel()
    visitor.go_to_step(9999)
    check_screen(visitor, "replay-end")


def test_long_names(new_visitor: NewVisitor, server: Server, check_screen: CheckScreen) -> None:
    """Of people: nobody's is longer than the first."""
    ada, *others = (Person(f"{i} with a long name", name) for i, name in enumerate(LONG_NAMES))
    for name, variant, players, condition in (
        ("auction", "partnership", 4, is_asked_for(DecisionKind.BID, after_seq=5)),
        ("trump", "three-handed", 3, is_asked_for(DecisionKind.TRUMP)),
        ("play", "partnership", 4, has_unplayable_card),
        ("result", "partnership", 4, has_scored_deal),
    ):
        config = Config(variant, players)
        entries = play_table_until(config, ada, condition, others=tuple(others[: players - 1]))
        visitor: Visitor = new_visitor(person=ada)
        visitor.page.goto(server.store_table(f"long-{name}", entries))
        visitor.wait_until_settled()
        check_screen(visitor, f"long-{name}")
        if name == "auction":  # a name that is cut is read whole under the mouse
            for long_name in LONG_NAMES[1:]:
                expect(visitor.page.locator(f"strong[title='{long_name}']")).to_have_count(1)
                expect(visitor.page.locator(f"th[title='{long_name}']")).to_have_count(1)
        if name == "play":  # and by a tap
            visitor.press(visitor.button(re.compile(f"^Explain .*{re.escape(LONG_NAMES[1])}")))
            visitor.panel(LONG_NAMES[1]).wait_for()
            visitor.close_panel()
        if name == "result":
            visitor.press(
                visitor.button("Next deal")
            )  # which waits for nobody: the others are away
            visitor.wait_until_settled()
        if name in ("play", "result"):
            visitor.open_menu_item("Score")
            visitor.panel("Score").wait_for()
            check_screen(visitor, f"long-{name}-score")
            visitor.close_panel()
            visitor.open_menu_item("Seats and invitation")
            visitor.panel("Seats and invitation").wait_for()
            check_screen(visitor, f"long-{name}-seats")
    entries = play_table_until(Config("partnership", 4), ada, is_game_over, others=tuple(others))
    server.store_table("long-over", entries)
    visitor.open_replay("long-over")
    visitor.go_to_step(40)
    check_screen(visitor, "long-replay")


def test_nine_players(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    config = Config("five-card", 9)
    visitor = open_stored_table(
        new_visitor,
        server,
        "nine",
        play_table_until(config, person, is_asked_for(DecisionKind.PLAY)),
    )
    visitor.open_menu_item("Seats and invitation")
    visitor.panel("Seats and invitation").wait_for()
    check_screen(visitor, "nine-seats")
    server.store_table("nine-over", play_table_until(config, person, is_game_over))
    visitor.page.goto(f"{server.url}/t/nine-over")
    visitor.wait_until_settled()
    visitor.open_menu_item("Score")
    visitor.panel("Score").wait_for()
    check_screen(visitor, "nine-score")
    visitor.open_replay("nine-over")
    check_screen(visitor, "nine-replay")


def test_waiting_room_and_spectator(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    ada, bob = (
        new_visitor(person=person),
        new_visitor(person=Person(f"guest of {person.id}", "Bob")),
    )
    ada.open_home()
    ada.open_house_rules("partnership")
    ada.set_up_table()
    bob.page.goto(ada.invite_link())
    bob.button("Sit here").wait_for()
    check_screen(bob, "room-sit-here")
    bob.sit_down(2)
    ada.page.get_by_role("listitem").filter(has_text="Bob").wait_for()
    check_screen(ada, "room-of-the-host")
    check_screen(bob, "room-of-a-guest")
    link = server.store_table(
        "watched", play_table_until(Config("partnership", 4), person, has_unplayable_card)
    )
    spectator: Visitor = new_visitor()
    spectator.page.goto(link)
    spectator.page.get_by_text("You are watching.").wait_for()
    check_screen(spectator, "watching")


def test_error_pages(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen, person: Person
) -> None:
    visitor: Visitor = new_visitor()
    visitor.expected_errors += [NOT_FOUND_ERROR, "Content Security Policy"]
    visitor.page.goto(f"{server.url}/t/nothing")
    check_screen(visitor, "no-such-table")
    visitor.open_home()
    visitor.page.evaluate(
        "() => { history.pushState(null, '', '/t/gone'); dispatchEvent(new Event('popstate')) }"
    )
    visitor.page.get_by_text("There is no such table.").wait_for()
    check_screen(visitor, "gone")
    server.store_table(
        "early", play_table_until(Config("partnership", 4), person, is_asked_for(DecisionKind.BID))
    )
    visitor.expected_errors.append("403")
    visitor.page.goto(f"{server.url}/r/early/1")
    visitor.page.get_by_text("its cards stay hidden").wait_for()
    check_screen(visitor, "replay-too-early")


def test_devices_page(new_visitor: NewVisitor, check_screen: CheckScreen) -> None:
    cleo = Person("cleo-looks", "Cleo")
    phone, laptop = new_visitor(person=cleo), new_visitor(person=Person("dan-looks", "Dan"))
    phone.open_home()
    phone.page.get_by_role("link", name="My devices").click()
    phone.button("Add a device").wait_for()
    check_screen(phone, "devices-one")
    with phone.page.expect_response("**/api/devices/code") as answer:
        phone.button("Add a device").click()
    phone.page.get_by_role("img", name="QR code").wait_for()
    check_screen(phone, "devices-code")
    laptop.page.goto(answer.value.json()["link"])
    laptop.button("Sign in as Cleo").wait_for()
    check_screen(laptop, "devices-become")
    laptop.button("Sign in as Cleo").click()
    phone.page.get_by_text("was added.").wait_for()
    check_screen(phone, "devices-two")
    laptop.page.wait_for_url("**/")
