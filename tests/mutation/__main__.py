"""`python -m tests.mutation [--sample N] [--seed S] [FILE ...]`: which changes no test notices.

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
from tests.mutation.mutations import ROOT, Change, every, files

KEPT: Final = ROOT / "build" / "mutants.jsonl"
QUICK: Final = 1.0
"""Seconds of the processor that a test of another file may take: what only long random games notice
is noticed by chance."""
EQUAL: Final = Path(__file__).with_name("equal.toml")


def equal() -> set[str]:
    """The names of the changes that make no difference, as `equal.toml` says why."""
    written = tomllib.loads(EQUAL.read_text(encoding="utf-8"))["equal"]
    return {
        "\n".join((one["file"], one["in"], one["was"], one["now"], str(one.get("turn", 1))))
        for one in written
    }


def sample(changes: list[Change], number: int, seed: int) -> list[Change]:
    """That many of the changes, by lot. An edit elsewhere does not change who is drawn."""

    def lot(change: Change) -> bytes:
        return hashlib.sha256(f"{seed}\n{change.name}".encode()).digest()

    return sorted(sorted(changes, key=lot)[:number], key=lambda change: (change.file, change.start))


def _digest(files: list[str]) -> str:
    read = b"\0".join((ROOT / file).read_bytes() for file in files)
    return hashlib.sha256(read).hexdigest()[:16]


def _under(folder: str) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*.py"))


class Kept:
    """What earlier runs found, one line each in `build/mutants.jsonl`.

    A change that was noticed holds as long as its file stands as it is; one that was not, as long
    as all files and tests do.
    """

    def __init__(self) -> None:
        self._sources = _digest(_under("src"))
        self._all = _digest([*_under("src"), *_under("tests")])
        self._found: dict[tuple[str, str], str] = {}
        lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else []
        for line in lines:
            name, digest, killer = json.loads(line)
            self._found[name, digest] = killer or ""

    def of(self, change: Change) -> str | None:
        """What noticed the change; empty where nothing did, None where it has not been tried."""
        killed = self._found.get((change.name, _digest([change.file])))
        return killed if killed is not None else self._found.get((change.name, self._all))

    def add(self, change: Change, killer: str | None) -> None:
        """Keep what was found. Exits where a source was edited meanwhile: it tells nothing then."""
        if _digest(_under("src")) != self._sources:
            sys.exit("A source was edited while this ran: start again, what was found is kept.")
        digest = self._all if killer is None else _digest([change.file])
        self._found[change.name, digest] = killer or ""
        KEPT.parent.mkdir(exist_ok=True)
        with KEPT.open("a", encoding="utf-8") as file:
            file.write(json.dumps([change.name, digest, killer]) + "\n")


def noticed(change: Change, usual: dict[str, float]) -> str | None:
    """The test that notices a change, or None: of the file's own tests, or of the quick others."""
    own = runner.own_tests(change.file)
    others = [test for test in runner.test_files() if test not in own]
    for tests, most in ((own, None), (others, QUICK)):
        took = sum(seconds for name, seconds in usual.items() if name.split("::")[0] in tests)
        killer = (
            runner.run(tests, change, int(10 + 3 * took), usual, most).killer if tests else None
        )
        if killer is not None:
            return killer
    return None


def shown(change: Change) -> str:
    """A change as it is told."""
    place = f", in {change.place}" if change.place else ""
    again = f" (the {change.turn}. of that place)" if change.turn > 1 else ""
    return f"{change.file}:{change.line}{place}{again}\n  - {change.was}\n  + {change.now}\n"


def main(words: list[str]) -> int:
    """Try a sample of changes and tell those that no test notices; 1 if there are any."""
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
    changes = [change for change in every() if not here or change.file in here]
    drawn = changes if here else sample(changes, given.sample, given.seed)
    kept, same = Kept(), equal()
    left = [change for change in drawn if kept.of(change) is None and change.name not in same]
    tell = sys.stdout.write
    tell(f"{len(drawn)} of {len(changes)} changes, seed {given.seed}; {len(left)} to try\n")
    if left:
        usual = runner.run(runner.test_files())
        if usual.killer is not None:
            tell(f"Without any change this fails: {usual.killer}\n")
            return 2
        with ThreadPoolExecutor(given.jobs) as pool:
            found = pool.map(lambda change: noticed(change, usual.seconds), left)
            for number, (change, killer) in enumerate(zip(left, found, strict=True), 1):
                kept.add(change, killer)
                tell(f"{number} of {len(left)}: {killer or 'NOT NOTICED'}\n")
                sys.stdout.flush()
    survivors = [change for change in drawn if not kept.of(change) and change.name not in same]
    known = sum(change.name in same for change in drawn)
    for change in survivors:
        tell(f"\n{shown(change)}")
    tell(f"\n{len(drawn) - known - len(survivors)} noticed, {known} named as equal, ")
    tell(f"{len(survivors)} not noticed\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
