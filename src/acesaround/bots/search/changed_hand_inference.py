"""Inference from hands that changed after the auction: how likely they are in each world.

The models are those of `changed_hand_evidence`. Cards that a partner passed to this seat tell more:
the more of them the heuristic bot would have passed from a hand, the likelier is that hand.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from acesaround.bots.search.situation import Situation
from acesaround.cards import pack
from acesaround.fast.playouts.hand_evaluation import GIVE, RETURN
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.bid_limits import undo_changes
from acesaround.fast.rollouts.hand_features import compute_hand_features
from acesaround.fast.rollouts.pass_likelihood import PassedCards, count_expected_passed_cards

_MISMATCH_PENALTY: Final = (
    1.0  # a hand is e times rarer for each card that thumb would not have passed
)


def compute_changed_hand_log_likelihoods(
    situation: Situation, hands: Integers
) -> NDArray[np.float64]:
    """Return the log likelihood of the changed hands in each world: (worlds,).

    `hands`: the present hands, (worlds, players, copies).
    """
    arrays, trump = situation.game_arrays, int(situation.view.trump or 0)
    hands = undo_changes(
        hands, situation.played_cards, situation.played_cards[:0]
    )  # at the first lead
    log_likelihood = np.zeros(len(hands))
    for player, model in situation.changed_hand_evidence.models.items():
        features = compute_hand_features(
            arrays.rule_arrays, arrays.meld_tables, hands, player, trump, situation.run_points
        )
        log_likelihood += features @ model
    for index in situation.changed_hand_evidence.received:
        log_likelihood += _MISMATCH_PENALTY * _count_as_passed_by_thumb(situation, index, hands)
    return log_likelihood


def _count_as_passed_by_thumb(situation: Situation, at: int, hands: Integers) -> Integers:
    """Return how many cards of a pass the heuristic bot would have passed, in each world."""
    view, arrays, players = situation.view, situation.game_arrays, situation.view.players
    passing, more, less = view.passed[at], [], []
    for later in view.passed[at:]:  # cards that other seats passed each other are not seen
        for card in later.cards or ():
            more.append((players.index(later.seat), int(card)))
            less.append((players.index(later.to), int(card)))
    passed = PassedCards(
        player=players.index(passing.seat),
        trump=int(view.trump or 0),
        purpose=RETURN if passing.seat == view.declarer else GIVE,
        cards=np.array(sets_from_hand(pack(passing.cards or ()), view.rules.deck.copies), np.int64),
    )
    hands = undo_changes(hands, np.array(more, np.int64), np.array(less, np.int64))
    return count_expected_passed_cards(arrays.rule_arrays, arrays.meld_tables, hands, passed)
