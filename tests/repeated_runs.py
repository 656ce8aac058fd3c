"""Run all tests many times under several conditions, until the first run that fails.

`python -m tests.repeated_runs` runs them three times under each condition: calm, beside a busy loop
on each processor, on one processor, and in random order. `build/steady` has the log of each run,
and the results in `table.md`. `COMMIT.jsonl` there has the results for a commit, so that the next
start continues where the last one stopped.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
RESULTS_DIR: Final = ROOT / "build" / "steady"
ORDER: Final = "ACESAROUND_TEST_ORDER"
REPETITIONS: Final = 3
CONDITIONS: Final = ("calm", "beside busy loops", "on one processor", "in random order")
_BUSY_LOOP: Final = """
import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
parent = os.getppid()
while os.getppid() == parent:  # it ends with its parent
    for _ in range(1_000_000):
        pass
"""


class Run(NamedTuple):
    """One run of the tests and its result."""

    condition: str
    number: int
    order: int | None
    status: int
    seconds: float
    summary: str

    def table_row(self) -> str:
        """Return the row of the table in Markdown."""
        order = "" if self.order is None else f" ({ORDER}={self.order})"
        result = "green" if self.status == 0 else f"RED ({self.status})"
        summary = self.summary.strip(" =")
        return f"| {self.condition}{order} | {result} | {self.seconds:.0f} s | {summary} |"


def usable_processors() -> list[int]:
    """Return the processors that this process may use."""
    if not hasattr(os, "sched_getaffinity"):
        raise SystemExit("Only Linux can tie a process to a processor, as `make steady` does.")
    return sorted(os.sched_getaffinity(0))


@contextmanager
def run_busy_loop(processor: int) -> Iterator[None]:
    """Run a busy loop on a processor during the block."""
    with subprocess.Popen([sys.executable, "-c", _BUSY_LOOP, str(processor)]) as loop:
        try:
            yield
        finally:
            loop.kill()


@contextmanager
def apply_condition(condition: str) -> Iterator[None]:
    """Apply a condition to the processes that are started during the block."""
    processors = usable_processors()
    with ExitStack() as stack:
        if condition == "beside busy loops":
            for processor in processors:
                stack.enter_context(run_busy_loop(processor))
        if condition == "on one processor":
            os.sched_setaffinity(0, processors[:1])
            stack.callback(os.sched_setaffinity, 0, processors)
        yield


def log_name(condition: str, number: int) -> str:
    """Return the file name of the log of a run."""
    return f"{condition.replace(' ', '-')}-{number}.log"


def run_tests(condition: str, number: int) -> Run:
    """Run the tests once under a condition."""
    environment, order = dict(os.environ), None
    if condition == CONDITIONS[-1]:
        order = secrets.randbelow(10**6)
        environment[ORDER] = str(order)
    log = RESULTS_DIR / log_name(condition, number)
    started = time.monotonic()
    with apply_condition(condition), log.open("wb") as stream:
        status = subprocess.run(
            [sys.executable, "-m", "tests.gate", "test"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
        ).returncode
    seconds = time.monotonic() - started
    output = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return Run(condition, number, order, status, seconds, output[-1] if output else "")


def checked_out_commit() -> str:
    """Return the commit that is checked out. Raises SystemExit if files differ from it."""
    if changed := _git("status", "--porcelain"):
        raise SystemExit(f"Commit or remove first what differs from the commit:\n{changed}")
    return _git("rev-parse", "--short=10", "HEAD")


def _git(*arguments: str) -> str:
    return subprocess.check_output(["git", *arguments], cwd=ROOT, text=True).strip()


def read_runs(file: Path) -> list[Run]:
    """Return the runs that a file has; none if there is no file."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [Run(*json.loads(line)) for line in lines]


def main() -> int:
    """Run the tests under every condition; return 1 if they fail."""
    RESULTS_DIR.mkdir(parents=True, exist_ok=True)
    table, results = RESULTS_DIR / "table.md", RESULTS_DIR / f"{checked_out_commit()}.jsonl"
    runs = {(run.condition, run.number): run for run in read_runs(results)}
    lines = ["| condition | result | time | summary of pytest |", "|---|---|---|---|"]
    _print(*lines)
    for condition in CONDITIONS:
        for number in range(1, REPETITIONS + 1):
            run = runs.get((condition, number))
            if run is None:
                run = run_tests(condition, number)
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(run) + "\n")
            lines.append(run.table_row())
            _print(lines[-1])
            table.write_text("\n".join(lines) + "\n", encoding="utf-8")
            if run.status != 0:
                log = (RESULTS_DIR / log_name(condition, number)).relative_to(ROOT)
                _print(f"Its log: {log}")
                return 1
    return 0


def _print(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
