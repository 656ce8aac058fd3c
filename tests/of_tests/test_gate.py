"""The program that runs tests and checks side by side."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import gate, survivors
from tests.cli_runner import ENVIRONMENT, ROOT
from tests.gate import Part, Result
from tests.waiting import wait_until

LONG = 600  # seconds, which no part of a test may take


@pytest.fixture(autouse=True)
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of logs that no other run uses, and time enough to end."""
    folder = tmp_path / "build" / "gate"
    monkeypatch.setattr(gate, "LOGS", folder)
    monkeypatch.setattr(gate, "ROOT", tmp_path)
    monkeypatch.setattr(gate, "_LAST_WORDS", float(LONG))
    return folder


def shell(name: str, words: str, *after: str, prepares: str = "", minutes: float = 20) -> Part:
    """A part that runs some words of the shell."""
    return Part(name, ["sh", "-c", words], after, prepares, minutes)


def statuses(*these: Part) -> dict[str, int | None]:
    """How each part ended."""
    return {result.name: result.status for result in gate.run(these, dict(os.environ))}


def test_parts_run_side_by_side_and_after_those_that_they_need(tmp_path: Path) -> None:
    made = tmp_path / "made"
    found = statuses(
        shell("waits", f"until [ -e {made} ]; do sleep 0.05; done; echo seen"),
        shell("makes", f"touch {made}", "before"),
        shell("before", f"[ ! -e {made} ]"),
    )
    assert found == {"waits": 0, "makes": 0, "before": 0}


def test_a_part_that_fails_lets_the_others_go_on(logs: Path) -> None:
    found = statuses(
        shell("bad", "echo oh; exit 3"),
        shell("good", "echo fine"),
        shell("later", "true", "bad"),
        shell("last", "true", "later"),
    )
    assert found == {"bad": 3, "good": 0, "later": None, "last": None}
    assert (logs / "bad.log").read_text() == "oh\n"
    assert (logs / "good.log").read_text() == "fine\n"


def test_a_part_that_cannot_be_started_has_failed(tmp_path: Path) -> None:
    nothing = Part("nothing", [str(tmp_path / "no-such-program")])
    assert statuses(nothing, shell("good", "true")) == {"nothing": 126, "good": 0}


def test_a_preparation_that_fails_ends_everything() -> None:
    found = statuses(
        shell("long", f"exec sleep {LONG}"),
        shell("next", "true", "long"),
        shell("prepares", "exit 1", prepares="Mend it."),
    )
    assert found == {"long": None, "next": None, "prepares": 1}


def test_a_part_that_takes_too_long_shows_its_stacks_and_is_ended(logs: Path) -> None:
    program = f"import faulthandler, time; faulthandler.enable(); time.sleep({LONG})"
    part = Part("hangs", [sys.executable, "-c", program], minutes=1 / 60)
    (result,) = gate.run([part], dict(os.environ))
    assert result.status == -6
    said = (logs / "hangs.log").read_text()
    # A stall may bring the signal before there is a handler: then nothing is said.
    assert not said or 'File "<string>", line 1' in said


def test_what_a_part_has_started_ends_with_it(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    assert statuses(shell("leaves", f"sleep {LONG} & echo $! >{noted}")) == {"leaves": 0}
    wait_until(lambda: not survivors.runs(int(noted.read_text())))


def test_what_is_printed_comes_behind_the_name_of_its_part(
    capfd: pytest.CaptureFixture[str],
) -> None:
    statuses(shell("some", "echo one; printf two"))
    said = capfd.readouterr().out
    assert "       some | one\n" in said
    assert "       some | two\n" in said


def test_a_quiet_part_is_shown_where_it_fails(capfd: pytest.CaptureFixture[str]) -> None:
    lines = "for n in $(seq 99); do echo line $n; done"
    good = shell("good", lines)._replace(quiet=True)
    bad = shell("bad", f"{lines}; exit 1")._replace(quiet=True)
    statuses(good, bad)
    said = capfd.readouterr().out
    assert "good | " not in said
    assert "bad | line 99\n" in said
    assert "bad | line 1\n" not in said


def test_the_last_line_is_the_one_of_pytest(logs: Path) -> None:
    logs.mkdir(parents=True)
    summary = "============ 1 failed, 4 passed in 3.21s (0:00:03) ============"
    failed = "FAILED tests/test_a.py::test_it - assert 1 == 2"
    traces = "Traces of tests/test_a.py::test_it: build/failed/test_a--test_it/"
    slow = ["==== slowest 20 durations ====", "12.31s call     tests/test_a.py::test_it"]
    (logs / "tests.log").write_text("\n".join(["...", *slow, traces, failed, summary, ""]))
    said = gate.closing([Result("tests", 1, 3.4), Result("check", 0, 2.0)])
    assert said[-1] == summary
    assert {failed, traces, *slow} <= set(said)
    assert "RED: tests." in said[-2]


def test_a_preparation_that_failed_says_what_to_do() -> None:
    part = shell("page", "false", prepares="The page cannot be built.")
    said = gate.closing([Result("page", 2, 1.0), Result("tests", None, 0.0)], [part])
    assert said[-2] == part.prepares
    assert "RED: page." in said[-1]


def test_all_green_says_nothing_red(logs: Path) -> None:
    logs.mkdir(parents=True)
    (logs / "tests.log").write_text("====== 5 passed in 3.21s ======\n")
    said = gate.closing([Result("tests", 0, 3.4)])
    assert not any("RED" in line for line in said)
    assert said[-1] == "====== 5 passed in 3.21s ======"


@pytest.mark.parametrize("what", ["all", "test", "soak"])
def test_every_part_waits_for_parts_that_there_are(what: str) -> None:
    found = gate.parts(what)
    seen = set[str]()
    for part in found:
        assert set(part.after) <= seen
        seen.add(part.name)
    assert ("check" in seen) == (what == "all")


def test_only_what_an_ended_run_has_left_is_a_survivor(tmp_path: Path) -> None:
    program = (
        "import os, subprocess, sys\n"
        "from tests import survivors\n"
        "survivors.mark()\n"
        f"left = subprocess.Popen(['sleep', '{LONG}'], start_new_session=True)\n"
        "print(left.pid, flush=True)\n"
        "sys.stdin.read()\n"
        "os._exit(0)\n"
    )
    ours = {name: its for name, its in ENVIRONMENT.items() if name != survivors.VARIABLE}
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=ours,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        left = int(run.stdout.readline())
        # Between its start and the program that it becomes it carries what its parent carries.
        wait_until(lambda: left in {one.pid for one in survivors.started_by(run.pid)})
        assert left not in {one.pid for one in survivors.survivors()}
        run.stdin.close()
        run.wait()
        found = [one for one in survivors.survivors() if one.pid == left]
        assert [one.words for one in found] == [f"sleep {LONG}"]
        survivors.end(found)
        assert not survivors.runs(left)
