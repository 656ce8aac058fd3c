"""What is said before a run of all tests: one sentence for each thing that is wrong."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from tests import preflight
from tests.cli_runner import ENVIRONMENT, ROOT

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def required(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `.ci/run` sets it."""
    monkeypatch.setenv(preflight.REQUIRED, "true")


def without_programs(patch: pytest.MonkeyPatch) -> None:
    """Let there be no program at all."""
    patch.setattr("tests.preflight.shutil.which", lambda *_, **__: None)
    patch.setattr(preflight, "_DEBIAN", Path("/nowhere"))


def test_a_missing_program_is_named_with_its_package(
    required: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_programs(monkeypatch)
    (said,) = preflight.troubles()
    assert said == (
        "CI is set and there is no Chromium, Firefox, PostgreSQL, nginx, Caddy here:"
        " run `apt-get install chromium firefox-esr postgresql nginx caddy`."
    )


def test_what_can_be_installed_is_no_trouble_before_it_was_tried(
    required: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preflight, "missing", lambda: list(preflight.TOOLS[:1]))
    monkeypatch.setattr(preflight, "may_install", lambda: True)
    assert preflight.troubles() == []
    assert "there is no Chromium here" in preflight.troubles(installed=True)[0]


def test_without_ci_a_missing_program_is_said_and_is_no_trouble(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(preflight.REQUIRED, raising=False)
    without_programs(monkeypatch)
    assert preflight.troubles() == []
    assert len(preflight.skipped()) == len(preflight.TOOLS)


@pytest.mark.parametrize(
    ("version", "said"),
    [((3, 10), "This is Python 3.10, and 3.11 is needed"), ((3, 15), "name one of 3.11 to 3.14")],
)
def test_a_python_too_old_or_too_new_is_the_only_thing_said(
    version: tuple[int, int], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.preflight.sys.version_info", version)
    (found,) = preflight.troubles()
    assert said in found


@pytest.mark.parametrize("version", [(3, 11), (3, 14)])
def test_each_supported_python_will_do(
    version: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.preflight.sys.version_info", version)
    assert not any("This is Python" in said for said in preflight.troubles())


def test_too_little_space_is_said_with_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.preflight.shutil.disk_usage", lambda _: Usage(0, 0, 5 * 2**20))
    said = preflight.troubles()
    assert any("5 MB free" in line and "set TMPDIR" in line for line in said)


@pytest.mark.parametrize(
    ("variable", "said"),
    [("TMPDIR", "TMPDIR is "), ("XDG_CACHE_HOME", "set HOME or XDG_CACHE_HOME")],
)
def test_a_folder_that_cannot_be_written_is_named(variable: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()  # so that nothing can be made under it, by root neither
    done = subprocess.run(
        [sys.executable, "-m", "tests.preflight"],
        cwd=ROOT,
        env=ENVIRONMENT | {variable: str(tmp_path / "file" / "under")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert said in done.stderr
    assert str(tmp_path) in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root runs PostgreSQL as another user.")
def test_root_may_have_no_temporary_folder_that_others_cannot_enter(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    done = subprocess.run(
        [sys.executable, "-m", "tests.preflight"],
        cwd=ROOT,
        env=ENVIRONMENT | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "cannot be entered by the user that runs PostgreSQL" in done.stderr


def test_an_unknown_locale_is_no_trouble() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from tests.preflight import _locale; print(_locale())"],
        cwd=ROOT,
        env=ENVIRONMENT | {"LC_ALL": "xx_XX.UTF-8"},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "[]\n", done.stderr


def test_here_all_programs_say_their_versions() -> None:
    said = preflight.versions()
    assert len(said) == 1 + len(preflight.TOOLS)
    for tool, line in zip(preflight.TOOLS, said[1:], strict=True):
        assert line.startswith(f"{tool.title}: ")
        assert (preflight.program(tool) is None) == line.endswith(": missing")
    assert shutil.which("python3") is None or said[0].startswith("Python 3.")
