"""The engine's reference: OpenSpiel's C++ game `spades`, with uniformly random actions.

Of OpenSpiel's games, spades is closest to pinochle: four seats in two sides, bids, tricks. It is
measured in two ways. First it is stepped from Python, by the loop of OpenSpiel's own
`python/examples/example.py` without its printing. Chance outcomes (the deal, card by card) are
drawn with `numpy.random.choice`, players' actions with `random.choice`. Every applied action
counts, chance actions included; `Steps` also keeps the two apart. Second, whole deals are played by
OpenSpiel's own C++ loop.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass

import numpy as np
import pyspiel


@dataclass(frozen=True)
class Steps:
    """The number of actions applied, and the seconds spent choosing and applying them."""

    games: int
    seconds: float
    """The time of the whole loop: chance, players, new games and the clock readings."""
    chance_actions: int
    chance_seconds: float
    player_actions: int
    player_seconds: float

    @property
    def actions_per_second(self) -> float:
        """All applied actions, chance actions included, per second of the whole loop."""
        return (self.chance_actions + self.player_actions) / self.seconds

    @property
    def chance_actions_per_second(self) -> float:
        """Cards dealt per second of dealing."""
        return self.chance_actions / self.chance_seconds

    @property
    def player_actions_per_second(self) -> float:
        """Bids and plays per second outside the deal."""
        return self.player_actions / self.player_seconds


def measure_spades(seconds: float = 3.0, seed: int = 1) -> Steps:
    """Play whole games of `spades` until `seconds` have passed.

    The clock is read only twice a game, because in `spades` the whole deal comes before the first
    bid.
    """
    random.seed(seed)
    np.random.seed(seed)
    game = pyspiel.load_game("spades")
    games = chance_actions = player_actions = 0
    chance_seconds = player_seconds = 0.0
    start = now = time.perf_counter()
    while now - start < seconds:
        state = game.new_initial_state()
        while state.is_chance_node():
            actions, probabilities = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(np.random.choice(actions, p=probabilities))
            chance_actions += 1
        dealt = time.perf_counter()
        while not state.is_terminal():
            if state.is_chance_node():
                raise RuntimeError("chance after the deal: the two times no longer stand apart")
            state.apply_action(random.choice(state.legal_actions()))
            player_actions += 1
        chance_seconds += dealt - now
        now = time.perf_counter()
        player_seconds += now - dealt
        games += 1
    return Steps(games, now - start, chance_actions, chance_seconds, player_actions, player_seconds)


def spades_actions_per_second(seconds: float = 3.0, seed: int = 1) -> float:
    """Return the actions applied per second, chance actions included. See `measure_spades`."""
    return measure_spades(seconds, seed).actions_per_second


def deals_per_second(seconds: float = 1.0, seed: int = 1) -> float:
    """Return whole deals per second of processor time in OpenSpiel's own C++ loop.

    Its uniformly random bots are C++ too. Python only asks for the next deal.
    """
    game = pyspiel.load_game("spades")
    bots = [pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in range(4)]
    deals = 0
    start = now = time.thread_time()
    while now - start < seconds:
        for _ in range(100):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed + deals)
            deals += 1
        now = time.thread_time()
    return deals / (now - start)


def main() -> None:
    """Print the figures of one measurement."""
    parser = argparse.ArgumentParser(description="Step OpenSpiel's spades by random actions.")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    steps = measure_spades(options.seconds, options.seed)
    print(f"OpenSpiel spades, {steps.games} games in {steps.seconds:.2f} s")
    for name, actions, rate in (
        ("all actions", steps.chance_actions + steps.player_actions, steps.actions_per_second),
        ("chance (deal)", steps.chance_actions, steps.chance_actions_per_second),
        ("players", steps.player_actions, steps.player_actions_per_second),
    ):
        print(f"  {name:<14} {actions:>9,} actions  {rate:>10,.0f} a second")
    deals = deals_per_second(options.seconds, options.seed)
    print(f"  by its own loop with its own random bots: {deals:,.0f} deals a second")


if __name__ == "__main__":
    main()
