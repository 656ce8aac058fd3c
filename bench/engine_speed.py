"""Actions per second through `decision` and `apply`, compared with OpenSpiel's `spades` in one run.

Every variant and the reference are measured in turn, for several rounds, so that a slowdown of the
machine affects both; medians are printed. Bots are uniformly random on both sides, except that ours
pass half the time, so that auctions end.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass
from statistics import median

from acesaround import game, variants
from acesaround.bots.random_bot import RandomBot
from acesaround.game.phases.dealing import Deals
from acesaround.rules import Rules


@dataclass(frozen=True)
class Steps:
    """Actions applied and seconds spent.

    Deals are counted apart, because each is one action but takes a whole shuffle.
    """

    actions: int
    deals: int
    seconds: float
    deal_seconds: float

    @property
    def all_a_second(self) -> float:
        """All applied actions, deals included, per second."""
        return self.actions / self.seconds

    @property
    def players_a_second(self) -> float:
        """Players' actions per second outside dealing."""
        return (self.actions - self.deals) / (self.seconds - self.deal_seconds)


def measure(rules: Rules, seconds: float, seed: int) -> Steps:
    """Play whole deals with random bots until `seconds` have passed."""
    rng = random.Random(seed)
    bot = RandomBot(rng)
    actions = deals = 0
    deal_seconds = 0.0
    start = now = time.perf_counter()
    while now - start < seconds:
        state = game.start(rules, game.first_dealer(rules, rng))
        while state.phase is not None and now - start < seconds:
            decision = game.decision(state)
            if isinstance(decision.legal, Deals):
                now = time.perf_counter()
                state, _ = game.apply(state, decision.legal.sample(rng))
                deal_seconds += time.perf_counter() - now
                deals += 1
            else:
                state, _ = game.apply(state, bot.choose(None, decision))
            actions += 1
    return Steps(actions, deals, time.perf_counter() - start, deal_seconds)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="Actions a second, beside OpenSpiel's spades.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="a round of each (default 1)")
    options = parser.parse_args()
    from openspiel_reference import measure_spades

    all_reference, player_reference = [], []
    all_ours: dict[str, list[float]] = {name: [] for name in variants.VARIANTS}
    players_ours: dict[str, list[float]] = {name: [] for name in variants.VARIANTS}
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds} ...", flush=True)
        reference = measure_spades(options.seconds, number)
        all_reference.append(reference.actions_per_second)
        player_reference.append(reference.player_actions_per_second)
        for name, rules in variants.VARIANTS.items():
            steps = measure(rules, options.seconds, number)
            all_ours[name].append(steps.all_a_second)
            players_ours[name].append(steps.players_a_second)
    both, players = median(all_reference), median(player_reference)
    print(f"\n{'':<22}{'all actions':>14}{'ratio':>8}{'players only':>16}{'ratio':>8}")
    print(f"{'OpenSpiel spades':<22}{both:>12,.0f}/s{1:>8.2f}{players:>14,.0f}/s{1:>8.2f}")
    for name in variants.VARIANTS:
        ours, mine = median(all_ours[name]), median(players_ours[name])
        print(
            f"{name:<22}{ours:>12,.0f}/s{ours / both:>8.2f}{mine:>14,.0f}/s{mine / players:>8.2f}"
        )


if __name__ == "__main__":
    main()
