"""Each level beats the one below it, over whole games. This is slow, and so part of the soak.

These are matches of docs/strength.md with one seed: the same games on any machine, so no test
depends on time or chance.
"""

from __future__ import annotations

import os

import pytest

import strength
from acesaround import variants
from acesaround.arena.match import Match
from acesaround.arena.run_match import compare

MIN_SHARE_OF_GAMES = 0.57
LADDER = [
    match
    for match in strength.MATCHES
    if match.table == "levels" and match.variant in {"partnership", "two-handed"}
]


@pytest.mark.soak
@pytest.mark.parametrize("match", LADDER, ids=[match.name for match in LADDER])
def test_each_level_beats_the_one_below(match: strength.Match) -> None:
    """The share of games must also be above one half beyond chance."""
    rules = variants.get(match.variant)
    result = compare(
        Match(rules=rules, bots=(match.a, match.b), seed=strength.LADDER_SEED),
        deals=match.deals,
        processes=os.cpu_count() or 1,  # the result is the same with any number
    )
    assert result.games is not None
    assert result.games.share.value >= MIN_SHARE_OF_GAMES
    low = result.games.share.low
    assert low is not None
    assert low > 0.5
    assert not result.a.failures
    assert not result.b.failures
