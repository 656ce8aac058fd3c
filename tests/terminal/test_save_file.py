"""Save files after a kill, on a full disk, with a second window, and damaged."""

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
from tests.terminal.random_sessions import play_actions, start_session
from tests.waiting import wait_until

PROGRAM = """
import sys
from pathlib import Path
from tests.terminal.random_sessions import play_actions, start_session
play_actions(start_session(Path(sys.argv[1])), 10_000)
"""


def list_save_files(folder: Path) -> list[Path]:
    return list(folder.glob("*.jsonl"))


def test_a_cut_off_line_is_dropped_on_resume(tmp_path: Path) -> None:
    session = start_session(tmp_path)
    play_actions(session, 20)
    session.close()
    data = session.path.read_bytes()
    line_ends = [index + 1 for index, byte in enumerate(data) if byte == ord("\n")]
    for end in range(line_ends[-4], len(data)):
        session.path.write_bytes(data[:end])
        again = Session.resume(session.path)
        assert again.view.deals == 0
        play_actions(again, 1)
        again.close()
        written = session.path.read_bytes()
        lines = written.split(b"\n")
        assert lines.pop() == b""
        complete = [line_end for line_end in line_ends if line_end <= end]
        assert written.startswith(data[: complete[-1]])
        assert len(lines) == len(complete) + 1
        Session.resume(session.path).close()


def test_a_killed_program_leaves_every_complete_line(tmp_path: Path) -> None:
    for moment in range(3):
        folder = tmp_path / str(moment)
        size = 6000 + 2000 * moment
        program = subprocess.Popen([sys.executable, "-c", PROGRAM, str(folder)])
        try:
            wait_until(lambda: any(file.stat().st_size >= size for file in list_save_files(folder)))  # noqa: B023 - asked at once
        finally:
            program.kill()
            program.wait()
        (path,) = list_save_files(folder)
        before = path.read_bytes()
        session = Session.resume(path)
        play_actions(session, 5)
        session.close()
        assert path.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
        Session.resume(path).close()


def test_a_full_disk_is_reported_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = start_session(tmp_path)
    play_actions(session, 10)
    before = session.path.read_bytes()

    def fail_with_full_disk(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail_with_full_disk)
        play_actions(session, 3)
        assert str(session.save_error) == "The game could not be saved: No space left on device."
        assert session.path.read_bytes() == before
    play_actions(session, 1)
    assert session.save_error is None
    session.close()
    assert Session.resume(session.path).view == session.view


def test_a_game_can_be_open_only_once(tmp_path: Path) -> None:
    session = start_session(tmp_path)
    with pytest.raises(RecordError, match="it is open in another window"):
        Session.resume(session.path)
    with pytest.raises(RecordError, match="it is open in another window"):
        SaveFile(session.path).lock()
    session.close()
    Session.resume(session.path)


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
def test_a_damaged_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="is damaged and was not changed") as refused:
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
def test_an_entry_that_breaks_the_rules_is_refused_as_damage(tmp_path: Path, entry: bytes) -> None:
    session = start_session(tmp_path, "three-handed")
    play_actions(session, 1)
    session.close()
    session.path.write_bytes(session.path.read_bytes() + entry + b"\n")
    with pytest.raises(RecordError, match="is damaged and was not changed"):
        Session.resume(session.path)


def test_the_latest_settings_of_a_file_apply(tmp_path: Path) -> None:
    session = start_session(tmp_path)
    play_actions(session, 3)
    session.change_settings(SaveSettings(7, pace="slow"))
    play_actions(session, 3)
    session.change_settings(SaveSettings(7, pace="fast", auto=True))
    session.close()
    latest = save_file.latest_settings(save_file.read_lines(session.path)[0])
    assert latest == SaveSettings(7, pace="fast", auto=True)
    assert Session.resume(session.path).settings.auto
