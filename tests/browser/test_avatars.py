"""Choosing one's avatar on the first page."""

from __future__ import annotations

from playwright.sync_api import expect

from acesaround.table.avatars import AVATARS
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.viewports import PHONE


def test_avatar_is_chosen_and_saved_with_the_name(new_visitor: NewVisitor) -> None:
    ann: Visitor = new_visitor(viewport=PHONE)
    ann.open_home()
    ann.button("Choose your picture").click()
    dialog = ann.page.get_by_role("dialog", name="Your picture at the table")
    avatars = dialog.get_by_role("group").get_by_role("button")
    expect(avatars).to_have_count(len(AVATARS))
    dialog.get_by_role("button", name="Teapot").click()
    expect(dialog).to_be_hidden()
    ann.page.get_by_label("Your name").fill("Ann")
    with ann.page.expect_response("**/api/me") as response:
        ann.page.get_by_role("button", name="Save", exact=True).click()
    assert response.value.json() == {"name": "Ann", "avatar": "teapot"}
    ann.button("Choose your picture").click()
    with ann.page.expect_response("**/api/me") as response:  # with a name it is kept at once
        dialog.get_by_role("button", name="Owl").click()
    assert response.value.json() == {"name": "Ann", "avatar": "owl"}
    ann.page.reload()
    ann.button("Choose your picture").click()
    expect(dialog.get_by_role("button", name="Owl")).to_have_attribute("aria-pressed", "true")
    expect(dialog.get_by_role("button", name="Teapot")).to_have_attribute("aria-pressed", "false")
