"""Bid limits: how high each player would bid on a hand, and how likely that makes the actual calls.

A limit is the value of the hand with its best trump (`evaluate_packed_hand`). It takes the known
meld of the partner and the least meld of a side into account. How far players deviate from it
follows a logistic distribution.
"""

from __future__ import annotations

from math import exp, log
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround import heuristic_weights
from acesaround.cards import Rank
from acesaround.fast.jit import arrayless_kernel, inlined_kernel
from acesaround.fast.playouts.hand_evaluation import evaluate_packed_hand
from acesaround.fast.playouts.meld_values import MARRIAGE_ROW, hand_meld, suit_entry, suit_pattern
from acesaround.fast.playouts.packed_deal import add_card, remove_card
from acesaround.fast.playouts.rng import advance, random_below, start_stream
from acesaround.fast.playouts.rule_arrays import (
    KITTY_SIZE,
    NEEDS_MARRIAGE,
    WEIGHT_SCALE,
    Integers,
    RuleArrays,
)
from acesaround.rules import Rules
from acesaround.rules.melds import arounds_cards

Array: TypeAlias = Any  # numba infers it

CANNOT_BID: Final = -1e6
"""The limit of a hand that cannot name a trump."""
_MIN_PARTNER_PROBABILITY: Final = heuristic_weights.MIN_MELD_CHANCE
_WIDE_SHARE: Final = 0.15  # the share of players who deviate from the model,
_WIDE_FACTOR: Final = 3.0  # and the factor of the spread for them
_OTHER_REASON_PROBABILITY: Final = 0.05  # how often a suit is named for some other reason
_ACES_AROUND: Final = sum(1 << card for card in arounds_cards(Rank.ACE))
_RANDOM_STEPS: Final = 1 << 16  # number of steps in a random probability


class BidLimitModel(NamedTuple):
    """The parameters of a limit other than the hand, in points."""

    growth: float
    """Meld that the other players usually add."""
    min_meld: float
    """The least meld of a side that counts."""
    caution: float
    """How far below the value of the hand bidding stops."""


def make_bid_limit_model(rules: Rules) -> BidLimitModel:
    """Return what bid limits depend on at a table."""
    weights, run = heuristic_weights.hand_weights(rules), heuristic_weights.run_points(rules)
    return BidLimitModel(
        weights.growth * run, float(rules.scoring.least_meld), float(weights.caution * run)
    )


def compute_limits(
    rule_arrays: RuleArrays,
    meld_tables: Integers,
    model: BidLimitModel,
    hands: Integers,
    partner_melds: NDArray[np.float64],
    is_wanted: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return the limit of each hand in each world, in points: (worlds, players).

    `hands`: as they were in the auction, (worlds, players, copies). `partner_melds`: the meld that
    each player's partner has shown, (players,). `is_wanted`: the players whose limits are computed,
    (players,); the limits of the others are CANNOT_BID.
    """
    found = np.full(hands.shape[:2], CANNOT_BID)
    _compute_limits(rule_arrays, meld_tables, model, hands, partner_melds, is_wanted, found)
    return found


@arrayless_kernel
def _compute_limits(
    rule_arrays: RuleArrays,
    meld_tables: Array,
    model: BidLimitModel,
    hands: Array,
    partner_melds: Array,
    is_wanted: Array,
    found: Array,
) -> None:
    any_suit = rule_arrays.params[NEEDS_MARRIAGE] == 0 or rule_arrays.params[KITTY_SIZE] != 0
    for world in range(hands.shape[0]):
        for player in range(hands.shape[1]):
            if not is_wanted[player]:
                continue
            most = CANNOT_BID
            for suit in range(4):
                its = suit_pattern(meld_tables, hands[world], player, suit)
                if any_suit or suit_entry(meld_tables, MARRIAGE_ROW, its):
                    meld = hand_meld(meld_tables, hands[world], player, suit)
                    to_come = (
                        evaluate_packed_hand(rule_arrays, hands[world, player], suit, 0)
                        / WEIGHT_SCALE
                    )
                    most = max(most, _limit_with_trump(model, meld, to_come, partner_melds[player]))
            found[world, player] = most


@inlined_kernel
def _limit_with_trump(
    model: BidLimitModel, meld: int, to_come: float, partner_meld: float
) -> float:
    """Return the limit with one trump. `to_come`: meld of others plus points in play."""
    growth = model.growth
    more = max(partner_meld - growth, 0.0)
    need = model.min_meld - meld - partner_meld
    if need <= 0.0 or growth <= 0.0:
        return meld + to_come + more - model.caution
    kept = exp(-need / growth)  # the probability that the partner has the rest
    if kept < _MIN_PARTNER_PROBABILITY:
        return -model.caution
    at_least = model.min_meld + growth
    play = to_come - growth
    return kept * at_least + play - model.caution


def trump_log_likelihood(
    rule_arrays: RuleArrays,
    meld_tables: Integers,
    hands: Integers,
    player: int,
    trump: int,
    spread: float,
) -> NDArray[np.float64]:
    """Return the log likelihood that a declarer names `trump` in each world: (worlds,).

    `hands`: as they were at that time. `spread`: a suit whose value is this many points lower is
    named e times less often. With a small probability a suit is named for some other reason.
    """
    found = np.zeros(len(hands))
    _compute_trump_likelihood(rule_arrays, meld_tables, hands, player, trump, spread, found)
    return found


@arrayless_kernel
def _compute_trump_likelihood(
    rule_arrays: RuleArrays,
    meld_tables: Array,
    hands: Array,
    player: int,
    trump: int,
    spread: float,
    found: Array,
) -> None:
    needed = rule_arrays.params[NEEDS_MARRIAGE] != 0
    for world in range(hands.shape[0]):
        its, total = 0.0, 0.0
        own = evaluate_packed_hand(
            rule_arrays,
            hands[world, player],
            trump,
            hand_meld(meld_tables, hands[world], player, trump),
        )
        for suit in range(4):
            held = suit_pattern(meld_tables, hands[world], player, suit)
            if needed and suit_entry(meld_tables, MARRIAGE_ROW, held) == 0:
                continue
            meld = hand_meld(meld_tables, hands[world], player, suit)
            more = evaluate_packed_hand(rule_arrays, hands[world, player], suit, meld) - own
            weight = exp(min(more / WEIGHT_SCALE / spread, 40.0))
            total += weight
            if suit == trump:
                its = weight
        share = its / total if total > 0.0 else 0.0
        found[world] = log(
            (1.0 - _OTHER_REASON_PROBABILITY) * share + _OTHER_REASON_PROBABILITY / 4.0
        )


def perturb_limits(
    limits: NDArray[np.float64], spread: float, highest_bids: NDArray[np.float64], seed: int
) -> NDArray[np.float64]:
    """Return random limits around `limits` in each world, at least what has been bid.

    `spread`: of the logistic distribution, in points. `highest_bids`: what each player has bid,
    (players,).
    """
    found = np.empty_like(limits)
    with np.errstate(over="ignore"):
        _perturb_limits(limits, spread, highest_bids, seed, found)
    return found


@arrayless_kernel
def _perturb_limits(
    limits: Array, spread: float, highest_bids: Array, seed: int, found: Array
) -> None:
    for world in range(limits.shape[0]):
        chance = start_stream(seed, world)
        for player in range(limits.shape[1]):
            chance = advance(chance)
            drawn = (random_below(chance, _RANDOM_STEPS) + 0.5) / _RANDOM_STEPS
            limit = limits[world, player]
            low = _logistic((highest_bids[player] - limit) / spread)
            drawn = min(low + drawn * (1.0 - low), 1.0 - 1e-6)
            found[world, player] = max(
                limit + spread * log(drawn / (1.0 - drawn)), highest_bids[player]
            )


@inlined_kernel
def _logistic(steps: float) -> float:
    """Return the logistic function of `steps`."""
    return 1.0 / (1.0 + exp(min(max(-steps, -40.0), 40.0)))


def bid_log_likelihood(
    limits: NDArray[np.float64],
    spread: float,
    declined_bids: NDArray[np.float64],
    highest_bids: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the log likelihood that the limits were between two bids of each player: (worlds,).

    `highest_bids`: what each player has bid. `declined_bids`: what the player would not bid,
    infinite if unknown. Both are (players,). Some players do not follow the model, so the
    distribution has heavy tails.
    """
    likely = np.zeros(limits.shape)
    with np.errstate(over="ignore"):
        for share, wide in ((1.0 - _WIDE_SHARE, 1.0), (_WIDE_SHARE, _WIDE_FACTOR)):
            not_over = 1.0 / (
                1.0 + np.exp(np.minimum((limits - declined_bids) / (spread * wide), 700.0))
            )
            under = 1.0 / (
                1.0 + np.exp(np.minimum((limits - highest_bids) / (spread * wide), 700.0))
            )
            likely += share * np.maximum(not_over - under, 1e-12)
    found: NDArray[np.float64] = np.log(likely).sum(1)
    return found


def undo_changes(hands: Integers, cards_to_add: Integers, cards_to_remove: Integers) -> Integers:
    """Return hands with cards added and removed: (worlds, players, copies).

    `cards_to_add`, `cards_to_remove`: the cards to add and to remove, a row (player, kind) for
    each.
    """
    found = hands.copy()
    _undo_changes(found, cards_to_add, cards_to_remove)
    return found


@arrayless_kernel
def _undo_changes(hands: Array, cards_to_add: Array, cards_to_remove: Array) -> None:
    for world in range(hands.shape[0]):
        for at in range(cards_to_add.shape[0]):
            add_card(hands[world], cards_to_add[at, 0], cards_to_add[at, 1])
        for at in range(cards_to_remove.shape[0]):
            remove_card(hands[world], cards_to_remove[at, 0], cards_to_remove[at, 1])


def meld_without_trump(
    meld_tables: Integers, hands: Integers, player: int
) -> tuple[Integers, Integers]:
    """Return a hand's meld without trump and its number of aces around: (worlds,) each."""
    melded, aces = np.zeros(len(hands), np.int64), np.zeros(len(hands), np.int64)
    _meld_without_trump(meld_tables, hands, player, melded, aces)
    return melded, aces


@arrayless_kernel
def _meld_without_trump(
    meld_tables: Array, hands: Array, player: int, melded: Array, aces: Array
) -> None:
    for world in range(hands.shape[0]):
        melded[world] = hand_meld(meld_tables, hands[world], player, -1)
        for copy in range(hands.shape[2]):
            aces[world] += hands[world, player, copy] & _ACES_AROUND == _ACES_AROUND
