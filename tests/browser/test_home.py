"""The first page: names, finished games, the game finder, presets and links to the rules."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from acesaround.table import Config, Person
from acesaround.variants import VARIANTS
from tests.browser.layout_checks import LARGE_TEXT, WIDE_FONT, find_layout_faults
from tests.browser.page_objects.visitor import NewVisitor
from tests.browser.screen_checks import CheckScreen
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_game_over
from tests.browser.viewports import LANDSCAPE_PHONE, PHONE, SMALL_PHONE
from tests.table.table_log import play_table_until

# The choices of a field that are wider than the field.
_CUT_OPTIONS = """(field) => {
  const style = getComputedStyle(field);
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const words = document.createElement('span');
  words.style.cssText = 'position: fixed; white-space: nowrap';
  words.style.font = style.font;
  document.body.append(words);
  const cut = [...field.options].map((one) => one.text).filter((text) => {
    words.textContent = text;
    return words.getBoundingClientRect().width > room;
  });
  words.remove();
  return cut;
}"""
IDA, JON = Person("ida-home", "Ida"), Person("jon-home", "Jon")


def test_finished_game_is_put_away_put_back_and_deleted(
    new_visitor: NewVisitor, server: Server, check_screen: CheckScreen
) -> None:
    config = Config("partnership", 4, {"hands": 1})
    server.store_table("over", play_table_until(config, IDA, is_game_over, others=(JON,)))
    ida, jon = new_visitor(person=IDA), new_visitor(person=JON)
    for one in (ida, jon):
        one.open_home()
    [line] = ida.finished_games()
    assert "you won" in line or "you lost" in line
    assert "You & Cleo " in line
    assert "Jon & Dan " in line
    assert ("you won" in line) != ("you won" in jon.finished_games()[0])
    ida.click_finished_game_button("Archive")
    ida.page.get_by_text("Archived (1)").wait_for()
    assert ida.finished_games() == []
    ida.page.get_by_text("Archived (1)").click()
    check_screen(ida, "home-put-away")
    ida.click_finished_game_button("Restore")
    ida.page.get_by_text("Archived (1)").wait_for(state="hidden")
    assert len(ida.finished_games()) == 1
    ida.click_finished_game_button("Delete")
    ida.click_finished_game_button("Delete for good")
    ida.page.get_by_role("heading", name="Finished games").wait_for(state="hidden")
    ida.open_home()
    assert ida.finished_games() == []
    jon.open_home()
    assert len(jon.finished_games()) == 1


@pytest.mark.parametrize("width", [320, 359, 360, 375, 389, 390])
def test_header_of_the_first_page_is_one_row(new_visitor: NewVisitor, width: int) -> None:
    visitor = new_visitor(viewport={"width": width, "height": 740})
    visitor.open_home()
    title = visitor.page.get_by_role("heading", name="Aces Around").bounding_box()
    settings = visitor.button("Settings").bounding_box()
    assert title is not None
    assert settings is not None
    assert settings["y"] < title["y"] + title["height"]


# Where the words of a button or a heading begin and end.
_WORDS_BOX = """(node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  const { left, right, top } = range.getBoundingClientRect();
  return { left, right, top };
}"""


@pytest.mark.parametrize("width", [320, 360, 390, 844, 1280])
def test_what_stands_beside_the_heading_of_the_games_begins_or_ends_where_all_else_does(
    new_visitor: NewVisitor, width: int
) -> None:
    visitor = new_visitor(viewport={"width": width, "height": 740})
    visitor.open_home()
    heading = visitor.page.get_by_role("heading", name="Games", exact=True)
    list_of_games = visitor.page.locator("section:has(> .head) > ul").bounding_box()
    assert list_of_games is not None
    find, own = (
        one.evaluate(_WORDS_BOX)
        for one in (
            visitor.button("Find your game"),
            visitor.page.get_by_role("link", name="Make your own game"),
        )
    )
    left, top = (heading.evaluate(_WORDS_BOX)[side] for side in ("left", "top"))
    right = list_of_games["x"] + list_of_games["width"]
    if abs(find["top"] - top) < 10:  # in one line with the heading
        assert find["right"] == pytest.approx(right, abs=1)
    else:
        line_starts = [own["left"]]
        if find["top"] > own["top"] + 5:
            line_starts.append(find["left"])
        assert line_starts == pytest.approx([left] * len(line_starts), abs=1)


def test_three_questions_find_a_game(new_visitor: NewVisitor, check_screen: CheckScreen) -> None:
    for answers, title in (
        (("4", "Yes, as partners", "Partners pass each other cards"), "Partnership"),
        (("3", "Some cards lie in the middle"), "Three-handed"),
        (("2", "After each trick you draw a card"), "Two-handed"),
        (("4", "Yes, as partners", "Very many cards"), "Double deck, classic"),
    ):
        visitor = new_visitor()
        visitor.open_home()
        titles = visitor.answer_game_finder(*answers)
        assert title in titles
        assert len(titles) <= len(VARIANTS) / 3, "the answers leave too many games"
    check_screen(visitor, "which-game")


# Records where the top of a button is in each frame.
_RECORD_TOPS = """() => {
  window.tops = [];
  const look = () => {
    for (const one of document.querySelectorAll("button"))
      if (one.textContent.trim() === "Find your game") {
        const top = Math.round(one.getBoundingClientRect().top);
        if (top !== window.tops.at(-1)) window.tops.push(top);
      }
    requestAnimationFrame(look);
  };
  look();
}"""


def test_games_do_not_move_when_the_offer_of_a_lesson_comes_late(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page, held = visitor.page, list[Route]()
    page.route("**/assets/LessonOffer-*.js", lambda route: held.append(route))
    page.add_init_script(f"({_RECORD_TOPS})()")
    with page.expect_response("**/api/variants*"), page.expect_response("**/api/tables*"):
        page.goto(visitor.url)
    visitor.wait_until(lambda: held)
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    held[0].continue_()
    page.get_by_role("button", name="First lesson").wait_for()
    visitor.button("Find your game").wait_for()
    assert len(page.evaluate("() => tops")) == 1


@pytest.mark.parametrize("name", ["rules", "own"])
def test_a_link_that_names_no_game_leads_home(new_visitor: NewVisitor, name: str) -> None:
    visitor = new_visitor()
    visitor.page.goto(f"{visitor.url}/#{name}")
    visitor.page.get_by_role("link", name="Play with friends").wait_for()
    assert visitor.page.url == f"{visitor.url}/"


def test_how_to_play_and_rules_open_from_the_first_page(
    new_visitor: NewVisitor, check_screen: CheckScreen
) -> None:
    visitor = new_visitor()
    visitor.open_home()
    visitor.page.get_by_role("link", name="How to play").click()
    visitor.page.get_by_role("heading", name="How to play pinochle").wait_for()
    visitor.page.get_by_role("link", name="Three-handed").wait_for()
    check_screen(visitor, "how-to-play")
    visitor.open_home()
    visitor.page.get_by_role("link", name="Rules Double deck", exact=True).click()
    visitor.page.get_by_role("article").get_by_role("heading").first.wait_for()
    check_screen(visitor, "rules-page")


def test_name_typed_before_the_profile_arrives_is_kept(
    new_visitor: NewVisitor,
) -> None:
    visitor = new_visitor()
    requests: list[Route] = []
    visitor.page.route("**/api/me", lambda route: requests.append(route))
    visitor.open_home()
    visitor.page.get_by_label("Your name").fill("Ida")
    visitor.wait_until(lambda: requests, "the page requests the profile")
    with visitor.page.expect_response("**/api/me"):
        requests[0].continue_()
    visitor.page.unroute("**/api/me")
    with visitor.page.expect_response("**/api/me"):
        visitor.button("Save").click()
    visitor.page.reload()
    visitor.page.wait_for_function("() => document.querySelector('#name').value === 'Ida'")


def test_preset_of_house_rules_can_be_selected(new_visitor: NewVisitor) -> None:
    ida = new_visitor()
    ida.open_house_rules("double-deck")
    preset, target = ida.page.get_by_label("Played as"), ida.page.get_by_label("Target")
    article = ida.page.get_by_role("article", name="The rules of this table")
    expect(preset).to_have_value("")
    preset.select_option(label="Tournament")
    expect(target).to_have_value("500")
    expect(
        ida.page.get_by_text("To 500, and a failed bid is added to the defenders.")
    ).to_be_visible()
    expect(article).to_contain_text("500 or more")
    target.fill("600")
    expect(preset.locator("option:checked")).to_have_text("Your own way")
    target.fill("500")
    expect(preset.locator("option:checked")).to_have_text("Tournament")
    ida.expected_errors.append("422")
    deals = ida.page.get_by_label("Number of deals", exact=True)
    deals.fill("0")
    expect(
        ida.page.get_by_text("It must be a number of deals, 1 to 10000, or none.")
    ).to_be_visible()
    expect(ida.page.get_by_role("alert")).to_have_text("1 thing to fix: Number of deals.")
    expect(deals).to_have_attribute("aria-invalid", "true")
    preset.select_option(label="As usual")
    expect(deals).to_have_attribute("aria-invalid", "false")
    expect(target).to_have_value("350")
    ida.select_option("Game", "Partnership")
    expect(preset).to_be_hidden()


def test_wide_font_leaves_the_lists_whole_on_a_small_phone(
    new_visitor: NewVisitor, server: Server
) -> None:
    ida = Person("ida-wide", "Ida")
    config = Config("partnership", 4, {"hands": 1})
    server.store_table("wide-over", play_table_until(config, ida, is_game_over))
    visitor = new_visitor(person=ida, viewport=SMALL_PHONE)
    visitor.open_home()
    assert visitor.finished_games()
    visitor.page.add_style_tag(content=WIDE_FONT)
    assert find_layout_faults(visitor.page) == []


def test_header_is_one_line_on_a_small_phone_with_a_wide_font(new_visitor: NewVisitor) -> None:
    visitor = new_visitor(viewport=SMALL_PHONE)
    visitor.open_home()
    visitor.page.add_style_tag(content=WIDE_FONT)
    boxes = [
        visitor.page.get_by_role(role, name=name, exact=True).bounding_box()
        for role, name in (
            ("heading", "Aces Around"),
            ("link", "How to play"),
            ("button", "Settings"),
        )
    ]
    middles = [box["y"] + box["height"] / 2 for box in boxes if box is not None]
    assert middles == pytest.approx([middles[0]] * 3, abs=1)


def test_both_ways_to_play_are_on_the_first_screen_of_a_phone_held_sideways(
    new_visitor: NewVisitor,
) -> None:
    visitor = new_visitor(viewport=LANDSCAPE_PHONE)
    visitor.open_home()
    expect(visitor.button("Play now").first).to_be_in_viewport(ratio=1)
    friends = visitor.page.get_by_role("link", name="Play with friends")
    expect(friends).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("path", ["/", "/#rules/partnership"])
def test_large_text_leaves_no_button_off_the_screen(new_visitor: NewVisitor, path: str) -> None:
    visitor = new_visitor(viewport=PHONE)
    visitor.page.goto(f"{visitor.url}{path}")
    visitor.page.get_by_text("Make your own game").wait_for()
    visitor.page.add_style_tag(content=LARGE_TEXT)
    faults = find_layout_faults(visitor.page)
    assert [fault for fault in faults if "off the screen" in fault] == []


@pytest.mark.parametrize("variant", ["partnership", "double-deck"])
def test_tables_of_the_rules_fit_with_large_text(new_visitor: NewVisitor, variant: str) -> None:
    visitor = new_visitor(viewport=PHONE)
    visitor.page.goto(f"{visitor.url}/#rules/{variant}")
    visitor.page.locator(".prose table").first.wait_for()
    visitor.page.add_style_tag(content=LARGE_TEXT)
    wide = "() => [...document.querySelectorAll('html, .scroll')].filter((it) => "
    assert visitor.page.evaluate(f"{wide} it.scrollWidth > it.clientWidth).length") == 0


def test_house_rules_are_not_described_as_the_usual_game(new_visitor: NewVisitor) -> None:
    """Double deck is played to 350, but not with these rules."""
    last = {"variant": "double-deck", "players": 4, "options": {"target": 100}, "bots": None}
    ida = new_visitor(settings={"last": last})
    ida.open_home()
    expect(ida.page.get_by_text("no account")).to_have_text(
        "Double deck · with house rules, against 3 bots, no account"
    )


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_house_rules_form_shows_whole_names_of_games(new_visitor: NewVisitor, width: int) -> None:
    ida = new_visitor(viewport={"width": width, "height": 800})
    ida.open_house_rules("double-deck-classic")
    for style in ["", WIDE_FONT][: 2 if width == 390 else 1]:
        if style:
            ida.page.add_style_tag(content=style)
        assert ida.page.get_by_label("Game", exact=True).evaluate(_CUT_OPTIONS) == []


@pytest.mark.parametrize("variant", ["partnership", "double-deck", "two-handed"])
def test_house_rules_form_has_no_names_of_programs(new_visitor: NewVisitor, variant: str) -> None:
    visitor = new_visitor()
    visitor.open_house_rules(variant)
    named = visitor.page.locator("label[for^=option-]")
    named.first.wait_for()
    labels = [label.strip() for label in named.all_inner_texts()]
    assert len(labels) > 5
    assert [label for label in labels if "_" in label or not label[0].isupper()] == []


def test_house_rules_form_starts_with_the_game_chosen_last(
    new_visitor: NewVisitor,
) -> None:
    for last_variant, selected in ((None, "partnership"), ("two-handed", "two-handed")):
        settings = (
            {}
            if last_variant is None
            else {"last": {"variant": last_variant, "players": 2, "options": {}}}
        )
        ida = new_visitor(settings=settings)
        ida.page.goto(f"{ida.url}/#friends")
        ida.page.get_by_role("link", name="House rules, another number of players").click()
        expect(ida.page.get_by_label("Game", exact=True)).to_have_value(selected)
