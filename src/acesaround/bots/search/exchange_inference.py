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
from acesaround.fast.playouts.melding import melds
from acesaround.fast.playouts.packed_deal import sets
from acesaround.fast.playouts.rule_arrays import Integers, rule_arrays
from acesaround.fast.rollouts.bid_limits import undo_changes
from acesaround.fast.rollouts.hand_features import SHAPE, shapes
from acesaround.fast.rollouts.pass_likelihood import passed_overlap
from acesaround.game.view import View
from acesaround.heuristic_weights import run_worth
from acesaround.rules import Phase

MOST_DRAWN: Final = 5
"""The largest number of drawn cards with a model of its own. Larger numbers use it too."""
_UNLIKE: Final = 1.0  # a hand is e times rarer for each card that thumb would not have passed


@cache
def models() -> dict[str, NDArray[np.float64]]:
    """Return the weights of the models by variant and role: (SHAPE,) each."""
    text = (files(__package__) / "changed.json").read_text(encoding="utf-8")
    found = {name: np.array(row) for name, row in json.loads(text).items()}
    assert all(row.shape == (SHAPE,) for row in found.values())
    return found


def changed_hand_count(view: View) -> int:
    """Return the number of hands changed since the auction for which there is evidence.

    Evidence is a model for the seat's role, or the cards passed to this seat, which count as one.
    """
    known = any(p.cards and p.to is not None and p.seat != view.seat for p in view.passed)
    return sum(role in models() for role in roles(view).values()) + known


def roles(view: View) -> dict[int, str]:
    """Return the seats whose hands changed unseen, and the name of each one's model."""
    rules, declarer, name = view.rules, view.declarer, view.rules.variant
    if view.trump is None or declarer is None:
        return {}
    found = {}
    if Phase.REDRAW in rules.phases:
        for passing in view.passed:
            part = "declarer" if passing.seat == declarer else "other"
            found[passing.seat] = f"{name}/{part}/{min(passing.number, MOST_DRAWN)}"
    elif rules.exchange.exchange and view.leader is not None:
        partners = rules.partners_of(declarer)
        if view.seat != declarer and view.seat not in partners:
            found = {declarer: f"{name}/declarer"}
            found |= dict.fromkeys(partners, f"{name}/partner")
    elif rules.deal.kitty and view.leader is not None:
        found = {declarer: f"{name}/declarer"}
    return {seat: role for seat, role in found.items() if seat != view.seat}


def changed_weights(view: View, hands: Integers) -> NDArray[np.float64]:
    """Return the log likelihood of the changed hands in each world: (worlds,).

    `hands`: as they were at the first lead, (worlds, players, copies).
    """
    found, rules, players = np.zeros(len(hands)), view.rules, view.players
    for seat, role in roles(view).items():
        if role in models():
            trump, run = int(view.trump or 0), run_worth(rules)
            player = players.index(seat)
            shape = shapes(rule_arrays(rules, players), melds(rules), hands, player, trump, run)
            found += shape @ models()[role]
    for at, passing in enumerate(view.passed):
        if passing.cards and passing.to is not None and passing.seat != view.seat:
            found += _UNLIKE * _alike(view, at, hands)
    return found


def _alike(view: View, at: int, hands: Integers) -> Integers:
    """Return how many cards of a pass the heuristic bot would have passed, in each world."""
    rules, players, passing = view.rules, view.players, view.passed[at]
    more, less = [], []
    for later in view.passed[at:]:  # cards that other seats passed each other are not seen
        for card in later.cards or ():
            more.append((players.index(later.seat), int(card)))
            less.append((players.index(later.to), int(card)))
    return passed_overlap(
        rule_arrays(rules, players),
        melds(rules),
        undo_changes(hands, np.array(more, np.int64), np.array(less, np.int64)),
        players.index(passing.seat),
        int(view.trump or 0),
        RETURN if passing.seat == view.declarer else GIVE,
        np.array(sets(pack(passing.cards or ()), rules.deck.copies), np.int64),
    )
