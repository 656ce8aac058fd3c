"""What counts, in which order it ever came; and what is reckoned from it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import variants
from acesaround.arena.bot_stats import BotStats, TimingHistogram
from acesaround.arena.leg import DealResult, Leg, play_leg
from acesaround.arena.match import BoardKind
from acesaround.arena.result import make_result
from acesaround.arena.results_ledger import Ledger
from acesaround.arena.text_report import report_text
from acesaround.errors import Failure
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome
from acesaround.rules.support import Feature
from tests.arena.fixtures import match, played, timeless
from tests.random_games import tables


def leg(board: int, seating: int, changes: list[tuple[int, ...]], winner: int | None = None) -> Leg:
    """A leg that nobody played."""
    deals = tuple(DealResult(change, Outcome.MADE, 1, 250) for change in changes)
    return Leg(board, seating, deals, winner, (BotStats(), BotStats(), BotStats()))


def test_points_are_those_of_the_seats_of_each_bot() -> None:
    of = match("thumb", "random")
    ledger = Ledger(of, 3)
    ledger.add(leg(0, 0, [(300, 100), (200, 0)], winner=0))  # A is side 0
    ledger.add(leg(0, 1, [(90, 150), (10, 50), (0, 100)], winner=1))  # A is side 1
    found = make_result(of, ledger)
    assert found is not None
    assert found.points.a.value == (500 / 2 + 300 / 3) / 2
    assert found.points.b.value == (100 / 2 + 100 / 3) / 2
    assert found.points.difference.value == pytest.approx((400 / 2 + 200 / 3) / 2)
    assert found.of_play.difference.value == pytest.approx((400 / 2 + 200 / 3) / 2 / 250)
    assert found.games is not None
    assert (found.games.a, found.games.b, found.games.share.value) == (2, 0, 1)
    assert found.a.bids is not None and found.b.bids is not None  # noqa: PT018 - for types
    assert (found.a.bids.made, found.b.bids.made) == (3, 2)  # seat 1 had the bid each time
    assert (found.deals, found.boards, found.complete) == (5, 1, False)
    assert ledger.differences == {200: 2, 60: 1, 40: 1, 100: 1}


def test_alone_a_bots_points_are_the_mean_of_its_seats() -> None:
    of = match("thumb", "random", "three-handed", play=BoardKind.SINGLE)
    ledger = Ledger(of, 1)
    for seating in range(6):  # A alone in seats 0, 1, 2, then B
        ledger.add(leg(0, seating, [(60, 30, 0)]))
    found = make_result(of, ledger)
    assert found is not None
    assert found.points.a.value == pytest.approx((60 + 30 + 0 + 15 + 30 + 45) / 6)
    assert found.points.difference.value == pytest.approx(0)  # nobody played better anywhere
    assert found.games is None


def test_the_match_is_over_with_the_game_by_which_there_are_deals_enough() -> None:
    ledger = Ledger(match("thumb", "random"), 5)
    deal = (100, 50)
    ledger.add(leg(1, 1, [deal] * 4))
    ledger.add(leg(1, 0, [deal] * 3))
    ledger.add(leg(2, 0, [deal] * 3))
    ledger.add(leg(2, 1, [deal] * 3))
    assert (len(ledger.boards), ledger.has_enough_deals) == (0, False)
    assert ledger.next_leg() == (0, 0)
    ledger.add(leg(0, 0, [deal] * 3))
    ledger.add(leg(0, 1, [deal] * 1))
    # 3 and 1 deals, then 6 and 5: the third board is not needed.
    assert (len(ledger.boards), ledger.deals_by_seating, ledger.has_enough_deals) == (
        2,
        [6, 5],
        True,
    )
    assert ledger.next_leg() is None


def test_a_leg_counts_once() -> None:
    ledger = Ledger(match("thumb", "random"), 5)
    for _ in range(2):
        ledger.add(leg(0, 0, [(1, 0)]))
    ledger.add(leg(0, 1, [(1, 0)]))
    ledger.add(leg(0, 1, [(1, 0)]))
    assert ledger.deals_by_seating == [1, 1]


def test_no_more_legs_are_given_out_than_can_be_needed() -> None:
    ledger = Ledger(match("thumb", "random", play=BoardKind.SINGLE), 3)
    given = [ledger.next_leg() for _ in range(9)]
    assert given[:6] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert given[6:] == [None] * 3


@settings(max_examples=6, deadline=None)
@given(tables(part=Feature.SEARCH), st.randoms(use_true_random=False))
def test_the_order_in_which_legs_come_changes_nothing(rules: Rules, rng: random.Random) -> None:
    of = match("random", "thumb", rules=rules, max_deals=2)
    legs = [play_leg(of, board, s) for board in range(3) for s in range(len(of.seatings))]
    in_order, shuffled = Ledger(of, 3), Ledger(of, 3)
    for done in legs:
        in_order.add(done)
    rng.shuffle(legs)
    for done in legs:
        shuffled.add(done)
    found, same = make_result(of, in_order), make_result(of, shuffled)
    assert found is not None
    assert found == same
    assert report_text(found)


@settings(max_examples=6, deadline=None)
@given(tables(part=Feature.SEARCH), st.sampled_from(BoardKind))
def test_a_bot_against_itself_is_exactly_as_good(rules: Rules, what: BoardKind) -> None:
    before = "random" if what is BoardKind.CARDS else None
    for bot in ("thumb", "random"):
        of = match(bot, bot, rules=rules, play=what, before=before, max_deals=2)
        found = make_result(of, played(of, 3))
        assert found is not None
        assert found.points.difference.value == pytest.approx(0, abs=1e-9)
        if len(of.seatings) == 2 and len(rules.sides) == 2:
            assert found.points.difference.error == 0
        if found.games is not None and found.games.a + found.games.b:
            assert found.games.share.value == 0.5


@pytest.mark.parametrize("variant", list(variants.VARIANTS))
def test_thumb_beats_random_in_every_variant(variant: str) -> None:
    of = match("thumb", "random", variant, play=BoardKind.SINGLE)
    found = make_result(of, played(of, 24))  # of fewer deals many may be thrown in
    assert found is not None
    assert found.points.difference.error is not None
    assert found.points.difference.value > found.points.difference.error


def test_the_result_of_the_swapped_match_is_the_swapped_result() -> None:
    one, other = match("thumb", "random"), match("random", "thumb")
    found, swapped = timeless(one, played(one, 12)), timeless(other, played(other, 12))
    difference, against = found["points"]["difference"], swapped["points"]["difference"]
    assert difference["value"] == pytest.approx(-against["value"])
    assert difference["error"] == pytest.approx(against["error"])
    assert found["a"] == swapped["b"]
    assert found["games"]["a"] == swapped["games"]["b"]


def test_times_and_failures_add_up() -> None:
    one, two = BotStats(), BotStats()
    for seconds in (0.001, 0.002, 0.003):
        one.record_decision("bid", seconds)
    for at in range(97):
        two.record_decision("bid", 0.1 + at / 1000)
    two.record_decision("play", 5)
    one.record_failure(Failure.LATE, "first")
    two.record_failure(Failure.LATE, "second")
    two.record_failure(Failure.DIED, "other")
    one.merge(two)
    clock = one.clocks["bid"]
    assert clock.count == 100
    assert clock.longest == pytest.approx(0.196)
    assert clock.mean == pytest.approx((0.006 + 97 * 0.148) / 100)
    assert clock.quantile(0.95) == pytest.approx(0.191, rel=0.05)
    assert clock.quantile(0.02) == pytest.approx(0.002, rel=0.05)
    assert one.clocks["play"].count == 1
    assert (one.faults["late"].count, one.faults["late"].first) == (2, "first")
    assert (one.faults["died"].count, one.faults["died"].first) == (1, "other")
    assert TimingHistogram().mean == TimingHistogram().quantile(0.95) == 0
