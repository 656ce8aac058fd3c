"""Each level beats the one below it, over whole games. Long, and so a part of the soak.

The same seed plays the same games on any machine: nothing here is timed or left to chance.
"""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.arena.match import Match
from acesaround.arena.playing import compare

WANTED = 0.57  # of the games
STEPS = [
    ("medium:time=0.02", "easy"),
    ("hard:time=0.02", "medium:time=0.02"),
    ("expert:time=0.02", "hard:time=0.02"),
]


@pytest.mark.soak
@pytest.mark.parametrize(("above", "below"), STEPS)
@pytest.mark.parametrize("variant", ["partnership", "two-handed"])
def test_each_level_beats_the_one_below(variant: str, above: str, below: str) -> None:
    """More than chance would bring: its share less the error is more than half."""
    result = compare(Match(rules=variants.get(variant), bots=(above, below), seed=11), deals=400)
    assert result.games is not None
    assert result.games.share.value >= WANTED
    low = result.games.share.low
    assert low is not None
    assert low > 0.5
    assert not result.a.faults
    assert not result.b.faults
