"""The command line of the simulation: `python -m tests.simulation SEED`.

It runs the world of a seed. If a check fails, it looks for the shortest story in which the same
check fails, and prints it.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from tests.simulation import runner, story
from tests.simulation.choices import Happening
from tests.simulation.shrink import shrink
from tests.simulation.world import Outcome

KEPT_SEEDS: Final = Path(__file__).with_name("kept_seeds.txt")
_LAST_STEPS: Final = 60


def main(arguments: Sequence[str]) -> int:
    """Run the worlds of the arguments, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("seeds", type=int, nargs="*", metavar="SEED")
    parser.add_argument("--story", action="store_true", help="print the whole story")
    parser.add_argument("--no-shrink", action="store_true", help="do not look for a shorter story")
    parser.add_argument(
        "--first", type=int, metavar="N", help="run the seeds from N on, in silence"
    )
    parser.add_argument("--count", type=int, default=200, help="how many of them")
    parser.add_argument(
        "--full", action="store_true", help="two servers, and eight people at two tables of four"
    )
    parser.add_argument("--kept", action="store_true", help="run the seeds that once failed, too")
    parser.add_argument("--twice", action="store_true", help="run each twice, and compare")
    parser.add_argument("--json", action="store_true", help="print the outcomes as lines of JSON")
    options = parser.parse_args(arguments)
    for seed in options.seeds:
        if _run_one(seed, whole=options.story, shrinks=not options.no_shrink):
            return 1
    if options.first is not None or options.kept:
        return _run_many(options)
    return 0


def kept_seeds() -> list[int]:
    """Return the seeds that once failed."""
    lines = KEPT_SEEDS.read_text(encoding="utf-8").splitlines()
    return [int(line.split()[0]) for line in lines if line.strip() and not line.startswith("#")]


def _run_many(options: argparse.Namespace) -> int:
    """Run many seeds, and print those that fail. Return the exit status."""
    seeds = kept_seeds() if options.kept else []
    if options.first is not None:
        seeds += range(options.first, options.first + options.count)
    failed, actions, seconds = 0, 0, 0.0
    again = runner.run_all(seeds, per_child=7, is_full=options.full) if options.twice else None
    for outcome in runner.run_all(seeds, is_full=options.full):
        if again is not None and (second := next(again)).digest != outcome.digest:
            outcome.rule = "replay"
            outcome.failure = f"two runs differ: {outcome.digest}, {second.digest}"
        failed += outcome.rule is not None
        actions, seconds = actions + outcome.actions, seconds + outcome.seconds
        if options.json:
            sys.stdout.buffer.write(msgspec.json.encode(outcome) + b"\n")
            sys.stdout.flush()
        elif outcome.rule is not None:
            _say(runner.summary(outcome))
    if not options.json:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor_seconds = usage.ru_utime + usage.ru_stime
        _say(
            f"{len(seeds)} seeds, {failed} failed: {actions} acknowledged actions in "
            f"{seconds / 3600:.1f} simulated hours and {processor_seconds:.1f} s of processor, "
            f"{actions / processor_seconds:.0f} a second"
        )
    return int(failed > 0)


def _run_one(seed: int, *, whole: bool, shrinks: bool) -> bool:
    """Run a world and print its story. Return whether it failed."""
    outcome = runner.run(seed)
    if outcome.rule is None:
        if whole:
            _print_story(outcome, whole=True)
        _say(runner.summary(outcome))
        return False
    shortest = _shortest(outcome) if shrinks else outcome
    _print_story(shortest, whole=whole)
    _say(runner.summary(shortest))
    _say(
        f"commit {_commit()}, {len(outcome.happened)} happenings, of which it needs "
        f"{len(shortest.happened)}: {shortest.happened}"
    )
    _say(f"Repeat it with: make simulate SEED={seed}")
    return True


def _shortest(outcome: Outcome) -> Outcome:
    """Return the shortest world of the same seed in which the same check fails."""
    found = outcome

    def still_fails(kept: Sequence[Happening]) -> bool:
        nonlocal found
        tried = runner.run(outcome.seed, kept)
        if tried.rule != outcome.rule:
            return False
        found = tried
        return True

    shrink(outcome.happened, still_fails)
    return found


def _print_story(outcome: Outcome, *, whole: bool) -> None:
    lines = list(story.tell(outcome.story))[: outcome.step + 1]
    _say("\n".join(lines if whole else lines[-_LAST_STEPS:]))


def _commit() -> str:
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "unknown"


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
