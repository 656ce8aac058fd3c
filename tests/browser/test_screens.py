"""Every screen and state as it looks: all has its place, axe finds nothing, and pictures are kept.

The boxes are looked at on several screens, from the smallest telephone to a desktop. axe takes
longer: `make test` has it look at a telephone in light, and at the colours of a desktop in dark.
`make soak` has it look at all screens in both, and keeps pictures of them in build/screens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from acesaround import game
from acesaround.actions import Play
from acesaround.game.state import Bidding, DecisionKind, Playing
from acesaround.game.view import turn_of
from acesaround.table import Config, Person, Table
from acesaround.table.claiming import can_claim
from frontend.check import fetched
from tests.browser.conftest import DESKTOP, PHONE, Visit
from tests.browser.layout_checks import SIZES, find_layout_faults
from tests.browser.page import OVER, RESULT, Visitor
from tests.browser.server_process import Server, log_until
from tests.browser.test_reconnect import is_mid_trick
from tests.browser.test_refusals import NOT_FOUND, has_to_follow
from tests.cli_runner import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# By screen, in which themes it has its picture and is looked at by axe: the boxes are on each.
SAMPLE = {"little": (), "lying": (), "phone": THEMES[:1], "desktop": THEMES[1:]}
ALL = dict.fromkeys(SIZES, THEMES)
COLOURS = ["color-contrast", "link-in-text-block"]  # all rules of axe that a theme can break
# What it found, in words short enough for a failure.
RUN = """async (rules) => {
  const found = await axe.run(document, {
    resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}),
  });
  return found.violations.flatMap((one) =>
    one.nodes.map((node) => `${one.id}: ${node.target.join(' ')}: ${node.failureSummary}`));
}"""
# The headings of a table that cards cover. Cards let taps through, so they are made to answer.
COVERED_HEADINGS = """(table) => {
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
Look = Callable[[Visitor, str], None]


@pytest.fixture(params=["sample", pytest.param("all", marks=pytest.mark.soak)])
def check_look(screenshot_folder: Path, request: pytest.FixtureRequest) -> Iterator[Look]:
    """Looks at a page in every way; what was found is told when the test has looked at all."""
    found: list[str] = []
    assert fetched(), "axe is an npm package, and those cannot be had here"
    axe = AXE.read_text()

    def check(visitor: Visitor, name: str) -> None:
        page = visitor.page
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(axe)
        wrong: list[str] = []
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        every = request.param == "all"
        for size, themes in (ALL if every else SAMPLE).items():
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
            visitor.wait_until_still()
            wrong.extend(f"{width}x{height}: {said}" for said in find_layout_faults(page))
            for theme in themes:
                page.emulate_media(color_scheme=theme)
                visitor.wait_until_still()
                if every:
                    page.screenshot(path=screenshot_folder / f"{name}-{size}-{theme}.png")
                rules = COLOURS if theme == "dark" and not every else None
                said = page.evaluate(RUN, rules)
                found.extend(f"{name}, {size}, {theme}: {one}" for one in said)
        found.extend(f"{name}, {fault}" for fault in wrong)
        page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]

    yield check
    assert not found, "\n".join(found)


def is_asked(kind: DecisionKind, *, many: int = 0) -> Callable[[Table], bool]:
    """Whether that is asked of seat 0, after so many calls of the auction."""
    return lambda table: (
        table.game is not None
        and turn_of(table.game) == 0
        and game.decision(table.game).kind is kind
        and table.seq > many
    )


def can_concede(table: Table) -> bool:
    """Whether seat 0 may give up."""
    phase = table.game and table.game.phase
    return isinstance(phase, Playing) and phase.may_concede and phase.turn == 0


def is_first_card(table: Table) -> bool:
    """Whether seat 0 is to play its first card, so that melds have just been shown."""
    state = table.game
    return (
        state is not None
        and isinstance(state.phase, Playing)
        and len(state.hand(0)) == table.rules.hand_size
        and turn_of(state) == 0
    )


def has_scored_deal(table: Table) -> bool:
    """Whether a deal has been scored."""
    return len(table.sheet) == 1


def is_over(table: Table) -> bool:
    """Whether the game is over."""
    return table.game is not None and not table.is_playing


def open_table(
    visit: Visit, server: Server, name: str, entries: tuple[Any, ...], **more: Any
) -> Visitor:
    """The host of a table that is as it should look."""
    visitor: Visitor = visit(person=entries[0].host, **more)
    visitor.page.goto(server.store_table(name, entries))
    visitor.wait_until_settled()
    return visitor


def test_the_first_page_and_the_house_rules(
    visit: Visit, server: Server, check_look: Look, person: Person
) -> None:
    server.store_table(
        "of-ada", log_until(Config("two-handed", 2, public=True), person, is_stock_play)
    )
    visitor: Visitor = visit(person=person)
    visitor.open_home()
    check_look(visitor, "home")
    visitor.press(visitor.button("Settings"))
    visitor.panel().wait_for()
    check_look(visitor, "home-settings")
    visitor.open_house_rules("double-deck")
    check_look(visitor, "house-rules")
    visitor.select_option("Giving up", "Always")
    check_look(visitor, "house-rules-changed")
    visitor.set_up_table()
    check_look(visitor, "room")


def test_a_game_of_ones_own(visit: Visit, check_look: Look, person: Person) -> None:
    visitor: Visitor = visit(person=person)
    visitor.open_own_game("partnership")
    check_look(visitor, "own-game")
    for part in ("Deal", "Auction", "Melds", "Scoring"):
        visitor.toggle_section(part)
    visitor.fill("Pinochle, 1", "50")
    visitor.wait_for_rules_text("with 1 house rule")
    check_look(visitor, "own-game-changed")
    visitor.fill("Pinochle, 2", "5")
    visitor.page.get_by_text("1 thing to fix").first.wait_for()
    check_look(visitor, "own-game-refused")


def is_stock_play(table: Table) -> bool:
    """Whether seat 0 is to act, some tricks into a game of two."""
    state = table.game
    return state is not None and turn_of(state) == 0 and table.seq > 20


def test_a_home_of_a_newcomer(visit: Visit, check_look: Look) -> None:
    visitor: Visitor = visit()
    visitor.open_home()
    check_look(visitor, "home-new")


def test_the_auction(visit: Visit, server: Server, check_look: Look, person: Person) -> None:
    for variant, players in (("partnership", 4), ("double-deck", 4), ("five-card", 4)):
        entries = log_until(Config(variant, players), person, is_asked(DecisionKind.BID, many=5))
        check_look(open_table(visit, server, f"auction-{variant}", entries), f"auction-{variant}")


def test_cards_cover_no_name_above_an_auction(visit: Visit, server: Server, person: Person) -> None:
    others = tuple(Person(f"{name} of {person.id}", name) for name in ("Ben", "Cleo", "Dan"))

    def is_third_round(table: Table) -> bool:
        in_auction = table.game is not None and isinstance(table.game.phase, Bidding)
        return in_auction and not table.sheet and table.seq > 15

    entries = log_until(Config("partnership", 4), person, is_third_round, others=others)
    visitor = open_table(visit, server, "auction-names", entries)
    visitor.page.set_viewport_size({"width": 360, "height": 740})
    auction = visitor.page.get_by_role("table", name="Auction")
    expect(auction.locator("tbody tr")).to_have_count(3)
    visitor.wait_until_still()
    assert auction.evaluate(COVERED_HEADINGS) == []


def test_the_steps_before_the_play(
    visit: Visit, server: Server, check_look: Look, person: Person
) -> None:
    for name, variant, players, kind in (
        ("bury", "three-handed", 3, DecisionKind.BURY),
        ("trump", "double-deck", 4, DecisionKind.TRUMP),
        ("give", "partnership", 4, DecisionKind.GIVE),
        ("discard", "five-card", 4, DecisionKind.DISCARD),
    ):
        visitor = open_table(
            visit, server, name, log_until(Config(variant, players), person, is_asked(kind))
        )
        check_look(visitor, name)
        if kind in (DecisionKind.BURY, DecisionKind.GIVE, DecisionKind.DISCARD):
            for place in (1, 2):
                visitor.press(visitor.card(place), card=True)
            check_look(visitor, f"{name}-chosen")


def test_a_wide_font_cuts_no_choice_of_a_bidder(
    visit: Visit, server: Server, person: Person
) -> None:
    """The fonts of some telephones are wider by a fifth, which so much space between letters is."""
    for name, kind in (("trump", DecisionKind.TRUMP), ("bid", DecisionKind.BID)):
        entries = log_until(Config("double-deck", 4), person, is_asked(kind, many=3))
        visitor = open_table(visit, server, f"wide-{name}", entries)
        page = visitor.page
        if kind is DecisionKind.BID:
            visitor.take_step()  # so that it may be taken back
            assert visitor.wait_until_asked()["asks"] == "bid"
        page.add_style_tag(content="* { letter-spacing: 0.1em !important }")
        for width in (390, 360, 320):
            page.set_viewport_size({"width": width, "height": 740})
            visitor.wait_until_still()
            # What was called lies over cards for a moment.
            assert [said for said in find_layout_faults(page) if "div.call" not in said] == [], (
                width
            )
            if kind is DecisionKind.TRUMP:
                words = page.locator(".ask")
                assert words.evaluate("(it) => getComputedStyle(it).clipPath") == "none"
            else:
                plate, row = page.locator(".me").bounding_box(), page.locator(".bid").bounding_box()
                assert plate is not None
                assert row is not None
                assert plate["y"] + plate["height"] <= row["y"] + 2, width


def test_the_melds_laid_out(visit: Visit, server: Server, check_look: Look, person: Person) -> None:
    """Naming trump shows them, so the game is taken up just before."""
    for variant, players in (("three-handed", 3), ("double-deck", 4)):
        entries = log_until(Config(variant, players), person, is_asked(DecisionKind.TRUMP))
        visitor = open_table(visit, server, f"melds-{variant}", entries)
        visitor.take_step()
        assert visitor.wait_until_asked()["phase"] == "melds"
        check_look(visitor, f"melds-{variant}")


def test_the_play(visit: Visit, server: Server, check_look: Look, person: Person) -> None:
    visitor = open_table(
        visit,
        server,
        "play",
        log_until(Config("partnership", 4), person, has_to_follow),
        settings={},
    )
    check_look(visitor, "play-partnership")
    wrong = next(i for i in range(len(visitor.hand())) if i not in visitor.legal_positions())
    visitor.press(visitor.card(wrong), card=True)
    visitor.page.locator(".refusal").wait_for()
    check_look(visitor, "play-refused")
    visitor.ask_for_hint()
    visitor.page.locator(".refusal").wait_for(state="detached")
    check_look(visitor, "play-hint")
    visitor.press(visitor.button("Last trick"))
    check_look(visitor, "last-trick")
    visitor.press(visitor.button("Back to play"))
    visitor.press(visitor.button("Melds"))
    visitor.panel().wait_for()
    check_look(visitor, "melds-panel")
    visitor.close_panel()
    for panel, name in (
        ("Score", "score-empty"),
        ("Seats and invitation", "seats"),
        ("Say something", "talk"),
        ("Rules", "rules"),
        ("Settings", "settings"),
        ("Keyboard", "keys"),
    ):
        visitor.open(panel)
        visitor.panel(panel).wait_for()
        check_look(visitor, name)
        visitor.close_panel()
    visitor.press(visitor.button("Menu"))
    visitor.panel().wait_for()
    check_look(visitor, "menu")
    visitor.close_panel()
    visitor.open("Pause")
    visitor.page.get_by_text("The table is paused.").wait_for()
    check_look(visitor, "paused")


def test_the_play_of_other_games(
    visit: Visit, server: Server, check_look: Look, person: Person
) -> None:
    for variant, players, until in (
        ("three-handed", 3, is_mid_trick),
        ("two-handed", 2, is_stock_play),
        ("double-deck", 4, is_first_card),
        ("five-card", 9, is_asked(DecisionKind.PLAY)),
    ):
        visitor = open_table(
            visit, server, variant, log_until(Config(variant, players), person, until)
        )
        check_look(visitor, f"play-{variant}-{players}")


def test_giving_up_and_claiming(
    visit: Visit, server: Server, check_look: Look, person: Person
) -> None:
    partner = Person(f"partner of {person.id}", "Bob")
    may = log_until(Config("three-handed", 3), person, can_concede)
    visitor = open_table(visit, server, "give-up", may)
    visitor.press(visitor.button("Give up"))
    visitor.panel().wait_for()
    check_look(visitor, "give-up")
    sure = log_until(
        Config("partnership", 4),
        person,
        lambda t: can_claim(t, 0) and t.game is not None and len(t.game.hand(0)) > 1,
        others=(partner,),
    )
    visitor = open_table(visit, server, "claim", sure)
    visitor.press(visitor.button("Claim the rest"))
    visitor.panel().wait_for()
    check_look(visitor, "claim")
    visitor.press(visitor.panel().get_by_role("button", name="Claim"))
    visitor.page.get_by_text("to agree").wait_for()
    check_look(visitor, "claim-asked")
    bob: Visitor = visit(person=partner)
    bob.page.goto(visitor.page.url)
    bob.panel("Claim the rest?").wait_for()
    check_look(bob, "claim-answer")


def test_the_score_sheet(visit: Visit, server: Server, check_look: Look, person: Person) -> None:
    for variant, players in (("partnership", 4), ("three-handed", 3)):
        visitor = open_table(
            visit, server, f"score-{variant}", log_before_last_card(person, variant, players)
        )
        assert visitor.play_deal()[-1] == RESULT
        check_look(visitor, f"score-{variant}")
    visitor.press(visitor.panel(RESULT).locator(".headline").get_by_role("button"))
    visitor.panel("What it means").get_by_role("term").first.wait_for()
    visitor.page.keyboard.press("Escape")
    word = visitor.panel(RESULT).get_by_role("button", name="play", exact=True)
    visitor.press(word)
    visitor.panel("What it means").get_by_role("img").wait_for()
    check_look(visitor, "words")
    visitor.page.keyboard.press("Escape")
    expect(word).to_be_focused()
    visitor.press(visitor.button("Look at this deal"))  # and its game goes on
    visitor.page.get_by_role("slider", name="Step").wait_for()
    visitor.press(visitor.button("Go to the table"))
    visitor.panel(RESULT).wait_for()


def log_before_last_card(host: Person, variant: str, players: int) -> tuple[Any, ...]:
    """A table where the host plays the last card of the second deal."""

    def until(table: Table) -> bool:
        state = table.game
        return (
            state is not None
            and len(table.sheet) >= 1
            and isinstance(state.phase, Playing)
            and len(state.hand(0)) == 1
            and turn_of(state) == 0
        )

    return log_until(Config(variant, players), host, until)


def is_last_play(table: Table) -> bool:
    """Whether the last card of the game is seat 0's to play."""
    state = table.game
    if state is None or not isinstance(state.phase, Playing) or turn_of(state) != 0:
        return False
    if any(len(state.hand(seat)) > (seat == 0) for seat in state.players):
        return False
    legal = [move for move in game.decision(state).legal if isinstance(move, Play)]
    return game.apply(state, legal[0])[0].winner is not None


def test_the_end_of_a_game_and_its_replay(
    visit: Visit, server: Server, check_look: Look, person: Person
) -> None:
    visitor = open_table(
        visit, server, "ending", log_until(Config("partnership", 4), person, is_last_play)
    )
    visitor.take_step()
    visitor.panel(OVER).wait_for()
    check_look(visitor, "game-over")
    visitor.close_panel()
    visitor.wait_until_still()
    check_look(visitor, "game-over-table")
    visitor.open_replay("ending")
    check_look(visitor, "replay")
    visitor.go_to_step(30)
    check_look(visitor, "replay-play")
    visitor.press(visitor.button("Why?"))
    visitor.page.get_by_text("The best bot").wait_for()
    check_look(visitor, "replay-why")
    visitor.close_panel()
    visitor.press(visitor.button("Download"))
    visitor.panel().wait_for()
    check_look(visitor, "replay-download")
    visitor.close_panel()
    visitor.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    visitor.press(visitor.button("This deal"))
    visitor.panel().wait_for()
    check_look(visitor, "replay-facts")
    visitor.close_panel()
    visitor.go_to_step(9999)
    check_look(visitor, "replay-end")


LONG = [
    "Maximilian von Hohenfels",
    "Wilhelmina van den Berg",
    "Bartholomew Featherstone",
    "Alexandrina Montgomery",
]


def test_long_names(visit: Visit, server: Server, check_look: Look) -> None:
    """Of people: nobody's is longer than the first."""
    ada, *others = (Person(f"{i} with a long name", name) for i, name in enumerate(LONG))
    for name, variant, players, until in (
        ("auction", "partnership", 4, is_asked(DecisionKind.BID, many=5)),
        ("trump", "three-handed", 3, is_asked(DecisionKind.TRUMP)),
        ("play", "partnership", 4, has_to_follow),
        ("result", "partnership", 4, has_scored_deal),
    ):
        config = Config(variant, players)
        entries = log_until(config, ada, until, others=tuple(others[: players - 1]))
        visitor: Visitor = visit(person=ada)
        visitor.page.goto(server.store_table(f"long-{name}", entries))
        visitor.wait_until_settled()
        check_look(visitor, f"long-{name}")
        if name == "result":
            visitor.press(
                visitor.button("Next deal")
            )  # which waits for nobody: the others are away
            visitor.wait_until_settled()
        if name in ("play", "result"):
            visitor.open("Score")
            visitor.panel("Score").wait_for()
            check_look(visitor, f"long-{name}-score")
            visitor.close_panel()
            visitor.open("Seats and invitation")
            visitor.panel("Seats and invitation").wait_for()
            check_look(visitor, f"long-{name}-seats")
    entries = log_until(Config("partnership", 4), ada, is_over, others=tuple(others))
    server.store_table("long-over", entries)
    visitor.open_replay("long-over")
    visitor.go_to_step(40)
    check_look(visitor, "long-replay")


def test_nine_at_the_table(visit: Visit, server: Server, check_look: Look, person: Person) -> None:
    config = Config("five-card", 9)
    visitor = open_table(
        visit, server, "nine", log_until(config, person, is_asked(DecisionKind.PLAY))
    )
    visitor.open("Seats and invitation")
    visitor.panel("Seats and invitation").wait_for()
    check_look(visitor, "nine-seats")
    server.store_table("nine-over", log_until(config, person, is_over))
    visitor.page.goto(f"{server.url}/t/nine-over")
    visitor.wait_until_settled()
    visitor.open("Score")
    visitor.panel("Score").wait_for()
    check_look(visitor, "nine-score")
    visitor.open_replay("nine-over")
    check_look(visitor, "nine-replay")


def test_the_room_and_who_only_watches(
    visit: Visit, server: Server, check_look: Look, person: Person
) -> None:
    ada, bob = visit(person=person), visit(person=Person(f"guest of {person.id}", "Bob"))
    ada.open_home()
    ada.open_house_rules("partnership")
    ada.set_up_table()
    bob.page.goto(ada.invite_link())
    bob.button("Sit here").wait_for()
    check_look(bob, "room-sit-here")
    bob.sit_down(2)
    ada.page.get_by_role("listitem").filter(has_text="Bob").wait_for()
    check_look(ada, "room-of-the-host")
    check_look(bob, "room-of-a-guest")
    link = server.store_table("watched", log_until(Config("partnership", 4), person, has_to_follow))
    watching: Visitor = visit()
    watching.page.goto(link)
    watching.page.get_by_text("You are watching.").wait_for()
    check_look(watching, "watching")


def test_plain_pages(visit: Visit, server: Server, check_look: Look, person: Person) -> None:
    visitor: Visitor = visit()
    visitor.expected_errors += [NOT_FOUND, "Content Security Policy"]
    visitor.page.goto(f"{server.url}/t/nothing")
    check_look(visitor, "no-such-table")
    visitor.open_home()
    visitor.page.evaluate(
        "() => { history.pushState(null, '', '/t/gone'); dispatchEvent(new Event('popstate')) }"
    )
    visitor.page.get_by_text("There is no such table.").wait_for()
    check_look(visitor, "gone")
    server.store_table(
        "early", log_until(Config("partnership", 4), person, is_asked(DecisionKind.BID))
    )
    visitor.expected_errors.append("403")
    visitor.page.goto(f"{server.url}/r/early/1")
    visitor.page.get_by_text("its cards stay hidden").wait_for()
    check_look(visitor, "replay-too-early")


def test_ones_devices(visit: Visit, check_look: Look) -> None:
    cleo = Person("cleo-looks", "Cleo")
    phone, laptop = visit(person=cleo), visit(person=Person("dan-looks", "Dan"))
    phone.open_home()
    phone.page.get_by_role("link", name="My devices").click()
    phone.button("Add a device").wait_for()
    check_look(phone, "devices-one")
    with phone.page.expect_response("**/api/devices/code") as answer:
        phone.button("Add a device").click()
    phone.page.get_by_role("img", name="QR code").wait_for()
    check_look(phone, "devices-code")
    laptop.page.goto(answer.value.json()["link"])
    laptop.button("Sign in as Cleo").wait_for()
    check_look(laptop, "devices-become")
    laptop.button("Sign in as Cleo").click()
    phone.page.get_by_text("was added.").wait_for()
    check_look(phone, "devices-two")
    laptop.page.wait_for_url("**/")
