"""The program that runs tests and checks in parallel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import gate
from tests.cli_runner import ENVIRONMENT, ROOT
from tests.gate import Part, Result
from tests.leftover_processes import VARIABLE, find_leftovers, kill, started_by
from tests.processes import is_running, wait_until_ended
from tests.waiting import wait_until

LONG_SECONDS = 600  # longer than any part of a test


@pytest.fixture(autouse=True)
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an own folder for logs, and a long time limit for the end of parts."""
    folder = tmp_path / "build" / "gate"
    monkeypatch.setattr(gate, "LOGS", folder)
    monkeypatch.setattr(gate, "ROOT", tmp_path)
    monkeypatch.setattr(gate, "_KILL_DELAY_SECONDS", float(LONG_SECONDS))
    return folder


def shell(name: str, words: str, *after: str, setup_help: str = "", minutes: float = 20) -> Part:
    """Return a part that runs a shell command."""
    return Part(name, ["sh", "-c", words], after, setup_help, minutes)


def statuses(*parts: Part) -> dict[str, int | None]:
    return {result.name: result.status for result in gate.run_parts(parts, dict(os.environ))}


def test_parts_run_in_parallel_and_after_their_dependencies(tmp_path: Path) -> None:
    made = tmp_path / "made"
    found = statuses(
        shell("waits", f"until [ -e {made} ]; do sleep 0.05; done; echo seen"),
        shell("makes", f"touch {made}", "before"),
        shell("before", f"[ ! -e {made} ]"),
    )
    assert found == {"waits": 0, "makes": 0, "before": 0}


def test_failing_part_stops_only_dependents(logs: Path) -> None:
    found = statuses(
        shell("bad", "echo oh; exit 3"),
        shell("good", "echo fine"),
        shell("later", "true", "bad"),
        shell("last", "true", "later"),
    )
    assert found == {"bad": 3, "good": 0, "later": None, "last": None}
    assert (logs / "bad.log").read_text() == "oh\n"
    assert (logs / "good.log").read_text() == "fine\n"


def test_part_that_cannot_start_fails(tmp_path: Path) -> None:
    nothing = Part("nothing", [str(tmp_path / "no-such-program")])
    assert statuses(nothing, shell("good", "true")) == {"nothing": 126, "good": 0}


def test_failing_preparation_ends_all_parts() -> None:
    found = statuses(
        shell("long", f"exec sleep {LONG_SECONDS}"),
        shell("next", "true", "long"),
        shell("prepares", "exit 1", setup_help="Mend it."),
    )
    assert found == {"long": None, "next": None, "prepares": 1}


def test_part_over_its_time_limit_dumps_stacks_and_ends(logs: Path) -> None:
    program = f"import faulthandler, time; faulthandler.enable(); time.sleep({LONG_SECONDS})"
    part = Part("hangs", [sys.executable, "-c", program], minutes=1 / 60)
    (result,) = gate.run_parts([part], dict(os.environ))
    assert result.status == -6
    output = (logs / "hangs.log").read_text()
    # If the signal comes before the handler is installed, the log is empty.
    assert not output or 'File "<string>", line 1' in output


def test_children_of_a_part_end_with_it(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    assert statuses(shell("leaves", f"sleep {LONG_SECONDS} & echo $! >{noted}")) == {"leaves": 0}
    wait_until_ended(int(noted.read_text()))


def test_output_lines_start_with_the_name_of_the_part(capfd: pytest.CaptureFixture[str]) -> None:
    statuses(shell("some", "echo one; printf two"))
    output = capfd.readouterr().out
    assert "       some | one\n" in output
    assert "       some | two\n" in output


def test_quiet_part_shows_its_last_lines_if_it_fails(capfd: pytest.CaptureFixture[str]) -> None:
    lines = "for n in $(seq 99); do echo line $n; done"
    good = shell("good", lines)._replace(quiet=True)
    bad = shell("bad", f"{lines}; exit 1")._replace(quiet=True)
    statuses(good, bad)
    output = capfd.readouterr().out
    assert "good | " not in output
    assert "bad | line 99\n" in output
    assert "bad | line 1\n" not in output


def test_last_line_is_the_summary_of_pytest(logs: Path) -> None:
    logs.mkdir(parents=True)
    summary = "============ 1 failed, 4 passed in 3.21s (0:00:03) ============"
    failed = "FAILED tests/test_a.py::test_it - assert 1 == 2"
    traces = "Traces of tests/test_a.py::test_it: build/failed/test_a--test_it/"
    slow = ["==== slowest 20 durations ====", "12.31s call     tests/test_a.py::test_it"]
    (logs / "tests.log").write_text("\n".join(["...", *slow, traces, failed, summary, ""]))
    output = gate.closing_lines([Result("tests", 1, 3.4), Result("check", 0, 2.0)])
    assert output[-1] == summary
    assert {failed, traces, *slow} <= set(output)
    assert "RED: tests." in output[-2]


def test_failed_preparation_says_what_to_do() -> None:
    part = shell("page", "false", setup_help="The page cannot be built.")
    output = gate.closing_lines([Result("page", 2, 1.0), Result("tests", None, 0.0)], [part])
    assert output[-2] == part.setup_help
    assert "RED: page." in output[-1]


def test_success_prints_no_red(logs: Path) -> None:
    logs.mkdir(parents=True)
    (logs / "tests.log").write_text("====== 5 passed in 3.21s ======\n")
    output = gate.closing_lines([Result("tests", 0, 3.4)])
    assert not any("RED" in line for line in output)
    assert output[-1] == "====== 5 passed in 3.21s ======"


@pytest.mark.parametrize("what", ["all", "test", "soak"])
def test_dependencies_come_before_their_parts(what: str) -> None:
    found = gate.parts_of(what)
    seen = set[str]()
    for part in found:
        assert set(part.after) <= seen
        seen.add(part.name)
    assert ("check" in seen) == (what == "all")


def test_leftovers_are_processes_of_ended_runs(tmp_path: Path) -> None:
    program = (
        "import os, subprocess, sys\n"
        "from tests import leftover_processes\n"
        "leftover_processes.set_variable()\n"
        f"left = subprocess.Popen(['sleep', '{LONG_SECONDS}'], start_new_session=True)\n"
        "print(left.pid, flush=True)\n"
        "sys.stdin.read()\n"
        "os._exit(0)\n"
    )
    environment = {name: value for name, value in ENVIRONMENT.items() if name != VARIABLE}
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        pid = int(run.stdout.readline())
        # Until it has executed its program, it has the environment of its parent.
        wait_until(lambda: pid in {process.pid for process in started_by(run.pid)})
        assert pid not in {process.pid for process in find_leftovers()}
        run.stdin.close()
        run.wait()
        found = [process for process in find_leftovers() if process.pid == pid]
        assert [process.command for process in found] == [f"sleep {LONG_SECONDS}"]
        kill(found)
        assert not is_running(pid)
