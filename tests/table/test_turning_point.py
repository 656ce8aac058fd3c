"""When a bid was made, or could be made no longer."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.game.events import DealScored
from acesaround.game.state import GameState, tally
from acesaround.rules.scoring import Outcome, max_play_points, score_after_losses
from acesaround.table.turning_point import find_turning_point
from tests.random_games import Turn, turns
from tests.table.test_client_state import choose_low_bid

BIDDING = sorted(name for name, rules in variants.VARIANTS.items() if rules.auction)


def states_of(deal: list[Turn]) -> list[GameState]:
    """Return the states of a deal; the last one before the cards are cleared."""
    *earlier, last = deal
    return [
        *(turn.after for turn in earlier),
        game.last_state_of_deal(last.before, last.action),
    ]


@pytest.mark.parametrize("variant", BIDDING)
def test_a_bid_is_made_with_the_trick_that_is_named_and_not_before(variant: str) -> None:
    rules = variants.VARIANTS[variant].with_options(lowest_bid=50)
    found = {True: 0, False: 0}
    for seed in range(20):
        deal = list(turns(rules, seed, deals=1, choose=choose_low_bid))
        states = states_of(deal)
        (score,) = [e.score for e in deal[-1].events if isinstance(e, DealScored)]
        point = find_turning_point(states, score.outcome)
        if score.outcome not in (Outcome.MADE, Outcome.SET):
            assert point is None
            continue
        assert point is not None
        assert score.declarer is not None
        assert score.bid is not None
        assert point.is_made is (score.outcome is Outcome.MADE)
        assert len(states[point.step].deal.tricks) == point.trick
        found[point.is_made] += 1
        side = rules.side_of(score.declarer)
        can_score = [
            (at, most_points(state, side) if not point.is_made else points_so_far(state, side))
            for at, state in enumerate(states)
            if state.deal.tricks
        ]
        is_decided = [(points >= score.bid) is point.is_made for _, points in can_score]
        first = is_decided.index(True) if any(is_decided) else -1
        assert can_score[first][0] == point.step
    assert any(found.values())


def points_so_far(state: GameState, side: int) -> int:
    """Return what a side scores if it wins nothing more."""
    return sum(score_after_losses(state.rules, tally(state), side))


def most_points(state: GameState, side: int) -> int:
    """Return what a side scores if it wins all that is left."""
    current = tally(state)
    left = max_play_points(state.rules, len(state.players)) - sum(current.play)
    play = list(current.play)
    play[side] += left
    counters = [left > 0 or has for has in current.has_counter]
    full = replace(current, play=tuple(play), has_counter=tuple(counters))
    return sum(score_after_losses(state.rules, full, side))
