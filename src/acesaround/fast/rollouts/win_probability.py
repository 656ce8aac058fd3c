"""Value of the end of a deal for a side: its score, and its probability to win the game.

It compiles the scoring of `rules.scoring`. The win probability is an estimate. Totals drift apart
by a certain spread in each deal, so a lead counts more if fewer deals are left. The drift of each
variant is fitted by `bench/fit_score_drift.py` and stored in the variant's folder. If no further
deal follows, the result shows who has won.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from acesaround.cards import Suit
from acesaround.fast.jit import arrayless_kernel, inlined_kernel
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.playouts.rule_arrays import Integers, RuleArrays, build_rule_arrays
from acesaround.rules import Rules, scoring
from acesaround.rules.scoring import (
    TIED_WINNERS,
    ScoringParams,
    basic_payment,
    max_play_points,
    scoring_params,
)
from acesaround.variants import fitted_numbers

Array: TypeAlias = Any  # of int64; numba infers it

# With two sides, as fractions of the points in play: the points a game's winner gains per deal, and
# the default spread of totals per deal for variants without a fitted one.
_GAIN: Final = 1.1
DRIFT: Final = 1.3
_LOGISTIC: Final = 0.6  # scale of a logistic curve as steep as a normal one of spread 1
_SPADES: Final = int(Suit.S)
_ABSENT: Final = -(1 << 40)

_score_after_losses = inlined_kernel(scoring.score_after_losses_kernel)
_total_change = inlined_kernel(scoring.total_change)
_winner_of = inlined_kernel(scoring.winner_of)
_full_payment = inlined_kernel(scoring.full_payment)
_payment_change = inlined_kernel(scoring.payment_change)


class ScoringState(NamedTuple):
    """The scoring rules and the state of the game before a deal, as a kernel reads them."""

    scoring: ScoringParams
    target: int
    """Points that win the game, unless the number of deals is fixed."""
    deals_left: int
    """Deals still to be played, this one included, if their number is fixed; else 0."""
    declarer_wins_ties: bool
    """Whether the declarer's side wins if several sides reach the target."""
    mean_gain: float
    """The points that the winner of a game gains in a deal."""
    spread: float
    """The spread of totals in a deal."""
    payment_steps: Integers
    """If deals are paid: bids in order and the payment from each of them on, (pairs, 2)."""
    scores: Integers
    """The total of each side; sides that do not play are far below all others: (sides,)."""


def score_drift(rules: Rules) -> float:
    """Return the spread of totals per deal, as a fraction of the points in play."""
    return fitted_numbers(rules).get("drift", DRIFT)


def make_scoring_state(
    rules: Rules,
    players: tuple[int, ...],
    scores: tuple[int, ...],
    target: int,
    deals: int,
) -> ScoringState:
    """Return the state of a game as a `ScoringState`. `deals`: how many deals are complete."""
    ending, sides = rules.ending, {rules.side_of(seat) for seat in players}
    share = max_play_points(rules, len(players)) * (2 / max(len(sides), 2)) ** 1.5
    if rules.auction is not None and rules.scoring.pays:
        share = float(basic_payment(rules, rules.auction.lowest_bid) * len(sides))
    present = [total if at in sides else _ABSENT for at, total in enumerate(scores)]
    return ScoringState(
        scoring=scoring_params(rules),
        target=target,
        deals_left=max(ending.hands - deals, 1) if ending.hands is not None else 0,
        declarer_wins_ties=ending.declarer_first,
        mean_gain=_GAIN * share,
        spread=score_drift(rules) * share,
        payment_steps=np.array(rules.scoring.pays, np.int64).reshape(-1, 2),
        scores=np.array(present, np.int64),
    )


class GameArrays(NamedTuple):
    """A game before a deal, as kernels read it."""

    rule_arrays: RuleArrays
    meld_tables: Integers
    """The values of melds: see `meld_values.build_meld_tables`."""
    scoring_state: ScoringState


def build_game_arrays(
    rules: Rules, players: tuple[int, ...], scores: tuple[int, ...], target: int, deals: int
) -> GameArrays:
    """Return the rules and the state of a game; see `make_scoring_state` for the arguments.

    Raises RulesError for rules that the kernels do not support.
    """
    return GameArrays(
        build_rule_arrays(rules, players),
        build_meld_tables(rules),
        make_scoring_state(rules, players, scores, target, deals),
    )


# Columns of the end of a deal, by side.
MELD_COLUMN: Final = 0  # the side's meld, before any loss
DIX_COLUMN: Final = 1  # the part of its meld that is dixes
PLAY_COLUMN: Final = 2  # its points in play, with buried cards and the last trick
COUNTER_COLUMN: Final = 3  # whether it wins a counter in a trick
END_COLUMNS: Final = 4


class EndBuffer(NamedTuple):
    """A buffer for the end of a deal, by side: the input of `score`, and the new totals."""

    meld: Integers
    dix_points: Integers
    play: Integers
    has_counter: Integers
    totals: Integers


def new_end_buffer(sides: int) -> EndBuffer:
    """Return an empty buffer for `sides` sides."""
    return EndBuffer(*(np.zeros(sides, np.int64) for _ in range(5)))


@inlined_kernel
def copy_end(end_buffer: EndBuffer, row: Array) -> None:
    """Copy the end of a deal into an array: (sides, END_COLUMNS)."""
    for side in range(end_buffer.meld.shape[0]):
        row[side, MELD_COLUMN], row[side, DIX_COLUMN] = (
            end_buffer.meld[side],
            end_buffer.dix_points[side],
        )
        row[side, PLAY_COLUMN], row[side, COUNTER_COLUMN] = (
            end_buffer.play[side],
            end_buffer.has_counter[side],
        )


@inlined_kernel
def load_end(row: Array, end_buffer: EndBuffer) -> None:
    """Fill the buffer from an array: (sides, END_COLUMNS)."""
    for side in range(end_buffer.meld.shape[0]):
        end_buffer.meld[side], end_buffer.dix_points[side] = (
            row[side, MELD_COLUMN],
            row[side, DIX_COLUMN],
        )
        end_buffer.play[side], end_buffer.has_counter[side] = (
            row[side, PLAY_COLUMN],
            row[side, COUNTER_COLUMN],
        )


@arrayless_kernel
def win_probability(
    scoring_state: ScoringState, totals: Array, declarer: int, own_side: int
) -> float:
    """Return the probability that side `own_side` wins the game with these totals after a deal.

    The probabilities of all sides add up to 1.
    """
    left = float(scoring_state.deals_left - 1)
    if scoring_state.deals_left <= 1:
        is_last_deal = scoring_state.deals_left == 1
        priority_side = declarer if scoring_state.declarer_wins_ties and not is_last_deal else -1
        target = _ABSENT + 1 if is_last_deal else scoring_state.target
        winner, top, tied = _winner_of(totals, target, priority_side), totals[0], 0
        for side in range(totals.shape[0]):
            top = max(top, totals[side])
        if winner == TIED_WINNERS and is_last_deal and declarer >= 0 and totals[declarer] == top:
            winner = declarer
        if winner == TIED_WINNERS:
            for side in range(totals.shape[0]):
                tied += totals[side] == top
            return 1.0 / tied if totals[own_side] == top else 0.0
        if winner >= 0:
            return 1.0 if winner == own_side else 0.0
        left = 0.5 + (scoring_state.target - top) / scoring_state.mean_gain
    scale = _LOGISTIC * scoring_state.spread * sqrt(left)
    total = 0.0
    for side in range(totals.shape[0]):
        total += exp(min((totals[side] - totals[own_side]) / scale, 50.0))
    return 1.0 / total


@inlined_kernel
def find_basic_payment(scoring_state: ScoringState, bid: int) -> int:
    """Return the single payment of a bid, if deals are paid."""
    found: int = scoring_state.payment_steps[0, 1]
    for at in range(scoring_state.payment_steps.shape[0]):
        if scoring_state.payment_steps[at, 0] <= bid:
            found = max(found, scoring_state.payment_steps[at, 1])
    return found


@arrayless_kernel
def write_payments(
    scoring_state: ScoringState, end_buffer: EndBuffer, declarer: int, payment: int, made: bool
) -> None:
    """Write the payments between the declarer and each other side into `end_buffer.totals`."""
    totals = end_buffer.totals
    for side in range(totals.shape[0]):
        change = _payment_change(payment, totals.shape[0] - 1, side == declarer, made)
        totals[side] = scoring_state.scores[side] + change


@arrayless_kernel
def score(
    scoring_state: ScoringState, end_buffer: EndBuffer, trump: int, declarer: int, bid: int
) -> bool:
    """Score a deal that was played out into `end_buffer.totals`; return whether the bid was made.

    `declarer`: a side, or -1 if there is none.
    """
    params, scores, totals = scoring_state.scoring, scoring_state.scores, end_buffer.totals
    meld, dix_points, play, counter = (
        end_buffer.meld,
        end_buffer.dix_points,
        end_buffer.play,
        end_buffer.has_counter,
    )
    made = True
    if declarer >= 0:
        kept, won = _score_after_losses(
            params, meld[declarer], dix_points[declarer], play[declarer], counter[declarer] != 0
        )
        made = kept + won >= bid
        if params.is_paid_by_bid:
            payment = _full_payment(
                params, find_basic_payment(scoring_state, bid), trump == _SPADES, made
            )
            write_payments(scoring_state, end_buffer, declarer, payment, made)
            return made
    for side in range(totals.shape[0]):
        kept, won = _score_after_losses(
            params, meld[side], dix_points[side], play[side], counter[side] != 0
        )
        change = _total_change(params, kept + won, dix_points[side], side == declarer, made, bid)
        totals[side] = scores[side] + change
    return made
