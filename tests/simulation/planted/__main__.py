"""Plant faults, and see after how many seeds they are found: `python -m tests.simulation.planted`.

Each fault is planted in processes of its own. Their worlds begin at several seeds, and each start
ends at the first world that fails. The figure of a fault is the median of its starts.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from tests.simulation.planted.code_faults import FAULTS, PlantedFault

_WORLDS: Final = "tests.simulation.planted.worlds"
_MAX_SEEDS: Final = 200
_STARTS: Final = (0, 1000, 2000)


class Finding(msgspec.Struct):
    """The first world that fails: the number of worlds until it, its seed, and the failed check."""

    count: int
    seed: int
    rule: str
    failure: str


def main(arguments: Sequence[str]) -> int:
    """Plant the faults that are named, or all. Return the exit status, 1 if one is not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.planted", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a fault; without any, all")
    parser.add_argument("--seeds", type=int, default=_MAX_SEEDS, help="the most worlds of a start")
    parser.add_argument("--starts", type=int, nargs="*", default=_STARTS, help="the first seeds")
    parser.add_argument("--details", action="store_true", help="print what failed")
    options = parser.parse_args(arguments)
    by_name = {fault.name: fault for fault in FAULTS}
    if unknown := set(options.names) - set(by_name):
        parser.error(f"no such fault: {', '.join(sorted(unknown))}")
    has_missed = False
    for fault in [by_name[name] for name in options.names or by_name]:
        findings = [find(fault, start, options.seeds) for start in options.starts]
        has_missed = has_missed or None in findings
        _print(_line(fault, findings, options.seeds))
        if options.details:
            for finding in filter(None, findings):
                _print(f"    seed {finding.seed}: {finding.failure[:300]}")
    return int(has_missed)


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def find(fault: PlantedFault, start: int, max_seeds: int) -> Finding | None:
    """Return the first world from a seed on that fails with a fault, or None."""
    fault.planted_source()
    done = subprocess.run(
        [sys.executable, "-m", _WORLDS, fault.name, str(start), str(max_seeds)],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{fault.name}: {done.stderr.decode()}")
    return msgspec.json.decode(done.stdout, type=Finding | None)


def _line(fault: PlantedFault, findings: Sequence[Finding | None], max_seeds: int) -> str:
    found = [finding for finding in findings if finding is not None]
    rules = ", ".join(rule for rule, _ in Counter(one.rule for one in found).most_common())
    counts = [max_seeds if finding is None else finding.count for finding in findings]
    if len(found) < len(findings):
        rules = f"not found from {len(findings) - len(found)} of {len(findings)} starts; {rules}"
    return f"| {fault.name} | {statistics.median(counts):.0f} | {rules} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
