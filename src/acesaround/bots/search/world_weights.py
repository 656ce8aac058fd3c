"""The weights of sampled worlds: how likely the bids, passes and plays so far are in each world."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from acesaround.bots.search.bid_inference import compute_call_log_likelihoods
from acesaround.bots.search.changed_hand_inference import compute_changed_hand_log_likelihoods
from acesaround.bots.search.signals import compute_signal_log_likelihoods
from acesaround.bots.search.situation import Situation
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.play_likelihood import PlayHistory, compute_play_log_likelihoods
from acesaround.fast.sampler import Worlds

_FREE_PLAY_CHANCE: Final = 0.3  # probability that a player does not follow the rules of thumb


def compute_world_log_weights(situation: Situation, worlds: Worlds) -> NDArray[np.float64]:
    """Return how likely the bids, passes and plays so far are in each world, as logarithms."""
    weights = np.zeros(len(worlds.hands))
    if situation.weighs_calls:
        weights += compute_call_log_likelihoods(situation, worlds.hands)
    if situation.changed_hand_evidence.number:
        weights += compute_changed_hand_log_likelihoods(situation, worlds.hands)
    if situation.weighs_plays:
        weights += _weigh_plays(situation, worlds.hands)
        if not situation.budget.is_natural:
            weights += compute_signal_log_likelihoods(situation, worlds.hands)
    return weights


def _weigh_plays(situation: Situation, hands: Integers) -> NDArray[np.float64]:
    """Return the log likelihood of the play so far in each world."""
    view, played = situation.view, situation.played_cards
    assert view.trump is not None
    history = PlayHistory(
        kinds=np.ascontiguousarray(played[:, 1]),
        leader=int(played[0, 0]),
        trump=view.trump,
        is_trump_broken=not view.rules.play.trump_must_be_broken,
        declarer=situation.declarer,
        meld_points=[
            sum(s.points or 0 for s in view.melds if s.seat == seat) for seat in view.players
        ],
    )
    return compute_play_log_likelihoods(
        situation.game_arrays.rule_arrays, hands, history, situation.player, _FREE_PLAY_CHANCE
    )
