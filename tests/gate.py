"""Run all checks that a change must pass, in parallel, and print the result of each.

`python -m tests.gate` is `.ci/run`, with all parts. `python -m tests.gate test` runs only the
tests, `python -m tests.gate soak` the long ones. Each line that a part prints is shown behind its
name, and written to `build/gate/NAME.log`. If a part fails that prepares others, the run ends; all
other parts run to their end. The last lines name what failed, its traces, and pytest's summary.

This program needs no package: the environment is one of its parts.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests import leftover_processes, preflight

ROOT: Final = Path(__file__).resolve().parent.parent
LOGS: Final = ROOT / "build" / "gate"
_PYTHON: Final = ".venv/bin/python"
_PYTEST: Final = (
    f"{_PYTHON} -m pytest --numprocesses auto --color=no --durations=20 --durations-min=0.5"
    " --junitxml=build/junit.xml"
).split()
_NO_PACKAGES: Final = (
    "Python's packages cannot be installed: pip needs the network, or an index or a folder of"
    " wheels that has the versions of requirements.lock (`pip config list` says which it asks)."
)
_NO_TOOLS: Final = (
    "Browsers, PostgreSQL or proxies cannot be installed: apt-get needs the network and root, or"
    " they must be there before (build/system.log says what apt-get said)."
)
_NO_NPM: Final = (
    "npm's packages cannot be fetched: npm needs the network, or a registry that has the versions"
    " of frontend/package-lock.json (`npm config get registry` says which it asks)."
)
_NO_PAGE: Final = "The page of the browser table cannot be built: build/gate/page.log says why."
_NO_SOURCES: Final = "The tests cannot be read: build/gate/sources.log says why."
_NO_KERNELS: Final = "The kernels cannot be compiled: build/gate/kernels.log says why."
_COLLECT: Final = f"{_PYTHON} -m pytest --collect-only --color=no -qqq".split()
_SECONDS_PER_MINUTE: Final = 60.0
_TAIL_LINES: Final = 60
_POLL_SECONDS: Final = 0.05
_KILL_DELAY_SECONDS: Final = 10.0  # after the signal that prints all stacks
_REPORT_LINE: Final = re.compile(r"(FAILED|ERROR|SKIPPED) |Traces of |=+ slowest ")
_DURATION_LINE: Final = re.compile(r"[0-9.]+s (call|setup|teardown) ")
_SUMMARY_LINE: Final = re.compile(r"=+ .*\bin [0-9.]+s.*=+$")


class Part(NamedTuple):
    """A command of a run. It starts when the parts in `after` have succeeded.

    `setup_help`: if this part fails, no other part can run, and this sentence says what to do.
    `minutes`: its time limit. `quiet`: only its last lines are shown, and only if it fails.
    """

    name: str
    command: Sequence[str]
    after: tuple[str, ...] = ()
    setup_help: str = ""
    minutes: float = 20
    quiet: bool = False


def parts_of(target: str) -> list[Part]:
    """Return the parts of `all`, `test` or `soak`, each after those that it depends on."""
    make = ["make", f"PYTHON={sys.executable}"]
    page = "src/acesaround/static/index.html"
    fetch = (
        "import sys; from frontend.check import install_packages; sys.exit(not install_packages())"
    )
    prepared = ("tools", "page", "kernels", "sources")
    parts = [
        Part("environment", [*make, ".venv/.equipped"], setup_help=_NO_PACKAGES),
        Part("tools", ["tests/system.sh"], setup_help=_NO_TOOLS),
    ]
    if target == "all":  # once for building and checking: both would fetch at the same time
        words = [_PYTHON, "-c", fetch]
        parts.append(Part("packages", words, after=("environment",), setup_help=_NO_NPM))
    page_after = parts[-1].name if target == "all" else "environment"
    parts += [
        Part("page", [*make, page], after=(page_after,), setup_help=_NO_PAGE),
        Part(
            "kernels",
            [_PYTHON, "-m", "tests.kernels"],
            after=("environment",),
            setup_help=_NO_KERNELS,
        ),
        # Once, and not by each of the processes that run tests: it compiles their sources.
        Part("sources", _COLLECT, after=("environment",), setup_help=_NO_SOURCES, quiet=True),
    ]
    if target == "soak":
        long = ["-m", "soak", "-o", "faulthandler_timeout=7200", "--hypothesis-profile=soak"]
        return [*parts, Part("tests", [*_PYTEST, *long], after=prepared, minutes=600)]
    parts.append(Part("tests", _PYTEST, after=prepared, minutes=60))
    if target == "all":
        parts.append(Part("check", ["env", "NO_COLOR=1", *make, "-k", "check"], after=("page",)))
    return parts


class _RunningPart:
    """A part that was started."""

    def __init__(self, part: Part, environment: dict[str, str]) -> None:
        self.part, self.started = part, time.monotonic()
        self.log = (LOGS / f"{part.name}.log").open("wb")
        self.partial_line = b""
        self.tail = list[bytes]()
        self.stopped = False
        self.abort_at = self.started + part.minutes * _SECONDS_PER_MINUTE
        self.kill_at: float | None = None
        try:
            self.process = subprocess.Popen(
                part.command,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # so that all that it starts can be ended with it
            )
        except BaseException:
            self.log.close()
            raise
        assert self.process.stdout is not None
        self.output = self.process.stdout
        os.set_blocking(self.output.fileno(), False)

    def read_output(self) -> None:
        """Print and log the lines that the process has written since the last call."""
        while True:
            try:
                chunk = os.read(self.output.fileno(), 65536)
            except BlockingIOError:
                return
            if not chunk:
                return
            self.log.write(chunk)
            self.log.flush()
            *lines, self.partial_line = (self.partial_line + chunk).split(b"\n")
            if self.part.quiet:
                self.tail = [*self.tail, *lines][-_TAIL_LINES:]
                continue
            for line in lines:
                self._print(line)

    def _print(self, line: bytes) -> None:
        _print(f"{self.part.name:>11} | {line.decode(errors='replace')}")

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to all processes of the part."""
        try:
            os.killpg(self.process.pid, number)
        except (ProcessLookupError, PermissionError):
            return

    def check_time(self) -> None:
        """After the time limit, have the part print all stacks, and soon after kill it."""
        now = time.monotonic()
        if self.kill_at is None and now > self.abort_at:
            _print(
                f"{self.part.name} takes longer than {self.part.minutes:g} minutes: it is ended."
            )
            self.kill_at = now + _KILL_DELAY_SECONDS
            self.send_signal(signal.SIGABRT)
        elif self.kill_at is not None and now > self.kill_at:
            self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """Kill the remaining processes and close the log."""
        self.send_signal(signal.SIGKILL)
        self.read_output()
        for line in self.tail if self.process.returncode else ():
            self._print(line)
        if self.partial_line:
            self._print(self.partial_line)
        self.log.close()
        self.output.close()


class Result(NamedTuple):
    """The result of a part. `status` is None if it was not started, or stopped with the run."""

    name: str
    status: int | None
    seconds: float

    def table_line(self) -> str:
        """Return the line of the table."""
        unfinished = "stopped" if self.seconds else "not run"
        result = {None: unfinished, 0: "ok"}.get(self.status, f"FAILED ({self.status})")
        return f"{self.name:>11}   {result:<12} {self.seconds:7.1f} s"


def run_parts(parts: Sequence[Part], environment: dict[str, str]) -> list[Result]:
    """Run each part as soon as its dependencies have ended, and return the results in order."""
    LOGS.mkdir(parents=True, exist_ok=True)
    waiting, ended = list(parts), dict[str, Result]()
    running, selector = dict[str, _RunningPart](), selectors.DefaultSelector()
    failed = False
    try:
        while waiting or running:  # steady: each part has a time limit
            for part in list(waiting):
                if failed or any(name in ended and ended[name].status != 0 for name in part.after):
                    waiting.remove(part)
                    ended[part.name] = Result(part.name, None, 0.0)
                elif all(name in ended for name in part.after):
                    waiting.remove(part)
                    try:
                        part_process = _RunningPart(part, environment)
                    except OSError as error:
                        _print(f"{part.name} cannot be started: {error}")
                        ended[part.name] = Result(part.name, 126, 0.0)
                        continue
                    running[part.name] = part_process
                    selector.register(part_process.output, selectors.EVENT_READ, part_process)
            time.sleep(_POLL_SECONDS)
            for key, _ in selector.select(timeout=0):
                key.data.read_output()
            for name, part_process in list(running.items()):
                part_process.check_time()
                status = part_process.process.poll()
                if status is None:
                    continue
                selector.unregister(part_process.output)
                part_process.close()
                del running[name]
                seconds = time.monotonic() - part_process.started
                ended[name] = Result(name, None if part_process.stopped else status, seconds)
                _print(ended[name].table_line())
                if status and part_process.part.setup_help and not part_process.stopped:
                    failed = True
                    for other in running.values():
                        other.stopped = True
                        other.send_signal(signal.SIGTERM)
                        other.kill_at = time.monotonic() + _KILL_DELAY_SECONDS
    finally:
        for part_process in running.values():
            part_process.send_signal(signal.SIGKILL)
            part_process.process.wait()
            part_process.close()
    return [ended[part.name] for part in parts]


def closing_lines(results: Sequence[Result], parts: Sequence[Part] = ()) -> list[str]:
    """Return the last lines: time and result of each part, failures, and pytest's summary."""
    lines = [result.table_line() for result in results]
    lines.append(f"Logs: {LOGS.relative_to(ROOT)}/NAME.log; results: build/junit.xml")
    summary = ""
    for result in results:
        log = LOGS / f"{result.name}.log"
        if result.name != "tests" or result.status is None or not log.is_file():
            continue
        output = log.read_text(encoding="utf-8", errors="replace").splitlines()
        lines += [line for line in output if _REPORT_LINE.match(line) or _DURATION_LINE.match(line)]
        summary = next((line for line in reversed(output) if _SUMMARY_LINE.match(line)), "")
    failed = [result.name for result in results if result.status]
    lines += [part.setup_help for part in parts if part.setup_help and part.name in failed]
    if failed:
        lines.append(
            f"RED: {', '.join(failed)}. CONTRIBUTING.md says more under "
            "“When the merge checks fail”."
        )
    return [*lines, summary] if summary else lines


def make_environment() -> dict[str, str]:
    """Return the environment of every part: with a fixed locale, without the variables of make."""
    leftover_processes.set_variable()
    removed = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "LANGUAGE", "PYTHONHOME", "PYTHONPATH"}
    removed.add("PYTHONDONTWRITEBYTECODE")  # or each process compiles everything
    environment = {name: value for name, value in os.environ.items() if name not in removed}
    if sys.platform == "linux":
        environment = {
            name: value for name, value in environment.items() if not name.startswith("LC_")
        }
        environment |= {"LANG": preflight.LOCALE, "LC_ALL": preflight.LOCALE}
    return environment | {"PYTHONUNBUFFERED": "1"}


def main(arguments: Sequence[str]) -> int:
    """Run `all`, `test` or `soak`; return 1 if a part failed."""
    target = arguments[0] if arguments else "all"
    signal.signal(signal.SIGTERM, _interrupted)
    started = time.monotonic()
    problems = preflight.find_problems()
    for line in (*preflight.program_versions(), *preflight.skip_notices(), *problems):
        _print(line)
    if problems:
        return 1
    _kill(leftover_processes.find_leftovers(), "An earlier run left this behind, it is ended now")
    parts = parts_of(target)
    try:
        results = run_parts(parts, make_environment())
    except KeyboardInterrupt:
        _print("Interrupted.")
        return 130
    finally:
        _kill(
            leftover_processes.started_by(os.getpid()),
            "This run has left this behind, it is ended now",
        )
    _print(f"All of it took {time.monotonic() - started:.0f} s.")
    for line in closing_lines(results, parts):
        _print(line)
    return 1 if any(result.status != 0 for result in results) else 0


def _kill(leftovers: list[leftover_processes.Process], reason: str) -> None:
    for process in leftovers:
        _print(f"{reason}: {process.pid} {process.command}")
    leftover_processes.kill(leftovers)


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
