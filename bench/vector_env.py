"""Decisions per second of games in step (`VectorEnv`), beside the same games stepped in Python.

Each decision is a uniformly random legal number; drawing it counts. A batch plays whole deals, from
the auction to the score. With `observes` each step also writes what the seat on turn sees. The
references: `Position` with `ObservationEncoder`, one game after the other; and OpenSpiel's
`SyncVectorEnv` over its C++ game `spades`, if OpenSpiel is installed. Rates are per second of
processor time on one core, in rounds; medians are printed.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from importlib.util import find_spec
from statistics import median
from typing import Final

import numpy as np

from acesaround import variants
from acesaround.envs import ActionCodec, Position
from acesaround.envs.observations import ObservationEncoder
from acesaround.envs.vector_env import VectorEnv
from acesaround.errors import RulesError

_OPENSPIEL_GAMES: Final = 32


def step_batch(env: VectorEnv) -> Iterator[int]:
    """Step a batch again and again; yield the number of decisions each time."""
    env.reset(seed=1)
    while True:
        env.step(env.sample_actions())
        yield env.num_envs


def step_positions(variant: str, *, observes: bool) -> Iterator[int]:
    """Play random games position by position; yield 1 for each decision."""
    codec, rng = ActionCodec(variants.get(variant)), random.Random(1)
    encoder = ObservationEncoder(codec)
    while True:
        position = Position.new(codec, dealer=rng.randrange(codec.rules.seats)).deal(rng)
        while position.seat is not None:
            mask = np.zeros(codec.action_count, np.bool_)
            mask[list(position.legal)] = True
            if observes:
                encoder.encode(position, position.seat)
            position = position.apply(rng.choice(position.legal))
            yield 1


def step_openspiel(games: int) -> Iterator[int]:
    """Step OpenSpiel's vector environment of `spades`; yield the number of decisions each time."""
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.rl_environment import Environment
    from open_spiel.python.vector_env import SyncVectorEnv

    envs = SyncVectorEnv([Environment("spades") for _ in range(games)])
    rng, steps = random.Random(1), envs.reset()
    while True:
        outputs = []
        for step in steps:
            legal = step.observations["legal_actions"][step.observations["current_player"]]
            outputs.append(StepOutput(action=rng.choice(legal), probs=None))
        steps, _, _, _ = envs.step(outputs, reset_if_done=True)
        yield games


def decisions_per_second(stepping: Iterator[int], seconds: float) -> float:
    """Return the decisions per second of processor time."""
    decisions, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        decisions += next(stepping)
    return decisions / (time.process_time() - start)


def main() -> None:
    """Print the rates of each variant and of the references."""
    parser = argparse.ArgumentParser(description="Measure games in step.")
    parser.add_argument("--variants", default="partnership", help="names with commas, or `all`")
    parser.add_argument("--games", type=int, default=1024, help="games of a batch")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure of a round")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    names = list(variants.VARIANTS) if options.variants == "all" else options.variants.split(",")
    rows: dict[str, Iterator[int]] = {}
    for name in names:
        try:
            for observes in (True, False):
                env = VectorEnv(options.games, name, observes=observes)
                rows[f"{name}, {_label(observes)}"] = step_batch(env)
        except RulesError as error:
            print(error)
            continue
        for observes in (True, False):
            rows[f"{name} by positions, {_label(observes)}"] = step_positions(
                name, observes=observes
            )
    if find_spec("open_spiel") is not None:
        rows["OpenSpiel's vector environment of spades"] = step_openspiel(_OPENSPIEL_GAMES)
    for stepping in rows.values():
        next(stepping)  # compiles
    rates = measure_in_rounds(rows, options.rounds, options.seconds)
    for row, rate in rates.items():
        print(f"{row:<56} {rate:>12,.0f} decisions a second")


def measure_in_rounds(
    rows: dict[str, Iterator[int]], rounds: int, seconds: float
) -> dict[str, float]:
    """Return the median rate of each row; every round measures all rows in turn."""
    figures = [
        [decisions_per_second(stepping, seconds) for stepping in rows.values()]
        for _ in range(rounds)
    ]
    return {
        row: median(column) for row, column in zip(rows, zip(*figures, strict=True), strict=True)
    }


def _label(observes: bool) -> str:
    return "masks and observations" if observes else "masks only"


if __name__ == "__main__":
    main()
