"""The distribution of test files to workers, and runs that hang, crash or fail."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import xdist_scheduler
from tests.cli_runner import ENVIRONMENT, ROOT

HANG_SECONDS = 8  # enough for the tests that do not hang
OPTIONS = ("-p", "no:cacheprovider", "--import-mode=importlib")
PLUGIN = """
import os
import pytest
from tests import xdist_scheduler

def pytest_xdist_make_scheduler(config, log): return xdist_scheduler.FileScheduler(config, log)
def pytest_collection_modifyitems(items): items[:] = xdist_scheduler.sort_tests(items)
def pytest_runtest_logreport(report):
    if report.when == "call" and hasattr(report, "worker_id"):
        print("RAN", report.worker_id, report.nodeid, flush=True)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a small project that uses the scheduler of `tests.xdist_scheduler`."""
    (tmp_path / "plugin.py").write_text(PLUGIN)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "tests" / "browser").mkdir(parents=True)
    return tmp_path


def write(project: Path, **files: str) -> None:
    """Write test files; a name that starts with `browser_` goes to that folder."""
    for name, text in files.items():
        file = f"test_{name.removeprefix('browser_')}.py"
        folder = project / "tests" / ("browser" if name.startswith("browser_") else "")
        (folder / file).write_text(text)


def run(project: Path, *options: str) -> tuple[int, str]:
    """Return status and output of pytest on the project."""
    environment = {
        name: value for name, value in ENVIRONMENT.items() if not name.startswith("PYTEST_")
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "plugin", *OPTIONS, *options, "tests"],
        cwd=project,
        env=environment | {"PYTHONPATH": f"{project}:{ROOT}:{ROOT / 'src'}"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def executed_tests(output: str) -> list[tuple[str, str]]:
    """Return worker and id of each test, in order of execution."""
    return re.findall(r"RAN (\S+) (\S+)", output)


def test_worker_with_browser_tests_runs_only_those_from_then_on(project: Path) -> None:
    small = "import pytest\n@pytest.mark.parametrize('n', range(4))\ndef test_it(n): pass\n"
    names = [*(f"file{number}" for number in range(6)), *(f"browser_b{n}" for n in range(4))]
    write(project, **dict.fromkeys(names, small))
    status, output = run(project, "-n", "3", "-s")
    assert status == 0, output
    assert len(executed_tests(output)) == len(set(executed_tests(output))) == 40, output
    for worker in {worker for worker, _ in executed_tests(output)}:
        kinds = [
            xdist_scheduler.is_browser_test(test)
            for by, test in executed_tests(output)
            if by == worker
        ]
        assert kinds == sorted(kinds)
    owners = {
        (xdist_scheduler.work_unit_of(test), worker) for worker, test in executed_tests(output)
    }
    assert len(owners) == 10  # each file by one


def test_hanging_test_dumps_stacks_and_is_not_repeated(project: Path) -> None:
    write(
        project,
        hangs="import time\ndef test_hang():\n    while True:  # steady: it is to hang\n"
        "        time.sleep(0.1)\ndef test_after(): pass\n",
        other="def test_other(): pass\n",
    )
    limit = [f"faulthandler_timeout={HANG_SECONDS}", "faulthandler_exit_on_timeout=true"]
    status, output = run(project, "-n", "2", "-s", "-o", limit[0], "-o", limit[1])
    assert status == 1
    assert output.count("Timeout (0:00:08)!") == 1
    assert "in test_hang\n" in output
    assert "1 failed, 2 passed" in output
    others = {"tests/test_hangs.py::test_after", "tests/test_other.py::test_other"}
    assert {test for _, test in executed_tests(output)} == others


def test_crash_is_one_failure_and_other_tests_run(project: Path) -> None:
    write(
        project,
        crashes="import os\ndef test_crash(): os._exit(3)\ndef test_after(): pass\n",
        other="def test_other(): pass\n",
    )
    status, output = run(project, "-n", "2")
    assert status == 1
    assert "1 failed, 2 passed" in output
    assert "FAILED tests/test_crashes.py::test_crash" in output


def items(*nodeids: str) -> list[Any]:
    """Return objects with the attribute that `sort_tests` reads."""

    class Item:
        def __init__(self, nodeid: str) -> None:
            self.nodeid = nodeid

    return [Item(nodeid) for nodeid in nodeids]


def test_browser_tests_are_last_and_long_files_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(xdist_scheduler.ORDER, raising=False)
    some = items("tests/browser/test_a.py::a", "tests/test_b.py::b", "tests/fast/test_c.py::c")
    found = [item.nodeid for item in xdist_scheduler.sort_tests(some)]
    assert found == [item.nodeid for item in reversed(some)]


def test_random_order_is_seeded_and_keeps_files_together(monkeypatch: pytest.MonkeyPatch) -> None:
    some = items(*(f"tests/test_{file}.py::test_{n}" for file in "abcdef" for n in range(5)))
    some += items("tests/browser/test_a.py::test_it")
    found = set[tuple[str, ...]]()
    for number in ("1", "2", "1"):
        monkeypatch.setenv(xdist_scheduler.ORDER, number)
        order = tuple(item.nodeid for item in xdist_scheduler.sort_tests(some))
        assert sorted(order) == sorted(item.nodeid for item in some)
        assert xdist_scheduler.is_browser_test(order[-1])
        files = [nodeid.partition("::")[0] for nodeid in order]
        assert sum(a != b for a, b in itertools.pairwise(files)) == 6
        found.add(order)
    assert len(found) == 2
