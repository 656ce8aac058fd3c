"""A person who plays with the keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from tests.browser.page_objects.home_page import GAME_TITLES
from tests.browser.page_objects.visitor import Visitor


class KeyboardVisitor(Visitor):
    """A person without a mouse, who presses keys and reads what has the focus."""

    def press(self, target: Locator, *, card: bool = False) -> None:
        """Raise AssertionError, because this person has no mouse."""
        raise AssertionError("a person without a mouse has clicked")

    def press_keys(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def focused_name(self) -> str:
        """Return the name of the element that has the focus."""
        name: str = self.page.evaluate(
            "() => (document.activeElement?.innerText ?? '').replace(/\\s+/g, ' ').trim()"
        )
        return name

    def tab_to(self, is_wanted: Callable[[str], bool], max_presses: int = 60) -> str:
        """Press Tab until an element with a wanted name has the focus, and return its name."""
        for _ in range(max_presses):
            self.press_keys("Tab")
            if is_wanted(self.focused_name()):
                return self.focused_name()
        raise AssertionError(f"Tab never came there; at last it was at {self.focused_name()!r}")

    def play_now(self, variant: str) -> None:
        """Start a game against bots from the first page."""
        self.tab_to(lambda name: name == f"Play now {GAME_TITLES[variant]}")
        self.press_keys("Enter")

    def take_action(self) -> str:
        """Do what the table asks for; return the decision, `melds`, or the open panel's name."""
        if self.wait_until_asked()["phase"] == "melds":
            self.press_keys("b")
            return "melds"
        return super().take_action()

    def _bid_or_pass(self) -> None:
        self.press_keys("+", "-", "b")

    def _name_trump(self) -> None:
        shortcut = self._suit_buttons()[0].get_attribute("aria-keyshortcuts") or ""
        self.press_keys(shortcut.lower())

    def _focused_position(self) -> int:
        """Return the position in the hand of the card that has the focus, or -1."""
        position: int = self.page.evaluate(
            "() => [...document.querySelectorAll('[data-card]')].indexOf(document.activeElement)"
        )
        return position

    def _focus_position(self, position: int) -> None:
        """Move the focus along the hand with the arrow keys."""
        if self._focused_position() < 0:
            self.press_keys("ArrowRight")
        for _ in range(len(self.hand())):
            if self._focused_position() == position:
                return
            self.press_keys("ArrowRight")
        raise AssertionError(
            f"the arrows never came to card {position}, at last to {self._focused_position()}"
        )

    def _choose_cards(self, confirm_label: re.Pattern[str]) -> None:
        confirm = self.button(confirm_label)
        for position in reversed(range(len(self.hand()))):
            if self.count_chosen_cards() and confirm.is_enabled():
                break
            self._focus_position(position)
            self.press_keys("Enter")
        expect(confirm).to_be_enabled()
        self.press_keys("b")

    def play_card_or_meld(self) -> None:
        """Lay the first meld that is offered, or else play the first legal card."""
        if self.button(re.compile("^Lay ")).count():
            self.tab_to(lambda name: name.startswith("Lay "))
        else:
            self._focus_position(self.legal_positions()[0])
        self.press_keys("Enter")
