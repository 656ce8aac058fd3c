"""What others make of the cards of a deal: bots in all seats, and best play with all known."""

from __future__ import annotations

import pytest

from acesaround.game.events import DealScored
from acesaround.game.state import Playing
from acesaround.record import Step, steps
from acesaround.review.duplicate_comparison import compare_duplicate, play_deal, solve_play
from tests.review.test_game_review import play_record
from tests.variant_sample import sample_variants


def steps_of_deal(variant: str) -> list[Step]:
    """Return the steps of the first deal of a game between bots."""
    return [step for step in steps(play_record(variant, "thumb")) if step.deal == 0]


def test_bots_play_the_same_cards_the_same_way_again() -> None:
    dealt = steps_of_deal("partnership")[0].after
    played = play_deal(dealt, 1)
    assert played.deals == 1
    assert played == play_deal(dealt, 1)


def test_best_play_of_both_sides_divides_all_points() -> None:
    state = next(
        step.before
        for step in steps_of_deal("partnership")
        if isinstance(step.before.phase, Playing)
    )
    points = [solve_play(state, side) for side in range(2)]
    assert None not in points
    assert sum(one for one in points if one is not None) == 250


@pytest.mark.parametrize(
    "variant", sample_variants(["partnership", "three-handed", "two-handed", "double-deck"])
)
def test_the_result_of_the_record_stands_beside_them(variant: str) -> None:
    deal_steps = steps_of_deal(variant)
    same = compare_duplicate(deal_steps, 0, 0)
    (score,) = (event.score for event in deal_steps[-1].events if isinstance(event, DealScored))
    assert same.points == score.change[0]
    assert same.play_points in (None, score.play[0])
    assert same.best_play_points is None or same.play_points is not None
