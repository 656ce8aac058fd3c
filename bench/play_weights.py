"""Compare two `RoleWeights`, which say how rules of thumb play cards, in compiled deals.

`python bench/play_weights.py check GAME ... --seeds 8001-8005` plays the weights in force against
others (`--than`) on random deals. `fit` changes one weight after the other as long as the change
wins, and prints the result; `heuristic_weights.py` is edited by hand. A deal is bid by the
heuristic bot: the best bidder declares for the best bid of the other sides. It is played in every
seating, one side with one set of weights and the others with the other, and scored by the rules.
Check on seeds that no fit has used.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround import heuristic_weights, variants
from acesaround.cards import KIND_COUNT
from acesaround.fast.jit import arrayless_kernel
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.playouts.rule_arrays import (
    Integers,
    RuleArrays,
    build_rule_arrays,
    role_weight_array,
)
from acesaround.fast.rollouts.before_play import (
    ContractResults,
    roll_out_contracts,
    score_deal,
)
from acesaround.fast.rollouts.bid_limits import compute_limits, make_bid_limit_model
from acesaround.fast.rollouts.win_probability import (
    COUNTER_COLUMN,
    DIX_COLUMN,
    MELD_COLUMN,
    PLAY_COLUMN,
    EndBuffer,
    ScoringState,
    make_scoring_state,
    new_end_buffer,
)
from acesaround.heuristic_weights import PlayWeights, RoleWeights
from acesaround.rules import Rules
from acesaround.rules.scoring import mean_play_points

Array: TypeAlias = Any  # numba infers the type
Floats: TypeAlias = NDArray[np.float64]

STEPS: Final = (0.5, 0.2)
"""The relative step of a number, in the first round and in all later rounds."""
LEAST: Final = 0.2
"""The least value that a relative step is taken of, so that small numbers move too."""
TIMES: Final = ("trumps_declarer", "trumps_helper", "trumps_other")
"""The numbers that are never below 0."""
SURE: Final = 2.5
"""The number of standard errors by which a change must win to be taken."""
INTERVAL: Final = 1.96


class Deals(NamedTuple):
    """Deals of a game before the play."""

    rules: Rules
    hands: Integers
    """The hands: (deals, players, copies)."""
    rest: Integers
    """The kitty or the undealt cards: (deals, cards)."""
    declarer: Integers
    bid: Integers


class Comparison(NamedTuple):
    """The difference between two sets of weights, with its standard error."""

    points: float
    """The difference in points per deal."""
    error: float
    in_play: float
    """The mean points in play of a deal."""

    def __str__(self) -> str:
        share = 100 / self.in_play
        wide = INTERVAL * self.error
        return (
            f"{share * self.points:+.2f}% of the points in play, +- {share * wide:.2f}"
            f" ({self.points:+.2f} +- {wide:.2f} a deal)"
        )


def random_deals(rules: Rules, number: int, seed: int) -> Deals:
    """Return random deals; the best bidder declares for the best bid of the other sides."""
    assert rules.auction is not None, "a deal without an auction has no declarer"
    rng, players = np.random.default_rng(seed), rules.seats
    deck = np.array([int(card) for card in rules.deck.cards])
    order = rng.permuted(np.tile(deck, (number, 1)), axis=1)
    cards = players * rules.hand_size
    hands = _rows(order[:, :cards].reshape(number, players, -1), rules.deck.copies)
    reached = compute_limits(
        build_rule_arrays(rules, tuple(range(players))),
        build_meld_tables(rules),
        make_bid_limit_model(rules),
        hands,
        np.zeros(players),
        np.ones(players, np.bool_),
    )
    declarer = reached.argmax(axis=1)
    sides = np.array([rules.side_of(seat) for seat in range(players)])
    others = np.where(sides == sides[declarer][:, None], -np.inf, reached).max(axis=1)
    bid = np.maximum(others, rules.auction.lowest_bid).astype(np.int64)
    return Deals(rules, hands, order[:, cards:].copy(), declarer.astype(np.int64), bid)


def _rows(cards: Integers, copies: int) -> Integers:
    """Return hands by kind as kernels have them: (deals, players, copies)."""
    held = (cards[..., None] == np.arange(KIND_COUNT)).sum(2)
    bits = np.int64(1) << np.arange(KIND_COUNT)
    return np.stack([((held > copy) * bits).sum(2) for copy in range(copies)], axis=2)


def scores(deals: Deals, weights_by_player: Sequence[RoleWeights]) -> Floats:
    """Return the score of each side, with weights for each player: (deals, sides)."""
    rules, seats = deals.rules, tuple(range(deals.rules.seats))
    numbers = build_rule_arrays(rules, seats)
    numbers = numbers._replace(
        role_weights=np.array([role_weight_array(weights) for weights in weights_by_player])
    )
    sides = len(rules.sides)
    start = make_scoring_state(rules, seats, (0,) * sides, rules.ending.target, 0)
    all_totals = np.zeros((len(deals.hands), sides))
    for declarer in seats:
        indices = np.flatnonzero(deals.declarer == declarer)
        ends = _ends(numbers, deals, declarer, indices)
        totals = np.zeros((len(indices), sides))
        _score(
            start, new_end_buffer(sides), ends, deals.bid[indices], rules.side_of(declarer), totals
        )
        all_totals[indices] = totals
    return all_totals


def _ends(numbers: RuleArrays, deals: Deals, declarer: int, indices: Integers) -> ContractResults:
    """Return the results of those deals, which `declarer` declares."""
    declarers, suits = np.array([declarer], np.int64), np.array([-1], np.int64)
    tables = build_meld_tables(deals.rules)
    return roll_out_contracts(
        numbers, tables, deals.hands[indices], deals.rest[indices], declarers, suits
    )


@arrayless_kernel
def _score(
    start: ScoringState,
    end: EndBuffer,
    ends: ContractResults,
    bids: Array,
    declarer: int,
    totals: Array,
) -> None:
    """Score deals by the rules into `totals`: (deals, sides)."""
    for deal in range(totals.shape[0]):
        for side in range(totals.shape[1]):
            end_of_side = ends.ends[deal, 0, side]
            end.meld[side], end.dix_points[side] = end_of_side[MELD_COLUMN], end_of_side[DIX_COLUMN]
            end.play[side], end.has_counter[side] = (
                end_of_side[PLAY_COLUMN],
                end_of_side[COUNTER_COLUMN],
            )
        score_deal(start, end, ends.trump[deal, 0], declarer, bids[deal])
        for side in range(totals.shape[1]):
            totals[deal, side] = end.totals[side]


def seatings(sides: int) -> Iterator[tuple[bool, ...]]:
    """Yield which sides play the new weights: each side alone, then all sides but one."""
    alone = [tuple(side == lone for side in range(sides)) for lone in range(sides)]
    yield from dict.fromkeys([*alone, *(tuple(not new for new in lone) for lone in alone)])


def match(deals: Deals, new: RoleWeights, old: RoleWeights) -> Floats:
    """Return the score of `new` less that of `old` for each deal, over all seatings."""
    rules = deals.rules
    differences = []
    for seating in seatings(len(rules.sides)):
        by = [new if seating[rules.side_of(seat)] else old for seat in range(rules.seats)]
        totals, is_new = scores(deals, by), np.array(seating)
        differences.append(totals[:, is_new].mean(axis=1) - totals[:, ~is_new].mean(axis=1))
    mean: Floats = np.mean(differences, axis=0)
    return mean


def comparison(rules: Rules, differences: Floats) -> Comparison:
    """Return the mean of a match with its standard error."""
    error = float(differences.std() / np.sqrt(len(differences)))
    return Comparison(float(differences.mean()), error, mean_play_points(rules, rules.seats))


def gain(every: Sequence[Deals], new: RoleWeights, old: RoleWeights) -> tuple[float, float]:
    """Return the gain of `new` over `old` as a share of the points in play, and its error.

    Both are means over the games.
    """
    comparisons = [comparison(deals.rules, match(deals, new, old)) for deals in every]
    error = np.sqrt(
        np.mean([(game.error / game.in_play) ** 2 for game in comparisons]) / len(comparisons)
    )
    return float(np.mean([game.points / game.in_play for game in comparisons])), float(error)


def with_change(weights: RoleWeights, side: int, name: str, by: float) -> RoleWeights:
    """Return weights with one number changed."""
    part: PlayWeights = weights[side]
    value = round(getattr(part, name) + by, 3)
    changed = part._replace(**{name: max(value, 0.0) if name in TIMES else value})
    return RoleWeights(
        *(changed if other_side == side else role for other_side, role in enumerate(weights))
    )


def fit(
    games: Sequence[Rules], seeds: Sequence[int], number: int, names: Sequence[str], minutes: float
) -> RoleWeights:
    """Improve one number after the other while that wins; each round uses the deals of one seed."""
    best, until = heuristic_weights.role_weights(games[0]), time.monotonic() + 60 * minutes
    for part, seed in zip(itertools.chain(STEPS, itertools.repeat(STEPS[-1])), seeds, strict=False):
        every = [random_deals(rules, number, seed) for rules in games]
        before = best
        for name, side, sign in itertools.product(names, range(len(best)), (1, -1)):
            while time.monotonic() < until:
                step = part * max(abs(getattr(best[side], name)), LEAST)
                other = with_change(best, side, name, sign * step)
                points, error = gain(every, other, best)
                if points <= SURE * error or points <= 0 or other == best:
                    break
                best = other
                where = RoleWeights._fields[side]
                print(f"{where} {name} = {getattr(best[side], name)}: {100 * points:+.2f}%")
        print(f"after seed {seed}: {best}", flush=True)
        if best == before or time.monotonic() > until:
            break
    return best


def check(rules: Rules, seeds: Sequence[int], number: int, old: RoleWeights) -> Comparison:
    """Return the result of the weights in force against old ones."""
    new = heuristic_weights.role_weights(rules)
    return comparison(
        rules, np.concatenate([match(random_deals(rules, number, s), new, old) for s in seeds])
    )


def _seeds(text: str) -> list[int]:
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit or check, as the arguments say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=["fit", "check"])
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--seeds", type=_seeds, required=True, help="such as 8001 or 8001-8005")
    parser.add_argument("--deals", type=int, default=10_000, help="of each seed")
    parser.add_argument(
        "--than", choices=list(heuristic_weights.REFERENCE_ROLE_WEIGHTS), default="2026-11"
    )
    parser.add_argument(
        "--names", nargs="+", choices=PlayWeights._fields, default=list(PlayWeights._fields)
    )
    parser.add_argument("--minutes", type=float, default=20.0, help="that a fit may take")
    options = parser.parse_args(arguments)
    games = [variants.get(game) for game in options.games]
    if options.what == "fit":
        fit(games, options.seeds, options.deals, options.names, options.minutes)
        return
    for rules in games:
        result = check(
            rules,
            options.seeds,
            options.deals,
            heuristic_weights.REFERENCE_ROLE_WEIGHTS[options.than],
        )
        print(f"{rules.variant}: {result}", flush=True)


if __name__ == "__main__":
    main()
