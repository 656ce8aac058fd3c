"""The value of a deal's end for bots that search: played out, conceded, or solved.

`rules.scoring` computes what an end adds to totals. `fast.rollouts.win_probability` computes the
probability that these totals win the game.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from acesaround.fast.rollouts.card_play import PlayFacts
from acesaround.fast.rollouts.win_probability import ScoringState, win_probability
from acesaround.rules import KeepMeld, Rules
from acesaround.rules.scoring import Outcome, Tally, outcome_and_changes


class DealValue(NamedTuple):
    """The value of a deal's end to one side."""

    win_probability: float
    """The probability that the side then wins the game."""
    points: int
    """The change of the side's total."""
    bid_made: bool
    """Whether the bid is made; True if there is no declarer."""


def evaluate_deal_end(
    rules: Rules,
    scoring_state: ScoringState,
    play_facts: PlayFacts,
    final_tally: Tally,
    outcome: Outcome | None = None,
    trump: int | None = None,
) -> DealValue:
    """Return the value of the deal's end to `play_facts.own_side`.

    `outcome`: how the deal ended early, None if it was played out. `trump`: the suit, needed where
    spades pay more.
    """
    declarer = None if play_facts.declarer < 0 else play_facts.declarer
    outcome, change = outcome_and_changes(
        rules, final_tally, outcome, declarer, play_facts.bid, trump=trump
    )
    totals = scoring_state.scores + np.array(change, np.int64)
    return DealValue(
        float(win_probability(scoring_state, totals, play_facts.declarer, play_facts.own_side)),
        change[play_facts.own_side],
        outcome in (Outcome.MADE, Outcome.NO_BID),
    )


def add_buried_points(before: Tally, declarer: int, points: int) -> Tally:
    """Return a tally with the points that the declarer has buried. `declarer`: a side, or -1."""
    if declarer < 0 or not points:
        return before
    play = list(before.play)
    play[declarer] += points
    return replace(before, play=tuple(play))


def tally_from_solver(
    rules: Rules,
    tally_before: Tally,
    sides: Collection[int],
    solved_side: int,
    points_won: int,
    points_left: int,
) -> Tally:
    """Return the final tally if `solved_side` wins `points_won` points, as the solver says.

    `sides`: the sides in the play. `points_left`: the points that can still be won, including the
    bonus for the last trick. The other sides share equally the points that `solved_side` does not
    win.

    Whether a side wins a counter can only be inferred from its points. More points than the bonus
    for the last trick are taken to include a counter. That is certain where only counters score;
    where queens score too, a queen may have brought the points. Points up to the bonus are taken to
    include no counter. That may be wrong, because a side may win the points without the last trick.
    Where any trick saves meld, any points are taken to save it.
    """
    play, counter = list(tally_before.play), list(tally_before.has_counter)
    any_trick = rules.scoring.keep_meld is KeepMeld.TRICK
    for side in sides:
        gained = (
            points_won if side == solved_side else (points_left - points_won) // (len(sides) - 1)
        )
        play[side] += gained
        counter[side] |= gained > (0 if any_trick else rules.scoring.last_trick)
    return replace(tally_before, play=tuple(play), has_counter=tuple(counter))
