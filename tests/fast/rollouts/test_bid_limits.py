"""How high hands go, and what calls say of them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from acesaround import variants
from acesaround.cards import pack as packed_hand
from acesaround.cards import parse_cards
from acesaround.fast.playouts.deal_setup import best_trump
from acesaround.fast.playouts.melding import build_meld_tables
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import Integers, rule_arrays
from acesaround.fast.rollouts.bid_limits import (
    NOTHING,
    bid_log_likelihood,
    bidder,
    limits,
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
    """Random deals, as rows of sets."""
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


def reached(rules: Rules, of: Integers, known: float = 0.0) -> NDArray[np.float64]:
    players = of.shape[1]
    return limits(
        rule_arrays(rules, tuple(range(rules.seats))),
        build_meld_tables(rules),
        bidder(rules),
        of,
        np.full(players, known),
        np.ones(players, bool),
    )


@pytest.mark.parametrize("rules", AUCTIONS, ids=lambda rules: rules.variant)
def test_a_hand_goes_higher_with_what_its_partner_has_shown(rules: Rules) -> None:
    of = hands(rules, 40, 3)
    without, some, much = (reached(rules, of, known) for known in (0.0, 20.0, 60.0))
    assert (without <= some).all()
    assert (some <= much).all()
    assert (much > without).any() == (bidder(rules).growth < 60.0)


def test_only_a_hand_without_a_marriage_goes_nowhere_where_one_is_needed() -> None:
    of = hands(DOUBLE, 120, 4)
    found = reached(DOUBLE, of)
    for world, player in np.ndindex(found.shape):
        held = [sum(int(row) >> k & 1 for row in of[world, player]) for k in range(24)]
        named = any(count_marriages(held, suit) for suit in range(4))
        assert (found[world, player] == NOTHING) == (not named)
    assert (found == NOTHING).any()


def test_those_who_are_not_asked_for_go_nowhere() -> None:
    rules = AUCTIONS[0]
    of = hands(rules, 5, 1)
    wanted = np.zeros(rules.seats, bool)
    wanted[1] = True
    numbers = rule_arrays(rules, tuple(range(rules.seats)))
    found = limits(
        numbers, build_meld_tables(rules), bidder(rules), of, np.zeros(rules.seats), wanted
    )
    assert (found[:, ~wanted] == NOTHING).all()
    assert (found[:, 1] == reached(rules, of)[:, 1]).all()


def test_who_strays_never_goes_below_what_was_bid_and_stays_near() -> None:
    limit = np.full((4000, 3), 300.0)
    least = np.array([-np.inf, 310.0, 250.0])
    found = perturb_limits(limit, 10.0, least, 5)
    assert np.array_equal(found, perturb_limits(limit, 10.0, least, 5))
    assert (found >= least).all()
    assert abs(np.median(found[:, 0]) - 300.0) < 1.5
    assert abs(np.quantile(found[:, 0], 1 / (1 + np.exp(-1))) - 310.0) < 2.0
    assert np.median(found[:, 1]) > 310.0
    assert abs(np.median(found[:, 2]) - 300.0) < 1.5


def test_a_bid_speaks_for_high_limits_and_a_pass_for_low_ones() -> None:
    limit = np.array([[200.0], [300.0], [400.0], [500.0]])
    none = np.array([np.inf])
    bid = bid_log_likelihood(limit, 10.0, none, np.array([350.0]))
    passed = bid_log_likelihood(limit, 10.0, np.array([350.0]), -none)
    both = bid_log_likelihood(limit, 10.0, np.array([420.0]), np.array([350.0]))
    silent = bid_log_likelihood(limit, 10.0, none, -none)
    assert (np.diff(bid) > 0).all()
    assert (np.diff(passed) < 0).all()
    assert both.argmax() == 2
    assert silent == pytest.approx(0.0)
    assert (bid > np.log(1e-6)).all(), "no hand is ruled out"


def test_cards_are_taken_out_and_put_back() -> None:
    rules = AUCTIONS[0]
    of, none = hands(rules, 1, 2), np.zeros((0, 2), np.int64)
    held = int(of[0, 1, 0])
    some = np.array([[1, kind] for kind in range(24) if held >> kind & 1][:5])
    gone = undo_changes(of, none, some)
    assert sum(int(row).bit_count() for row in gone[0, 1]) == rules.hand_size - 5
    assert np.array_equal(gone[:, [0, 2]], of[:, [0, 2]])
    assert np.array_equal(undo_changes(gone, some, none), of)


def test_what_a_first_bid_may_show_is_read_off_a_hand() -> None:
    copies = DOUBLE.deck.copies
    both = "AS AH AD AC KS QS KH QH KD QD KC QC", "AS AH AD TC TC TC TS TS TH TH JS JS"
    of = np.array(
        [[sets_from_hand(packed_hand(parse_cards(text)), copies)] for text in both], np.int64
    )
    melded, aces = meld_without_trump(build_meld_tables(DOUBLE), of, 0)
    assert melded.tolist() == [10 + 8 + 6 + 4 * 2, 0]
    assert aces.tolist() == [1, 0]


@pytest.mark.parametrize("rules", AUCTIONS, ids=lambda rules: rules.variant)
def test_the_suit_that_promises_most_is_the_likeliest_trump(rules: Rules) -> None:
    of = hands(rules, 60, 6)
    numbers, tables = rule_arrays(rules, tuple(range(rules.seats))), build_meld_tables(rules)
    spread = float(rules.melds.run[0]) / 10
    likely = np.array(
        [trump_log_likelihood(numbers, tables, of, 1, suit, spread) for suit in range(4)]
    )
    needed = rules.auction is not None and rules.auction.marriage_needed
    for world in range(len(of)):
        best = best_trump(numbers, tables, of[world], 1, needed)
        total = np.exp(likely[:, world]).sum()
        assert (total > 0.999) == (best >= 0)
        if best >= 0:
            assert total == pytest.approx(1.0)
            assert likely[best, world] == likely[:, world].max()
