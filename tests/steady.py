"""Run the tests again and again, calm and hindered, and say whether they are green every time.

`python -m tests.steady`: three times calm, three times beside a busy loop on each processor, three
times on one processor, and three times in random order. It ends with the first run that is red.
Each run's log lies in `build/steady`, and the table in `build/steady/table.md`. The results for a
commit are kept in `build/steady/COMMIT.jsonl`: the next start continues where the last one stopped.
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
KEPT: Final = ROOT / "build" / "steady"
ORDER: Final = "ACESAROUND_TEST_ORDER"
TIMES: Final = 3
WAYS: Final = ("calm", "beside busy loops", "on one processor", "in random order")
_BUSY: Final = """
import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
parent = os.getppid()
while os.getppid() == parent:  # it ends with who started it
    for _ in range(1_000_000):
        pass
"""


class Run(NamedTuple):
    """One run of the tests, and how it went."""

    way: str
    number: int
    order: int | None
    status: int
    seconds: float
    summary: str

    def row(self) -> str:
        """A row of the table."""
        way = self.way if self.order is None else f"{self.way} ({ORDER}={self.order})"
        result = "green" if self.status == 0 else f"RED ({self.status})"
        return f"| {way} | {result} | {self.seconds:.0f} s | {self.summary.strip(' =')} |"


def processors() -> list[int]:
    """The processors that this process may use."""
    if not hasattr(os, "sched_getaffinity"):
        raise SystemExit("Only Linux can tie a process to a processor, as `make steady` does.")
    return sorted(os.sched_getaffinity(0))


@contextmanager
def busy(processor: int) -> Iterator[None]:
    """Meanwhile a process takes all that it can get of a processor."""
    with subprocess.Popen([sys.executable, "-c", _BUSY, str(processor)]) as loop:
        try:
            yield
        finally:
            loop.kill()


@contextmanager
def hindered(way: str) -> Iterator[None]:
    """Meanwhile tests that are started are hindered in that way."""
    mine = processors()
    with ExitStack() as stack:
        if way == "beside busy loops":
            for processor in mine:
                stack.enter_context(busy(processor))
        if way == "on one processor":
            os.sched_setaffinity(0, mine[:1])
            stack.callback(os.sched_setaffinity, 0, mine)
        yield


def once(way: str, number: int, order: int | None) -> Run:
    """Run the tests and tell how it went."""
    environment = dict(os.environ)
    if order is not None:
        environment[ORDER] = str(order)
    log = KEPT / f"{way.replace(' ', '-')}-{number}.log"
    began = time.monotonic()
    with hindered(way), log.open("wb") as written:
        status = subprocess.run(
            [sys.executable, "-m", "tests.gate", "test"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
        ).returncode
    took = time.monotonic() - began
    said = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return Run(way, number, order, status, took, said[-1] if said else "")


def commit() -> str:
    """Return the commit that is checked out. Raises SystemExit if files differ from it."""
    if changed := _git("status", "--porcelain"):
        raise SystemExit(f"Commit or remove first what differs from the commit:\n{changed}")
    return _git("rev-parse", "--short=10", "HEAD")


def _git(*words: str) -> str:
    return subprocess.check_output(["git", *words], cwd=ROOT, text=True).strip()


def earlier_runs(file: Path) -> list[Run]:
    """Return the runs that a file keeps; none if there is no file."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [Run(*json.loads(line)) for line in lines]


def main() -> int:
    """Run the tests in every way; 0 where all of it was green."""
    KEPT.mkdir(parents=True, exist_ok=True)
    table, kept = KEPT / "table.md", KEPT / f"{commit()}.jsonl"
    runs = {(run.way, run.number): run for run in earlier_runs(kept)}
    lines = ["| how | result | time | what pytest says |", "|---|---|---|---|"]
    for line in lines:
        _print(line)
    for way in WAYS:
        for number in range(1, TIMES + 1):
            run = runs.get((way, number))
            if run is None:
                order = secrets.randbelow(10**6) if way == WAYS[-1] else None
                run = once(way, number, order)
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(run) + "\n")
            lines.append(run.row())
            _print(run.row())
            table.write_text("\n".join(lines) + "\n", encoding="utf-8")
            if run.status != 0:
                _print(f"Its log: build/steady/{way.replace(' ', '-')}-{number}.log")
                return 1
    return 0


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
