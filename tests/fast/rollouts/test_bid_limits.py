"""How high hands bid, and what calls reveal about hands."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from acesaround import variants
from acesaround.cards import pack as packed_hand
from acesaround.cards import parse_cards
from acesaround.fast.playouts.deal_preparation import best_trump
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import Integers, build_rule_arrays
from acesaround.fast.rollouts.bid_limits import (
    CANNOT_BID,
    bid_log_likelihood,
    compute_limits,
    make_bid_limit_model,
    meld_without_trump,
    perturb_limits,
    trump_log_likelihood,
    undo_changes,
)
from acesaround.rules import Rules
from acesaround.rules.melds import count_marriages

DOUBLE = variants.get("double-deck")
AUCTIONS = [rules for rules in variants.VARIANTS.values() if rules.auction is not None]


def hands(rules: Rules, number: int, seed: int) -> Integers:
    """Return random deals as rows of sets."""
    rng = np.random.default_rng(seed)
    deck = np.array(rules.deck.cards)
    size, copies = rules.hand_size, rules.deck.copies
    found = []
    for _ in range(number):
        cards = rng.permutation(deck)
        found.append(
            [
                sets_from_hand(
                    packed_hand(int(card) for card in cards[at * size : (at + 1) * size]), copies
                )
                for at in range(rules.seats)
            ]
        )
    return np.array(found, np.int64)


def bid_limits_of(rules: Rules, dealt_hands: Integers, known: float = 0.0) -> NDArray[np.float64]:
    players = dealt_hands.shape[1]
    return compute_limits(
        build_rule_arrays(rules, tuple(range(rules.seats))),
        build_meld_tables(rules),
        make_bid_limit_model(rules),
        dealt_hands,
        np.full(players, known),
        np.ones(players, bool),
    )


@pytest.mark.parametrize("rules", AUCTIONS, ids=lambda rules: rules.variant)
def test_limits_rise_with_what_the_partner_has_shown(rules: Rules) -> None:
    dealt_hands = hands(rules, 40, 3)
    without, some, much = (bid_limits_of(rules, dealt_hands, known) for known in (0.0, 20.0, 60.0))
    assert (without <= some).all()
    assert (some <= much).all()
    assert (much > without).any() == (make_bid_limit_model(rules).growth < 60.0)


def test_only_hands_without_a_needed_marriage_have_no_limit() -> None:
    dealt_hands = hands(DOUBLE, 120, 4)
    found = bid_limits_of(DOUBLE, dealt_hands)
    for world, player in np.ndindex(found.shape):
        held = [sum(int(row) >> k & 1 for row in dealt_hands[world, player]) for k in range(24)]
        named = any(count_marriages(held, suit) for suit in range(4))
        assert (found[world, player] == CANNOT_BID) == (not named)
    assert (found == CANNOT_BID).any()


def test_players_not_wanted_have_no_limit() -> None:
    rules = AUCTIONS[0]
    dealt_hands = hands(rules, 5, 1)
    wanted = np.zeros(rules.seats, bool)
    wanted[1] = True
    numbers = build_rule_arrays(rules, tuple(range(rules.seats)))
    found = compute_limits(
        numbers,
        build_meld_tables(rules),
        make_bid_limit_model(rules),
        dealt_hands,
        np.zeros(rules.seats),
        wanted,
    )
    assert (found[:, ~wanted] == CANNOT_BID).all()
    assert (found[:, 1] == bid_limits_of(rules, dealt_hands)[:, 1]).all()


def test_perturbed_limits_keep_the_minimum_and_stay_near() -> None:
    limit = np.full((4000, 3), 300.0)
    least = np.array([-np.inf, 310.0, 250.0])
    found = perturb_limits(limit, 10.0, least, 5)
    assert np.array_equal(found, perturb_limits(limit, 10.0, least, 5))
    assert (found >= least).all()
    assert abs(np.median(found[:, 0]) - 300.0) < 1.5
    assert abs(np.quantile(found[:, 0], 1 / (1 + np.exp(-1))) - 310.0) < 2.0
    assert np.median(found[:, 1]) > 310.0
    assert abs(np.median(found[:, 2]) - 300.0) < 1.5


def test_a_bid_favours_high_limits_and_a_pass_low_ones() -> None:
    limit = np.array([[200.0], [300.0], [400.0], [500.0]])
    unlimited = np.array([np.inf])
    bid = bid_log_likelihood(limit, 10.0, unlimited, np.array([350.0]))
    passed = bid_log_likelihood(limit, 10.0, np.array([350.0]), -unlimited)
    both = bid_log_likelihood(limit, 10.0, np.array([420.0]), np.array([350.0]))
    silent = bid_log_likelihood(limit, 10.0, unlimited, -unlimited)
    assert (np.diff(bid) > 0).all()
    assert (np.diff(passed) < 0).all()
    assert both.argmax() == 2
    assert silent == pytest.approx(0.0)
    assert (bid > np.log(1e-6)).all(), "no hand is ruled out"


def test_undo_changes_removes_and_restores_cards() -> None:
    rules = AUCTIONS[0]
    dealt_hands, no_change = hands(rules, 1, 2), np.zeros((0, 2), np.int64)
    held = int(dealt_hands[0, 1, 0])
    removed = np.array([[1, kind] for kind in range(24) if held >> kind & 1][:5])
    without = undo_changes(dealt_hands, no_change, removed)
    assert sum(int(row).bit_count() for row in without[0, 1]) == rules.hand_size - 5
    assert np.array_equal(without[:, [0, 2]], dealt_hands[:, [0, 2]])
    assert np.array_equal(undo_changes(without, removed, no_change), dealt_hands)


def test_meld_without_trump_and_aces_around_are_counted() -> None:
    copies = DOUBLE.deck.copies
    two_hands = "AS AH AD AC KS QS KH QH KD QD KC QC", "AS AH AD TC TC TC TS TS TH TH JS JS"
    dealt_hands = np.array(
        [[sets_from_hand(packed_hand(parse_cards(text)), copies)] for text in two_hands], np.int64
    )
    melded, aces = meld_without_trump(build_meld_tables(DOUBLE), dealt_hands, 0)
    assert melded.tolist() == [10 + 8 + 6 + 4 * 2, 0]
    assert aces.tolist() == [1, 0]


@pytest.mark.parametrize("rules", AUCTIONS, ids=lambda rules: rules.variant)
def test_the_best_trump_is_the_likeliest(rules: Rules) -> None:
    dealt_hands = hands(rules, 60, 6)
    numbers, tables = build_rule_arrays(rules, tuple(range(rules.seats))), build_meld_tables(rules)
    spread = float(rules.melds.run[0]) / 10
    likely = np.array(
        [trump_log_likelihood(numbers, tables, dealt_hands, 1, suit, spread) for suit in range(4)]
    )
    needed = rules.auction is not None and rules.auction.marriage_needed
    for world in range(len(dealt_hands)):
        best = best_trump(numbers, tables, dealt_hands[world], 1, needed)
        total = np.exp(likely[:, world]).sum()
        assert (total > 0.999) == (best >= 0)
        if best >= 0:
            assert total == pytest.approx(1.0)
            assert likely[best, world] == likely[:, world].max()
