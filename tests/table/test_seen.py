"""What one person is shown of a table, beside the view."""

from __future__ import annotations

import msgspec
import pytest

from acesaround import variants
from acesaround.events import DealScored, TrickWon
from acesaround.table.seen import seen
from acesaround.view import view
from tests.random_games import turns


@pytest.mark.parametrize("variant", sorted(set(variants.VARIANTS) - {"two-handed"}))
def test_at_the_end_the_declarers_side_has_in_play_what_is_scored_for_it(variant: str) -> None:
    """The last trick brings its bonus to who won it, and to nobody else."""
    rules = variants.VARIANTS[variant].but(hands=1)
    last = {True: 0, False: 0}
    for seed in range(12):
        (*_, end) = turns(rules, seed)
        (score,) = (event.score for event in end.events if isinstance(event, DealScored))
        tricks = [event for event in end.events if isinstance(event, TrickWon)]
        if not tricks or score.declarer is None:
            continue
        side = rules.side_of(score.declarer)
        sent = msgspec.to_builtins(seen(view(end.after, score.declarer)), enc_hook=str)
        toward = sent["toward"]
        if toward is not None:  # None where the side's meld is not shown
            last[rules.side_of(tricks[-1].seat) == side] += 1
            assert toward["play"] == score.play[side]
    assert all(last.values())
