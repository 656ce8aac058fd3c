"""Comparing play weights: equal weights are even, and wasting high cards loses."""

from __future__ import annotations

import numpy as np
import pytest

from acesaround import variants
from acesaround.heuristic_weights import ROLE_WEIGHTS_2026_11, RoleWeights
from play_weights import check, comparison, main, match, random_deals, seatings, with_change


def wasteful_weights() -> RoleWeights:
    """Return weights of a player who wastes high cards, on either side."""
    weights = ROLE_WEIGHTS_2026_11
    for side in range(len(weights)):
        weights = with_change(
            with_change(weights, side, "master", -3.0), side, "master_trump", -4.0
        )
    return weights


@pytest.mark.parametrize("game", ["partnership", "three-handed", "five-card"])
def test_weights_are_even_with_themselves_and_beat_worse_ones(game: str) -> None:
    rules = variants.get(game)
    deals = random_deals(rules, 1500, 1)
    assert np.allclose(match(deals, ROLE_WEIGHTS_2026_11, ROLE_WEIGHTS_2026_11), 0.0)
    result = comparison(rules, match(deals, ROLE_WEIGHTS_2026_11, wasteful_weights()))
    assert result.points > 2 * result.error


@pytest.mark.parametrize("game", ["partnership", "firehouse", "double-deck", "three-handed"])
def test_current_weights_beat_the_reference(game: str) -> None:
    result = check(variants.get(game), [1], 2000, ROLE_WEIGHTS_2026_11)
    assert result.points > 3 * result.error


def test_seatings_have_each_side_alone_with_and_without_the_new_weights() -> None:
    assert list(seatings(2)) == [(True, False), (False, True)]
    assert len(list(seatings(3))) == 6


def test_best_bidder_declares_for_the_best_other_bid() -> None:
    rules = variants.get("partnership")
    deals = random_deals(rules, 400, 1)
    assert rules.auction is not None
    assert rules.auction.lowest_bid <= deals.bid.min() < deals.bid.max()
    assert set(deals.declarer) == set(range(rules.seats))
    assert np.array_equal(deals.hands, random_deals(rules, 400, 1).hands)
    assert not np.array_equal(deals.hands, random_deals(rules, 400, 2).hands)


def test_check_prints_one_line_for_each_game(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "five-card", "--seeds", "1-2", "--deals", "50"])
    assert capsys.readouterr().out.startswith("five-card: ")
