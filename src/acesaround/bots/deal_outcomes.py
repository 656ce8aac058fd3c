"""How a deal ends for bots that search the play: played out, given up, or solved to its last card.

What an end adds to totals stands in `scoring`, the chance that they win the game in
`fast.trials.score`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from acesaround.fast.rollouts.card_play import Deal
from acesaround.fast.rollouts.win_probability import Standing, win_probability
from acesaround.rules import KeepMeld, Rules
from acesaround.rules.scoring import Outcome, Tally, changes


class DealValue(NamedTuple):
    """What the end of a deal is worth to the side it is tried for."""

    chance: float
    """How likely that side then wins the game."""
    points: int
    """What its total changes by."""
    made: bool
    """Whether the bid is made; it is where nobody declared."""


def value_of_end(
    rules: Rules,
    game: Standing,
    deal: Deal,
    final: Tally,
    outcome: Outcome | None = None,
    trump: int | None = None,
) -> DealValue:
    """The worth of an end. `outcome`: how the deal ended early, None if it was played out.

    `trump`: a suit, for where spades pay more.
    """
    declarer = None if deal.declarer < 0 else deal.declarer
    outcome, change = changes(rules, final, outcome, declarer, deal.bid, trump=trump)
    totals = game.scores + np.array(change, np.int64)
    return DealValue(
        float(win_probability(game, totals, deal.declarer, deal.mine)),
        change[deal.mine],
        outcome in (Outcome.MADE, Outcome.COUNTED),
    )


def tally_from_solver(
    rules: Rules, before: Tally, sides: Collection[int], one: int, won: int, left: int
) -> Tally:
    """What each side has at the end where the solver says that the side `one` wins so many points.

    `sides`: those that play. `left`: the points that can still be won, with the bonus for the last
    trick. What `one` does not win is shared equally by the others.

    A counter can only be told by points. More of them than that bonus are taken to hold one: that
    is sure where nothing but counters counts, and where a queen counts too, she may have brought
    them. As many as the bonus or fewer are taken to hold none, which may be wrong: a side may win
    them without the last trick. Where any trick saves meld, any points are taken to be one.
    """
    play, counter = list(before.play), list(before.counter)
    any_trick = rules.scoring.keep_meld is KeepMeld.TRICK
    for side in sides:
        more = won if side == one else (left - won) // (len(sides) - 1)
        play[side] += more
        counter[side] |= more > (0 if any_trick else rules.scoring.last_trick)
    return replace(before, play=tuple(play), counter=tuple(counter))
