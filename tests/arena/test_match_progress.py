"""The progress of results: what counts, in any order, and the result computed from it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import variants
from acesaround.arena.bot_stats import BotStats, TimingHistogram
from acesaround.arena.leg import DealResult, Leg, play_leg
from acesaround.arena.match import BoardKind
from acesaround.arena.match_progress import MatchProgress
from acesaround.arena.result import make_result
from acesaround.arena.text_report import report_text
from acesaround.errors import Failure
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from acesaround.rules.scoring import Outcome
from tests.arena.fixtures import match, play_all_legs, result_without_times, unmeasured_weights
from tests.random_games import tables
from tests.variant_sample import sample_variants


def leg(board: int, seating: int, changes: list[tuple[int, ...]], winner: int | None = None) -> Leg:
    deals = tuple(DealResult(change, Outcome.MADE, 1, 250) for change in changes)
    return Leg(board, seating, deals, winner, (BotStats(), BotStats(), BotStats()))


def test_points_are_summed_by_bot() -> None:
    of = match("thumb", "random")
    progress = MatchProgress(of, 3)
    progress.add(leg(0, 0, [(300, 100), (200, 0)], winner=0))  # A is side 0
    progress.add(leg(0, 1, [(90, 150), (10, 50), (0, 100)], winner=1))  # A is side 1
    result = make_result(of, progress)
    assert result is not None
    assert result.points.a.value == (500 / 2 + 300 / 3) / 2
    assert result.points.b.value == (100 / 2 + 100 / 3) / 2
    assert result.points.difference.value == pytest.approx((400 / 2 + 200 / 3) / 2)
    assert result.shares_of_points_in_play.difference.value == pytest.approx(
        (400 / 2 + 200 / 3) / 2 / 250
    )
    assert result.games is not None
    assert (result.games.a, result.games.b, result.games.share.value) == (2, 0, 1)
    assert result.a.bids is not None and result.b.bids is not None  # noqa: PT018 - for types
    assert (result.a.bids.made, result.b.bids.made) == (3, 2)  # seat 1 had the bid each time
    assert (result.deals, result.boards, result.complete) == (5, 1, False)
    assert progress.differences == {200: 2, 60: 1, 40: 1, 100: 1}


def test_points_are_the_mean_over_seats_of_a_bot() -> None:
    of = match("thumb", "random", "three-handed", board_kind=BoardKind.SINGLE_DEAL)
    progress = MatchProgress(of, 1)
    for seating in range(6):  # A alone in seats 0, 1, 2, then B
        progress.add(leg(0, seating, [(60, 30, 0)]))
    result = make_result(of, progress)
    assert result is not None
    assert result.points.a.value == pytest.approx((60 + 30 + 0 + 15 + 30 + 45) / 6)
    assert result.points.difference.value == pytest.approx(0)  # nobody played better anywhere
    assert result.games is None


def test_match_ends_with_the_board_that_has_enough_deals() -> None:
    progress = MatchProgress(match("thumb", "random"), 5)
    deal = (100, 50)
    progress.add(leg(1, 1, [deal] * 4))
    progress.add(leg(1, 0, [deal] * 3))
    progress.add(leg(2, 0, [deal] * 3))
    progress.add(leg(2, 1, [deal] * 3))
    assert (len(progress.boards), progress.has_enough_deals) == (0, False)
    assert progress.next_leg() == (0, 0)
    progress.add(leg(0, 0, [deal] * 3))
    progress.add(leg(0, 1, [deal] * 1))
    # 3 and 1 deals, then 6 and 5: the third board is not needed.
    assert (len(progress.boards), progress.deals_by_seating, progress.has_enough_deals) == (
        2,
        [6, 5],
        True,
    )
    assert progress.next_leg() is None


def test_a_leg_counts_once() -> None:
    progress = MatchProgress(match("thumb", "random"), 5)
    for _ in range(2):
        progress.add(leg(0, 0, [(1, 0)]))
    progress.add(leg(0, 1, [(1, 0)]))
    progress.add(leg(0, 1, [(1, 0)]))
    assert progress.deals_by_seating == [1, 1]


def test_next_leg_returns_only_needed_legs() -> None:
    progress = MatchProgress(match("thumb", "random", board_kind=BoardKind.SINGLE_DEAL), 3)
    given = [progress.next_leg() for _ in range(9)]
    assert given[:6] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert given[6:] == [None] * 3


@settings(max_examples=6, deadline=None)
@given(tables(part=Feature.SEARCH), st.randoms(use_true_random=False))
def test_result_does_not_depend_on_the_order_of_legs(rules: Rules, rng: random.Random) -> None:
    of = match("random", "thumb", rules=rules, max_deals=2)
    with unmeasured_weights():
        legs = [play_leg(of, board, s) for board in range(3) for s in range(len(of.seatings))]
    in_order, shuffled = MatchProgress(of, 3), MatchProgress(of, 3)
    for played_leg in legs:
        in_order.add(played_leg)
    rng.shuffle(legs)
    for played_leg in legs:
        shuffled.add(played_leg)
    result, same = make_result(of, in_order), make_result(of, shuffled)
    assert result is not None
    assert result == same
    assert report_text(result)


@settings(max_examples=6, deadline=None)
@given(tables(part=Feature.SEARCH), st.sampled_from(BoardKind))
def test_bot_against_itself_has_difference_0(rules: Rules, board_kind: BoardKind) -> None:
    before = "random" if board_kind is BoardKind.CARD_PLAY else None
    for bot in ("thumb", "random"):
        of = match(
            bot, bot, rules=rules, board_kind=board_kind, before_play_bot=before, max_deals=2
        )
        with unmeasured_weights():
            result = make_result(of, play_all_legs(of, 3))
        assert result is not None
        assert result.points.difference.value == pytest.approx(0, abs=1e-9)
        if len(of.seatings) == 2 and len(rules.sides) == 2:
            assert result.points.difference.error == 0
        if result.games is not None and result.games.a + result.games.b:
            assert result.games.share.value == 0.5


@pytest.mark.parametrize("variant", sample_variants(variants.VARIANTS))
def test_thumb_beats_random_in_every_variant(variant: str) -> None:
    of = match("thumb", "random", variant, board_kind=BoardKind.SINGLE_DEAL)
    result = make_result(of, play_all_legs(of, 24))  # with fewer, too many may be thrown in
    assert result is not None
    assert result.points.difference.error is not None
    assert result.points.difference.value > result.points.difference.error


def test_swapped_match_has_the_swapped_result() -> None:
    original, reverse = match("thumb", "random"), match("random", "thumb")
    result, swapped = (
        result_without_times(original, play_all_legs(original, 12)),
        result_without_times(reverse, play_all_legs(reverse, 12)),
    )
    difference, against = result["points"]["difference"], swapped["points"]["difference"]
    assert difference["value"] == pytest.approx(-against["value"])
    assert difference["error"] == pytest.approx(against["error"])
    assert result["a"] == swapped["b"]
    assert result["games"]["a"] == swapped["games"]["b"]


def test_merge_adds_times_and_failures() -> None:
    stats, other_stats = BotStats(), BotStats()
    for seconds in (0.001, 0.002, 0.003):
        stats.record_decision("bid", seconds)
    for at in range(97):
        other_stats.record_decision("bid", 0.1 + at / 1000)
    other_stats.record_decision("play", 5)
    stats.record_failure(Failure.LATE, "first")
    other_stats.record_failure(Failure.LATE, "second")
    other_stats.record_failure(Failure.DIED, "other")
    stats.merge(other_stats)
    clock = stats.times["bid"]
    assert clock.count == 100
    assert clock.longest == pytest.approx(0.196)
    assert clock.mean == pytest.approx((0.006 + 97 * 0.148) / 100)
    assert clock.quantile(0.95) == pytest.approx(0.191, rel=0.05)
    assert clock.quantile(0.02) == pytest.approx(0.002, rel=0.05)
    assert stats.times["play"].count == 1
    assert (stats.failures["late"].count, stats.failures["late"].first) == (2, "first")
    assert (stats.failures["died"].count, stats.failures["died"].first) == (1, "other")
    assert TimingHistogram().mean == TimingHistogram().quantile(0.95) == 0
