"""The page in Firefox: a game begun, cards played, and a finished game looked through."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from acesaround.table import Config, Person
from tests.browser.boxes import SCRIPT
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.firefox import Firefox
from tests.browser.page import GAMES, QUIET
from tests.browser.server import Server, prepared

ANN = Person("ann-in-firefox", "Ann")
# The left edge of the first card that may be played now.
_CARD = """() => {
  if (document.querySelector("[data-phase]")?.dataset.asks !== "play") return null;
  const box = document.querySelector("[data-card][data-legal=true]")?.getBoundingClientRect();
  return box ? [box.left + 9, box.top + 18] : null;
}"""
_HELD = "() => document.querySelectorAll('[data-card]').length"
_PLAYED = """(seq) => Number(document.querySelector("[data-phase]").dataset.seq) > seq"""
_SEQ = """() => Number(document.querySelector("[data-phase]").dataset.seq)"""


def program() -> str:
    """Debian's firefox. Without it this test is skipped, where CI is set it fails."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    if found is None:
        sentence = "There is no firefox here: `make test` installs it where apt-get can."
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    return found


def test_a_game_is_begun_played_and_reviewed_in_firefox(
    server: Server, tmp_path: Path, screens: Path
) -> None:
    server.lay("in-firefox", prepared(Config("partnership", 4), ANN, lambda t: not t.playing))
    with Firefox(program(), tmp_path / "firefox") as firefox:
        cookie = server.cookie(ANN)
        firefox.cookie(cookie["name"], cookie["value"], "127.0.0.1")
        firefox.screen(**DESKTOP)
        firefox.open(server.url)
        firefox.until("() => document.querySelectorAll('h1').length")
        firefox.picture(screens / "firefox-home.png")
        firefox.press(f"Play now {GAMES['two-handed']}")
        for _ in range(3):
            x, y = firefox.until(_CARD)
            seq = firefox.says(_SEQ)
            firefox.press_at(x, y)
            firefox.until(_PLAYED, seq)
        assert firefox.says(_HELD) in (11, 12)  # a card is drawn after each trick
        firefox.picture(screens / "firefox-play.png")
        firefox.open(f"{server.url}/r/in-firefox/1")
        firefox.press("Next trick")
        firefox.press("Step forward")
        at = firefox.until("() => document.querySelector('[type=range]').valueAsNumber")
        assert at > 1
        for size in (DESKTOP, PHONE):
            firefox.screen(**size)
            firefox.until("() => new Promise(requestAnimationFrame).then(() => true)")
            firefox.until(QUIET)
            assert firefox.says(SCRIPT) == []
            firefox.picture(screens / f"firefox-replay-{size['width']}.png")
        assert firefox.troubles == []
