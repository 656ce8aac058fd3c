"""One person on two devices, as they find it on the page: a code, the seat at once, signing out."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from acesaround.table import Config, Person
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.server_process import Server
from tests.browser.table_conditions import has_played_trick
from tests.browser.viewports import PHONE, SMALL_PHONE
from tests.table.table_log import play_table_until

ADA, BOB = Person("ada-devices", "Ada"), Person("bob-devices", "Bob")


def request_code(visitor: Visitor) -> str:
    """Request a pairing code, and return its six words."""
    visitor.button("Add a device").click()
    code: str = visitor.panel().locator(".code").inner_text()
    return code


def test_code_follows_the_sentence_that_announces_it(new_visitor: NewVisitor) -> None:
    phone: Visitor = new_visitor(viewport=SMALL_PHONE)
    phone.page.goto(f"{phone.url}/#device")
    code = request_code(phone)
    panel = phone.panel()
    parts = (
        panel.get_by_text("Scan this with the other device:"),
        panel.get_by_role("img"),
        panel.get_by_text("type these six words:"),
        panel.get_by_text(code),
    )
    boxes = [part.bounding_box() for part in parts]
    tops = [box["y"] for box in boxes if box is not None]
    assert tops == sorted(tops)
    assert len(tops) == len(parts)


def test_second_device_plays_the_same_seat_in_mid_game(
    new_visitor: NewVisitor, server: Server
) -> None:
    link = server.store_table(
        "on-two", play_table_until(Config("partnership", 4), ADA, has_played_trick)
    )
    phone, laptop = new_visitor(person=ADA, viewport=PHONE), new_visitor(person=BOB)
    phone.page.goto(link)
    phone.wait_until_settled()
    phone.open_menu_item("My devices")
    phone.page.get_by_text("This is your only device.").wait_for()
    code = request_code(phone)
    phone.resize({"width": 844, "height": 390})
    picture = phone.panel().get_by_role("img")
    picture.scroll_into_view_if_needed()
    expect(picture).to_be_in_viewport(ratio=1)

    laptop.open_home()
    laptop.page.get_by_role("link", name="My devices").click()
    laptop.page.get_by_label("Type the six words that it shows").fill(code)
    laptop.button("Next").click()
    laptop.page.get_by_text("This signs out Bob, who has no seats or games to lose.").wait_for()
    laptop.button("Sign in as Ada").click()
    laptop.page.get_by_role("link", name="Continue").first.wait_for()
    phone.page.get_by_text("was added.").wait_for()
    phone.close_panel()
    laptop.page.goto(link)
    laptop.wait_until_settled()
    assert laptop.hand() == phone.hand() != []

    laptop.open_menu_item("My devices")
    laptop.page.get_by_role("button", name="Sign out Chrome on Linux").click()
    laptop.page.get_by_text("This is your only device.").wait_for()
    phone.page.get_by_text(
        "This device was signed out or is now signed in as somebody else"
    ).wait_for()
    laptop.close_panel()
    assert laptop.hand() != []


def test_pairing_link_needs_a_confirmation(new_visitor: NewVisitor) -> None:
    phone, laptop = new_visitor(person=Person("eve-devices", "Eve")), new_visitor()
    phone.open_home()
    phone.page.get_by_role("link", name="My devices").click()
    with phone.page.expect_response("**/api/devices/code") as answer:
        request_code(phone)
    link = answer.value.json()["link"]
    for _ in range(2):
        laptop.page.goto(link)
        laptop.page.get_by_role("heading", name="Sign in as Eve on this device?").wait_for()
        assert laptop.page.url.endswith("/#device")
        laptop.button("Not now").click()
        laptop.page.get_by_text("This is your only device.").wait_for()
    laptop.page.goto(link)
    laptop.button("Sign in as Eve").click()
    laptop.page.wait_for_url("**/")
    laptop.expected_errors.append("404")
    laptop.page.goto(link)
    laptop.page.get_by_text("That code does not work").wait_for()


def test_pairing_names_losses_and_is_refused_during_a_deal(
    new_visitor: NewVisitor, server: Server, screenshot_folder: Path
) -> None:
    fay, gus, ida = (Person(f"{name.lower()}-devices", name) for name in ("Fay", "Gus", "Ida"))
    link = server.store_table(
        "of-both", play_table_until(Config("partnership", 4), fay, has_played_trick, others=(ida,))
    )
    server.store_table("of-gus", play_table_until(Config("partnership", 4), gus, has_played_trick))
    phone, tablet, third_device = (
        new_visitor(person=fay),
        new_visitor(person=ida),
        new_visitor(person=gus, viewport=PHONE),
    )
    phone.open_home()
    phone.page.get_by_role("link", name="My devices").click()
    code = request_code(phone)

    tablet.page.goto(link)
    tablet.wait_until_settled()
    hand = tablet.hand()
    tablet.open_menu_item("My devices")
    tablet.page.get_by_label("Type the six words that it shows").fill(code)
    tablet.expected_errors.append("409")
    tablet.button("Next").click()
    tablet.page.get_by_text("This device has seen a hand of the deal at one of Fay").wait_for()
    tablet.close_panel()
    assert tablet.hand() == hand != []

    third_device.page.goto(f"{server.url}/#device/{code.replace(' ', '-')}")
    third_device.page.get_by_text("Gus's seats, games and custom games are lost").wait_for()
    third_device.page.screenshot(path=screenshot_folder / "devices-lost-phone.png")
    third_device.button("Sign in as Fay").click()
    third_device.page.wait_for_url("**/")
    third_device.page.get_by_role("link", name="My devices").click()
    third_device.page.get_by_text("You are Fay on all these devices").wait_for()
