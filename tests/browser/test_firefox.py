"""The page in Firefox: a game begun, cards played, and a finished game looked through."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from acesaround.table import Config, Person
from tests.browser.firefox import Firefox
from tests.browser.layout_checks import LAYOUT_FAULTS_SCRIPT
from tests.browser.page_objects.browser_page import NO_ANIMATION_RUNS
from tests.browser.page_objects.home_page import GAME_TITLES
from tests.browser.server_process import Server
from tests.browser.table_conditions import is_game_over
from tests.browser.viewports import DESKTOP, PHONE
from tests.table.table_log import play_table_until

ANN = Person("ann-in-firefox", "Ann")
# Nothing is staged, so that the page stands still once it has said what it has to say.
_SET_INSTANT_SPEED = """() => {
  if (location.protocol.startsWith("http"))
    localStorage["acesaround.settings"] ??= JSON.stringify({ speed: "instant" });
}"""
# Play the first card that may be played now; whether there was one.
_PLAY_LEGAL_CARD = """() => {
  if (document.querySelector("[data-phase]")?.dataset.asks !== "play") return false;
  const card = document.querySelector("[data-card][data-legal=true]");
  card?.click();
  return card !== null;
}"""
# The left edge of that card, once nothing moves.
_LEGAL_CARD_POINT = """() => {
  if (document.querySelector("[data-phase]")?.dataset.asks !== "play") return null;
  if (!QUIET()) return null;
  const box = document.querySelector("[data-card][data-legal=true]")?.getBoundingClientRect();
  return box ? [box.left + 9, box.top + 18] : null;
}""".replace("QUIET", f"({NO_ANIMATION_RUNS})")
_DECISION = """() => document.querySelector("[data-phase]").dataset.asks"""
_HAND_SIZE = "() => document.querySelectorAll('[data-card]').length"
_IS_AFTER_SEQ = """(seq) => Number(document.querySelector("[data-phase]").dataset.seq) > seq"""
_SEQ = """() => Number(document.querySelector("[data-phase]").dataset.seq)"""


def find_firefox() -> str:
    """Return the path of Debian's firefox. Without it, skip the test, or fail if CI is set."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        sentence = "There is no firefox here: `make test` installs it where apt-get can."
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    return program


def test_a_game_is_begun_played_and_reviewed_in_firefox(
    server: Server, tmp_path: Path, screenshot_folder: Path
) -> None:
    server.store_table("in-firefox", play_table_until(Config("partnership", 4), ANN, is_game_over))
    with Firefox(find_firefox(), tmp_path / "firefox") as firefox:
        cookie = server.cookie(ANN)
        firefox.set_cookie(cookie["name"], cookie["value"], "127.0.0.1")
        firefox.set_viewport(**DESKTOP)
        firefox.add_init_script(_SET_INSTANT_SPEED)
        firefox.open(server.url)
        firefox.wait_until("() => document.querySelectorAll('h1').length")
        firefox.wait_until(NO_ANIMATION_RUNS)
        firefox.save_screenshot(screenshot_folder / "firefox-home.png")
        firefox.press(f"Play now {GAME_TITLES['two-handed']}")
        for by_mouse in (True, False, False):
            card = firefox.wait_until(_LEGAL_CARD_POINT)
            seq = firefox.evaluate(_SEQ)
            if by_mouse:
                firefox.press_at(*card)
            else:
                firefox.wait_until(_PLAY_LEGAL_CARD)
            firefox.wait_until(_IS_AFTER_SEQ, seq)
        firefox.wait_until(_DECISION)
        assert firefox.evaluate(_HAND_SIZE) in (11, 12)  # a card is drawn after each trick
        firefox.save_screenshot(screenshot_folder / "firefox-play.png")
        firefox.open(f"{server.url}/r/in-firefox/1")
        firefox.press("Next trick")
        firefox.press("Step forward")
        firefox.wait_until("() => document.querySelector('[type=range]').valueAsNumber > 1")
        for size in (DESKTOP, PHONE):
            firefox.set_viewport(**size)
            firefox.wait_until("() => new Promise(requestAnimationFrame).then(() => true)")
            firefox.wait_until(NO_ANIMATION_RUNS)
            assert firefox.evaluate(LAYOUT_FAULTS_SCRIPT) == []
            firefox.save_screenshot(screenshot_folder / f"firefox-replay-{size['width']}.png")
        assert firefox.page_errors == []
