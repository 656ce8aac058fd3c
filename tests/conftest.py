"""Fixtures and hooks of all tests."""

from __future__ import annotations

import gc
import os
import random
import signal
from collections.abc import Generator, Iterator
from typing import Any

import hypothesis
import pytest

from tests import leftover_processes, preflight, traces, xdist_scheduler
from tests.postgres import Postgres, running
from tests.seeds import VARIABLE, chance_of, run_seed
from tests.xdist_scheduler import FileScheduler

# To explain a failure Hypothesis traces every line, which has hung Python 3.11 for good.
_PHASES = [phase for phase in hypothesis.Phase if phase is not hypothesis.Phase.explain]
# The same examples in every run and on every machine, and no limit of time for one.
hypothesis.settings.register_profile(
    "gate", derandomize=True, deadline=None, database=None, phases=_PHASES, print_blob=True
)
# Others in every run: `make soak`. A failure prints what repeats it.
hypothesis.settings.register_profile("soak", deadline=None, phases=_PHASES, print_blob=True)
hypothesis.settings.load_profile("gate")


def pytest_configure(config: pytest.Config) -> None:
    """Handle SIGINT, which a script ignores in its background jobs, here and in child processes."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    leftover_processes.set_variable()


def pytest_sessionstart(session: pytest.Session) -> None:
    """With CI, end at once if something is missing that tests need."""
    config = session.config
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not whole or config.option.collectonly or hasattr(config, "workerinput"):
        return
    traces.remove_old()
    problems = (
        preflight.find_problems(installed=True) if os.environ.get(preflight.CI_VARIABLE) else []
    )
    if problems:
        pytest.exit("\n".join(problems), returncode=1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers."""
    return xdist_scheduler.worker_count()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FileScheduler | None:
    """Return the scheduler, or None if another was requested by an option."""
    return FileScheduler(config, log) if config.getvalue("dist") == "load" else None


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """Return a random number generator, seeded by the test's id and the seed of the run."""
    return chance_of(request.node.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Print the seed with a failure, and save traces."""
    report = yield
    if report.failed:
        report.sections.append(("seed", f"{VARIABLE}={run_seed()} pytest '{item.nodeid}'"))
        traces.save(item, report)
    return report


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL for the tests. A test that stops it must start it again."""
    with running() as server:
        yield server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests."""
    items[:] = xdist_scheduler.sort_tests(items)


def pytest_collection_finish() -> None:
    """Exempt all objects of collection from garbage collection.

    Half a million objects would make each full collection take most of a second.
    """
    gc.collect()
    gc.freeze()


def pytest_report_header() -> str:
    """Return the seeds of the tests and of their order."""
    order = os.environ.get(xdist_scheduler.ORDER)
    seed = f"{VARIABLE}={run_seed()}"
    return seed if order is None else f"{seed} {xdist_scheduler.ORDER}={order}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the folders of traces."""
    failed = {
        report.nodeid
        for kind in ("failed", "error")
        for report in terminalreporter.getreports(kind)
    }
    for nodeid in sorted(failed):
        folder = traces.trace_folder(nodeid)
        if folder.is_dir():
            terminalreporter.write_line(
                f"Traces of {nodeid}: {folder.relative_to(preflight.ROOT)}/"
            )
