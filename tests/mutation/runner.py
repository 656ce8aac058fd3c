"""Run quick tests in a forked process, on the source with or without one change.

The parent process has loaded pytest but no module of the project, so a run starts at once. Files on
the disk are not changed. Kernels run as Python, because compiling takes a minute and kernels
compiled from a changed rule must not be cached.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import math
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final, NamedTuple

import hypothesis
import pytest

from tests.mutation.mutations import ROOT, Change

_SLOW: Final = (
    *("cli", "cli_replay", "docs", "docs_types", "frozen_rules", "variant_names"),
    *("odds", "perft", "solve", "support", "wide"),
)
"""Test modules that start commands, compile kernels or read documentation."""
_FOLDERS: Final = ("rules", "game", "game/phases", "record", "table")
_PYTEST: Final = (
    *("-x", "-q", "-p", "no:cacheprovider"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # hypothesis is loaded before the fork
)
_MEMORY: Final = 4 << 30


class Result(NamedTuple):
    """The result of a run. `killer`: the first test that failed, None if all passed.

    `seconds`: the time of each test. `spent`: processor time in seconds.
    """

    killer: str | None
    seconds: dict[str, float]
    spent: float


def test_files() -> list[str]:
    """Return the files of the quick tests of engine and table."""
    top = ROOT / "tests"
    slow = {f"test_{name}.py" for name in _SLOW}
    found = [path for folder in (".", *_FOLDERS) for path in (top / folder).glob("test_*.py")]
    return sorted(str(path.relative_to(ROOT)) for path in found if path.name not in slow)


def own_tests(file: str) -> list[str]:
    """Return the test files with the name of a source or its package."""
    path = Path(file).relative_to("src/acesaround")
    package, name = path.parent, f"test_{path.stem}"
    names = (f"tests/{name}", f"tests/{package}/{name}", f"tests/test_{package}")
    return [name for name in test_files() if name.startswith(names)]


def run(
    tests: Sequence[str],
    change: Change | None = None,
    limit: int | None = None,
    usual: dict[str, float] | None = None,
    most: float | None = None,
) -> Result:
    """Run test files up to the first failure, quick tests first.

    `limit`: the processor time in seconds after which a run counts as endless. `usual`: the time of
    each test without a change; tests that take more than `most` are skipped.
    """
    assert "acesaround" not in sys.modules, "loaded modules would not be changed"
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        result = Path(folder) / "result.json"
        child = os.fork()
        if child == 0:
            try:
                _run_in_child(tests, change, limit, _ResultPlugin(usual or {}, most), Path(folder))
            finally:
                os._exit(1)
        _, status, used = os.wait4(child, 0)
        spent = used.ru_utime + used.ru_stime
        if not result.exists():
            how = "ran on and on" if os.WIFSIGNALED(status) else "could not be tried"
            return Result(how, {}, spent)
        killer, seconds = json.loads(result.read_text(encoding="utf-8"))
        return Result(killer, seconds, spent)


def _run_in_child(
    tests: Sequence[str],
    change: Change | None,
    limit: int | None,
    watch: _ResultPlugin,
    folder: Path,
) -> None:
    """Apply the change, run the tests and write the result, in the forked process."""
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    os.environ.update(NUMBA_DISABLE_JIT="1", XDG_CACHE_HOME=str(folder), HOME=str(folder))
    quiet = os.open(folder / "output", os.O_WRONLY | os.O_CREAT)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    if change is not None:
        sys.meta_path.insert(0, _Changed(change))
    hypothesis.settings.register_profile(
        "mutants",
        database=None,
        derandomize=True,
        deadline=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.load_profile("mutants")
    status = pytest.main([*_PYTEST, *tests], plugins=[watch])
    if status != pytest.ExitCode.OK and watch.killer is None:
        watch.killer = "the tests cannot be run"
    part = folder / "part.json"
    part.write_text(json.dumps([watch.killer, watch.seconds]), encoding="utf-8")
    part.rename(folder / "result.json")
    os._exit(0)


class _ResultPlugin:
    """A pytest plugin that orders tests by time and records times and the first failure."""

    def __init__(self, usual: dict[str, float], most: float | None) -> None:
        self.killer: str | None = None
        self.seconds: dict[str, float] = {}
        self._usual = usual
        self._most = math.inf if most is None else most

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        took = {item: self._usual.get(item.nodeid, 0.0) for item in items}
        items[:] = sorted(
            (item for item in items if took[item] <= self._most), key=took.__getitem__
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        began = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = round(time.process_time() - began, 4)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.killer is None:
            self.killer = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and self.killer is None:
            self.killer = f"{report.nodeid} cannot be imported"


class _Changed(importlib.abc.MetaPathFinder):
    """Finds the changed module."""

    def __init__(self, change: Change) -> None:
        self._path = ROOT / change.file
        parts = Path(change.file).with_suffix("").parts[1:]
        self._name = ".".join(parts).removesuffix(".__init__")
        self._source = change.applied(self._path.read_text(encoding="utf-8"))

    def find_spec(
        self, fullname: str, path: object, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        loader = _Loader(fullname, str(self._path), self._source)
        return importlib.util.spec_from_file_location(fullname, self._path, loader=loader)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a source from memory, without a bytecode cache."""

    def __init__(self, fullname: str, path: str, source: str) -> None:
        super().__init__(fullname, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec", dont_inherit=True)
