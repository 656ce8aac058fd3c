"""Inference from hands that changed after the auction: by an exchange, a kitty or a discard.

A hand that changed unseen is not random, because its best cards were kept. A small model
(`changed.json`) tells how much likelier each shape became: the log likelihood is a weighted sum of
features of the hand at the first lead. `bench/fit_exchange_model.py` fits the model on deals
between heuristic bots. Cards that a partner passed to this seat tell more: the more of them the
heuristic bot would have passed from a hand, the likelier is that hand.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from acesaround.cards import pack
from acesaround.fast.playouts.hand_evaluation import GIVE, RETURN
from acesaround.fast.playouts.melding import build_meld_tables
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import Integers, rule_arrays
from acesaround.fast.rollouts.bid_limits import undo_changes
from acesaround.fast.rollouts.hand_features import SHAPE, shapes
from acesaround.fast.rollouts.pass_likelihood import passed_overlap
from acesaround.game.view import View
from acesaround.heuristic_weights import run_points
from acesaround.rules import Phase

MAX_DRAWN_CARDS: Final = 5
"""The largest number of drawn cards with a model of its own. Larger numbers use it too."""
_MISMATCH_PENALTY: Final = (
    1.0  # a hand is e times rarer for each card that thumb would not have passed
)


@cache
def load_models() -> dict[str, NDArray[np.float64]]:
    """Return the weights of the models by variant and role: (SHAPE,) each."""
    text = (files(__package__) / "changed.json").read_text(encoding="utf-8")
    weights_by_role = {name: np.array(row) for name, row in json.loads(text).items()}
    assert all(row.shape == (SHAPE,) for row in weights_by_role.values())
    return weights_by_role


def changed_hand_count(view: View) -> int:
    """Return the number of hands changed since the auction for which there is evidence.

    Evidence is a model for the seat's role, or the cards passed to this seat, which count as one.
    """
    knows_passed_cards = any(
        p.cards and p.to is not None and p.seat != view.seat for p in view.passed
    )
    return sum(role in load_models() for role in changed_roles(view).values()) + knows_passed_cards


def changed_roles(view: View) -> dict[int, str]:
    """Return the seats whose hands changed unseen, and the name of each one's model."""
    rules, declarer, name = view.rules, view.declarer, view.rules.variant
    if view.trump is None or declarer is None:
        return {}
    roles_by_seat = {}
    if Phase.REDRAW in rules.phases:
        for passing in view.passed:
            role_name = "declarer" if passing.seat == declarer else "other"
            roles_by_seat[passing.seat] = (
                f"{name}/{role_name}/{min(passing.number, MAX_DRAWN_CARDS)}"
            )
    elif rules.exchange.exchange and view.leader is not None:
        partners = rules.partners_of(declarer)
        if view.seat != declarer and view.seat not in partners:
            roles_by_seat = {declarer: f"{name}/declarer"}
            roles_by_seat |= dict.fromkeys(partners, f"{name}/partner")
    elif rules.deal.kitty and view.leader is not None:
        roles_by_seat = {declarer: f"{name}/declarer"}
    return {seat: role for seat, role in roles_by_seat.items() if seat != view.seat}


def changed_hand_weights(view: View, hands: Integers) -> NDArray[np.float64]:
    """Return the log likelihood of the changed hands in each world: (worlds,).

    `hands`: as they were at the first lead, (worlds, players, copies).
    """
    log_likelihood, rules, players = np.zeros(len(hands)), view.rules, view.players
    for seat, role in changed_roles(view).items():
        if role in load_models():
            trump, run_value = int(view.trump or 0), run_points(rules)
            player = players.index(seat)
            features = shapes(
                rule_arrays(rules, players),
                build_meld_tables(rules),
                hands,
                player,
                trump,
                run_value,
            )
            log_likelihood += features @ load_models()[role]
    for index, passing in enumerate(view.passed):
        if passing.cards and passing.to is not None and passing.seat != view.seat:
            log_likelihood += _MISMATCH_PENALTY * _pass_overlap(view, index, hands)
    return log_likelihood


def _pass_overlap(view: View, index: int, hands: Integers) -> Integers:
    """Return how many cards of a pass the heuristic bot would have passed, in each world."""
    rules, players, passing = view.rules, view.players, view.passed[index]
    added, removed = [], []
    for later in view.passed[index:]:  # cards that other seats passed each other are not seen
        for card in later.cards or ():
            added.append((players.index(later.seat), int(card)))
            removed.append((players.index(later.to), int(card)))
    return passed_overlap(
        rule_arrays(rules, players),
        build_meld_tables(rules),
        undo_changes(hands, np.array(added, np.int64), np.array(removed, np.int64)),
        players.index(passing.seat),
        int(view.trump or 0),
        RETURN if passing.seat == view.declarer else GIVE,
        np.array(sets_from_hand(pack(passing.cards or ()), rules.deck.copies), np.int64),
    )
