"""The points and the names of sides in the side panel."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.game.narration import Names
from acesaround.game.state import Playing, tally
from acesaround.game.view import view_for
from acesaround.rules.scoring import points_to_make_bid
from acesaround.terminal.side_panel import points_needed_text
from tests.random_games import turns


@pytest.mark.parametrize("seed", range(4))
def test_points_needed_text_counts_buried_counters(seed: int) -> None:
    rules, buried = variants.THREE_HANDED.with_options(lowest_bid=300), 0
    for turn in turns(rules, seed, deals=3):
        deal = turn.before.deal
        if isinstance(turn.before.phase, Playing) and deal.declarer is not None:
            assert deal.bid is not None
            side = rules.side_of(deal.declarer)
            left = points_to_make_bid(rules, tally(turn.before), side, deal.bid)
            text = points_needed_text(view_for(turn.before, deal.declarer))
            assert text == (f"{left} to go" if left else "bid made")
            buried += len(deal.buried)
    assert buried


def test_names_of_three_partners_are_whole_or_replaced() -> None:
    names = Names(variants.get("triple-deck"), 0)
    assert names.short_side_name(0, 40) == "You & Cleo & Eve"
    assert names.short_side_name(0, 12) == "Your side"
    assert names.short_side_name(1, 12) == "Ben's side"
    assert Names(variants.PARTNERSHIP, 0).short_side_name(0, 12) == "You & Cleo"
