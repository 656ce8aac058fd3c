"""The `random` bot: a uniform choice among the legal actions, except in the auction.

In the auction it passes half of the time, else makes one of the three lowest bids.
"""

from __future__ import annotations

import random
from itertools import islice

from acesaround.actions import PASS, Action, Bid
from acesaround.game.state import Decision
from acesaround.game.view import View
from acesaround.legal_bids import Bids


class RandomBot:
    """A bot that knows only the rules."""

    name = "random"

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, view: View | None, decision: Decision) -> Action:
        """Return a random legal action. The view is not used and may be None."""
        legal = decision.legal
        if not isinstance(legal, Bids):
            return legal.sample(self._rng)
        if legal.may_pass and self._rng.random() < 0.5:
            return PASS
        return Bid(self._rng.choice(list(islice(legal.bids(), 3))))
