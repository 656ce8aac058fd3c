"""A person with a browser, who can do all that the page offers and plays whole deals."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, Locator

from tests.browser.page_objects.browser_page import CARD_EDGE
from tests.browser.page_objects.home_page import HomePage
from tests.browser.page_objects.page_recorder import PageRecorder
from tests.browser.page_objects.replay_page import ReplayPage
from tests.browser.page_objects.table_page import DEAL_OVER, GAME_OVER, TablePage

_CONFIRM_LABELS = {"bury": "Bury", "give": "Pass", "discard": "Exchange|Keep all"}


class Visitor(HomePage, TablePage, ReplayPage, PageRecorder):
    """A person with a mouse.

    `wants_to_bid`: bid as long as possible; otherwise pass where it is allowed.
    """

    def __init__(self, context: BrowserContext, url: str) -> None:
        super().__init__(context, url)
        self.wants_to_bid = True

    def take_action(self) -> str:
        """Do what the table asks for; return the decision, `melds`, or the open panel's name."""
        state = self.wait_until_asked()
        if state["panel"]:
            return str(state["panel"])
        decision = str(state["asks"])
        match decision:
            case "bid":
                self._bid_or_pass()
            case "trump":
                self._name_trump()
            case "play":
                self.play_card_or_meld()
            case "":
                self.press(self.button("Continue"))
                return "melds"
            case _:
                self._choose_cards(re.compile(f"^({_CONFIRM_LABELS[decision]})"))
        return decision

    def _bid_or_pass(self) -> None:
        pass_button = self.button("Pass")
        if self.wants_to_bid or not pass_button.count():
            self.press(self.button(re.compile(r"^Bid \d")))
        else:
            self.press(pass_button)

    def _suit_buttons(self) -> list[Locator]:
        """Return the buttons of the suits that may become trump."""
        buttons = self.page.get_by_role("group", name="Name trump").get_by_role("button")
        return [button for button in buttons.all() if button.is_enabled()]

    def _name_trump(self) -> None:
        """Name the suit with the most meld points."""
        self.press(max(self._suit_buttons(), key=lambda one: _first_number(one.inner_text())))

    def _choose_cards(self, confirm_label: re.Pattern[str]) -> None:
        """Choose cards from the right end, the low ones, until the button is enabled."""
        confirm = self.button(confirm_label)
        for position in reversed(range(len(self.hand()))):
            if self.count_chosen_cards() and confirm.is_enabled():
                break
            self.press(self.hand_card(position), card=True)
        self.press(confirm)

    def play_card_or_meld(self) -> None:
        """Lay the first meld that is offered, or else play the first legal card."""
        lay = self.button(re.compile("^Lay "))
        if lay.count():
            self.press(lay.first)
        else:
            self.press(self.hand_card(self.legal_positions()[0]), card=True)

    def play_deal(self, max_actions: int = 120) -> list[str]:
        """Play until the score sheet of the deal is open; return what `take_action` returned."""
        actions: list[str] = []
        while len(actions) < max_actions:
            actions.append(self.take_action())
            if actions[-1] in (DEAL_OVER, GAME_OVER):
                return actions
        raise AssertionError(f"the deal does not end: {actions}")


class TouchVisitor(Visitor):
    """A person with a touch screen. `tap_count` counts the taps of `press`."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        super().__init__(context, url)
        self.tap_count = 0

    def press(self, target: Locator, *, card: bool = False) -> None:
        """Press a button or a card with a finger."""
        self.tap_count += 1
        target.tap(position=CARD_EDGE if card else None)


NewVisitor = Callable[..., Any]
"""The fixture `new_visitor`: opens a browser context, and returns its `Visitor`."""


def _first_number(text: str) -> int:
    """Return the first number in a text."""
    number = re.search(r"\d+", text)
    assert number, text
    return int(number[0])
