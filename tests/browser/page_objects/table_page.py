"""A table: its seats, its panels, its chat, the hand of cards and what is shown of the game."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Locator, expect

from tests.browser.page_objects.browser_page import BrowserPage, Message

DEAL_OVER: Final = "Deal over"
GAME_OVER: Final = "Game over"
"""The names of the panels with the score sheet of a deal and of the last deal."""

_TABLE_STATE = """() => {
  const table = document.querySelector('[data-phase]');
  const panel = document.querySelector('dialog[open]');
  return {
    phase: table?.dataset.phase ?? '',
    seq: Number(table?.dataset.seq ?? -1),
    settled: table?.dataset.settled === 'true',
    asks: table?.dataset.asks ?? '',
    panel: panel?.getAttribute('aria-label') ?? '',
  };
}"""
# The person can act: the game asks for a decision, a panel is open, or melds are shown.
_IS_ASKED = (
    f"() => {{ const s = ({_TABLE_STATE})(); return s.asks || s.panel || s.phase === 'melds' }}"
)
_IS_SETTLED = (
    f"() => {{ const s = ({_TABLE_STATE})(); return s.settled || s.panel || s.phase === 'melds' }}"
)
# All cards that lie face up: those of the hand and those of the other seats.
_FACE_UP_CARDS = """() => [...document.querySelectorAll('.layer .card:not(.unseen)')]
  .filter((card) => !card.classList.contains('back')).map((card) => card.textContent.trim())"""
# The layer of cards lets taps through, so it is made to answer for a moment.
_COVERED_MELD_MARKS = """() => {
  const layer = document.querySelector('.layer');
  const keys = document.querySelector('.keys');
  layer.style.pointerEvents = 'auto';
  keys.style.display = 'none';
  const marks = [...layer.querySelectorAll('.card u')];
  const covered = marks.filter((mark) => {
    const box = mark.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return top?.closest('.card') !== mark.closest('.card');
  }).map((mark) => mark.closest('.card').textContent.trim());
  layer.style.pointerEvents = keys.style.display = '';
  return marks.length ? covered : ['no card is marked'];
}"""
# Suits are drawn as pictures, so the text of a card is its rank alone.
_PRINTED_RANKS = {"A": "A", "T": "10", "K": "K", "Q": "Q", "J": "J", "9": "9"}
_CUT_TEXTS = """(bar) => [...bar.querySelectorAll('*')]
  .filter((node) => getComputedStyle(node).overflowX !== 'visible' && node.checkVisibility())
  .filter((node) => !node.matches('.hidden'))
  .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1)
  .map((node) => node.innerText)"""


class TablePage(BrowserPage):
    """What a person sees and does at a table, except playing."""

    # Taking a seat

    def seat(self, number: int) -> Locator:
        """Return the button of a seat before the game, counted from one."""
        return self.button(re.compile(rf"^Seat {number}:"))

    def wait_for_seated(self, name: str, number: int) -> None:
        """Wait until a seat shows the name of its person."""
        expect(self.seat(number)).to_contain_text(name)

    def sit_down(self, number: int | None = None) -> None:
        """Take the seat that is offered, or another free seat."""
        if number is not None:
            self.button("Sit here").wait_for()  # else a press on the seat means something else
            self.press(self.seat(number))
        self.press(self.button("Sit here"))

    def move_to_seat(self, number: int) -> None:
        """Change to another free seat."""
        self.press(self.seat(number))
        self.press(self.button("Move here"))

    def decline_seat(self) -> None:
        """Only watch, instead of taking the seat that is offered."""
        self.press(self.button("Only watch"))

    def fill_name(self, name: str) -> None:
        """Fill in the name that is asked for on sitting down."""
        self.page.get_by_label("Your name").fill(name)

    def wait_for_filled_name(self, name: str) -> None:
        """Wait until the field of the name has that value."""
        self.page.get_by_label("Your name").wait_for()
        self._wait_for_function(
            "(name) => document.querySelector('form input').value === name", arg=name
        )

    def invite_link(self) -> str:
        """Return the invite link that the host sees."""
        return self.page.get_by_label("Invite by link").input_value()

    # The menu and its panels

    def open_menu_item(self, name: str) -> None:
        """Open a panel from the menu."""
        self.button("Menu").click()
        self.panel().get_by_role("button", name=name, exact=True).click()

    def setting_radio(self, group: str, choice: str) -> Locator:
        """Return a radio button of the settings."""
        radios = self.panel().get_by_role("group", name=group, exact=True)
        return radios.get_by_role("radio", name=choice, exact=True)

    def choose_setting(self, group: str, choice: str) -> None:
        """Choose one of the radio buttons in a group of the settings."""
        self.setting_radio(group, choice).check()

    def send_phrase(self, phrase: str) -> None:
        """Send one of the prepared phrases to the table."""
        self.open_menu_item("Say something")
        self.panel().get_by_role("button", name=phrase, exact=True).click()

    def send_message(self, text: str) -> None:
        """Send a text of one's own to the table."""
        self.open_menu_item("Say something")
        self.panel().get_by_role("textbox").fill(text)
        self.panel().get_by_role("button", name="Send").click()

    def allow_free_text(self, *, allow: bool = True) -> None:
        """Allow people at one's table to write texts of their own, or only phrases."""
        self.open_menu_item("Say something")
        box = self.panel().get_by_role("checkbox", name="Allow free text in the chat")
        expect(box).to_be_checked(checked=not allow)
        box.set_checked(allow)
        self.panel().get_by_role("textbox").wait_for(state="visible" if allow else "detached")
        self.close_panel()

    # The state of the table

    def table_state(self) -> Message:
        """Return phase, seq, decision and open panel, as the page shows them."""
        state: Message = self.page.evaluate(_TABLE_STATE)
        return state

    def wait_until_asked(self) -> Message:
        """Wait until this person can do something, and return the table's state."""
        self._wait_for_function(_IS_ASKED)
        return self.table_state()

    def wait_for_decision(self, kind: str) -> None:
        """Wait until the person is asked for a decision of a kind."""
        self.page.locator(f"[data-asks={kind}]").wait_for()

    def wait_until_settled(self) -> Message:
        """Wait until the page has shown everything that it received, and return the state."""
        self._wait_for_function(_IS_SETTLED)
        return self.table_state()

    def wait_for_seq_after(self, seq: int) -> None:
        """Wait until the page shows an entry later than `seq`."""
        self._wait_for_function(
            "(seq) => Number(document.querySelector('[data-phase]')?.dataset.seq) > seq", arg=seq
        )

    # Cards

    def hand(self) -> list[str]:
        """Return the cards of the hand, as shown."""
        cards: list[str] = self.page.eval_on_selector_all(
            "[data-card]", "(all) => all.map((card) => card.dataset.card)"
        )
        return cards

    def wait_for_hand_size(self, cards: int) -> None:
        """Wait until the hand shows so many cards: they are made over some frames."""
        self._wait_for_function(
            "(cards) => document.querySelectorAll('[data-card]').length === cards", arg=cards
        )

    def hand_card(self, position: int) -> Locator:
        """Return the button of a card in the hand."""
        return self.page.locator("[data-card]").nth(position)

    def legal_positions(self) -> list[int]:
        """Return the positions in the hand of the cards that may be played."""
        positions: list[int] = self.page.eval_on_selector_all(
            "[data-card]",
            "(all) => all.flatMap((card, i) => (card.dataset.legal === 'true' ? [i] : []))",
        )
        return positions

    def count_chosen_cards(self) -> int:
        """Return how many cards of the hand are chosen."""
        return self.page.locator("[data-card][aria-pressed=true]").count()

    def face_up_ranks(self) -> list[str]:
        """Return the ranks of all cards that lie face up, once nothing moves."""
        self.wait_until_nothing_moves()
        ranks: list[str] = self.page.evaluate(_FACE_UP_CARDS)
        return ranks

    def cards_with_covered_meld_mark(self) -> list[str]:
        """Return the cards of the hand whose mark of a meld is under another card."""
        cards: list[str] = self.page.evaluate(_COVERED_MELD_MARKS)
        return cards

    # What the table says

    def banner_text(self) -> str:
        """Return the text of the bar at the top."""
        return self.page.get_by_role("banner").inner_text()

    def banner_scores(self) -> list[str]:
        """Return the names and points in the bar at the top."""
        text = self.button(re.compile(r"^Score\.")).inner_text()
        return [line for line in text.split("\n") if line != "Score."]

    def banner_cut_texts(self) -> list[str]:
        """Return the texts of the bar that cannot be read to their end."""
        cut: list[str] = self.page.get_by_role("banner").evaluate(_CUT_TEXTS)
        return cut

    def own_plate_text(self) -> str:
        """Return the text of one's own plate."""
        return " ".join(self.page.locator(".me").inner_text().split())

    def countdown(self) -> Locator:
        """Return the last seconds of a turn, on the plate of the seat on turn."""
        return self.page.locator(".number")

    def refusal_text(self) -> str:
        """Return the sentence that says why something was refused."""
        return self.page.locator(".refusal").inner_text()

    def request_hint(self) -> tuple[str, str]:
        """Ask for a hint; return its action, as a screen reader says it, and its reason."""
        self.press(self.button("Hint"))
        does = self.page.get_by_role("status").locator(".does")
        does.wait_for()
        action = " ".join(does.locator("strong, .cards > .hidden").all_inner_texts())
        reason = self.page.get_by_role("status").locator(".why > [aria-hidden]").inner_text()
        return action, reason

    def offered_meld_points(self) -> list[int]:
        """Return the points of the melds that can be laid, in the order of the offer."""
        first = self.button(re.compile("^Lay ")).all_inner_texts()
        self.press(self.button(re.compile(r"^\d+ more$")))
        all_melds = self.panel("Lay a meld").get_by_role("navigation").get_by_role("button")
        all_melds.first.wait_for()
        points = [_last_number(text) for text in all_melds.all_inner_texts()]
        assert [_last_number(text) for text in first] == points[: len(first)]
        self.close_panel()
        return points

    def score_sheet(self) -> list[list[str]]:
        """Return the rows of the open score sheet: a side and its numbers."""
        rows = self.panel().locator("table").first.locator("tbody tr").all()
        return [row.locator("th, td").all_inner_texts() for row in rows]


def _last_number(text: str) -> int:
    """Return the last number in a text."""
    numbers: list[str] = re.findall(r"\d+", text)
    assert numbers, text
    return int(numbers[-1])


def printed_ranks(cards: list[str]) -> list[str]:
    """Return the ranks of cards as their faces show them, sorted."""
    return sorted(_PRINTED_RANKS[card[0]] for card in cards)
