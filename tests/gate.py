"""Run what has to hold before a change is merged, side by side, and say how each part went.

`python -m tests.gate` is `.ci/run`: all of it. `python -m tests.gate test` runs the tests alone and
`python -m tests.gate soak` the long ones. What each part prints is shown as it comes, behind its
name, and kept in `build/gate/NAME.log`. A part that only prepares others ends the run where it
fails; of the others all run to their end. The last lines name what failed, where its traces lie
and, as pytest does, how many passed.

It needs no package: the environment is one of its parts.
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

from tests import preflight, survivors

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
_MINUTE: Final = 60.0
_END: Final = 60  # lines
_PAUSE: Final = 0.05  # seconds between two looks
_LAST_WORDS: Final = 10.0  # seconds between the signal that shows all stacks and the end
_SHOWN: Final = re.compile(r"(FAILED|ERROR|SKIPPED) |Traces of |=+ slowest ")
_SLOW: Final = re.compile(r"[0-9.]+s (call|setup|teardown) ")
_SUMMARY: Final = re.compile(r"=+ .*\bin [0-9.]+s.*=+$")


class Part(NamedTuple):
    """A command of a run. It starts when the parts in `after` have ended well.

    `prepares`: where it fails nothing else can be tried, and this sentence says what to do.
    `minutes`: the longest that it may take. `quiet`: only where it fails is its end shown.
    """

    name: str
    words: Sequence[str]
    after: tuple[str, ...] = ()
    prepares: str = ""
    minutes: float = 20
    quiet: bool = False


def parts(what: str) -> list[Part]:
    """The parts of `all`, of `test` or of `soak`, in the order in which they are started."""
    make = ["make", f"PYTHON={sys.executable}"]
    built = "src/acesaround/static/index.html"
    fetch = "import sys; from frontend.check import fetched; sys.exit(not fetched())"
    prepared = ("tools", "page", "kernels", "sources")
    found = [
        Part("environment", [*make, ".venv/.equipped"], prepares=_NO_PACKAGES),
        Part("tools", ["tests/system.sh"], prepares=_NO_TOOLS),
    ]
    if what == "all":  # once for building and checking: both would fetch at the same time
        words = [_PYTHON, "-c", fetch]
        found.append(Part("packages", words, after=("environment",), prepares=_NO_NPM))
    last = found[-1].name if what == "all" else "environment"
    found += [
        Part("page", [*make, built], after=(last,), prepares=_NO_PAGE),
        Part(
            "kernels",
            [_PYTHON, "-m", "tests.kernels"],
            after=("environment",),
            prepares=_NO_KERNELS,
        ),
        # Once, and not by each of the processes that run tests: it compiles their sources.
        Part("sources", _COLLECT, after=("environment",), prepares=_NO_SOURCES, quiet=True),
    ]
    if what == "soak":
        long = ["-m", "soak", "-o", "faulthandler_timeout=7200", "--hypothesis-profile=soak"]
        return [*found, Part("tests", [*_PYTEST, *long], after=prepared, minutes=600)]
    found.append(Part("tests", _PYTEST, after=prepared, minutes=30))
    if what == "all":
        found.append(Part("check", ["env", "NO_COLOR=1", *make, "-k", "check"], after=("page",)))
    return found


class _Running:
    """A part that has been started."""

    def __init__(self, part: Part, environment: dict[str, str]) -> None:
        self.part, self.began = part, time.monotonic()
        self.log = (LOGS / f"{part.name}.log").open("wb")
        self.rest = b""
        self.unseen = list[bytes]()
        self.stopped = False
        self.abort_at = self.began + part.minutes * _MINUTE
        self.kill_at: float | None = None
        try:
            self.process = subprocess.Popen(
                part.words,
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
        self.said = self.process.stdout
        os.set_blocking(self.said.fileno(), False)

    def show(self) -> None:
        """Print and keep the lines that have come since."""
        while True:
            try:
                came = os.read(self.said.fileno(), 65536)
            except BlockingIOError:
                return
            if not came:
                return
            self.log.write(came)
            self.log.flush()
            *lines, self.rest = (self.rest + came).split(b"\n")
            if self.part.quiet:
                self.unseen = [*self.unseen, *lines][-_END:]
                continue
            for line in lines:
                self._print(line)

    def _print(self, line: bytes) -> None:
        _print(f"{self.part.name:>11} | {line.decode(errors='replace')}")

    def signal(self, which: signal.Signals) -> None:
        """Send a signal to the part and all that it has started in its session."""
        try:
            os.killpg(self.process.pid, which)
        except (ProcessLookupError, PermissionError):
            return

    def watch(self) -> None:
        """Show all stacks where the part takes too long, and end it soon after."""
        now = time.monotonic()
        if self.kill_at is None and now > self.abort_at:
            _print(
                f"{self.part.name} takes longer than {self.part.minutes:g} minutes: it is ended."
            )
            self.kill_at = now + _LAST_WORDS
            self.signal(signal.SIGABRT)
        elif self.kill_at is not None and now > self.kill_at:
            self.signal(signal.SIGKILL)

    def close(self) -> None:
        """End what it has left, and close its log."""
        self.signal(signal.SIGKILL)
        self.show()
        for line in self.unseen if self.process.returncode else ():
            self._print(line)
        if self.rest:
            self._print(self.rest)
        self.log.close()
        self.said.close()


class Result(NamedTuple):
    """How a part went. `status` is None where it was not started, or stopped because of others."""

    name: str
    status: int | None
    seconds: float

    def line(self) -> str:
        """One line of the table."""
        idle = "stopped" if self.seconds else "not run"
        how = {None: idle, 0: "ok"}.get(self.status, f"FAILED ({self.status})")
        return f"{self.name:>11}   {how:<12} {self.seconds:7.1f} s"


def run(these: Sequence[Part], environment: dict[str, str]) -> list[Result]:
    """Run the parts, each as soon as it can be, and tell how each went, in their order."""
    LOGS.mkdir(parents=True, exist_ok=True)
    waiting, ended = list(these), dict[str, Result]()
    running, heard = dict[str, _Running](), selectors.DefaultSelector()
    failed = False
    try:
        while waiting or running:  # steady: each part has its longest time
            for part in list(waiting):
                if failed or any(name in ended and ended[name].status != 0 for name in part.after):
                    waiting.remove(part)
                    ended[part.name] = Result(part.name, None, 0.0)
                elif all(name in ended for name in part.after):
                    waiting.remove(part)
                    try:
                        one = _Running(part, environment)
                    except OSError as error:
                        _print(f"{part.name} cannot be started: {error}")
                        ended[part.name] = Result(part.name, 126, 0.0)
                        continue
                    running[part.name] = one
                    heard.register(one.said, selectors.EVENT_READ, one)
            time.sleep(_PAUSE)
            for key, _ in heard.select(timeout=0):
                key.data.show()
            for name, one in list(running.items()):
                one.watch()
                status = one.process.poll()
                if status is None:
                    continue
                heard.unregister(one.said)
                one.close()
                del running[name]
                took = time.monotonic() - one.began
                ended[name] = Result(name, None if one.stopped else status, took)
                _print(ended[name].line())
                if status and one.part.prepares and not one.stopped:
                    failed = True
                    for other in running.values():
                        other.stopped = True
                        other.signal(signal.SIGTERM)
                        other.kill_at = time.monotonic() + _LAST_WORDS
    finally:
        for one in running.values():
            one.signal(signal.SIGKILL)
            one.process.wait()
            one.close()
    return [ended[part.name] for part in these]


def closing(results: Sequence[Result], these: Sequence[Part] = ()) -> list[str]:
    """The last lines: each part's time and result, what failed, and pytest's summary."""
    lines = [result.line() for result in results]
    lines.append(f"Logs: {LOGS.relative_to(ROOT)}/NAME.log; results: build/junit.xml")
    summary = ""
    for result in results:
        log = LOGS / f"{result.name}.log"
        if result.name != "tests" or result.status is None or not log.is_file():
            continue
        said = log.read_text(encoding="utf-8", errors="replace").splitlines()
        lines += [line for line in said if _SHOWN.match(line) or _SLOW.match(line)]
        summary = next((line for line in reversed(said) if _SUMMARY.match(line)), "")
    wrong = [result.name for result in results if result.status]
    lines += [part.prepares for part in these if part.prepares and part.name in wrong]
    if wrong:
        lines.append(
            f"RED: {', '.join(wrong)}. CONTRIBUTING.md says more under “When the gate is red”."
        )
    return [*lines, summary] if summary else lines


def environment_of() -> dict[str, str]:
    """The environment of every part: our locale, our mark, and nothing of a `make` around us."""
    survivors.mark()
    strange = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "LANGUAGE", "PYTHONHOME", "PYTHONPATH"}
    strange.add("PYTHONDONTWRITEBYTECODE")  # each of hundreds of processes would compile all anew
    kept = {name: value for name, value in os.environ.items() if name not in strange}
    if sys.platform == "linux":
        kept = {name: value for name, value in kept.items() if not name.startswith("LC_")}
        kept |= {"LANG": preflight.LOCALE, "LC_ALL": preflight.LOCALE}
    return kept | {"PYTHONUNBUFFERED": "1"}


def main(arguments: Sequence[str]) -> int:
    """Run what is asked for; 0 where all of it went well."""
    what = arguments[0] if arguments else "all"
    signal.signal(signal.SIGTERM, _interrupted)
    began = time.monotonic()
    for line in preflight.versions():
        _print(line)
    for line in preflight.skipped():
        _print(line)
    if _refused(preflight.troubles()):
        return 1
    _end(survivors.survivors(), "An earlier run left this behind, it is ended now")
    these = parts(what)
    try:
        results = run(these, environment_of())
    except KeyboardInterrupt:
        _print("Interrupted.")
        return 130
    finally:
        _end(survivors.started_by(os.getpid()), "This run has left this behind, it is ended now")
    _print(f"All of it took {time.monotonic() - began:.0f} s.")
    for line in closing(results, these):
        _print(line)
    return 1 if any(result.status != 0 for result in results) else 0


def _refused(wrong: Sequence[str]) -> bool:
    for line in wrong:
        _print(line)
    return bool(wrong)


def _end(those: list[survivors.Survivor], said: str) -> None:
    for one in those:
        _print(f"{said}: {one.pid} {one.words}")
    survivors.end(those)


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
