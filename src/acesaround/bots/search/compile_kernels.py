"""Compilation of the kernels of `search`, once, before the first request.

In a fresh install compiling takes most of a minute. Another process does it, because compiling
would block every thread of this one. The compiled kernels are then loaded from the cache in a
second or two.
"""

from __future__ import annotations

import contextlib
import fcntl
import random
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from typing import Final

from acesaround import game, variants
from acesaround.actions import Action
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.search import SearchBot
from acesaround.fast import warmup
from acesaround.fast.cache import kernel_cache_folder
from acesaround.fast.sampler import Sampler, read_constraints
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState
from acesaround.game.view import view_for


def _decision_states(name: str) -> Iterator[GameState]:
    """Yield the states of a deal between heuristic bots, decision by decision."""
    state, heuristic_bot, rng = game.start(variants.get(name)), HeuristicBot(), random.Random(1)
    while state.phase is not None and state.deals < 1:
        decision = game.decision(state)
        action: Action
        if isinstance(decision.legal, Deals):
            action = decision.legal.sample(rng)
        else:
            yield state
            action = heuristic_bot.choose(view_for(state, decision.seat), decision)
        state, _ = game.apply(state, action)


def _run_search(
    name: str, kinds: Collection[DecisionKind], max_hand: int = 99, interval: int = 99
) -> None:
    """Let `search` decide in a deal, with the smallest possible budget.

    `kinds`: the kinds of decisions. `max_hand`: the largest hand for which to decide. `interval`:
    decide only once in so many decisions.
    """
    bot, index = SearchBot(random.Random(1), time=0.001), 0
    for state in _decision_states(name):
        decision = game.decision(state)
        view = view_for(state, decision.seat)
        if decision.kind in kinds and len(view.hand) <= max_hand:
            if index % interval == 0:
                bot.advise(view, decision)
            index += 1


def _sample_worlds() -> None:
    view = next(
        view_for(state, game.decision(state).seat)
        for state in _decision_states(variants.DEFAULT_VARIANT)
    )
    Sampler(read_constraints(view)).draw(10)


def _run_other_variants() -> None:
    for name in variants.distinct_variants()[1:]:
        rules = variants.get(name)
        _run_search(name, list(DecisionKind), interval=max(rules.seats * rules.hand_size // 8, 2))


_COMPILE_STEPS: Final[dict[str, Callable[[], None]]] = {
    "worlds": _sample_worlds,
    "bids": lambda: _run_search(variants.DEFAULT_VARIANT, [DecisionKind.BID]),
    "cards to pass": lambda: _run_search(
        variants.DEFAULT_VARIANT, [DecisionKind.TRUMP, DecisionKind.GIVE]
    ),
    "cards to play": lambda: _run_search(variants.DEFAULT_VARIANT, [DecisionKind.PLAY]),
    "endings": lambda: _run_search(variants.DEFAULT_VARIANT, [DecisionKind.PLAY], max_hand=3),
    "other games": _run_other_variants,
}
warmup.WARMUP_CALLS.update({f"search, {name}": call for name, call in _COMPILE_STEPS.items()})
STEPS: Final = (*(f"search, {name}" for name in _COMPILE_STEPS), warmup.CALIBRATION)
"""The steps to compile, by their names in `warmup.WARMUP_CALLS`."""


def is_ready() -> bool:
    """Return whether `search` answers without compiling."""
    return warmup.is_ready(STEPS)


def prepare(on_progress: warmup.ProgressCallback | None = None) -> None:
    """Compile and load all kernels. `on_progress`: the callback for progress."""
    if not is_ready() and kernel_cache_folder() is not None:
        with contextlib.suppress(OSError):
            for line in _compile_in_subprocess():
                done, _, name = line.partition(" ")
                if on_progress is not None and done.isdecimal():
                    on_progress(int(done), len(STEPS), name.removeprefix("search, "))
    load()  # compiles here what the other process could not compile
    if on_progress is not None:
        on_progress(len(STEPS), len(STEPS), "")


def load() -> None:
    """Load the compiled kernels, in a second or two, and compile the missing ones."""
    warmup.warm_up(None, STEPS)


def _compile_in_subprocess() -> Iterator[str]:
    """Compile in another process, and yield the lines of its progress."""
    command = [sys.executable, "-c", f"from {__name__} import main; main()"]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                yield line.decode("utf-8", "replace").strip()
        finally:
            process.terminate()


def main() -> None:
    """Compile for another process, and print the progress."""
    compile_once(lambda done, of, name: _print_line(f"{done} {name}"))


def compile_once(on_progress: warmup.ProgressCallback | None = None) -> None:
    """Compile for later processes, unless that was done.

    A file lock lets one process compile at a time.
    """
    cache_folder = kernel_cache_folder()
    with (
        open(cache_folder / "search.lock", "w", encoding="utf-8")
        if cache_folder
        else contextlib.nullcontext() as lock_file
    ):
        if lock_file is not None:
            fcntl.flock(lock_file, fcntl.LOCK_EX)
        if not is_ready():
            warmup.warm_up(on_progress, STEPS)


def _print_line(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
