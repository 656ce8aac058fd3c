"""Runs worlds with a planted fault until one fails, and prints it as JSON.

`python -m tests.simulation.planted.worlds NAME START COUNT`, with PYTHONHASHSEED=0.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import CodeType, ModuleType
from typing import Any

import msgspec

from tests.simulation.planted.code_faults import FAULTS, PACKAGE, PlantedFault


class Planter(importlib.abc.MetaPathFinder):
    """Finds the module of a fault, and loads it with the fault."""

    def __init__(self, fault: PlantedFault) -> None:
        self._fault = fault

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of the fault's module; None for all others."""
        if fullname != self._fault.module:
            return None
        file = str(PACKAGE / self._fault.file)
        loader = _Loader(fullname, file)
        loader.source = self._fault.planted_source()
        return importlib.util.spec_from_file_location(fullname, file, loader=loader)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from a changed text instead of its file."""

    source = ""

    def get_code(self, fullname: str) -> CodeType:
        code: Any = compile(self.source, self.path, "exec", dont_inherit=True)
        return code  # type: ignore[no-any-return]


def main(name: str, start: int, count: int) -> None:
    """Print the first world that fails, or null."""
    fault = next(one for one in FAULTS if one.name == name)
    sys.meta_path.insert(0, Planter(fault))

    from tests.simulation import environment

    environment.install()

    from tests.simulation import runner

    finding = None
    outcomes = runner.run_all(range(start, start + count), per_child=10)
    for number, seed in enumerate(range(start, start + count), 1):
        try:
            outcome = next(outcomes)
            rule, failure = outcome.rule, outcome.failure
        except RuntimeError as error:  # the fault breaks the simulation itself
            rule, failure = "error", str(error)
        if rule is not None:
            finding = {"count": number, "seed": seed, "rule": rule, "failure": failure}
            break
    assert fault.module in sys.modules
    sys.stdout.buffer.write(msgspec.json.encode(finding))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
