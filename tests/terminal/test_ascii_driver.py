"""Terminals that show only ASCII."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from acesaround.cards import CARDS, Card
from acesaround.game.state import DecisionKind
from acesaround.terminal.ascii_driver import needs_ascii, to_ascii
from acesaround.terminal.card_art import card_box, card_tile, colour_cards, use_ascii
from tests.terminal.table_driver import SIZE, has_decision, make_table_app, play_until
from tests.waiting import PATIENCE_SECONDS


@pytest.mark.parametrize(
    ("environ", "encoding", "expected"),
    [
        ({}, "utf-8", False),
        ({"LANG": "en_US.UTF-8"}, "utf-8", False),
        ({"LANG": "de_DE.utf8@euro"}, "UTF-8", False),
        ({"LANG": "C.UTF-8"}, "utf-8", False),
        ({"LANG": "C", "LC_ALL": "C.UTF-8"}, "utf-8", False),
        ({"LC_CTYPE": "C.UTF-8"}, "utf-8", False),
        ({"LANG": "C"}, "utf-8", True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", True),  # set by Python's locale coercion
        ({"LANG": "en_US.UTF-8", "LC_ALL": "POSIX"}, "utf-8", True),
        ({"LANG": "de_DE.ISO-8859-1"}, "iso8859-1", True),
        ({}, "ascii", True),
        ({}, None, True),
    ],
)
def test_needs_ascii_follows_locale_and_encoding(
    environ: Mapping[str, str], encoding: str | None, expected: bool
) -> None:
    assert needs_ascii(environ, encoding) is expected


@pytest.fixture
def ascii_cards() -> Iterator[None]:
    use_ascii(True)
    yield
    use_ascii(False)


@pytest.mark.usefixtures("ascii_cards")
def test_ascii_cards_are_letters_of_the_same_width() -> None:
    for card in CARDS:
        assert str(card) in card_tile(card).plain
        assert len(card_tile(card)) == 5
        for big, wide in ((False, 5), (True, 7)):
            face = card_box(card, is_big=big)
            assert {len(line) for line in face} == {wide}
            assert card.rank.letter in "".join(line.plain for line in face)
    assert colour_cards("Ada plays 10♥.").plain == "Ada plays TH."
    assert colour_cards("You make ♥ hearts trump, ♠ led.").plain == "You make hearts trump, S led."
    assert [span.style for span in colour_cards("AS").spans] != []


async def test_every_screen_is_written_in_ascii_of_the_same_length(tmp_path: Path) -> None:
    use_ascii(True)
    try:
        app = make_table_app(tmp_path, "double-deck")
        async with app.run_test(size=SIZE) as pilot:
            await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
            for key in ("", "m", "question_mark", "r", "s"):
                if key:
                    await pilot.press(key)
                await pilot.pause()
                text = "\n".join(
                    "".join(part.text for part in line)
                    for line in app.screen._compositor.render_strips()
                )
                written = to_ascii(text)
                assert written.isascii()
                assert len(written) == len(text)
                unknown = {sign for sign in text if to_ascii(sign) == "?" != sign}
                assert not unknown
                if key:
                    await pilot.press("escape")
    finally:
        use_ascii(False)


def test_unknown_characters_become_a_question_mark() -> None:
    assert to_ascii("╭─╮ … é ★") == "+-+ . ? *"
    assert to_ascii(Card("TH").pretty) == "10H"


@pytest.mark.parametrize(
    "environ",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LANG": "C"},
        {"LANG": "C.UTF-8", "PYTHONIOENCODING": "ascii"},
    ],
)
def test_the_program_plays_without_utf_8(tmp_path: Path, environ: Mapping[str, str]) -> None:
    inherited = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    own = {"TERM": "xterm-256color", "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    words = ["-m", "acesaround", "play", "two-handed", "--bots", "random", "--seed", "1"]
    program = subprocess.Popen(
        [sys.executable, *words],
        env={**inherited, **own, **environ},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    written = b""
    try:
        while b"YOUR TURN" not in written:
            part = _read(ours)
            assert part, written
            written += part
        os.write(ours, b"q")
        while part := _read(ours):
            written += part
        assert program.wait(PATIENCE_SECONDS) == 0
    finally:
        program.kill()
        program.wait()
        os.close(ours)
    assert written.isascii()
    assert b"Traceback" not in written
    assert b"The game is saved" in written


def _read(terminal: int) -> bytes:
    """Return what the program wrote since the last read, or nothing after its end."""
    ready, _, _ = select.select([terminal], [], [], PATIENCE_SECONDS)
    assert ready, "the program neither writes nor ends"
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end was closed
        return b""
