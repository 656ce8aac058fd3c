"""Runs each world in a child of this process, which ends without cleaning up.

So every world begins with the same memory, whatever ran before it, and nothing of a crashed server
is ever closed or finalized.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import traceback
from collections.abc import Collection

from tests.simulation.choices import Happening
from tests.simulation.world import Outcome, World


def prepare() -> None:
    """Fill the caches of this process, so that its children need not."""
    for seed in (-1, -2):
        run(seed)
    gc.collect()
    gc.freeze()


def run(seed: int, kept: Collection[Happening] | None = None) -> Outcome:
    """Run the world of a seed in a child process, and return what came of it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _run_and_exit(seed, kept, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        content = pipe.read()
    os.waitpid(child, 0)
    outcome = pickle.loads(content)  # noqa: S301 - of our own child
    assert isinstance(outcome, Outcome), outcome
    return outcome


def _run_and_exit(seed: int, kept: Collection[Happening] | None, writing: int) -> None:
    gc.disable()
    result: object
    try:
        result = World(seed, kept).run()
    except BaseException:
        result = traceback.format_exc()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(pickle.dumps(result))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def summary(outcome: Outcome) -> str:
    """Return a line about a world, and what failed in it."""
    line = (
        f"seed {outcome.seed}: {outcome.actions} actions, {outcome.commands} commands, "
        f"{outcome.messages} messages, {outcome.seconds:.0f} simulated seconds, {outcome.digest}"
    )
    if outcome.rule is None:
        return line
    return f"{line}\nseed {outcome.seed} fails at step {outcome.step}: {outcome.failure}"
