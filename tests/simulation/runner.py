"""Runs worlds in children of this process, each of which runs a few and ends without cleaning up.

So nothing of a crashed server is ever closed or finalized, and the memory is given back.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
import traceback
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, Final

from tests.simulation.choices import Happening
from tests.simulation.world import Outcome, World

_WARMING_SEEDS: Final = (-1, -2)
_WARMED: Final[list[World]] = []  # kept, so that nothing of them is closed
_WORLDS_PER_CHILD: Final = 50


def run(seed: int, kept: Collection[Happening] | None = None) -> Outcome:
    """Run the world of a seed, and return its outcome with its whole story."""
    return next(_in_child([seed], kept, with_stories=True))


def run_all(
    seeds: Iterable[int], per_child: int = _WORLDS_PER_CHILD, *, is_full: bool = False
) -> Iterator[Outcome]:
    """Run the worlds of seeds, and yield their outcomes, without their stories.

    `is_full`: each has two servers, and eight people at two tables of four.
    """
    _fill_caches()
    remaining = iter(seeds)
    while some := list(islice(remaining, per_child)):
        yield from _in_child(some, None, with_stories=False, is_full=is_full)


@cache
def _fill_caches() -> None:
    """Run a few worlds in this process, so that its children start with filled caches."""
    for seed in _WARMING_SEEDS:
        _WARMED.append(World(seed))
        _WARMED[-1].run()
    gc.collect()
    gc.freeze()


def _in_child(
    seeds: list[int],
    kept: Collection[Happening] | None,
    *,
    with_stories: bool,
    is_full: bool = False,
) -> Iterator[Outcome]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            _run_and_exit(seeds, kept, writing, with_stories=with_stories, is_full=is_full)
        finally:
            os._exit(1)  # also if nobody reads what came of the other worlds
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        for seed in seeds:
            try:
                outcome = pickle.load(pipe)
            except EOFError:
                raise RuntimeError(f"the process that ran the world of seed {seed} died") from None
            if not isinstance(outcome, Outcome):
                raise RuntimeError(f"the world of seed {seed} ended with an error:\n{outcome}")
            yield outcome
    os.waitpid(child, 0)


def _run_and_exit(
    seeds: list[int],
    kept: Collection[Happening] | None,
    writing: int,
    *,
    with_stories: bool,
    is_full: bool,
) -> None:
    gc.disable()
    worlds = []
    with os.fdopen(writing, "wb") as pipe:
        for seed in seeds:
            result: Any
            try:
                worlds.append(World(seed, kept, is_full=is_full))
                result = worlds[-1].run()
                if not with_stories:
                    result.story, result.happened = [], []
            except BaseException:
                result = traceback.format_exc()
            pickle.dump(result, pipe)
            pipe.flush()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def summary(outcome: Outcome) -> str:
    """Return a line that describes a world and its failure."""
    line = (
        f"seed {outcome.seed}: {outcome.actions} actions, {outcome.commands} commands, "
        f"{outcome.messages} messages, {outcome.seconds:.0f} simulated seconds, {outcome.digest}"
    )
    if outcome.rule is None:
        return line
    return f"{line}\nseed {outcome.seed} fails at step {outcome.step}: {outcome.failure}"
