"""A game's file: what a kill, a full disk and a second window leave of it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from acesaround.errors import RecordError
from acesaround.terminal import save_file
from acesaround.terminal.save_file import SaveFile, SaveSettings
from acesaround.terminal.session import Session
from tests.terminal.playing import begun, play
from tests.waiting import wait_until

PLAYS = """
import sys
from pathlib import Path
from tests.terminal.playing import begun, play
play(begun(Path(sys.argv[1])), 10_000)
"""


def kept_in(folder: Path) -> list[Path]:
    return list(folder.glob("*.jsonl"))


def test_a_line_that_was_cut_off_is_dropped_and_the_game_goes_on(tmp_path: Path) -> None:
    match = begun(tmp_path)
    play(match, 20)
    match.close()
    data = match.path.read_bytes()
    whole = [at + 1 for at, byte in enumerate(data) if byte == ord("\n")]
    for end in range(whole[-4], len(data)):
        match.path.write_bytes(data[:end])
        again = Session.resume(match.path)
        assert again.view.deals == 0
        play(again, 1)
        again.close()
        written = match.path.read_bytes()
        lines = written.split(b"\n")
        assert lines.pop() == b""
        assert written.startswith(data[: max(at for at in whole if at <= end)])
        assert len(lines) == sum(at <= end for at in whole) + 1
        Session.resume(match.path).close()


def test_a_program_killed_at_any_moment_leaves_every_action_it_told_of(tmp_path: Path) -> None:
    for moment in range(3):
        folder = tmp_path / str(moment)
        size = 6000 + 2000 * moment
        program = subprocess.Popen([sys.executable, "-c", PLAYS, str(folder)])
        try:
            wait_until(lambda: any(file.stat().st_size >= size for file in kept_in(folder)))  # noqa: B023 - asked at once
        finally:
            program.kill()
            program.wait()
        (path,) = kept_in(folder)
        before = path.read_bytes()
        match = Session.resume(path)
        play(match, 5)
        match.close()
        assert path.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
        Session.resume(path).close()


def test_a_full_disk_loses_nothing_that_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begun(tmp_path)
    play(match, 10)
    before = match.path.read_bytes()

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        play(match, 3)
        assert str(match.save_error) == "The game could not be saved: No space left on device."
        assert match.path.read_bytes() == before
    play(match, 1)
    assert match.save_error is None
    match.close()
    assert Session.resume(match.path).view == match.view


def test_a_game_is_open_in_one_window(tmp_path: Path) -> None:
    match = begun(tmp_path)
    with pytest.raises(RecordError, match="another window plays it"):
        Session.resume(match.path)
    with pytest.raises(RecordError, match="another window plays it"):
        SaveFile(match.path).lock()
    match.close()
    Session.resume(match.path)


SETTINGS = b'{"type":"playing","seed":1}\n'


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"{\n",
        b"\xff\xfe\x00\n",
        b"[" * 5000 + b"\n",
        b'{"format":"acesaround/2"}\n',
        SETTINGS,
        SETTINGS + b'{"type":"begun","dealer":0}\n',
        SETTINGS + b'{"type":"opened","config":{"variant":"chess","players":2},'
        b'"host":{"id":"you","name":"You"}}\n',
        SETTINGS + b'{"type":"opened","config":{"variant":"partnership","players":4},'
        b'"host":{"id":"you","name":"You"}}\n',
    ],
)
def test_a_damaged_file_is_one_sentence_and_is_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="is damaged and was left as it is") as refused:
        Session.resume(path)
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    "entry",
    [
        b'{"type":"acted","seat":0,"action":["play","AS"],"bot":false}',
        b'{"type":"acted","seat":8,"action":["bid",900],"bot":false}',
        b'{"type":"acted","seat":0,"action":[],"bot":false}',
        b'{"type":"dealt","hands":[["ZZ"]]}',
        b'{"type":"stood","seat":7}',
        b'{"type":"opened","config":{"variant":"partnership","players":4},'
        b'"host":{"id":"you","name":"You"}}',
        b"",
    ],
)
def test_an_entry_that_breaks_the_rules_is_damage(tmp_path: Path, entry: bytes) -> None:
    match = begun(tmp_path, "three-handed")
    play(match, 1)
    match.close()
    match.path.write_bytes(match.path.read_bytes() + entry + b"\n")
    with pytest.raises(RecordError, match="is damaged and was left as it is"):
        Session.resume(match.path)


def test_settings_are_kept_with_the_game_and_the_last_ones_hold(tmp_path: Path) -> None:
    match = begun(tmp_path)
    play(match, 3)
    match.change_settings(SaveSettings(7, pace="slow"))
    play(match, 3)
    match.change_settings(SaveSettings(7, pace="fast", auto=True))
    match.close()
    assert save_file.latest_settings(save_file.read_lines(match.path)[0]) == SaveSettings(
        7, pace="fast", auto=True
    )
    assert Session.resume(match.path).settings.auto
