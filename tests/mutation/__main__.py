"""`python -m tests.mutation [--sample N] [--seed S] [FILE ...]`: find mutants that no test kills.

See CONTRIBUTING.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tests.mutation import runner
from tests.mutation.mutations import ROOT, Change, all_changes, files

RESULTS: Final = ROOT / "build" / "mutants.jsonl"
QUICK_SECONDS: Final = 1.0
"""The processor time that a test of another file may take, because long random games notice a
change only by chance."""
EQUAL: Final = Path(__file__).with_name("equal.toml")


def equal_names() -> set[str]:
    """Return the names of the changes in `equal.toml`, which make no difference."""
    rows = tomllib.loads(EQUAL.read_text(encoding="utf-8"))["equal"]
    return {
        "\n".join((row["file"], row["in"], row["was"], row["now"], str(row.get("turn", 1))))
        for row in rows
    }


def sample(changes: list[Change], number: int, seed: int) -> list[Change]:
    """Return a random sample that does not depend on edits of other lines."""

    def digest(change: Change) -> bytes:
        return hashlib.sha256(f"{seed}\n{change.name}".encode()).digest()

    drawn = sorted(changes, key=digest)[:number]
    return sorted(drawn, key=lambda change: (change.file, change.start))


def _digest(files: list[str]) -> str:
    read = b"\0".join((ROOT / file).read_bytes() for file in files)
    return hashlib.sha256(read).hexdigest()[:16]


def _under(folder: str) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*.py"))


class ResultFile:
    """The results of earlier runs, one line each in `build/mutants.jsonl`.

    A killed mutant is valid while its file is unchanged; a survivor while all sources and tests
    are.
    """

    def __init__(self) -> None:
        self._sources = _digest(_under("src"))
        self._all = _digest([*_under("src"), *_under("tests")])
        self._found: dict[tuple[str, str], str] = {}
        lines = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
        for line in lines:
            name, digest, killer = json.loads(line)
            self._found[name, digest] = killer or ""

    def of(self, change: Change) -> str | None:
        """Return the test that noticed the change, "" for none, or None if it was not tried."""
        killed = self._found.get((change.name, _digest([change.file])))
        return killed if killed is not None else self._found.get((change.name, self._all))

    def add(self, change: Change, killer: str | None) -> None:
        """Store a result. Exits if a source was edited during the run."""
        if _digest(_under("src")) != self._sources:
            sys.exit(
                "A source was edited during the run: start again, the results so far are stored."
            )
        digest = self._all if killer is None else _digest([change.file])
        self._found[change.name, digest] = killer or ""
        RESULTS.parent.mkdir(exist_ok=True)
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps([change.name, digest, killer]) + "\n")


def find_killer(change: Change, usual: dict[str, float]) -> str | None:
    """Return the test that fails with a change, or None: own tests first, then quick others."""
    own = runner.own_tests(change.file)
    others = [test for test in runner.test_files() if test not in own]
    for tests, most in ((own, None), (others, QUICK_SECONDS)):
        took = sum(seconds for name, seconds in usual.items() if name.split("::")[0] in tests)
        killer = (
            runner.run(tests, change, int(10 + 3 * took), usual, most).killer if tests else None
        )
        if killer is not None:
            return killer
    return None


def describe(change: Change) -> str:
    """Return a change as text."""
    place = f", in {change.place}" if change.place else ""
    again = f" (the {change.turn}. of that place)" if change.turn > 1 else ""
    return f"{change.file}:{change.line}{place}{again}\n  - {change.was}\n  + {change.now}\n"


def main(words: list[str]) -> int:
    """Try a sample of changes and print those that no test notices; return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, default=300, metavar="N", help="how many changes")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="which of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    parser.add_argument("files", nargs="*", metavar="FILE", help="only in these, all their changes")
    given = parser.parse_args(words)
    if given.sample < 1 or given.jobs < 1:
        parser.error("--sample and --jobs are 1 or more")
    here = {os.path.relpath(file, ROOT) for file in given.files}
    if others := here - {str(path.relative_to(ROOT)) for path in files()}:
        parser.error(f"not among the files that are changed: {', '.join(sorted(others))}")
    changes = [change for change in all_changes() if not here or change.file in here]
    drawn = changes if here else sample(changes, given.sample, given.seed)
    results, same = ResultFile(), equal_names()
    left = [change for change in drawn if results.of(change) is None and change.name not in same]
    write = sys.stdout.write
    write(f"{len(drawn)} of {len(changes)} changes, seed {given.seed}; {len(left)} to try\n")
    if left:
        usual = runner.run(runner.test_files())
        if usual.killer is not None:
            write(f"Without any change this fails: {usual.killer}\n")
            return 2
        with ThreadPoolExecutor(given.jobs) as pool:
            found = pool.map(lambda change: find_killer(change, usual.seconds), left)
            for number, (change, killer) in enumerate(zip(left, found, strict=True), 1):
                results.add(change, killer)
                write(f"{number} of {len(left)}: {killer or 'NOT NOTICED'}\n")
                sys.stdout.flush()
    survivors = [change for change in drawn if not results.of(change) and change.name not in same]
    known = sum(change.name in same for change in drawn)
    for change in survivors:
        write(f"\n{describe(change)}")
    write(f"\n{len(drawn) - known - len(survivors)} noticed, {known} named as equal, ")
    write(f"{len(survivors)} not noticed\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
