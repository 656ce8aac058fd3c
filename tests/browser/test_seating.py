"""Setting up a table for friends, invite links, sitting down, full tables and spectators."""

from __future__ import annotations

from playwright.sync_api import expect

from acesaround.table import Config, Person, begin
from acesaround.table import entries as log
from tests.browser.layout_checks import WIDE_FONT, find_layout_faults
from tests.browser.page_objects.visitor import NewVisitor, TouchVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import has_played_trick
from tests.browser.viewports import DESKTOP, LANDSCAPE_PHONE, PHONE, SMALL_PHONE
from tests.table.table_log import play_table_until

ANN, BEA, CARL, DORA = (Person(f"{name}-seating", name) for name in ("Ann", "Bea", "Carl", "Dora"))


def test_four_friends_start_a_game_with_two_taps_and_one_each(
    new_visitor: NewVisitor,
) -> None:
    phones: list[TouchVisitor] = [
        new_visitor(TouchVisitor, viewport=PHONE, has_touch=True, is_mobile=True) for _ in range(4)
    ]
    ann, others = phones[0], phones[1:]
    ann.open_home()
    ann.set_up_table_for_friends("partnership")
    assert ann.tap_count == 2
    name, invitation = ann.page.get_by_label("Your name"), ann.page.get_by_label("Invite by link")
    name_box, invitation_box = name.bounding_box(), invitation.bounding_box()
    assert name_box is not None
    assert invitation_box is not None
    assert name_box["y"] < invitation_box["y"]  # or friends would read that Guest invites
    for number, (one, person_name) in enumerate(
        zip(others, ("Bea", "Carl", "Dora"), strict=True), 2
    ):
        one.page.goto(ann.invite_link())
        one.page.get_by_text("You are invited to play").wait_for()
        one.fill_name(person_name)
        one.sit_down()
        one.page.get_by_text("starts the game.").wait_for()
        assert one.tap_count == 1
        ann.wait_for_seated(person_name, number)
    expect(ann.start_button()).not_to_contain_text("with")
    expect(invitation).to_be_hidden()  # there is no seat left
    name.fill("Ann")  # and it is not saved by another tap
    ann.press(ann.start_button())
    for one in phones:
        one.wait_for_hand_size(12)
    expect(others[0].page.get_by_text("Ann", exact=True).first).to_be_visible()
    assert [one.tap_count for one in phones] == [3, 1, 1, 1]
    ann.open_menu_item("Seats and invitation")
    seats = ann.panel("Seats and invitation")
    expect(seats.get_by_text("Every seat is taken.")).to_be_visible()
    expect(seats.get_by_label("Invite by link")).to_be_hidden()


def test_a_guest_who_sat_down_without_a_name_may_still_give_one(new_visitor: NewVisitor) -> None:
    """Also the second one, who is called Guest 2 until then."""
    ann, bea = new_visitor(), new_visitor(viewport=PHONE)
    ann.open_home()
    ann.set_up_table_for_friends("partnership")
    bea.page.goto(ann.invite_link())
    bea.sit_down()
    ann.wait_for_seated("Guest 2", 2)
    name = bea.page.get_by_label("Your name")
    name.wait_for()
    own_picture = bea.button("Choose your picture").locator("svg g")
    seen_picture = bea.seat(2).locator("svg g").first
    own_picture.wait_for()
    seen_picture.wait_for()
    assert own_picture.inner_html() == seen_picture.inner_html()
    for size in (SMALL_PHONE, PHONE, LANDSCAPE_PHONE, DESKTOP):
        bea.resize(size)
        assert find_layout_faults(bea.page) == [], size
    name.fill("Bea")
    bea.press(bea.button("Save"))
    ann.wait_for_seated("Bea", 2)
    name.wait_for(state="detached")


def test_invite_link_of_a_local_server_has_a_warning(
    new_visitor: NewVisitor,
) -> None:
    ann = new_visitor(person=ANN)
    ann.open_home()
    ann.set_up_table_for_friends("three-handed")
    assert ann.invite_link() == ann.page.url
    ann.page.get_by_text("Only this computer can open this address").wait_for()
    assert ann.page.get_by_role("img", name="QR code").count() == 0


def test_saved_name_is_filled_in_on_sitting_down(new_visitor: NewVisitor, server: Server) -> None:
    link = server.store_table("named", begin(Config("partnership", 4), ANN))
    bea = new_visitor(person=BEA)
    bea.page.goto(link)
    bea.wait_for_filled_name("Bea")
    bea.resize({"width": 320, "height": 568})
    expect(bea.button("Sit here")).to_be_in_viewport(ratio=1)
    assert "Ann invites you to play Partnership." in bea.page.locator("main").inner_text()
    bea.sit_down(3)
    bea.page.get_by_text("Ann starts the game.").wait_for()
    expect(bea.seat(3)).to_contain_text("You")
    expect(bea.page.locator("main")).to_contain_text("You & Ann")  # partners face each other
    bea.move_to_seat(2)
    bea.page.get_by_role("button", name="Seat 2: You").wait_for()


def test_full_table_can_only_be_watched(new_visitor: NewVisitor, server: Server) -> None:
    entries = (
        *begin(Config("three-handed", 3), ANN),
        log.SeatTaken(1, BEA),
        log.SeatTaken(2, CARL),
    )
    link = server.store_table("full", entries)
    ann, dora = new_visitor(person=ANN), new_visitor(person=DORA)
    ann.page.goto(link)
    ann.start_button().wait_for()
    dora.page.goto(link)
    dora.page.get_by_role("heading", name="This table is full").wait_for()
    assert dora.button("Sit here").count() == 0
    dora.press(dora.button("Watch"))
    ann.page.get_by_text("Dora watches.").wait_for()
    dora.page.goto(dora.url)
    ann.page.get_by_text("Dora watches.").wait_for(state="hidden")


def test_players_see_who_watches(new_visitor: NewVisitor, server: Server) -> None:
    link = server.store_table(
        "watched-by-dora", play_table_until(Config("partnership", 4), ANN, has_played_trick)
    )
    ann, dora = new_visitor(person=ANN), new_visitor(person=DORA)
    ann.page.goto(link)
    ann.wait_until_settled()
    dora.page.goto(link)
    dora.panel("Sit here?").wait_for()
    dora.decline_seat()
    dora.wait_until_settled()
    assert dora.hand() == []
    dora.page.reload()  # and she is not asked again
    dora.open_menu_item("Seats and invitation")
    dora.panel("Seats and invitation").wait_for()
    dora.close_panel()
    ann.open_menu_item("Seats and invitation")
    ann.panel().get_by_text("Dora watches.").wait_for()
    ann.close_panel()
    ann.open_menu_item("Leave seat")
    ann.panel("Leave your seat?").get_by_role("button", name="Leave seat").click()
    ann.wait_for_hand_size(0)


def test_invited_person_reads_the_house_rules_before_sitting_down(
    new_visitor: NewVisitor, server: Server
) -> None:
    config = Config("partnership", 4, {"target": 1000, "lowest_bid": 200})
    link = server.store_table("of-the-house", begin(config, Person("ada-house", "Ada")))
    ben = new_visitor()
    ben.page.goto(link)
    invitation_form = ben.page.locator("form").filter(has_text="Sit here")
    expect(invitation_form).to_contain_text("Partnership, with 2 house rules")
    expect(invitation_form).to_contain_text("The lowest bid: 200 instead of 250.")
    expect(invitation_form).to_contain_text("Points that win the game: 1000 instead of 1500.")


def is_readable(visitor: Visitor, text: str) -> bool:
    """Return True if a text is on the screen, above the buttons that answer it."""
    text_box = visitor.page.get_by_text(text).bounding_box()
    button_box = visitor.button("Only watch").bounding_box()
    assert text_box is not None
    assert button_box is not None
    return text_box["y"] > 0 and text_box["y"] + text_box["height"] <= button_box["y"]


def test_invitation_is_readable_on_a_small_phone_without_scrolling(
    new_visitor: NewVisitor, server: Server
) -> None:
    """Before the game begins and after it, also with a wide font."""
    invited = server.store_table("invited-small", begin(Config("partnership", 4), ANN))
    playing = server.store_table(
        "playing-small", play_table_until(Config("partnership", 4), ANN, has_played_trick)
    )
    visitor: Visitor = new_visitor(viewport=SMALL_PHONE)
    for link, text in ((invited, "invites you to play"), (playing, "plays Partnership")):
        visitor.page.goto(link)
        visitor.button("Only watch").wait_for()
        visitor.wait_until_nothing_moves()
        assert is_readable(visitor, text)
        visitor.page.add_style_tag(content=WIDE_FONT)
        assert is_readable(visitor, text)
        assert find_layout_faults(visitor.page) == []
