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
from acesaround.fast.cache import folder
from acesaround.fast.sampler import Sampler, constraints
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import GameState, Kind
from acesaround.game.view import view_for


def _states(name: str) -> Iterator[GameState]:
    """Yield the states of a deal between heuristic bots, decision by decision."""
    state, thumb, rng = game.start(variants.get(name)), HeuristicBot(), random.Random(1)
    while state.phase is not None and state.deals < 1:
        decision = game.decision(state)
        action: Action
        if isinstance(decision.legal, Deals):
            action = decision.legal.sample(rng)
        else:
            yield state
            action = thumb.choose(view_for(state, decision.seat), decision)
        state, _ = game.apply(state, action)


def _decide(name: str, kinds: Collection[Kind], most: int = 99, every: int = 99) -> None:
    """Let `search` decide in a deal, with the smallest possible budget.

    `kinds`: the kinds of decisions. `most`: the largest hand for which to decide. `every`: decide
    only once in so many decisions.
    """
    bot, at = SearchBot(random.Random(1), time=0.001), 0
    for state in _states(name):
        decision = game.decision(state)
        seen = view_for(state, decision.seat)
        if decision.kind in kinds and len(seen.hand) <= most:
            if at % every == 0:
                bot.choose(seen, decision)
            at += 1


def _worlds() -> None:
    seen = next(view_for(state, game.decision(state).seat) for state in _states(variants.USUAL))
    Sampler(constraints(seen)).draw(10)


def _others() -> None:
    for name in variants.unlike()[1:]:
        rules = variants.get(name)
        _decide(name, list(Kind), every=max(rules.seats * rules.hand_size // 8, 2))


_CALLS: Final[dict[str, Callable[[], None]]] = {
    "worlds": _worlds,
    "bids": lambda: _decide(variants.USUAL, [Kind.BID]),
    "cards to pass": lambda: _decide(variants.USUAL, [Kind.TRUMP, Kind.GIVE]),
    "cards to play": lambda: _decide(variants.USUAL, [Kind.PLAY]),
    "endings": lambda: _decide(variants.USUAL, [Kind.PLAY], most=3),
    "other games": _others,
}
warmup.CALLS.update({f"search, {name}": call for name, call in _CALLS.items()})
STEPS: Final = (*(f"search, {name}" for name in _CALLS), warmup.JUDGE)
"""The steps to compile, by their names in `warmup.CALLS`."""


def ready() -> bool:
    """Return whether `search` answers without compiling."""
    return warmup.ready(STEPS)


def prepare(told: warmup.Told | None = None) -> None:
    """Compile and load all kernels. `told`: the callback for progress."""
    if not ready() and folder() is not None:
        with contextlib.suppress(OSError):
            for line in _elsewhere():
                done, _, name = line.partition(" ")
                if told is not None and done.isdecimal():
                    told(int(done), len(STEPS), name.removeprefix("search, "))
    load()  # compiles here what the other process could not compile
    if told is not None:
        told(len(STEPS), len(STEPS), "")


def load() -> None:
    """Load the compiled kernels, in a second or two, and compile the missing ones."""
    warmup.warm(None, STEPS)


def _elsewhere() -> Iterator[str]:
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
    compile_once(lambda done, of, name: _say(f"{done} {name}"))


def compile_once(told: warmup.Told | None = None) -> None:
    """Compile for later processes, unless that was done.

    A file lock lets one process compile at a time.
    """
    where = folder()
    with (
        open(where / "search.lock", "w", encoding="utf-8")
        if where
        else contextlib.nullcontext() as held
    ):
        if held is not None:
            fcntl.flock(held, fcntl.LOCK_EX)
        if not ready():
            warmup.warm(told, STEPS)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
