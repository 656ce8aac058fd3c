"""The files that a failed test leaves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests import traces
from tests.cli_runner import ENVIRONMENT, ROOT

PLUGIN = """
import pathlib
import pytest
from tests import traces

traces.FAILED = pathlib.Path("failed").absolute()

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.failed:
        traces.save(item, report)
    return report
"""
TESTS = """
import pytest

class Server:
    def __init__(self, folder):
        self.folder = folder
        (folder / "server.log").write_text("the server said this")

class Page:
    def screenshot(self, path, timeout): path.write_bytes(b"a picture")
    def content(self): return "<p>a page</p>"

class Tracing:
    def stop(self, path): path.write_bytes(b"a trace")

class Context:
    pages, tracing = [Page(), Page()], Tracing()

class Browser:
    contexts = [Context()]

@pytest.fixture(scope="module")
def server(tmp_path_factory): return Server(tmp_path_factory.mktemp("server"))

@pytest.fixture
def chromium(): return Browser()

@pytest.fixture
def broken():
    class Broken:
        @property
        def log(self): raise RuntimeError
    return Broken()

def test_red(tmp_path, server, chromium, broken):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "log").write_text("written by the test")
    (tmp_path / "large").write_bytes(bytes(3 * 2**20))
    print("printed by the test")
    assert 1 == 2

def test_green(tmp_path): pass
"""


def test_failure_leaves_report_logs_screenshots_and_trace(tmp_path: Path) -> None:
    (tmp_path / "plugin.py").write_text(PLUGIN)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(TESTS)
    environment = {
        name: value for name, value in ENVIRONMENT.items() if not name.startswith("PYTEST_")
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "plugin", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": f"{tmp_path}:{ROOT}:{ROOT / 'src'}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    folder = tmp_path / "failed" / "test_it--test_red"
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == {
        *("call.txt", "server-server.log", "tmp_path/a/b/log"),
        *("page-1-1.png", "page-1-2.png", "page-1-1.html", "page-1-2.html", "trace-1.zip"),
    }
    report = (folder / "call.txt").read_text()
    assert "assert 1 == 2" in report
    assert "printed by the test" in report
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_folder_name_is_short_and_ascii() -> None:
    name = traces.trace_folder(f"tests/server/test_it.py::test_a[{'ä/ö ' * 100}]").name
    assert name.startswith("server.test_it--test_a[")
    assert len(name) <= 120
    assert name != traces.trace_folder(f"tests/server/test_it.py::test_a[{'ä/ö ' * 101}]").name
    assert "/" not in name
    assert name.isascii()
