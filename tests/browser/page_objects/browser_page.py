"""One page of a browser: its errors, its clock, its buttons, and waiting for it."""

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
    ViewportSize,
    WebSocket,
)

from tests.waiting import PATIENCE_SECONDS

T = TypeVar("T")
Message = dict[str, Any]
PATIENCE_MS = int(1000 * PATIENCE_SECONDS)  # the milliseconds that a test waits for its page
NOT_FOUND_ERROR = r"status of 404"
"""What Chromium logs if a page or request is not found."""
NO_ANIMATION_RUNS = """() => document.getAnimations().every((animation) =>
  animation.playState !== 'running'
    || animation.effect.getComputedTiming().endTime === Infinity)"""
STYLESHEETS_LOADED = (
    "() => [...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet)"
)
CARD_EDGE: Position = {"x": 9, "y": 18}  # cards overlap: most show only their left edge

_POLLING_MS = 20
# After two frames every change is drawn or animated. Endless animations are not waited for.
_NOTHING_MOVES = f"""async (frames) => {{
  for (let i = 0; i < frames; i++) {{
    await new Promise(requestAnimationFrame);
    if (i && ({NO_ANIMATION_RUNS})()) return true;
  }}
  return false;
}}"""
# Real frames call an observer of sizes, also while the clock of the page stands still. One that is
# added last is called after all others. There are three layouts after a change of size: the page
# measures the line of what to do, and then hides it where it has no room.
_WAIT_FOR_THREE_LAYOUTS = """async (width) => {
  for (let i = 0; i < 3; )
    await new Promise((done) => {
      const observer = new ResizeObserver(() => {
        if (innerWidth === width) i++;
        observer.disconnect();
        done();
      });
      observer.observe(document.body);
    });
}"""
# What Chromium logs of a request that it gave up because its page was left meanwhile.
_HARMLESS_ERRORS = ("net::ERR_ABORTED",)


class PageError(NamedTuple):
    """An error of a page, and where it occurred: an address and a line, or a stack."""

    message: str
    where: str


class BrowserPage:
    """A browser context with one page.

    `received_messages` are those of the server, in order.
    `expected_errors` are patterns of the errors that a test causes on purpose.
    """

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context, self.url = context, url
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.received_messages: list[Message] = []
        self.page_errors: list[PageError] = []
        self.expected_errors: list[str] = []
        self._is_clock_paused = False
        self.page.on("websocket", self._on_websocket)
        self.page.on("pageerror", self._on_page_error)
        self.page.on("console", self._on_console_message)

    def _on_websocket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._on_frame)

    def _on_frame(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] != "pong":
            self.received_messages.append(message)

    def _on_page_error(self, error: Error) -> None:
        self.page_errors.append(PageError(error.message, error.stack or ""))

    def _on_console_message(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            place = message.location
            self.page_errors.append(
                PageError(message.text, f"{place.get('url')}:{place.get('lineNumber')}")
            )

    def unexpected_errors(self) -> list[PageError]:
        """Return the errors of the page, except those that the test expects."""
        patterns = [*self.expected_errors, *_HARMLESS_ERRORS]
        return [
            error
            for error in self.page_errors
            if not any(re.search(pattern, error.message) for pattern in patterns)
        ]

    # Waiting

    def wait_until(self, condition: Callable[[], T], what: str = "") -> T:
        """Return the first true value of `condition`, while all pages go on.

        Raises AssertionError with `what` after `PATIENCE_SECONDS`.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (value := condition()):
            assert time.monotonic() < deadline, what or "the condition never came true"
            self.page.wait_for_timeout(10)  # this thread runs Playwright's loop: it may not sleep
        return value

    def _wait_for_function(self, function: str, arg: Any = None) -> None:
        """Wait until a function returns a true value in the page.

        A timer calls it. By default Playwright calls it with each frame, and to draw 60 frames a
        second takes a processor.
        """
        self.page.wait_for_function(function, arg=arg, polling=_POLLING_MS)

    def wait_until_nothing_moves(self) -> None:
        """Wait until all animations have ended."""
        assert self.page.evaluate(_NOTHING_MOVES, 60 * PATIENCE_SECONDS), "it keeps moving"

    def resize(self, viewport: ViewportSize) -> None:
        """Change the size of the viewport, and wait until the page has followed it.

        The page lays out its table a frame after the browser has changed the size. Until then parts
        of the old layout lie outside of the viewport.
        """
        self.page.set_viewport_size(viewport)  # steady: the lines below wait for it
        if self._is_clock_paused:
            self.page.evaluate(_WAIT_FOR_THREE_LAYOUTS, viewport["width"])
            self.advance_clock(50)
            self.page.evaluate(_WAIT_FOR_THREE_LAYOUTS, viewport["width"])
            self.page.wait_for_function(NO_ANIMATION_RUNS)
        else:
            self.wait_until_nothing_moves()

    def set_font_size(self, size: int) -> None:
        """Let the browser show text in another size, as its own setting does.

        Unlike a style of the page, that also changes the length of an em in a media query. The page
        lays out its table at the next `resize`.
        """
        session = self.context.new_cdp_session(self.page)
        session.send("Page.setFontSizes", {"fontSizes": {"standard": size}})

    # The page's clock

    def install_clock(self) -> None:
        """Give each page that is opened from now on a clock that `pause_clock` stops."""
        self.page.clock.install()

    def pause_clock(self, hours: int = 1) -> None:
        """Stop the page's clock so many hours from now. Only `advance_clock` moves it."""
        self.page.clock.pause_at(time.time() + 3600 * hours)
        self._is_clock_paused = True

    def advance_clock(self, milliseconds: int) -> None:
        """Advance the page's clock, and run the timers that are due until then."""
        self.page.clock.run_for(milliseconds)

    # Buttons and panels

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """Return the button with a name."""
        if isinstance(name, str):
            return self.page.get_by_role("button", name=name, exact=True)
        return self.page.get_by_role("button", name=name)

    def press(self, target: Locator, *, card: bool = False) -> None:
        """Press a button or a card: with the mouse here."""
        target.click(position=CARD_EDGE if card else None)

    def panel(self, name: str | re.Pattern[str] | None = None) -> Locator:
        """Return the panel that lies over the page."""
        return self.page.get_by_role("dialog", name=name)

    def close_panel(self) -> None:
        """Close the panel that is open."""
        self.panel().get_by_role("button", name="Close", exact=True).click()
        self._wait_for_function("() => !document.querySelector('dialog[open]')")
