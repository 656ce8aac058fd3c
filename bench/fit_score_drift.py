"""Fit the drift of totals per deal: `fitted.toml`, for the probability of winning a game.

`python bench/fit_score_drift.py [--games N] [--seed S]` plays games of each variant between rules
of thumb and takes the drift with which the totals before each deal predict the winner best (log
loss). It tries steps of a third from one drift for all, because finer ones hardly change a
decision.
"""

from __future__ import annotations

import argparse
import random
import sys
from math import log
from pathlib import Path
from statistics import mean
from typing import Final, NamedTuple

import numpy as np

from acesaround import game, simulate, variants
from acesaround.bots.heuristic import HeuristicBot
from acesaround.fast.rollouts.win_probability import DRIFT, make_scoring_state, win_probability
from acesaround.fast.rollouts.win_probability import score_drift as fitted_drift
from acesaround.game.phases.dealing import Deals
from acesaround.game.view import view_for
from acesaround.rules import Rules

GAMES: Final = Path(__file__).parent.parent / "src/acesaround/variants"
_STEP: Final = 4 / 3
DRIFTS: Final = tuple(round(DRIFT * _STEP**step, 2) for step in range(-4, 6))
"""The drifts to try, as shares of the points in play."""
TOP: Final = """\
# Fitted by bench/fit_score_drift.py: how far totals drift apart in a deal, as a share of the
# points in play.
"""
_LEAST: Final = 1e-6  # the floor of a probability, so that the log loss stays finite


class GameBeforeDeal(NamedTuple):
    """A game before one of its deals."""

    players: tuple[int, ...]
    scores: tuple[int, ...]
    deals: int
    """The number of completed deals, at least one."""


def play(rules: Rules, rng: random.Random) -> tuple[list[GameBeforeDeal], int | None]:
    """Play a game between heuristic bots; return it before each later deal, and the winner."""
    state, thumb, found = (
        game.start(rules, rng.randrange(rules.seats)),
        HeuristicBot(),
        list[GameBeforeDeal](),
    )
    while state.phase is not None and state.deals < simulate.MAX_DEALS:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            state, _ = game.apply(state, decision.legal.sample(rng))
            if state.deals and (not found or found[-1].deals < state.deals):
                found.append(GameBeforeDeal(state.players, state.scores, state.deals))
        else:
            state, _ = game.apply(state, thumb.choose(view_for(state, decision.seat), decision))
    return found, state.winner


def games_before_deals(rules: Rules, games: int, seed: int) -> list[tuple[GameBeforeDeal, int]]:
    """Return games before their deals, each with the side that won."""
    rng, found = random.Random(f"{seed}/{rules.variant}"), []
    for number in range(games):
        if number % 20 == 0:
            sys.stderr.write(f"\r{rules.variant} {number}/{games} ")
        positions, winner = play(rules, rng)
        if winner is not None:
            found += [(before, winner) for before in positions]
    sys.stderr.write("\n")
    return found


def win_chance(rules: Rules, before: GameBeforeDeal, side: int, drift: float) -> float:
    """Return the probability that a side wins the game from here, with this drift."""
    now = make_scoring_state(
        rules, before.players, before.scores, rules.ending.target, before.deals - 1
    )
    now = now._replace(spread=now.spread * drift / fitted_drift(rules))
    return win_probability(now, np.array(before.scores, np.int64), -1, side)


def loss(rules: Rules, before: GameBeforeDeal, winner: int, drift: float) -> float:
    """Return the log loss: minus the logarithm of the probability given to the winner."""
    return -log(max(win_chance(rules, before, winner, drift), _LEAST))


def best_drift(rules: Rules, found: list[tuple[GameBeforeDeal, int]]) -> float:
    """Return the drift that predicts the winners of games best."""
    losses = {drift: mean(loss(rules, *at, drift) for at in found) for drift in DRIFTS}
    least = min(losses, key=losses.__getitem__)
    print(
        f"{rules.variant}: drift {least}, log loss {losses[least]:.3f} over {len(found)} deals; "
        f"with {DRIFT} {losses[DRIFT]:.3f}, knowing nothing {log(len(rules.sides)):.3f}"
    )
    return least


def main() -> None:
    """Fit the drifts and write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2026)
    arguments = parser.parse_args()
    for name, rules in variants.VARIANTS.items():
        found = best_drift(rules, games_before_deals(rules, arguments.games, arguments.seed))
        (GAMES / name / variants.FITTED_FILE).write_text(
            f"{TOP}drift = {found}\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
