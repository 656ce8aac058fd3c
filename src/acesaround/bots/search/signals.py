"""Signals under an opponent's ace in a search: evidence for worlds, and given truthfully."""

from __future__ import annotations

from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from acesaround.actions import Play
from acesaround.bots.heuristic.ace_signals import (
    SignalMeaning,
    signals_in_trick,
    truthful_card,
)
from acesaround.bots.search.search_result import SearchResult
from acesaround.bots.search.situation import Situation
from acesaround.cards import RANK_COUNT, Rank
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.game.view import View

_UNTRUE_SIGNAL_CHANCE: Final = 0.15  # probability that a signal is untrue


def with_true_signal(view: View, result: SearchResult) -> SearchResult:
    """Return a search result with the true signal as its action, if an untrue one is best.

    The two cards differ in nothing but what they say.
    """
    if not isinstance(result.action, Play):
        return result
    card = truthful_card(view, result.action.card)
    return result if card == result.action.card else result._replace(action=Play(card))


def compute_signal_log_likelihoods(situation: Situation, hands: Integers) -> NDArray[np.float64]:
    """Return the log likelihood of all other seats' signals in each world: (worlds,).

    `hands`: the present hands, (worlds, players, copies). A seat that had a queen and a jack to
    choose from is assumed to have chosen the true one.
    """
    view = situation.view
    log_likelihood = np.zeros(len(hands))
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.leader is not None:
        tricks.append((view.leader, view.trick))
    first = 0  # the number of cards played before the trick
    for leader, cards in tricks:
        for signal in signals_in_trick(view.rules, view.players, leader, cards, view.trump):
            player = view.players.index(signal.seat)
            if player == situation.player:
                continue
            later = situation.played_cards[first + signal.place + 1 :]
            first_kind = signal.card.suit * RANK_COUNT
            has_ace, has_other = (
                _held_since(hands, later, player, first_kind + rank)
                for rank in (
                    Rank.ACE,
                    Rank.JACK if signal.meaning is SignalMeaning.HAS_ACE else Rank.QUEEN,
                )
            )
            is_ace_right = has_ace == (signal.meaning is SignalMeaning.HAS_ACE)
            log_likelihood[has_other & ~is_ace_right] += log(_UNTRUE_SIGNAL_CHANCE)
        first += len(cards)
    return log_likelihood


def _held_since(hands: Integers, later: Integers, player: int, kind: int) -> NDArray[np.bool_]:
    """Return in which worlds a player held a kind before playing the cards `later`: (worlds,)."""
    if bool(((later[:, 0] == player) & (later[:, 1] == kind)).any()):
        return np.ones(len(hands), np.bool_)
    held: NDArray[np.bool_] = np.any(hands[:, player, :] >> kind & 1, axis=1)
    return held
