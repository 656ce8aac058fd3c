"""The fast kernels and their references, in one run: playouts, the solver, the first start.

Everything is measured in rounds, ours and the references in turn, so that a slowdown of the machine
affects both. A missing reference is reported.
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
from fast_playouts import PlayoutMeasure
from fast_solver import QUESTIONS, Conditions, QuestionMeasure, WholeDealMeasure
from fast_start import StartMeasure
from fast_table import Measure, table

SETTING: Final = "SOLVER_STUDY"
"""The environment variable for `--study`."""
_WHOLE_DEALS: Final = 20
_QUICK_DEALS: Final = 4
_PLAYOUT_DEALS: Final = 500_000  # deals per round; with fewer, the start of threads would show
_QUICK_PLAYOUT_DEALS: Final = 10_000
_NAMES: Final = (
    PlayoutMeasure.name,
    *(question.name for question in QUESTIONS),
    WholeDealMeasure.name,
    StartMeasure.name,
)


def measures(
    deals: int | None, rounds: int, conditions: Conditions, caches: Path
) -> Iterator[Measure]:
    """Yield all measurements in the order of the table. `deals`: the number for each row."""
    yield PlayoutMeasure(_QUICK_PLAYOUT_DEALS if deals else _PLAYOUT_DEALS)
    for question in QUESTIONS:
        wanted = question if deals is None else replace(question, deals=deals)
        yield QuestionMeasure(wanted, rounds, conditions)
    yield WholeDealMeasure(deals or _WHOLE_DEALS, rounds, conditions)
    yield StartMeasure(caches)


def machine() -> str:
    """Return the description of the machine that figures belong to."""
    model = platform.processor() or platform.machine()
    cpu_info = Path("/proc/cpuinfo")
    if cpu_info.is_file():
        lines = [
            line for line in cpu_info.read_text().splitlines() if line.startswith("model name")
        ]
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
    return ", ".join(f"{average:.2f}" for average in os.getloadavg())


def report_progress(done: int, of: int, what: str) -> None:
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
    parser.add_argument(
        "--quick", action="store_true", help=f"{_QUICK_DEALS} deals a row in one round"
    )
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
    deals = options.deals or (_QUICK_DEALS if options.quick else None)
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
                report_progress(number * len(chosen) + place, rounds * len(chosen), measure.name)
                measure.round(number)
        report_progress(rounds * len(chosen), rounds * len(chosen), "")
        rows = [measure.row() for measure in chosen]
    print(f"{before}\nload at the end {load()}\n\n{table(rows)}")
    if options.json:
        figures = {"machine": before, "load at the end": load(), "rounds": rounds}
        figures["rows"] = [asdict(row) for row in rows]
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


def conditions(options: argparse.Namespace, folder: Path) -> Conditions:
    """Return the measuring conditions; the study is compiled into `folder`."""
    try:
        study = Study(options.study, folder)
    except NoStudyError as trouble:
        return Conditions(no_study=str(trouble), megabytes=options.megabytes)
    return Conditions(study, megabytes=options.megabytes)


if __name__ == "__main__":
    main()
