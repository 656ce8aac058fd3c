"""Fit the likelihood of hands after an exchange: `changed_hand_model.json` of the search bot.

`python bench/fit_changed_hand_model.py [--deals N] [--seed S]` plays deals of each variant by rules
of thumb up to the first lead, and separates the hands that were changed after the auction from
random hands by logistic regression. The logit is the logarithm of the ratio of their likelihoods,
by which the search bot weighs worlds.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from acesaround import game, variants
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.search.changed_hand_evidence import find_changed_seats
from acesaround.cards import pack
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import build_rule_arrays
from acesaround.fast.rollouts.hand_features import FEATURE_COUNT, compute_hand_features
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState
from acesaround.game.view import view_for
from acesaround.rules import Phase, Rules

FILE: Final = Path(__file__).parent.parent / "src/acesaround/bots/search/changed_hand_model.json"
_RANDOM: Final = 4  # random hands for each changed hand
_HELD_BACK: Final = 3.0  # precision of a normal prior, for roles with few hands
_FEWEST: Final = 100  # with fewer hands there is no model


def at_first_lead(rules: Rules, rng: random.Random) -> GameState | None:
    """Return a deal between heuristic bots before the first lead; None if there is no lead."""
    state, thumb = game.start(rules, rng.randrange(rules.seats)), HeuristicBot()
    while state.deals == 0 and state.phase is not None:
        decision = game.decision(state)
        if decision.kind is DecisionKind.PLAY:
            return state
        if isinstance(decision.legal, Deals):
            state, _ = game.apply(state, decision.legal.sample(rng))
        else:
            state, _ = game.apply(state, thumb.choose(view_for(state, decision.seat), decision))
    return None


def gather(rules: Rules, deals: int, seed: int) -> dict[str, NDArray[np.float64]]:
    """Return the shapes of changed hands by role, each with those of random hands of its size.

    Each array is (hands, 1 + random hands, FEATURE_COUNT).
    """
    rng, copies = random.Random(seed), rules.deck.copies
    found: dict[str, list[NDArray[np.float64]]] = defaultdict(list)
    numbers, tables, run = (
        build_rule_arrays(rules, tuple(range(rules.seats))),
        build_meld_tables(rules),
        rules.melds.run[0],
    )
    cards = [int(kind) for kind in numbers.deck]
    for number in range(deals):
        if number % 500 == 0:
            sys.stderr.write(f"\r{rules.variant} {number}/{deals}")
        state = at_first_lead(rules, rng)
        if state is None or state.deal.trump is None:
            continue
        seen: dict[int, str] = {}
        for seat in state.players:
            seen |= find_changed_seats(view_for(state, seat))
        for seat, role in seen.items():
            hand = state.hands[seat]
            size = len(state.hand(seat))
            rows = [sets_from_hand(hand, copies)]
            rows += [sets_from_hand(pack(rng.sample(cards, size)), copies) for _ in range(_RANDOM)]
            hands = np.array(rows, np.int64)[:, None, :]
            found[role].append(
                compute_hand_features(numbers, tables, hands, 0, int(state.deal.trump), run)
            )
    sys.stderr.write("\n")
    return {role: np.array(rows) for role, rows in found.items()}


def fit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights that separate the first hand of each row from the others.

    There is one weight for each feature. `rows`: (hands, 1 + random hands, FEATURE_COUNT). Fits a
    conditional logit by Newton's method.
    """
    weights = np.zeros(FEATURE_COUNT)
    for _ in range(30):
        scores = rows @ weights
        chances = np.exp(scores - scores.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        mean = np.einsum("nk,nkf->nf", chances, rows)
        slope = (rows[:, 0] - mean).sum(0) - _HELD_BACK * weights
        centred = rows - mean[:, None, :]
        bend = np.einsum("nk,nkf,nkg->fg", chances, centred, centred)
        step = np.linalg.solve(bend + _HELD_BACK * np.eye(FEATURE_COUNT), slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def changed(deals: int, seed: int) -> dict[str, list[float]]:
    """Return the weights of changed hands, by variant and role."""
    found = {}
    for rules in variants.VARIANTS.values():
        if not (rules.exchange.exchange or rules.deal.kitty or Phase.REDRAW in rules.phases):
            continue
        for role, rows in sorted(gather(rules, deals, seed).items()):
            print(f"{role}: {len(rows)} hands")
            if len(rows) >= _FEWEST:
                found[role] = [round(float(weight), 3) for weight in fit(rows)]
    return found


def main() -> None:
    """Fit the models and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=12000)
    parser.add_argument("--seed", type=int, default=2026)
    arguments = parser.parse_args()
    models = changed(arguments.deals, arguments.seed)
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in models.items())
    FILE.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
