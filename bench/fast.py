"""The fast kernels beside their references, in one run: playouts, the solver, the first start.

Everything is measured in rounds, ours and the references in turn, so that a machine that slows
down slows both. A reference that is not at hand is said to be so.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cpp_reference import NoStudyError, Study
from fast_playouts import Playouts
from fast_solver import QUESTIONS, Asked, Conditions, Whole
from fast_start import Starts
from fast_table import Measure, table

SETTING: Final = "SOLVER_STUDY"
"""The environment variable for `--study`."""
_WHOLE: Final = 20
_QUICK: Final = 4
_MANY: Final = 500_000  # deals per round; with fewer, the start of threads would show
_FEW: Final = 10_000
_NAMES: Final = (Playouts.name, *(question.name for question in QUESTIONS), Whole.name, Starts.name)


def measures(
    deals: int | None, rounds: int, conditions: Conditions, caches: Path
) -> Iterator[Measure]:
    """Yield all measurements in the order of the table. `deals`: the number for each row."""
    yield Playouts(_FEW if deals else _MANY)
    for question in QUESTIONS:
        wanted = question if deals is None else replace(question, deals=deals)
        yield Asked(wanted, rounds, conditions)
    yield Whole(deals or _WHOLE, rounds, conditions)
    yield Starts(caches)


def machine() -> str:
    """Return the description of the machine that figures belong to."""
    model = platform.processor() or platform.machine()
    said = Path("/proc/cpuinfo")
    if said.is_file():
        lines = [line for line in said.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].partition(":")[2].strip() if lines else model
    versions = [f"Python {platform.python_version()}"]
    for package in ("numba", "open_spiel", "endplay"):
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            versions.append(f"no {package}")
    return f"{model}, {os.cpu_count()} cores; {', '.join(versions)}\nload {load()}"


def load() -> str:
    """Return the load averages of the last 1, 5 and 15 minutes."""
    return ", ".join(f"{one:.2f}" for one in os.getloadavg())


def told(done: int, of: int, what: str) -> None:
    """Report progress on standard error: one changing line, or line by line without a terminal."""
    end = "\r" if sys.stderr.isatty() else "\n"
    print(f"{done:>4} of {of}  {what:<50}", end=end, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", metavar="A,B", help=f"only these of: {', '.join(_NAMES)}")
    parser.add_argument("--deals", type=int, metavar="N", help="of each row, in all rounds")
    parser.add_argument("--rounds", type=int, default=5, metavar="R", help="default 5")
    parser.add_argument("--quick", action="store_true", help=f"{_QUICK} deals a row in one round")
    parser.add_argument(
        "--study",
        metavar="DIR",
        default=os.environ.get(SETTING),
        help=f"source of the C++ study, to be compiled (default: ${SETTING})",
    )
    parser.add_argument("--megabytes", type=int, default=256, help="a solver's table, default 256")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the figures")
    options = parser.parse_args(arguments)
    wanted = options.rows.split(",") if options.rows else _NAMES
    if unknown := [name for name in wanted if name not in _NAMES]:
        parser.error(f"no row is called {unknown[0]}: choose from {', '.join(_NAMES)}")
    rounds = 1 if options.quick else max(1, options.rounds)
    deals = options.deals or (_QUICK if options.quick else None)
    with ExitStack() as stack:
        compiled, caches = (
            Path(stack.enter_context(TemporaryDirectory(prefix=f"{of}-")))
            for of in ("study", "caches")
        )
        every = measures(deals, rounds, conditions(options, compiled), caches)
        chosen = [measure for measure in every if measure.name in wanted]
        before = machine()
        for number in range(rounds):
            for place, measure in enumerate(chosen):
                told(number * len(chosen) + place, rounds * len(chosen), measure.name)
                measure.round(number)
        told(rounds * len(chosen), rounds * len(chosen), "")
        rows = [measure.row() for measure in chosen]
    print(f"{before}\nload at the end {load()}\n\n{table(rows)}")
    if options.json:
        kept = {"machine": before, "load at the end": load(), "rounds": rounds}
        kept["rows"] = [asdict(row) for row in rows]
        options.json.write_text(json.dumps(kept, indent=1) + "\n")


def conditions(options: argparse.Namespace, folder: Path) -> Conditions:
    """Return the measuring conditions; the study is compiled into `folder`."""
    try:
        study = Study(options.study, folder)
    except NoStudyError as trouble:
        return Conditions(no_study=str(trouble), megabytes=options.megabytes)
    return Conditions(study, megabytes=options.megabytes)


if __name__ == "__main__":
    main()
