"""The first page, the form of house rules and the form of one's own game."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Locator

from tests.browser.page_objects.browser_page import BrowserPage

GAME_TITLES: Final = {
    "three-handed": "Three-handed",
    "five-card": "Five-card",
    "seven-card": "Seven-card",
    "partnership": "Partnership",
    "two-handed": "Two-handed",
    "double-deck": "Double deck",
    "double-deck-classic": "Double deck, classic",
}


class HomePage(BrowserPage):
    """What a person does before they are at a table."""

    def open_home(self) -> None:
        """Open the first page and wait until its lists are shown."""
        self.page.goto(self.url)
        self.button("Play now").wait_for()
        # The list of games comes together with the lists of own and of public tables.
        self.page.get_by_role("heading", name="Games", exact=True).wait_for()

    def save_name(self, name: str) -> None:
        """Save one's name on the first page."""
        self.page.get_by_label("Your name").fill(name)
        self.button("Save").click()
        self._wait_for_function("() => document.querySelector('form .button').disabled")

    def play_now(self, variant: str) -> None:
        """Start a game against bots from the first page."""
        self.button(f"Play now {GAME_TITLES[variant]}").click()

    def answer_game_finder(self, *answers: str) -> list[str]:
        """Answer the three questions, and return the titles of the matching games."""
        self.button("Find your game").click()
        for answer in answers:
            self.panel().get_by_role("button", name=re.compile(f"^{answer}")).click()
        self.panel().get_by_role("button", name="Start over").wait_for()
        return self.panel().locator("li strong").all_inner_texts()

    # The list of public tables

    def _lobby(self) -> Locator:
        heading = self.page.get_by_role("heading", name="Public tables")
        return self.page.locator("section", has=heading)

    def lobby_hosts(self) -> list[str]:
        """Return the names of the hosts of the listed tables, in their order."""
        lines = self._lobby().locator("li small").all_inner_texts()
        return [line.split(" · ")[0] for line in lines]

    def show_more_tables(self) -> bool:
        """List more tables, and return True, or return False if there are no more."""
        listed = len(self.lobby_hosts())
        more = self._lobby().get_by_role("button", name="More tables")
        if not more.is_visible():
            return False
        more.click()
        self._lobby().locator("li").nth(listed).wait_for()
        return True

    # The list of finished games

    def _finished_games(self) -> Locator:
        heading = self.page.get_by_role("heading", name="Finished games")
        return self.page.locator("section", has=heading)

    def finished_games(self) -> list[str]:
        """Return the lines of the finished games that are not archived."""
        return self._finished_games().locator("> ul > li").all_inner_texts()

    def click_finished_game_button(self, name: str) -> None:
        """Click a button of the first finished game."""
        self._finished_games().get_by_role("button", name=re.compile(f"^{name}( |$)")).first.click()

    # The forms of house rules and of one's own game

    def open_house_rules(self, variant: str) -> None:
        """Open the form of the house rules."""
        self.page.goto(f"{self.url}/#new/{variant}")
        self.button("Set up the table").wait_for()
        self.page.get_by_role("article", name="The rules of this table").get_by_role(
            "heading"
        ).first.wait_for()

    def open_own_game(self, base: str) -> None:
        """Open the form of one's own game, made from a base."""
        self.page.goto(f"{self.url}/#own/{base}")
        self.page.get_by_label("Its name").wait_for()
        self.wait_for_rules_text("The end of the game")

    def toggle_section(self, name: str) -> None:
        """Open or fold a section of the form of one's own game."""
        self.page.locator("summary").filter(has_text=re.compile(f"^{name}")).click()

    def fill_field(self, label: str, text: str) -> None:
        """Fill in a field of a form."""
        self.page.get_by_label(label, exact=True).fill(text)

    def select_option(self, label: str, option: str) -> None:
        """Select an option of a field of a form."""
        self.page.get_by_label(label).select_option(label=option)

    def wait_for_rules_text(self, text: str) -> None:
        """Wait until the rules beside a form contain a text."""
        self.page.get_by_role("article").get_by_text(text).first.wait_for()

    # Setting up a table

    def set_up_table(self) -> None:
        """Open a table from the form, to seat people first."""
        self.button("Set up the table").click()
        self.start_button().wait_for()

    def set_up_table_for_friends(self, variant: str) -> None:
        """Set up a table for friends: two taps from the first page."""
        self.press(self.page.get_by_role("link", name="Play with friends"))
        self.press(self.button(re.compile(f"^{re.escape(GAME_TITLES[variant])} ")))
        self.start_button().wait_for()

    def start_button(self) -> Locator:
        """Return the button that starts the game of a table that was set up."""
        return self.button(re.compile("^Start (with|every)"))
