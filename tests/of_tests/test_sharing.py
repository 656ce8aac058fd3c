"""How files of tests are shared out, and what is left of a run that hangs, crashes or fails."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import sharing
from tests.cli_runner import ENVIRONMENT, ROOT

HANG = 8  # seconds, in which the tests that do not hang have ended
OPTIONS = ("-p", "no:cacheprovider", "--import-mode=importlib")
PLUGIN = """
import os
import pytest
from tests import sharing

def pytest_xdist_make_scheduler(config, log): return sharing.Sharing(config, log)
def pytest_collection_modifyitems(items): items[:] = sharing.ordered(items)
def pytest_runtest_logreport(report):
    if report.when == "call" and hasattr(report, "worker_id"):
        print("RAN", report.worker_id, report.nodeid, flush=True)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project whose tests are shared out as ours are."""
    (tmp_path / "plugin.py").write_text(PLUGIN)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "tests" / "browser").mkdir(parents=True)
    return tmp_path


def write(project: Path, **files: str) -> None:
    """Write files of tests; `browser_` before a name puts one into that folder."""
    for name, text in files.items():
        file = f"test_{name.removeprefix('browser_')}.py"
        folder = project / "tests" / ("browser" if name.startswith("browser_") else "")
        (folder / file).write_text(text)


def run(project: Path, *options: str) -> tuple[int, str]:
    """Status and output of pytest on that project."""
    ours = {name: its for name, its in ENVIRONMENT.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "plugin", *OPTIONS, *options, "tests"],
        cwd=project,
        env=ours | {"PYTHONPATH": f"{project}:{ROOT}:{ROOT / 'src'}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def ran(said: str) -> list[tuple[str, str]]:
    """Who ran which test, in the order in which it was told."""
    return re.findall(r"RAN (\S+) (\S+)", said)


def test_whoever_has_begun_with_the_browser_runs_nothing_else(project: Path) -> None:
    small = "import pytest\n@pytest.mark.parametrize('n', range(4))\ndef test_it(n): pass\n"
    names = [*(f"file{number}" for number in range(6)), *(f"browser_b{n}" for n in range(4))]
    write(project, **dict.fromkeys(names, small))
    status, said = run(project, "-n", "3", "-s")
    assert status == 0, said
    assert len(ran(said)) == len(set(ran(said))) == 40, said
    for worker in {worker for worker, _ in ran(said)}:
        kinds = [sharing.in_browser(test) for by, test in ran(said) if by == worker]
        assert kinds == sorted(kinds)
    owners = {(sharing.unit_of(test), worker) for worker, test in ran(said)}
    assert len(owners) == 10  # each file by one


def test_a_hang_shows_all_stacks_fails_the_run_and_is_not_run_again(project: Path) -> None:
    write(
        project,
        hangs="import time\ndef test_hang():\n    while True:  # steady: it is to hang\n"
        "        time.sleep(0.1)\ndef test_after(): pass\n",
        other="def test_other(): pass\n",
    )
    limit = [f"faulthandler_timeout={HANG}", "faulthandler_exit_on_timeout=true"]
    status, said = run(project, "-n", "2", "-s", "-o", limit[0], "-o", limit[1])
    assert status == 1
    assert said.count("Timeout (0:00:08)!") == 1
    assert "in test_hang\n" in said
    assert "1 failed, 2 passed" in said
    others = {"tests/test_hangs.py::test_after", "tests/test_other.py::test_other"}
    assert {test for _, test in ran(said)} == others


def test_a_crash_is_one_failure_and_the_rest_runs(project: Path) -> None:
    write(
        project,
        crashes="import os\ndef test_crash(): os._exit(3)\ndef test_after(): pass\n",
        other="def test_other(): pass\n",
    )
    status, said = run(project, "-n", "2")
    assert status == 1
    assert "1 failed, 2 passed" in said
    assert "FAILED tests/test_crashes.py::test_crash" in said


def items(*nodeids: str) -> list[Any]:
    """What `ordered` reads of tests."""

    class Item:
        def __init__(self, nodeid: str) -> None:
            self.nodeid = nodeid

    return [Item(nodeid) for nodeid in nodeids]


def test_tests_in_a_browser_come_last_and_long_files_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(sharing.ORDER, raising=False)
    some = items("tests/browser/test_a.py::a", "tests/test_b.py::b", "tests/fast/test_c.py::c")
    found = [item.nodeid for item in sharing.ordered(some)]
    assert found == [item.nodeid for item in reversed(some)]


def test_an_order_is_drawn_by_its_number_and_keeps_files_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    some = items(*(f"tests/test_{file}.py::test_{n}" for file in "abcdef" for n in range(5)))
    some += items("tests/browser/test_a.py::test_it")
    found = set[tuple[str, ...]]()
    for number in ("1", "2", "1"):
        monkeypatch.setenv(sharing.ORDER, number)
        order = tuple(item.nodeid for item in sharing.ordered(some))
        assert sorted(order) == sorted(item.nodeid for item in some)
        assert sharing.in_browser(order[-1])
        files = [nodeid.partition("::")[0] for nodeid in order]
        assert sum(a != b for a, b in itertools.pairwise(files)) == 6
        found.add(order)
    assert len(found) == 2
