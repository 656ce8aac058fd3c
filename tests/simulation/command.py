"""The command line of the simulation."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from tests.simulation import runner, story

_LAST_STEPS: Final = 40


def main(arguments: Sequence[str]) -> int:
    """Run the world of a seed, print its story if it fails, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("--story", action="store_true", help="print the whole story")
    options = parser.parse_args(arguments)
    outcome = runner.run(options.seed)
    lines = list(story.tell(outcome.story))
    print("\n".join(lines if options.story else lines[: outcome.step][-_LAST_STEPS:]))
    print(runner.summary(outcome))
    return 0 if outcome.rule is None else 1
