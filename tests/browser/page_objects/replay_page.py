"""The replay of a finished game."""

from __future__ import annotations

from playwright.sync_api import Locator

from tests.browser.page_objects.browser_page import BrowserPage


class ReplayPage(BrowserPage):
    """What a person does with a replay."""

    def _step_slider(self) -> Locator:
        return self.page.get_by_role("slider", name="Step")

    def open_replay(self, table: str, number: int = 1) -> None:
        """Open the replay of a game."""
        self.page.goto(f"{self.url}/r/{table}/{number}")
        self._step_slider().wait_for()

    def go_to_step(self, step: int) -> None:
        """Go to a step of the replay, at most to the last."""
        last = int(self._step_slider().get_attribute("max") or 0)
        self._step_slider().fill(str(min(step, last)))
