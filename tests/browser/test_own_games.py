"""Own games: the form with its checks, saving, playing, inviting, and sheets as files."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from acesaround import sheets, variants
from acesaround.table import Person
from tests.browser.layout_checks import WIDE_FONT, find_layout_faults
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.screen_checks import CheckScreen
from tests.browser.server_process import RULES, Server
from tests.browser.viewports import PHONE, SMALL_PHONE

BOB = Person("bob-own", "Bob")
SHEET_WITHOUT_BASE = sheets.starter_sheet(variants.PARTNERSHIP, {}).replace('base = ""\n', "")


@pytest.fixture
def house_server(built_page: None, tmp_path: Path, final_cleanup: ExitStack) -> Server:
    """Return a server that offers a game whose sheet has no base."""
    rules = tmp_path / RULES
    rules.mkdir()
    sheet = SHEET_WITHOUT_BASE.replace(variants.PARTNERSHIP.title, "House pinochle")
    (rules / "whole.toml").write_text(sheet, encoding="utf-8")
    running = Server(tmp_path)
    final_cleanup.callback(running.stop)
    running.start()
    return running


def fill_in_own_game(visitor: Visitor) -> None:
    """Change the lowest bid, the number of passed cards and two values of melds."""
    visitor.open_own_game("partnership")
    visitor.toggle_section("Auction")
    visitor.fill_field("Lowest bid", "200")
    visitor.toggle_section("Exchange")
    visitor.select_option("Cards passed", "3")
    visitor.toggle_section("Melds")
    visitor.fill_field("Pinochle, 2", "500")
    visitor.fill_field("Dix, 1", "20")
    visitor.wait_for_rules_text("with 4 house rules")


def save_game(visitor: Visitor) -> None:
    """Save the game of the form, and wait until it is saved."""
    visitor.page.get_by_role("button", name="Save", exact=True).click()
    visitor.page.get_by_text("Saved").wait_for()


def test_own_game_is_made_saved_and_played_on_a_phone(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own", "Ada"), viewport=PHONE)
    ada.open_home()
    ada.page.get_by_role("link", name="Make your own game").click()
    fill_in_own_game(ada)
    expect(ada.page.get_by_role("article")).to_contain_text("Our game")
    save_game(ada)
    ada.open_home()
    ada.button("Play now Our game").click()
    ada.wait_until_settled()
    ada.wait_for_hand_size(12)


def test_invited_person_reads_the_changed_rules_before_sitting_down(
    new_visitor: NewVisitor,
) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-2", "Ada"))
    bob: Visitor = new_visitor(person=BOB)
    fill_in_own_game(ada)
    ada.set_up_table()
    bob.page.goto(ada.invite_link())
    invitation = bob.page.locator("form").filter(has_text="Sit here")
    expect(invitation).to_contain_text("Partnership, with 4 house rules")
    expect(invitation).to_contain_text("The lowest bid: 200 instead of 250.")
    bob.open_home()
    assert bob.page.get_by_text("Our game", exact=True).count() == 0


def test_invalid_value_is_refused_at_its_field_and_can_be_reset(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-3", "Ada"))
    ada.open_own_game("partnership")
    ada.toggle_section("Melds")
    ada.fill_field("Pinochle, 2", "5")
    ada.page.get_by_text("More together must be worth at least as much as fewer").wait_for()
    field = ada.page.get_by_label("Pinochle, 2", exact=True)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(ada.button("Play now")).to_be_disabled()
    ada.button("Pinochle as usual").click()
    expect(field).to_have_value("300")
    expect(ada.button("Play now")).to_be_enabled()


def test_each_number_of_a_pair_has_a_label(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-8", "Ada"))
    ada.open_own_game("auction-chips")
    for part in ("Auction", "Scoring"):
        ada.toggle_section(part)
    pays = ada.page.get_by_role("group", name="Pays", exact=True)
    assert pays.locator("small").all_inner_texts() == ["from bid", "pays"]
    expect(ada.page.get_by_label("Pays, 1 from bid", exact=True)).to_have_value("300")
    steps = ada.page.get_by_role("group", name="Steps", exact=True)
    assert steps.locator("small").all_inner_texts() == ["from bid", "step"]
    raises = ada.page.get_by_role("group", name="Raises", exact=True)
    while raises.get_by_role("textbox").count():
        ada.button("Remove from Raises").click()
    expect(raises).to_contain_text("None")
    ada.toggle_section("Melds")
    expect(ada.page.get_by_text("Melds of your own: a name, the cards")).not_to_contain_text("`")
    expect(ada.page.get_by_role("group", name="Your own melds")).to_be_visible()
    # A sentence names no other field as a sheet does.
    expect(ada.page.get_by_text("whole hand must reach where a lower one scores 0")).to_be_visible()


def test_wide_font_cuts_off_nothing_on_a_small_phone(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-9", "Ada"), viewport=SMALL_PHONE)
    ada.open_own_game("partnership")
    ada.wait_for_rules_text("Meld")
    ada.page.add_style_tag(content=WIDE_FONT)
    assert find_layout_faults(ada.page) == []


def test_house_rule_has_the_same_name_in_both_forms(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-10", "Ada"))
    ada.open_house_rules("partnership")
    expect(ada.page.get_by_label("Giving up", exact=True)).to_be_visible()
    ada.open_own_game("partnership")
    ada.toggle_section("Scoring")
    expect(ada.page.get_by_label("Giving up", exact=True)).to_be_visible()


def test_own_game_can_start_from_a_preset(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-9", "Ada"))
    ada.open_own_game("double-deck")
    preset = ada.page.get_by_label("Played as")
    expect(preset).to_have_value("")
    ada.fill_field("Its name", "Club night")
    ada.select_option("Played as", "Tournament")
    ada.page.get_by_text("To 500, and a failed bid is added to the defenders.").wait_for()
    ada.wait_for_rules_text("with 2 house rules")
    expect(ada.page.get_by_label("Its name")).to_have_value("Club night")
    ada.toggle_section("Ending")
    target = ada.page.get_by_label("Target", exact=True)
    expect(target).to_have_value("500")
    target.fill("600")
    expect(preset.locator("option:checked")).to_have_text("Your own way")
    target.fill("500")
    expect(preset.locator("option:checked")).to_have_text("Tournament")
    ada.select_option("Played as", "As usual")
    expect(target).to_have_value("350")
    ada.select_option("Made from", "Partnership")
    expect(preset).to_be_hidden()


def test_unsaved_changes_are_restored(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-6", "Ada"))
    ada.open_own_game("partnership")
    ada.toggle_section("Melds")
    ada.fill_field("Dix, 1", "20")
    ada.wait_for_rules_text("with 1 house rule")
    ada.open_home()
    ada.open_own_game("partnership")
    ada.page.get_by_text("Your unsaved changes are back.").wait_for()
    ada.wait_for_rules_text("with 1 house rule")
    ada.button("Start over").click()
    ada.toggle_section("Melds")
    expect(ada.page.get_by_label("Dix, 1", exact=True)).to_have_value("10")


def test_own_meld_is_named_and_its_cards_are_tapped(
    new_visitor: NewVisitor, check_screen: CheckScreen
) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-5", "Ada"), viewport=PHONE)
    ada.open_own_game("partnership")
    ada.toggle_section("Melds")
    page = ada.page
    page.get_by_role("button", name="Add a meld").click()
    page.get_by_text("A meld has 1 to 12 cards").first.wait_for()
    for card in ("queen of spades", "queen of spades", "jack of diamonds", "ace of trump"):
        page.get_by_role("button", name=card, exact=True).click()
    page.get_by_role("button", name="Remove the ace of trump").click()
    page.get_by_role("button", name="jack of diamonds", exact=True).click()
    page.get_by_label("Meld 1, Name").fill("grand pinochle")
    page.get_by_label("grand pinochle, Points").fill("80")
    expect(page.get_by_role("article")).to_contain_text("grand pinochle")
    check_screen(ada, "own-meld")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    sheet = download.value.path().read_text("utf-8")
    assert 'others = [["grand pinochle", "QS QS JD JD", 80]]' in sheet


def test_own_game_is_downloaded_and_opened_as_a_file(
    new_visitor: NewVisitor, tmp_path: Path
) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-4", "Ada"))
    fill_in_own_game(ada)
    with ada.page.expect_download() as download:
        ada.page.get_by_role("button", name="Download").click()
    file = tmp_path / "ours.toml"
    download.value.save_as(file)
    rules = variants.load(file)
    assert (rules.title, rules.exchange.exchange, rules.melds.dix) == ("Our game", 3, 20)

    bob: Visitor = new_visitor(person=Person("bob-own-4", "Bob"))
    bob.open_own_game("double-deck")
    bob.page.locator("input[type=file]").set_input_files(file)
    bob.wait_for_rules_text("with 4 house rules")
    expect(bob.page.get_by_label("Made from")).to_have_value("partnership")
    file.write_text('base = "partnership"\n\n[exchange]\nexchange = 13\n', encoding="utf-8")
    bob.page.locator("input[type=file]").set_input_files(file)
    expect(bob.page.get_by_role("alert")).to_contain_text("Line 4: exchange.exchange cannot be 13")


def test_own_game_starts_from_house_rules_and_is_changed_and_deleted(
    new_visitor: NewVisitor,
) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-5", "Ada"))
    ada.open_house_rules("partnership")
    ada.select_option("Giving up", "Always")
    ada.page.get_by_role("link", name="Make your own game").click()
    ada.wait_for_rules_text("with 1 house rule")
    ada.fill_field("Its name", "Sunday game")
    save_game(ada)
    for part in ("rules", "new"):  # both pages offer to change it, not to make another one
        ada.page.goto(f"{ada.url}/#{part}/sunday-game")
        link = ada.page.get_by_role("link", name="Change your game")
        expect(link).to_have_attribute("href", re.compile("^/#own/sunday-game"))
        expect(ada.page.get_by_role("link", name="Make your own game")).to_be_hidden()
    link.click()
    expect(ada.page.get_by_label("Its name")).to_have_value("Sunday game")
    ada.fill_field("Its name", "Monday game")
    save_game(ada)
    ada.open_home()
    ada.button("Play now Monday game").wait_for()
    ada.open_own_game("sunday-game")
    for name in ("Delete this game", "Delete for good"):
        ada.button(name).click()
    ada.button("Play now Partnership").wait_for()
    assert ada.page.get_by_text("Monday game").count() == 0


def test_sheet_without_base_is_changed_saved_and_played(
    new_visitor: NewVisitor, house_server: Server, tmp_path: Path
) -> None:
    ada: Visitor = new_visitor(at=house_server)
    ada.open_own_game("whole")
    expect(ada.page.get_by_label("Made from").locator("option:checked")).to_have_text(
        "No other game"
    )
    ada.page.get_by_text("Not based on another game.").wait_for()
    assert "changed" not in "".join(ada.page.locator("summary").all_inner_texts())
    ada.fill_field("Its name", "Sunday game")
    ada.toggle_section("Melds")
    ada.fill_field("Dix, 1", "20")
    expect(ada.page.get_by_role("article").get_by_role("row", name="dix")).to_contain_text("20")
    ada.toggle_section("Auction")
    ada.select_option("Use this section", "No")
    expect(ada.page.get_by_label("Lowest bid")).to_be_hidden()
    ada.select_option("Use this section", "Yes")
    expect(ada.page.get_by_label("Lowest bid")).to_have_value("250")
    save_game(ada)
    ada.fill_field("Its name", "Monday game")  # the file says what was typed last, checked or not
    with ada.page.expect_download() as download:
        ada.page.get_by_role("button", name="Download").click()
    file = tmp_path / "ours.toml"
    download.value.save_as(file)
    rules = variants.load(file)
    assert (rules.base, rules.title, rules.melds.dix) == ("", "Monday game", 20)
    ada.button("Play now").click()
    ada.wait_until_settled()
    ada.wait_for_hand_size(12)


def test_file_without_base_is_opened_and_given_a_base(
    new_visitor: NewVisitor, tmp_path: Path
) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-7", "Ada"))
    ada.open_own_game("partnership")
    file = tmp_path / "whole.toml"
    file.write_text(SHEET_WITHOUT_BASE, encoding="utf-8")
    ada.page.locator("input[type=file]").set_input_files(file)
    ada.page.get_by_text("Not based on another game.").wait_for()
    ada.fill_field("Its name", "Sunday game")
    expect(ada.button("Play now")).to_be_enabled()
    ada.select_option("Made from", "Two-handed")
    ada.wait_for_rules_text("stock")
    expect(ada.page.get_by_text("Not based on another game.")).to_be_hidden()
