"""The page in Firefox: a game begun, cards played, and a finished game looked through."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from acesaround.table import Config, Person
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.firefox import Firefox
from tests.browser.layout_checks import SCRIPT
from tests.browser.page import GAMES, QUIET
from tests.browser.server import Server, prepared

ANN = Person("ann-in-firefox", "Ann")
# Nothing is staged, so that the page stands still once it has said what it has to say.
_INSTANT = """() => {
  if (location.protocol.startsWith("http"))
    localStorage["acesaround.settings"] ??= JSON.stringify({ speed: "instant" });
}"""
# Play the first card that may be played now; whether there was one.
_PLAY = """() => {
  if (document.querySelector("[data-phase]")?.dataset.asks !== "play") return false;
  const card = document.querySelector("[data-card][data-legal=true]");
  card?.click();
  return card !== null;
}"""
# The left edge of that card, once nothing moves.
_CARD = """() => {
  if (document.querySelector("[data-phase]")?.dataset.asks !== "play") return null;
  if (!QUIET()) return null;
  const box = document.querySelector("[data-card][data-legal=true]")?.getBoundingClientRect();
  return box ? [box.left + 9, box.top + 18] : null;
}""".replace("QUIET", f"({QUIET})")
_ASKED = """() => document.querySelector("[data-phase]").dataset.asks"""
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
    server.lay("in-firefox", prepared(Config("partnership", 4), ANN, lambda t: not t.is_playing))
    with Firefox(program(), tmp_path / "firefox") as firefox:
        cookie = server.cookie(ANN)
        firefox.cookie(cookie["name"], cookie["value"], "127.0.0.1")
        firefox.screen(**DESKTOP)
        firefox.first(_INSTANT)
        firefox.open(server.url)
        firefox.until("() => document.querySelectorAll('h1').length")
        firefox.until(QUIET)
        firefox.picture(screens / "firefox-home.png")
        firefox.press(f"Play now {GAMES['two-handed']}")
        for by_mouse in (True, False, False):
            card = firefox.until(_CARD)
            seq = firefox.says(_SEQ)
            if by_mouse:
                firefox.press_at(*card)
            else:
                firefox.until(_PLAY)
            firefox.until(_PLAYED, seq)
        firefox.until(_ASKED)
        assert firefox.says(_HELD) in (11, 12)  # a card is drawn after each trick
        firefox.picture(screens / "firefox-play.png")
        firefox.open(f"{server.url}/r/in-firefox/1")
        firefox.press("Next trick")
        firefox.press("Step forward")
        firefox.until("() => document.querySelector('[type=range]').valueAsNumber > 1")
        for size in (DESKTOP, PHONE):
            firefox.screen(**size)
            firefox.until("() => new Promise(requestAnimationFrame).then(() => true)")
            firefox.until(QUIET)
            assert firefox.says(SCRIPT) == []
            firefox.picture(screens / f"firefox-replay-{size['width']}.png")
        assert firefox.troubles == []
