"""Two manners beside each other: alike they are even, and who throws high cards away loses."""

from __future__ import annotations

import numpy as np
import pytest

from acesaround import variants
from acesaround.heuristic_weights import ROLE_WEIGHTS_2026_11, RoleWeights
from manner import check, dealt, found, main, match, moved, seatings


def worse() -> RoleWeights:
    """Who is glad to be rid of his high cards, on either side."""
    its = ROLE_WEIGHTS_2026_11
    for side in range(len(its)):
        its = moved(moved(its, side, "master", -3.0), side, "master_trump", -4.0)
    return its


@pytest.mark.parametrize("game", ["partnership", "three-handed", "five-card"])
def test_a_manner_is_even_with_itself_and_beats_a_worse_one(game: str) -> None:
    rules = variants.get(game)
    deals = dealt(rules, 1500, 1)
    assert np.allclose(match(deals, ROLE_WEIGHTS_2026_11, ROLE_WEIGHTS_2026_11), 0.0)
    its = found(rules, match(deals, ROLE_WEIGHTS_2026_11, worse()))
    assert its.points > 2 * its.error


@pytest.mark.parametrize("game", ["partnership", "firehouse", "double-deck", "three-handed"])
def test_what_is_in_force_beats_the_yardstick(game: str) -> None:
    its = check(variants.get(game), [1], 2000, ROLE_WEIGHTS_2026_11)
    assert its.points > 3 * its.error


def test_every_side_plays_by_the_new_manner_alone_and_against_it_alone() -> None:
    assert list(seatings(2)) == [(True, False), (False, True)]
    assert len(list(seatings(3))) == 6


def test_the_best_bidder_declares_for_what_another_side_would_have_bid() -> None:
    rules = variants.get("partnership")
    deals = dealt(rules, 400, 1)
    assert rules.auction is not None
    assert rules.auction.lowest_bid <= deals.bid.min() < deals.bid.max()
    assert set(deals.declarer) == set(range(rules.seats))
    assert np.array_equal(deals.hands, dealt(rules, 400, 1).hands)
    assert not np.array_equal(deals.hands, dealt(rules, 400, 2).hands)


def test_a_check_prints_a_line_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "five-card", "--seeds", "1-2", "--deals", "50"])
    assert capsys.readouterr().out.startswith("five-card: ")
