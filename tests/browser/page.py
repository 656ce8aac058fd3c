"""The page as a person sees and handles it: the only file of these tests that knows its labels.

A `Visitor` is a browser of its own with one page open. It finds things by role and name, as a
person with or without a screen does, and cards by `data-card`.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Position,
    WebSocket,
    expect,
)

from tests.waiting import PATIENCE_SECONDS

T = TypeVar("T")
Message = dict[str, Any]
PATIENCE_MS = int(1000 * PATIENCE_SECONDS)  # the milliseconds that a test waits for its page
_POLLING_MS = 20
EDGE: Position = {"x": 9, "y": 18}  # cards overlap: most show only their left edge

GAMES = {
    "three-handed": "Three-handed",
    "five-card": "Five-card",
    "seven-card": "Seven-card",
    "partnership": "Partnership",
    "two-handed": "Two-handed",
    "double-deck": "Double deck",
    "double-deck-classic": "Double deck, classic",
}
RESULT = "Deal over"
OVER = "Game over"
STYLED = "() => [...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet)"
_CONFIRM_LABELS = {"bury": "Bury", "give": "Pass", "discard": "Exchange|Keep all"}

# Where a person can do something: asked by the game, or a panel lies over the table.
_STAGE = """() => {
  const stage = document.querySelector('[data-phase]');
  const panel = document.querySelector('dialog[open]');
  return {
    phase: stage?.dataset.phase ?? '',
    seq: Number(stage?.dataset.seq ?? -1),
    settled: stage?.dataset.settled === 'true',
    asks: stage?.dataset.asks ?? '',
    panel: panel?.getAttribute('aria-label') ?? '',
  };
}"""
_READY = f"() => {{ const s = ({_STAGE})(); return s.asks || s.panel || s.phase === 'melds' }}"
_SETTLED = f"() => {{ const s = ({_STAGE})(); return s.settled || s.panel || s.phase === 'melds' }}"
# What the layer shows: every face, own cards and the others' alike.
_FACES = """() => [...document.querySelectorAll('.layer .card:not(.unseen)')]
  .filter((card) => !card.classList.contains('back')).map((card) => card.textContent.trim())"""
_MARK = """() => document.querySelectorAll('.layer .card').forEach((card, i) => card.mark = i)"""
_MARKED = (
    """() => [...document.querySelectorAll('.layer .card')].map((card) => card.mark ?? null)"""
)
# Says so if the table was ever gone or without cards, from now on.
_RECORD_FLICKERS = """() => {
  window.flickered = [];
  const look = () => {
    if (!document.querySelector('[data-phase]')) window.flickered.push('no table');
    else if (!document.querySelector('.layer .card')) window.flickered.push('no cards');
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
# From the first moment on: how cards move, and how many at once at most. An event comes for
# each movement, however few frames are drawn; to look at the page now and then would miss some.
_RECORD_CARD_MOVES = """() => {
  const running = new Map(); // by card, how many of its movements have begun and not ended
  window.moves = { ways: new Set(), most: 0 };
  const count = (by) => ({ target }) => {
    if (!target.matches?.('.layer .card')) return;
    const many = (running.get(target) ?? 0) + by;
    if (many > 0) running.set(target, many);
    else running.delete(target);
    window.moves.most = Math.max(window.moves.most, running.size);
    if (by > 0) for (const way of ['deal', 'play', 'pass', 'sweep', 'fan', 'slide'])
      if (target.classList.contains(way)) window.moves.ways.add(way);
  };
  for (const kind of ['transitionrun', 'animationstart']) addEventListener(kind, count(1), true);
  for (const kind of ['transitionend', 'transitioncancel', 'animationend', 'animationcancel'])
    addEventListener(kind, count(-1), true);
}"""
NO_ANIMATION_RUNS = """() => document.getAnimations().every((one) =>
  one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity)"""
# After two frames every change is on the screen or moving; what moves for ever is not waited for.
_NOTHING_MOVES = f"""async (frames) => {{
  for (let i = 0; i < frames; i++) {{
    await new Promise(requestAnimationFrame);
    if (i && ({NO_ANIMATION_RUNS})()) return true;
  }}
  return false;
}}"""
_RECORD_TEXT = """(words) => {
  window.said ??= {};
  const look = () => { window.said[words] ||= document.body.textContent.includes(words); };
  look();
  const all = { childList: true, characterData: true, subtree: true };
  new MutationObserver(look).observe(document, all);
}"""
# The layer lets taps through, so it is made to answer for a moment.
_HIDDEN = """() => {
  const layer = document.querySelector('.layer');
  const keys = document.querySelector('.keys');
  layer.style.pointerEvents = 'auto';
  keys.style.display = 'none';
  const marks = [...layer.querySelectorAll('.card u')];
  const hidden = marks.filter((mark) => {
    const box = mark.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return top?.closest('.card') !== mark.closest('.card');
  }).map((mark) => mark.closest('.card').textContent.trim());
  layer.style.pointerEvents = keys.style.display = '';
  return marks.length ? hidden : ['no card is marked'];
}"""
# What Chromium says of a request that it gave up because its page was left meanwhile.
_HARMLESS_ERRORS = ("net::ERR_ABORTED",)
# The signs of suits are drawn, so that a face's text is its rank alone.
_RANKS = {"A": "A", "T": "10", "K": "K", "Q": "Q", "J": "J", "9": "9"}


class PageError(NamedTuple):
    """What a page complained about, and where: an address and a line, or the calls to there."""

    message: str
    where: str


class Visitor:
    """A person with a browser. `frames` is all that its server sent, in order."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context, self.url = context, url
        self.wants_to_bid = True  # bids as long as it can; otherwise passes where it may
        self.taps = 0
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.frames: list[Message] = []
        self.page_errors: list[PageError] = []
        self.expected_errors: list[str] = []  # patterns of troubles that belong to the test
        self.page.on("websocket", self._on_websocket)
        self.page.on("pageerror", self._on_page_error)
        self.page.on("console", self._on_console_message)

    def _on_websocket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._on_frame)

    def _on_frame(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] != "pong":
            self.frames.append(message)

    def _on_page_error(self, error: Error) -> None:
        self.page_errors.append(PageError(error.message, error.stack or ""))

    def _on_console_message(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            place = message.location
            self.page_errors.append(
                PageError(message.text, f"{place.get('url')}:{place.get('lineNumber')}")
            )

    def unexpected_errors(self) -> list[PageError]:
        """What the page complained about, except what the test meant to cause."""
        patterns = [*self.expected_errors, *_HARMLESS_ERRORS]
        return [
            one for one in self.page_errors if not any(re.search(e, one.message) for e in patterns)
        ]

    def wait_until(self, condition: Callable[[], T], what: str = "") -> T:
        """Return the first true value of `condition`, while all pages go on.

        Raises AssertionError with `what` after the patience of all tests.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := condition()):
            assert time.monotonic() < deadline, what or "the condition never came true"
            self.page.wait_for_timeout(10)  # this thread runs Playwright's loop: it may not sleep
        return found

    def _wait_for(self, condition: str, arg: Any = None) -> None:
        """Wait until a function is true in the page.

        It is called by a timer: by default Playwright asks for a frame each time, and to draw 60 of
        them a second takes a processor.
        """
        self.page.wait_for_function(condition, arg=arg, polling=_POLLING_MS)

    # The first page

    def open_home(self) -> None:
        """Open the first page; back when its lists are there."""
        self.page.goto(self.url)
        self.button("Play now").wait_for()
        # The games come together with the tables, one's own and the open ones.
        self.page.get_by_role("heading", name="Games", exact=True).wait_for()

    def _lobby(self) -> Locator:
        heading = self.page.get_by_role("heading", name="Open tables")
        return self.page.locator("section", has=heading)

    def lobby_hosts(self) -> list[str]:
        """Who sits at the open tables that the first page shows, in its order."""
        facts = self._lobby().locator("li small").all_inner_texts()
        return [one.split(" · ")[0] for one in facts]

    def show_more_tables(self) -> bool:
        """Ask for more of them; whether there are."""
        shown, more = (
            len(self.lobby_hosts()),
            self._lobby().get_by_role("button", name="More tables"),
        )
        if not more.is_visible():
            return False
        more.click()
        self._lobby().locator("li").nth(shown).wait_for()
        return True

    def _finished(self) -> Locator:
        heading = self.page.get_by_role("heading", name="Finished games")
        return self.page.locator("section", has=heading)

    def finished_games(self) -> list[str]:
        """The games that are over, as the first page tells of those that are not put away."""
        return self._finished().locator("> ul > li").all_inner_texts()

    def click_for_finished_game(self, name: str) -> None:
        """Do that with the first game that is over."""
        self._finished().get_by_role("button", name=re.compile(f"^{name}( |$)")).first.click()

    def answer_game_finder(self, *answers: str) -> list[str]:
        """Answer the three questions; the games that are found."""
        self.button("Which game do I know?").click()
        for answer in answers:
            self.panel().get_by_role("button", name=re.compile(f"^{answer}")).click()
        self.panel().get_by_role("button", name="Ask me again").wait_for()
        return self.panel().locator("li strong").all_inner_texts()

    def play_now(self, variant: str) -> None:
        """Start a game against bots from the first page."""
        self.button(f"Play now {GAMES[variant]}").click()

    def open_house_rules(self, variant: str) -> None:
        """Open the form of the house rules."""
        self.page.goto(f"{self.url}/#new/{variant}")
        self.button("Set up the table").wait_for()
        self.page.get_by_role("article", name="The rules of this table").get_by_role(
            "heading"
        ).first.wait_for()

    def open_own_game(self, base: str) -> None:
        """Begin a game of one's own, made from that one."""
        self.page.goto(f"{self.url}/#own/{base}")
        self.page.get_by_label("Its name").wait_for()
        self.wait_for_rules_text("The end of the game")

    def toggle_section(self, name: str) -> None:
        """Open or fold a section of the rules of one's own game."""
        self.page.locator("summary").filter(has_text=re.compile(f"^{name}")).click()

    def fill(self, field: str, words: str) -> None:
        """Write something into a field of a form."""
        self.page.get_by_label(field, exact=True).fill(words)

    def wait_for_rules_text(self, words: str) -> None:
        """Wait until the rules page beside a form says that."""
        self.page.get_by_role("article").get_by_text(words).first.wait_for()

    def select_option(self, field: str, choice: str) -> None:
        """Choose in a field of the form."""
        self.page.get_by_label(field).select_option(label=choice)

    def set_up_table(self) -> None:
        """Open a table from the form, to seat people first."""
        self.button("Set up the table").click()
        self.start_button().wait_for()

    def set_up_table_for_friends(self, variant: str) -> None:
        """Set up a table for friends: two taps from the first page."""
        self.press(self.page.get_by_role("link", name="Play with friends"))
        self.press(self.button(re.compile(f"^{re.escape(GAMES[variant])} ")))
        self.start_button().wait_for()

    def save_name(self, name: str) -> None:
        """Take a name on the first page."""
        self.page.get_by_label("Your name").fill(name)
        self.button("Save").click()
        self._wait_for("() => document.querySelector('form .button').disabled")

    # At the table

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button by its name."""
        if isinstance(name, str):
            return self.page.get_by_role("button", name=name, exact=True)
        return self.page.get_by_role("button", name=name)

    def start_button(self) -> Locator:
        """The button that starts the game."""
        return self.button(re.compile("^Start (with|every)"))

    def seat(self, number: int) -> Locator:
        """A seat of the table as it is drawn, counted from one."""
        return self.button(re.compile(rf"^Seat {number}:"))

    def wait_for_seated(self, name: str, number: int) -> None:
        """Wait until somebody sits there by that name, as this page shows it."""
        expect(self.seat(number)).to_contain_text(name)

    def sit_down(self, number: int | None = None) -> None:
        """Say yes to `Sit here?`, or take another free seat."""
        if number is not None:
            self.button("Sit here").wait_for()  # else a press on the seat means something else
            self.press(self.seat(number))
        self.press(self.button("Sit here"))

    def move_to_seat(self, number: int) -> None:
        """Change to another free seat."""
        self.press(self.seat(number))
        self.press(self.button("Move here"))

    def fill_name(self, name: str) -> None:
        """Say a name where one is asked for it on sitting down."""
        self.page.get_by_label("Your name").fill(name)

    def wait_for_filled_name(self, name: str) -> None:
        """Wait until that name stands there already."""
        self.page.get_by_label("Your name").wait_for()
        self._wait_for("(name) => document.querySelector('form input').value === name", arg=name)

    def only_watch(self) -> None:
        """Say no to `Sit here?`."""
        self.press(self.button("Only watch"))

    def panel(self, name: str | re.Pattern[str] | None = None) -> Locator:
        """The panel that lies over the table."""
        return self.page.get_by_role("dialog", name=name)

    def invite_link(self) -> str:
        """The invite link as the room shows it."""
        return self.page.get_by_label("Invite by link").input_value()

    def open(self, where: str) -> None:
        """Open a panel from the menu."""
        self.button("Menu").click()
        self.panel().get_by_role("button", name=where, exact=True).click()

    def look_radio(self, group: str, choice: str) -> Locator:
        """A choice in the settings, by its picture's name."""
        one = self.panel().get_by_role("group", name=group, exact=True)
        return one.get_by_role("radio", name=choice, exact=True)

    def choose_look(self, group: str, choice: str) -> None:
        """Choose how cards look."""
        self.look_radio(group, choice).check()

    def close_panel(self) -> None:
        """Close the panel that is open."""
        self.panel().get_by_role("button", name="Close", exact=True).click()
        self._wait_for("() => !document.querySelector('dialog[open]')")

    def say_phrase(self, words: str) -> None:
        """Say something to the table."""
        self.open("Say something")
        self.panel().get_by_role("button", name=words, exact=True).click()

    def allow_writing(self, *, allow: bool = True) -> None:
        """Let people at one's table write what they like, or only phrases."""
        self.open("Say something")
        box = self.panel().get_by_role("checkbox", name="Let people at this table write")
        expect(box).to_be_checked(checked=not allow)
        box.set_checked(allow)
        self.panel().get_by_role("textbox").wait_for(state="visible" if allow else "detached")
        self.close_panel()

    def write_message(self, words: str) -> None:
        """Say something to the table in one's own words."""
        self.open("Say something")
        self.panel().get_by_role("textbox").fill(words)
        self.panel().get_by_role("button", name="Send").click()

    def state(self) -> Message:
        """How the table stands on the page."""
        found: Message = self.page.evaluate(_STAGE)
        return found

    def wait_until_asked(self) -> Message:
        """Wait until this person can do something."""
        self._wait_for(_READY)
        return self.state()

    def wait_until_still(self) -> None:
        """Wait until nothing moves any more."""
        assert self.page.evaluate(_NOTHING_MOVES, 60 * PATIENCE_SECONDS), "it keeps moving"

    def record_text(self, words: str) -> None:
        """Have the page note from now on whether it has said that, however shortly."""
        self.page.evaluate(_RECORD_TEXT, words)

    def wait_for_recorded_text(self, words: str) -> None:
        """Wait until the page has said what it was to note."""
        self._wait_for("(words) => window.said[words]", arg=words)

    def install_clock(self) -> None:
        """Give each page that is opened from now on a clock that `stop_clock` stops."""
        self.page.clock.install()

    def pause_clock(self, hours: int = 1) -> None:
        """Stop the page's clock so far from now: only `pass_time` lets it go on."""
        self.page.clock.pause_at(time.time() + 3600 * hours)

    def advance_clock(self, milliseconds: int) -> None:
        """Let the page's clock go on by so much, and do all that is due until then."""
        self.page.clock.run_for(milliseconds)

    def record_card_moves(self) -> None:
        """Record how cards move, on each page that is opened from now on."""
        self.page.add_init_script(f"({_RECORD_CARD_MOVES})()")

    def wait_for_simultaneous_moves(self, cards: int) -> None:
        """Wait until so many cards have been on their way at the same time."""
        self._wait_for("(least) => window.moves.most >= least", arg=cards)

    def wait_for_move_kind(self, way: str) -> None:
        """Wait until a card has moved in that way."""
        self._wait_for("(way) => window.moves.ways.has(way)", arg=way)

    def recorded_move_kinds(self) -> set[str]:
        """The ways in which cards have moved."""
        return set(self.page.evaluate("() => [...window.moves.ways]"))

    def open_replay(self, table: str, number: int = 1) -> None:
        """Open the replay of a game."""
        self.page.goto(f"{self.url}/r/{table}/{number}")
        self.page.get_by_role("slider", name="Step").wait_for()

    def go_to_step(self, step: int) -> None:
        """Go to a step of the replay."""
        slider = self.page.get_by_role("slider", name="Step")
        last = int(slider.get_attribute("max") or 0)
        slider.fill(str(min(step, last)))

    def wait_for_decision(self, kind: str) -> None:
        """Wait until that is asked of this person."""
        self.page.locator(f"[data-asks={kind}]").wait_for()

    def wait_until_settled(self) -> Message:
        """Wait until the page shows how the table stands."""
        self._wait_for(_SETTLED)
        return self.state()

    def wait_for_seq_after(self, seq: int) -> None:
        """Wait until the table has moved on from a seq."""
        self._wait_for(
            "(seq) => Number(document.querySelector('[data-phase]')?.dataset.seq) > seq", arg=seq
        )

    def hand(self) -> list[str]:
        """Own cards, as shown."""
        cards: list[str] = self.page.eval_on_selector_all(
            "[data-card]", "(all) => all.map((card) => card.dataset.card)"
        )
        return cards

    def wait_for_hand_size(self, cards: int) -> None:
        """Wait until so many own cards are shown: they are made over some frames."""
        self._wait_for(
            "(cards) => document.querySelectorAll('[data-card]').length === cards", arg=cards
        )

    def legal_positions(self) -> list[int]:
        """The places in the hand of the cards that can be played."""
        places: list[int] = self.page.eval_on_selector_all(
            "[data-card]",
            "(all) => all.flatMap((card, i) => (card.dataset.legal === 'true' ? [i] : []))",
        )
        return places

    def card(self, place: int) -> Locator:
        """The button of a card in the hand."""
        return self.page.locator("[data-card]").nth(place)

    def count_chosen(self) -> int:
        """How many cards are chosen, to bury them or the like."""
        return self.page.locator("[data-card][aria-pressed=true]").count()

    def face_up_ranks(self) -> list[str]:
        """The ranks of all cards that lie face up anywhere, once they lie still."""
        self.wait_until_still()
        shown: list[str] = self.page.evaluate(_FACES)
        return shown

    def ask_for_hint(self) -> tuple[str, str]:
        """Ask for a hint: what to do, as it is heard, and why."""
        self.press(self.button("Hint"))
        does = self.page.get_by_role("status").locator(".does")
        does.wait_for()
        what = " ".join(does.locator("strong, .cards > .hidden").all_inner_texts())
        return what, self.page.get_by_role("status").locator(".why > [aria-hidden]").inner_text()

    def banner_text(self) -> str:
        """What the bar at the top says."""
        return self.page.get_by_role("banner").inner_text()

    def banner_scores(self) -> list[str]:
        """Names and points in the bar."""
        said = self.button(re.compile(r"^Score\."))
        return [line for line in said.inner_text().split("\n") if line != "Score."]

    def own_plate_text(self) -> str:
        """What one's own plate says."""
        return " ".join(self.page.locator(".me").inner_text().split())

    def countdown(self) -> Locator:
        """The last seconds of a turn, on the plate of whose turn it is."""
        return self.page.locator(".number")

    def offered_meld_points(self) -> list[int]:
        """What the melds are worth that can be laid, as they are offered."""
        first = self.button(re.compile("^Lay ")).all_inner_texts()
        self.press(self.button(re.compile(r"^\d+ more$")))
        more = self.panel("Lay a meld").get_by_role("navigation").get_by_role("button")
        more.first.wait_for()
        found = [_last_number(words) for words in more.all_inner_texts()]
        assert [_last_number(words) for words in first] == found[: len(first)]
        self.close_panel()
        return found

    def cards_with_hidden_mark(self) -> list[str]:
        """The cards in the hand whose mark, that they lie melded, is under another card."""
        hidden: list[str] = self.page.evaluate(_HIDDEN)
        return hidden

    def refusal_text(self) -> str:
        """The sentence that says why something was refused."""
        return self.page.locator(".refusal").inner_text()

    # Whether the table stays while the connection goes

    def mark_cards(self) -> None:
        """Remember every card element, once all are there."""
        self.wait_until_still()
        self.page.evaluate(_MARK)
        self.page.evaluate(_RECORD_FLICKERS)

    def has_same_cards(self) -> bool:
        """Whether the card elements are those remembered, in the same order."""
        marks: list[int | None] = self.page.evaluate(_MARKED)
        return marks[:1] == [0] and marks == sorted(marks, key=lambda m: (m is None, m or 0))

    def recorded_flickers(self) -> list[str]:
        """What was seen to be missing in between."""
        seen: list[str] = self.page.evaluate("() => window.flickered")
        return seen

    # Playing

    def press(self, target: Locator, *, card: bool = False) -> None:
        """Press a button: with the mouse here."""
        target.click(position=EDGE if card else None)

    def take_step(self) -> str:
        """Do the one thing that is asked for; what it was, `melds` or the name of a panel."""
        state = self.wait_until_asked()
        if state["panel"]:
            return str(state["panel"])
        asked = str(state["asks"])
        match asked:
            case "bid":
                self._bid()
            case "trump":
                self._name_trump()
            case "play":
                self._play()
            case "":
                self.press(self.button("Continue"))
                return "melds"
            case _:
                self._choose(re.compile(f"^({_CONFIRM_LABELS[asked]})"))
        return asked

    def _bid(self) -> None:
        passing = self.button("Pass")
        if self.wants_to_bid or not passing.count():
            self.press(self.button(re.compile(r"^Bid \d")))
        else:
            self.press(passing)

    def _name_trump(self) -> None:
        held = self.page.get_by_role("group", name="Name trump").get_by_role("button")
        enabled = [button for button in held.all() if button.is_enabled()]
        self.press(max(enabled, key=lambda button: _number(button.inner_text())))

    def _choose(self, main: re.Pattern[str]) -> None:
        """Choose cards from the right end, the low ones, until their number is right."""
        wanted = self.button(main)
        for place in reversed(range(len(self.hand()))):
            if self.count_chosen() and wanted.is_enabled():
                break
            self.press(self.card(place), card=True)
        self.press(wanted)

    def _play(self) -> None:
        lay = self.button(re.compile("^Lay "))
        if lay.count():
            self.press(lay.first)
        else:
            self.press(self.card(self.legal_positions()[0]), card=True)

    def play_deal(self, most: int = 120) -> list[str]:
        """Play until the deal is over and its score sheet is open; what was asked on the way."""
        asked: list[str] = []
        while len(asked) < most:
            done = self.take_step()
            asked.append(done)
            if done in (RESULT, OVER):
                return asked
        raise AssertionError(f"the deal does not end: {asked}")

    def sheet(self) -> list[list[str]]:
        """The rows of the score sheet that is open: a side and its numbers."""
        rows = self.panel().locator("table").first.locator("tbody tr").all()
        return [row.locator("th, td").all_inner_texts() for row in rows]


class TouchVisitor(Visitor):
    """A person with a telephone."""

    def press(self, target: Locator, *, card: bool = False) -> None:
        """Press a button: with a finger."""
        self.taps += 1
        target.tap(position=EDGE if card else None)


class KeyboardVisitor(Visitor):
    """A person without a mouse: nothing but keys, and what has the focus."""

    def press(self, target: Locator, *, card: bool = False) -> None:
        """Not with the mouse."""
        raise AssertionError("a person without a mouse has clicked")

    def press_keys(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def focused_name(self) -> str:
        """The name of what has the focus."""
        name: str = self.page.evaluate(
            "() => (document.activeElement?.innerText ?? '').replace(/\\s+/g, ' ').trim()"
        )
        return name

    def tab_to(self, wanted: Callable[[str], bool], most: int = 60) -> str:
        """Press Tab until what has the focus is what was wanted."""
        for _ in range(most):
            self.press_keys("Tab")
            if wanted(self.focused_name()):
                return self.focused_name()
        raise AssertionError(f"Tab never came there; at last it was at {self.focused_name()!r}")

    def play_now(self, variant: str) -> None:
        """Start a game against bots from the first page."""
        self.tab_to(lambda name: name == f"Play now {GAMES[variant]}")
        self.press_keys("Enter")

    def take_step(self) -> str:
        """Do the one thing that is asked for."""
        before = self.wait_until_asked()["phase"]
        if before == "melds":
            self.press_keys("b")
            return "melds"
        return super().take_step()

    def _bid(self) -> None:
        self.press_keys("+", "-", "b")

    def _name_trump(self) -> None:
        held = self.page.get_by_role("group", name="Name trump").get_by_role("button")
        enabled = [i for i, button in enumerate(held.all()) if button.is_enabled()]
        keys = [held.nth(i).get_attribute("aria-keyshortcuts") or "" for i in enabled]
        self.press_keys(keys[0].lower())

    def _focused_position(self) -> int:
        """The place in the hand that has the focus, -1 for none."""
        place: int = self.page.evaluate(
            "() => [...document.querySelectorAll('[data-card]')].indexOf(document.activeElement)"
        )
        return place

    def _focus_position(self, place: int) -> None:
        """Move along the hand with the arrows."""
        if self._focused_position() < 0:
            self.press_keys("ArrowRight")
        for _ in range(len(self.hand())):
            if self._focused_position() == place:
                return
            self.press_keys("ArrowRight")
        raise AssertionError(
            f"the arrows never came to card {place}, at last to {self._focused_position()}"
        )

    def _choose(self, main: re.Pattern[str]) -> None:
        wanted = self.button(main)
        for place in reversed(range(len(self.hand()))):
            if self.count_chosen() and wanted.is_enabled():
                break
            self._focus_position(place)
            self.press_keys("Enter")
        expect(wanted).to_be_enabled()
        self.press_keys("b")

    def _play(self) -> None:
        lay = self.button(re.compile("^Lay "))
        if lay.count():
            self.tab_to(lambda name: name.startswith("Lay "))
            self.press_keys("Enter")
        else:
            self._focus_position(self.legal_positions()[0])
            self.press_keys("Enter")


def _number(words: str) -> int:
    """The first number in a text."""
    found = re.search(r"\d+", words)
    assert found, words
    return int(found[0])


def _last_number(words: str) -> int:
    """The last number in a text."""
    found: list[str] = re.findall(r"\d+", words)
    assert found, words
    return int(found[-1])


def ranks_of(cards: list[str]) -> list[str]:
    """The ranks of cards as their faces show them, sorted."""
    return sorted(_RANKS[card[0]] for card in cards)
