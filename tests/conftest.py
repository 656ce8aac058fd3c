"""What tests of several folders share."""

from __future__ import annotations

import gc
import os
import random
import signal
from collections.abc import Generator, Iterator
from typing import Any

import hypothesis
import pytest

from tests import preflight, sharing, survivors, traces
from tests.postgres import Postgres, running
from tests.seeds import VARIABLE, chance_of, run_seed

# To explain a failure Hypothesis traces every line, which has hung Python 3.11 for good.
_PHASES = [its for its in hypothesis.Phase if its is not hypothesis.Phase.explain]
# The same examples in every run and on every machine, and no limit of time for one.
hypothesis.settings.register_profile(
    "gate", derandomize=True, deadline=None, database=None, phases=_PHASES, print_blob=True
)
# Others in every run: `make soak`. A failure prints what repeats it.
hypothesis.settings.register_profile("soak", deadline=None, phases=_PHASES, print_blob=True)
hypothesis.settings.load_profile("gate")


def pytest_configure(config: pytest.Config) -> None:
    """Hear interrupts, and so do the commands that tests start and interrupt: who runs the tests in
    the background of a script has them ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    survivors.mark()


def pytest_sessionstart(session: pytest.Session) -> None:
    """With CI, end at once where something is missing that tests need."""
    config = session.config
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not whole or config.option.collectonly or hasattr(config, "workerinput"):
        return
    traces.clear()
    wrong = preflight.troubles(installed=True) if os.environ.get(preflight.REQUIRED) else []
    if wrong:
        pytest.exit("\n".join(wrong), returncode=1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """How many processes run tests."""
    return sharing.processes()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> sharing.Sharing | None:
    """What gives each process its files of tests. None where another was asked for."""
    return sharing.Sharing(config, log) if config.getvalue("dist") == "load" else None


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """The chance of this one test, drawn from its id and the run's seed."""
    return chance_of(request.node.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Print with a failure the number that the test drew its chance from."""
    report = yield
    if report.failed:
        report.sections.append(("seed", f"{VARIABLE}={run_seed()} pytest '{item.nodeid}'"))
        traces.keep(item, report)
    return report


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL of the tests' own. A test that stops it starts it again."""
    with running() as server:
        yield server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: while Playwright is there, no other test can run an event loop."""
    items[:] = sharing.ordered(items)


def pytest_collection_finish() -> None:
    """Let the collector pass over what is there before the first test.

    It is half a million objects, for which each full collection stood still for most of a second.
    """
    gc.collect()
    gc.freeze()


def pytest_report_header() -> str:
    """The numbers that tests and their order were drawn from."""
    order = os.environ.get(sharing.ORDER)
    drawn = f"{VARIABLE}={run_seed()}"
    return drawn if order is None else f"{drawn} {sharing.ORDER}={order}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say where the traces of what failed lie."""
    failed = {
        report.nodeid
        for kind in ("failed", "error")
        for report in terminalreporter.getreports(kind)
    }
    for nodeid in sorted(failed):
        folder = traces.folder_of(nodeid)
        if folder.is_dir():
            terminalreporter.write_line(
                f"Traces of {nodeid}: {folder.relative_to(preflight.ROOT)}/"
            )
