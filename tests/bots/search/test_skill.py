"""What searching wins in the play is moved between sides, and never out of nothing."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from acesaround import variants
from acesaround.bots.search.skill import skilled, skills
from acesaround.cards import unpack
from acesaround.fast.playouts.flat import Integers, flat
from acesaround.fast.playouts.melding import melds
from acesaround.fast.playouts.packed import hand as packed_hand
from acesaround.fast.trials.deals import MELDED, PLAYED, contracts
from acesaround.rules import Rules
from tests.fast.trials.test_limits import hands as dealt

AUCTIONS = [
    rules
    for rules in variants.VARIANTS.values()
    if rules.auction is not None and not rules.auction.one_round
]


def left_over(rules: Rules, hands: Integers) -> Integers:
    """The cards in no hand, in any order."""
    found = []
    for world in hands:
        left = Counter(map(int, rules.deck.cards))
        for row in world:
            left -= Counter(map(int, unpack(packed_hand(row))))
        found.append(sorted(left.elements()))
    return np.array(found, np.int64)


@pytest.mark.parametrize("rules", AUCTIONS, ids=lambda rules: rules.variant)
def test_points_move_to_the_side_that_searches(rules: Rules) -> None:
    players = tuple(range(rules.seats))
    hands = dealt(rules, 60, 2)
    rest = left_over(rules, hands)
    everybody = np.arange(rules.seats)
    found = contracts(
        flat(rules, players), melds(rules), hands, rest, everybody, np.full(rules.seats, -1)
    )
    for me in players:
        better = skilled(rules, players, me, found)
        assert np.array_equal(better.trump, found.trump)
        before, after = found.ends[..., PLAYED], better.ends[..., PLAYED]
        assert (after >= 0).all()
        assert (abs(after.sum(-1) - before.sum(-1)) < len(rules.sides)).all()
        assert np.array_equal(better.ends[..., MELDED], found.ends[..., MELDED])
        for declarer in players:
            side, gain = rules.side_of(declarer), after[:, declarer] - before[:, declarer]
            mine = rules.side_of(me) == side
            assert ((gain[:, side] >= 0) if mine else (gain[:, side] <= 0)).all()
            assert gain[:, side].any()
            assert not gain[before[:, declarer, side] == 0].any()


def test_every_variant_with_an_auction_of_several_rounds_was_measured() -> None:
    assert set(skills()) == {rules.variant for rules in AUCTIONS}
    assert all(0 <= part < 0.3 for skill in skills().values() for part in skill)
