"""What tests of several folders share."""

from __future__ import annotations

import random
import signal
from collections.abc import Generator, Iterator

import hypothesis
import pytest

from tests.postgres import Postgres, running
from tests.seeds import VARIABLE, chance_of, run_seed

hypothesis.settings.register_profile(
    "tests",
    hypothesis.settings(),
    # To explain a failure Hypothesis traces every line, which has hung Python 3.11 for good.
    phases=[its for its in hypothesis.settings().phases if its is not hypothesis.Phase.explain],
)
hypothesis.settings.load_profile("tests")


def pytest_configure() -> None:
    """Hear interrupts, and so do the commands that tests start and interrupt: who runs the tests in
    the background of a script has them ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
    return report


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL of the tests' own. A test that stops it starts it again."""
    with running() as server:
        yield server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: while Playwright is there, no other test can run an event loop."""
    items.sort(key=lambda item: item.path.parent.name == "browser")
