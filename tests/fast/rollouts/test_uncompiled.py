"""Uncompiled kernels of card play give the same results."""

from __future__ import annotations

import os
import random
import subprocess
import sys

from acesaround import variants
from acesaround.fast.rollouts.solver_rollouts import WorldSolver
from acesaround.fast.rollouts.win_probability import win_probability
from tests.fast.playouts.test_packed_deal import offered
from tests.fast.rollouts.moments import moments, truth
from tests.fast.rollouts.test_play_likelihood import Played
from tests.fast.rollouts.test_solver_rollouts import random_problem
from tests.fast.rollouts.test_two_ply import roll_out, worlds

PROGRAM = "from tests.fast.rollouts.test_uncompiled import answers; print(*answers(), sep='\\n')"


def answers() -> list[str]:
    """Return results of each kernel as text."""
    found: list[object] = []
    for name in ("partnership", "five-card", "two-handed"):
        rules = variants.get(name)
        for state in moments(rules, 6, 3, True):
            sampled, choices = worlds(state, 6, 1), list(offered(state))
            found += [part.tolist() for part in roll_out(sampled, choices)]
            found += [part.tolist() for part in roll_out(sampled, choices, 2)]
            world = truth(state)
            found.append(
                win_probability(
                    world.game, world.game.scores, world.deal.declarer, world.deal.own_side
                )
            )
        problem = random_problem(rules, 0, random.Random(2), 3 + (rules.seats == 2), 3)
        for nodes in (100, 10**9):
            values, solved = problem.solve_worlds(WorldSolver(problem.setup), nodes)
            found += [values[:solved].tolist(), solved]
        if not rules.deal.upcard:
            deal = Played(rules, 3, 0.2)
            found += deal.weights(deal.worlds(0, 3), 0).round(9).tolist()
    return [str(answer) for answer in found]


def test_uncompiled_kernels_give_the_same_results() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "src:."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines() == answers()
