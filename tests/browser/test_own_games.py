"""A game of one's own, as a family makes it: tapped, saved, played, sent, kept as a file."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from acesaround import sheets, variants
from acesaround.table import Person
from tests.browser.page_objects.visitor import NewVisitor, Visitor
from tests.browser.screen_checks import CheckScreen
from tests.browser.server_process import RULES, Server
from tests.browser.viewports import PHONE

BOB = Person("bob-own", "Bob")
WHOLE = sheets.starter_sheet(variants.PARTNERSHIP, {}).replace('base = ""\n', "")


@pytest.fixture
def house_server(built_page: None, tmp_path: Path, final_cleanup: ExitStack) -> Server:
    """A server that offers a game whose sheet has no base."""
    rules = tmp_path / RULES
    rules.mkdir()
    sheet = WHOLE.replace(variants.PARTNERSHIP.title, "House pinochle")
    (rules / "whole.toml").write_text(sheet, encoding="utf-8")
    running = Server(tmp_path)
    final_cleanup.callback(running.stop)
    running.start()
    return running


def make_game(visitor: Visitor) -> None:
    """Another lowest bid, three cards passed, two other meld values."""
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
    visitor.page.get_by_role("button", name="Save", exact=True).click()
    visitor.page.get_by_text("Saved").wait_for()


def test_a_game_is_made_on_a_phone_saved_offered_and_played(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own", "Ada"), viewport=PHONE)
    ada.open_home()
    ada.page.get_by_role("link", name="Make your own game").click()
    make_game(ada)
    expect(ada.page.get_by_role("article")).to_contain_text("Our game")
    save_game(ada)
    ada.open_home()
    ada.button("Play now Our game").click()
    ada.wait_until_settled()
    ada.wait_for_hand_size(12)


def test_who_comes_by_the_link_reads_the_changes_before_sitting_down(
    new_visitor: NewVisitor,
) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-2", "Ada"))
    bob: Visitor = new_visitor(person=BOB)
    make_game(ada)
    ada.set_up_table()
    bob.page.goto(ada.invite_link())
    asked = bob.page.locator("form").filter(has_text="Sit here")
    expect(asked).to_contain_text("Partnership, with 4 house rules")
    expect(asked).to_contain_text("The lowest bid: 200 instead of 250.")
    bob.open_home()
    assert bob.page.get_by_text("Our game", exact=True).count() == 0


def test_what_cannot_be_is_refused_at_its_field_and_put_back(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-3", "Ada"))
    ada.open_own_game("partnership")
    ada.toggle_section("Melds")
    ada.fill_field("Pinochle, 2", "5")
    ada.page.get_by_text("More together are worth no less than fewer").wait_for()
    field = ada.page.get_by_label("Pinochle, 2", exact=True)
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(ada.button("Play now")).to_be_disabled()
    ada.button("Pinochle as usual").click()
    expect(field).to_have_value("300")
    expect(ada.button("Play now")).to_be_enabled()


def test_pairs_of_numbers_say_what_each_is(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-8", "Ada"))
    ada.open_own_game("auction-chips")
    for part in ("Auction", "Scoring"):
        ada.toggle_section(part)
    pays = ada.page.get_by_role("group", name="Pays", exact=True)
    assert pays.locator("small").all_inner_texts() == ["from bid", "pays"]
    expect(ada.page.get_by_label("Pays, 1 from bid", exact=True)).to_have_value("300")
    steps = ada.page.get_by_role("group", name="Steps", exact=True)
    assert steps.locator("small").all_inner_texts() == ["from", "by"]
    raises = ada.page.get_by_role("group", name="Raises", exact=True)
    while raises.get_by_role("textbox").count():
        ada.button("One fewer: Raises").click()
    expect(raises).to_contain_text("None")
    ada.toggle_section("Melds")
    expect(ada.page.get_by_text("Melds of your own: a name, the cards")).not_to_contain_text("`")


def test_what_is_a_house_rule_is_called_so_in_both_forms(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-10", "Ada"))
    ada.open_house_rules("partnership")
    expect(ada.page.get_by_label("Giving up", exact=True)).to_be_visible()
    ada.open_own_game("partnership")
    ada.toggle_section("Scoring")
    expect(ada.page.get_by_label("Giving up", exact=True)).to_be_visible()


def test_a_game_begins_as_tables_play_that_have_a_name_for_it(new_visitor: NewVisitor) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-9", "Ada"))
    ada.open_own_game("double-deck")
    played = ada.page.get_by_label("Played as")
    expect(played).to_have_value("")
    ada.fill_field("Its name", "Club night")
    ada.select_option("Played as", "Tournament")
    ada.page.get_by_text("To 500, and a failed bid is added to the defenders.").wait_for()
    ada.wait_for_rules_text("with 2 house rules")
    expect(ada.page.get_by_label("Its name")).to_have_value("Club night")
    ada.toggle_section("Ending")
    target = ada.page.get_by_label("Target", exact=True)
    expect(target).to_have_value("500")
    target.fill("600")
    expect(played.locator("option:checked")).to_have_text("Your own way")
    target.fill("500")
    expect(played.locator("option:checked")).to_have_text("Tournament")
    ada.select_option("Played as", "As usual")
    expect(target).to_have_value("350")
    ada.select_option("Made from", "Partnership")
    expect(played).to_be_hidden()


def test_what_is_not_saved_is_there_again_after_a_step_back(new_visitor: NewVisitor) -> None:
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


def test_a_meld_of_ones_own_is_named_and_its_cards_are_tapped(
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
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download").click()
    sheet = coming.value.path().read_text("utf-8")
    assert 'others = [["grand pinochle", "QS QS JD JD", 80]]' in sheet


def test_a_game_goes_through_a_file(new_visitor: NewVisitor, tmp_path: Path) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-4", "Ada"))
    make_game(ada)
    with ada.page.expect_download() as coming:
        ada.page.get_by_role("button", name="Download").click()
    file = tmp_path / "ours.toml"
    coming.value.save_as(file)
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


def test_house_rules_are_carried_on_and_a_game_is_changed_and_deleted(
    new_visitor: NewVisitor,
) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-5", "Ada"))
    ada.open_house_rules("partnership")
    ada.select_option("Giving up", "Always")
    ada.page.get_by_role("link", name="Make your own game").click()
    ada.wait_for_rules_text("with 1 house rule")
    ada.fill_field("Its name", "Sunday game")
    save_game(ada)
    ada.open_own_game("sunday-game")
    ada.fill_field("Its name", "Monday game")
    save_game(ada)
    ada.open_home()
    ada.button("Play now Monday game").wait_for()
    ada.open_own_game("sunday-game")
    for name in ("Delete this game", "Delete for good"):
        ada.button(name).click()
    ada.button("Play now Partnership").wait_for()
    assert ada.page.get_by_text("Monday game").count() == 0


def test_a_sheet_that_says_a_whole_game_is_changed_saved_and_played(
    new_visitor: NewVisitor, house_server: Server, tmp_path: Path
) -> None:
    ada: Visitor = new_visitor(at=house_server)
    ada.open_own_game("whole")
    expect(ada.page.get_by_label("Made from").locator("option:checked")).to_have_text(
        "No other game"
    )
    ada.page.get_by_text("This sheet states every rule itself.").wait_for()
    assert "changed" not in "".join(ada.page.locator("summary").all_inner_texts())
    ada.fill_field("Its name", "Sunday game")
    ada.toggle_section("Melds")
    ada.fill_field("Dix, 1", "20")
    expect(ada.page.get_by_role("article").get_by_role("row", name="dix")).to_contain_text("20")
    ada.toggle_section("Auction")
    ada.select_option("Play with this part", "No")
    expect(ada.page.get_by_label("Lowest bid")).to_be_hidden()
    ada.select_option("Play with this part", "Yes")
    expect(ada.page.get_by_label("Lowest bid")).to_have_value("250")
    save_game(ada)
    ada.fill_field("Its name", "Monday game")  # the file says what was typed last, checked or not
    with ada.page.expect_download() as coming:
        ada.page.get_by_role("button", name="Download").click()
    file = tmp_path / "ours.toml"
    coming.value.save_as(file)
    rules = variants.load(file)
    assert (rules.base, rules.title, rules.melds.dix) == ("", "Monday game", 20)
    ada.button("Play now").click()
    ada.wait_until_settled()
    ada.wait_for_hand_size(12)


def test_a_file_that_says_a_whole_game_is_opened_and_given_a_base(
    new_visitor: NewVisitor, tmp_path: Path
) -> None:
    ada: Visitor = new_visitor(person=Person("ada-own-7", "Ada"))
    ada.open_own_game("partnership")
    file = tmp_path / "whole.toml"
    file.write_text(WHOLE, encoding="utf-8")
    ada.page.locator("input[type=file]").set_input_files(file)
    ada.page.get_by_text("This sheet states every rule itself.").wait_for()
    ada.fill_field("Its name", "Sunday game")
    expect(ada.button("Play now")).to_be_enabled()
    ada.select_option("Made from", "Two-handed")
    ada.wait_for_rules_text("stock")
    expect(ada.page.get_by_text("This sheet states every rule itself.")).to_be_hidden()
