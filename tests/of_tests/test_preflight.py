"""The checks before a run of all tests: one sentence for each problem."""

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
    """Set the variable for CI, as `.ci/run` does."""
    monkeypatch.setenv(preflight.CI_VARIABLE, "true")


def without_programs(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("tests.preflight.shutil.which", lambda *_, **__: None)
    patch.setattr(preflight, "_DEBIAN_POSTGRESQL", Path("/nowhere"))


def test_missing_program_is_named(required: None, monkeypatch: pytest.MonkeyPatch) -> None:
    without_programs(monkeypatch)
    (output,) = preflight.find_problems()
    assert output == (
        "CI is set and there is no Chromium, Firefox, PostgreSQL, nginx, Caddy here:"
        " run `apt-get install chromium firefox-esr postgresql nginx caddy`."
    )


def test_installable_program_is_no_trouble_before_the_installation(
    required: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preflight, "missing_tools", lambda: list(preflight.TOOLS[:1]))
    monkeypatch.setattr(preflight, "can_install", lambda: True)
    assert preflight.find_problems() == []
    assert "there is no Chromium here" in preflight.find_problems(installed=True)[0]


def test_missing_program_is_no_trouble_without_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(preflight.CI_VARIABLE, raising=False)
    without_programs(monkeypatch)
    assert preflight.find_problems() == []
    assert len(preflight.skip_notices()) == len(preflight.TOOLS)


@pytest.mark.parametrize(
    ("version", "output"),
    [((3, 10), "This is Python 3.10, and 3.11 is needed"), ((3, 15), "name one of 3.11 to 3.14")],
)
def test_unsupported_python_is_the_only_trouble(
    version: tuple[int, int], output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.preflight.sys.version_info", version)
    (found,) = preflight.find_problems()
    assert output in found


@pytest.mark.parametrize("version", [(3, 11), (3, 14)])
def test_supported_python_is_no_trouble(
    version: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.preflight.sys.version_info", version)
    assert not any("This is Python" in output for output in preflight.find_problems())


def test_little_disk_space_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.preflight.shutil.disk_usage", lambda _: Usage(0, 0, 5 * 2**20))
    output = preflight.find_problems()
    assert any("5 MB free" in line and "set TMPDIR" in line for line in output)


@pytest.mark.parametrize(
    ("variable", "output"),
    [("TMPDIR", "TMPDIR is "), ("XDG_CACHE_HOME", "set HOME or XDG_CACHE_HOME")],
)
def test_unwritable_folder_is_named(variable: str, output: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()  # nothing can be created under a file, even by root
    done = subprocess.run(
        [sys.executable, "-m", "tests.preflight"],
        cwd=ROOT,
        env=ENVIRONMENT | {variable: str(tmp_path / "file" / "under")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert output in done.stderr
    assert str(tmp_path) in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root runs PostgreSQL as another user.")
def test_private_temporary_folder_of_root_is_reported(tmp_path: Path) -> None:
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


def test_unknown_locale_is_no_trouble() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from tests.preflight import _check_locale; print(_check_locale())"],
        cwd=ROOT,
        env=ENVIRONMENT | {"LC_ALL": "xx_XX.UTF-8"},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "[]\n", done.stderr


def test_versions_lists_all_programs() -> None:
    output = preflight.program_versions()
    assert len(output) == 1 + len(preflight.TOOLS)
    for tool, line in zip(preflight.TOOLS, output[1:], strict=True):
        assert line.startswith(f"{tool.title}: ")
        assert (preflight.find_program(tool) is None) == line.endswith(": missing")
    assert shutil.which("python3") is None or output[0].startswith("Python 3.")
