"""The command line of the simulation."""

from __future__ import annotations

import time
from collections.abc import Sequence

from tests.simulation import runner


def main(arguments: Sequence[str]) -> int:
    """Run the world of a seed twice and return the exit status."""
    seed = int(arguments[0])
    for _ in range(2):
        outcome = runner.run(seed)
        print(seed, outcome.digest, outcome.steps, outcome.actions, round(outcome.seconds, 1))
        if outcome.failure:
            for step in outcome.story[-12:]:
                print(str(step)[:300])
            print(outcome.failure)
            return 1
    return 0
