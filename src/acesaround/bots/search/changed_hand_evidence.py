"""Evidence of hands that changed after the auction: by an exchange, a kitty or a discard.

A hand that changed unseen is not random, because its best cards were kept. A small model
(`changed_hand_model.json`) tells how much likelier each shape became: the log likelihood is a
weighted sum of features of the hand at the first lead. `bench/fit_changed_hand_model.py` fits the
model on deals between heuristic bots.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acesaround.fast.rollouts.hand_features import FEATURE_COUNT
from acesaround.game.view import View
from acesaround.rules import Phase

MOST_DRAWN: Final = 5
"""The largest number of drawn cards with a model of its own. Larger numbers use it too."""


class ChangedHandEvidence(NamedTuple):
    """The evidence of hands that changed after the auction."""

    models: Mapping[int, NDArray[np.float64]]
    """The model of each player whose hand changed unseen, if there is one: (FEATURE_COUNT,)."""
    received: tuple[int, ...]
    """The passes to this seat, by their place in `View.passed`."""

    @property
    def number(self) -> int:
        """The number of changed hands with evidence. All passes to this seat count as one."""
        return len(self.models) + bool(self.received)


@cache
def load_models() -> dict[str, NDArray[np.float64]]:
    """Return the weights of the models by variant and role: (FEATURE_COUNT,) each."""
    text = (files(__package__) / "changed_hand_model.json").read_text(encoding="utf-8")
    found = {name: np.array(row) for name, row in json.loads(text).items()}
    assert all(row.shape == (FEATURE_COUNT,) for row in found.values())
    return found


def changed_hand_evidence(view: View) -> ChangedHandEvidence:
    """Return what a view shows of hands that changed after the auction."""
    players = view.players
    return ChangedHandEvidence(
        {
            players.index(s): load_models()[role]
            for s, role in find_changed_seats(view).items()
            if role in load_models()
        },
        tuple(
            at
            for at, passing in enumerate(view.passed)
            if passing.cards and passing.to is not None and passing.seat != view.seat
        ),
    )


def find_changed_seats(view: View) -> dict[int, str]:
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
