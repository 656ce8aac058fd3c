"""Count the worlds of a seat by the knowledge taken into account, and measure their cost.

`python bench/worlds.py [VARIANT] [--players N] [--deals N]`. Play is random; when one of the named
tricks is to be led, the leader's worlds are counted: the mean of the logarithm of their number to
the base 2. All but the last column count where the unseen cards are now, each arrangement of
distinct cards once; the last counts deals, with played cards told apart (docs/worlds.md).
"""

from __future__ import annotations

import argparse
import random
import time
from math import log2
from statistics import mean, median
from typing import Final

from acesaround import game, variants
from acesaround.bots.random_bot import RandomBot
from acesaround.fast.sampler import ALL_SOURCES, Sampler, Source, read_constraints
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import GameState, Playing, StockPlaying
from acesaround.game.view import view_for

NOW: Final = ALL_SOURCES - {Source.IDENTICAL_CARDS}
COLUMNS: Final[dict[str, frozenset[Source]]] = {
    "sizes": frozenset(),
    "+ voids": frozenset({Source.VOIDS}),
    "+ beaten": frozenset({Source.VOIDS, Source.NOT_BEATEN}),
    "melds": frozenset({Source.MELDS}),
    "all": NOW,
    "as deals": ALL_SOURCES,
}
_WORLDS: Final = 1000


def leads(variant: str, players: int | None, number: int, tricks: list[int]) -> list[GameState]:
    """Return the states in which one of these tricks is to be led, in deals played at random."""
    rules, found = variants.get(variant, players), []
    for seed in range(number):
        rng = random.Random(seed)
        bot, state = RandomBot(rng), game.start(rules, seed % rules.seats)
        while state.phase is not None and state.deals == 0:
            decision = game.decision(state)
            leads_now = isinstance(state.phase, Playing | StockPlaying) and not state.phase.cards
            if leads_now and len(state.deal.tricks) + 1 in tricks:
                found.append(state)
            legal = decision.legal
            action = legal.sample(rng) if isinstance(legal, Deals) else bot.choose(None, decision)
            state, _ = game.apply(state, action)
    return found


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", nargs="?", default="partnership")
    parser.add_argument("--players", type=int)
    parser.add_argument("--deals", type=int, default=150)
    parser.add_argument("--tricks", default="1,3,5,9")
    parser.add_argument("--cells", type=int, default=1 << 17)
    options = parser.parse_args()
    tricks = [int(trick) for trick in options.tricks.split(",")]
    states = leads(options.variant, options.players, options.deals, tricks)
    Sampler(read_constraints(view_for(states[0], states[0].players[0]))).draw(1)  # loads kernels
    print(
        "trick",
        *[f"{name:>9}" for name in COLUMNS],
        "   reading  preparing       ms  a world us  exact",
    )
    for trick in tricks:
        rows: dict[str, list[float]] = {name: [] for name in COLUMNS}
        reading, preparing, drawing, exact = [], [], [], []
        for state in states:
            if len(state.deal.tricks) + 1 != trick or not isinstance(
                state.phase, Playing | StockPlaying
            ):
                continue
            seen = view_for(state, state.phase.turn)
            for name, sources in COLUMNS.items():
                start = time.perf_counter()
                constraints = read_constraints(seen, sources)
                read_at = time.perf_counter()
                sampler = Sampler(constraints, cells=options.cells)
                ready_at = time.perf_counter()
                rows[name].append(log2(sampler.count))
                if sources is ALL_SOURCES:
                    reading.append(1e3 * (read_at - start))
                    preparing.append(1e3 * (ready_at - read_at))
                    drawing_since = time.perf_counter()
                    sampler.draw(_WORLDS, 1)
                    drawing.append(1e6 * (time.perf_counter() - drawing_since) / _WORLDS)
                    exact.append(sampler.exact)
        worst = sorted(preparing)[int(0.95 * len(preparing))]
        print(
            f"{trick:5}",
            *[f"{mean(row):9.1f}" for row in rows.values()],
            f"{median(reading):10.2f}{median(preparing):11.2f} /{worst:6.2f}",
            f"{median(drawing):11.2f}",
            f"{sum(exact):4}/{len(exact)}",
        )


if __name__ == "__main__":
    main()
