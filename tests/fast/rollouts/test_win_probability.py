"""The end of a deal is scored and won as in the engine."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import variants
from acesaround.fast.rollouts.win_probability import (
    ScoringState,
    make_scoring_state,
    new_end_buffer,
    score,
    win_probability,
)
from acesaround.rules import Rules, scoring
from acesaround.rules.feature_support import Feature
from acesaround.rules.scoring import (
    Outcome,
    Tally,
    max_play_points,
    mean_play_points,
    outcome_and_changes,
)
from tests.random_games import tables


def playing_seats(rules: Rules, rng: random.Random) -> tuple[int, ...]:
    """Return the seats that play, sometimes only some where others may sit out."""
    seats = tuple(range(rules.seats))
    if rules.has_partners or rules.seats < 3 or rng.random() < 0.7:
        return seats
    return tuple(sorted(rng.sample(seats, rng.randrange(2, rules.seats))))


def random_points(
    rules: Rules, rng: random.Random, present_sides: set[int], most: int
) -> list[int]:
    """Return random points by side, often 0, and 0 for sides that do not play."""
    return [
        rng.choice([0, rng.randrange(most + 1)]) if side in present_sides else 0
        for side in range(len(rules.sides))
    ]


@settings(max_examples=400, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_score_equals_that_of_the_engine(rules: Rules, seed: int) -> None:
    rng = random.Random(seed)
    players = playing_seats(rules, rng)
    sides = {rules.side_of(seat) for seat in players}
    most = rng.choice([12, max_play_points(rules, len(players)), 300])
    meld, play = (random_points(rules, rng, sides, most) for _ in range(2))
    nines = [rng.randrange(min(points, 4) + 1) for points in meld]
    counter = [points > 0 and rng.random() < 0.8 for points in play]
    scores = tuple(rng.randrange(-200, 400) if at in sides else 0 for at in range(len(meld)))
    declarer = rng.choice(sorted(sides)) if rules.auction is not None else None
    bid = None if declarer is None else rng.randrange(1, 2 * most)
    tally = Tally(tuple(meld), tuple(nines), tuple(play), tuple(counter))
    trump = rng.randrange(4)
    outcome, change = outcome_and_changes(rules, tally, None, declarer, bid, trump=trump)

    now = make_scoring_state(rules, players, scores, rules.ending.target, 0)
    buffer = new_end_buffer(len(rules.sides))
    buffer.meld[:], buffer.dix_points[:], buffer.play[:], buffer.has_counter[:] = (
        meld,
        nines,
        play,
        counter,
    )
    is_made = score(now, buffer, trump, -1 if declarer is None else declarer, bid or 0)
    assert is_made == (outcome is not Outcome.SET)
    for side in sides:
        assert buffer.totals[side] == scores[side] + change[side]
    left_out = set(range(len(meld))) - sides
    assert all(buffer.totals[side] < min(scores) - 10_000 for side in left_out)


def win_chances(now: ScoringState, totals: list[int], declarer: int | None) -> list[float]:
    declaring_side = -1 if declarer is None else declarer
    return [
        win_probability(now, np.array(totals), declaring_side, side) for side in range(len(totals))
    ]


def random_totals(rules: Rules, rng: random.Random) -> tuple[list[int], int | None, int]:
    """Return totals after a deal (often tied), its declaring side and its number."""
    high = max(rules.ending.target, 10)
    totals = [rng.randrange(-high, high * 3 // 2) for _ in rules.sides]
    if rng.random() < 0.4:
        totals[rng.randrange(len(totals))] = max(totals)
    declarer = rng.randrange(len(totals)) if rules.auction is not None else None
    return totals, declarer, rng.randrange(4)


@settings(max_examples=500, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_only_a_winner_is_certain(rules: Rules, seed: int) -> None:
    totals, declarer, deals = random_totals(rules, random.Random(seed))
    target, every = rules.ending.target, tuple(range(len(totals)))
    after = scoring.game_status_after_deal(rules, totals, every, target, declarer, deals + 1)
    now = make_scoring_state(rules, tuple(range(rules.seats)), tuple(totals), target, deals)
    found = win_chances(now, totals, declarer)
    assert sum(found) == pytest.approx(1.0)
    if after.winner is not None:
        assert found == [float(side == after.winner) for side in every]
    else:
        assert all(share <= found[totals.index(max(totals))] for share in found)


@settings(max_examples=80, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_more_points_never_lower_the_chance(rules: Rules, seed: int) -> None:
    totals, declarer, deals = random_totals(rules, random.Random(seed))
    now = make_scoring_state(
        rules, tuple(range(rules.seats)), tuple(totals), rules.ending.target, deals
    )
    for mine in range(len(totals)):
        before, found = totals[mine], []
        high = 2 * max(rules.ending.target, 10)
        for own in range(-high, high, 7):
            totals[mine] = own
            found.append(win_chances(now, totals, declarer)[mine])
        assert all(less <= more + 1e-12 for less, more in pairwise(found))
        assert found[0] < found[-1] or not any(
            found
        )  # another side declares and has reached the target
        totals[mine] = before


@pytest.mark.parametrize("rules", variants.VARIANTS.values(), ids=lambda rules: rules.variant)
def test_a_lead_is_worth_more_near_the_end(rules: Rules) -> None:
    rules = rules.with_options(hands=None)
    players, target = tuple(range(rules.seats)), rules.ending.target
    lead, rest = target // 10, [0] * (len(rules.sides) - 1)
    found = []
    for behind in range(0, target - lead, target // 7):
        totals = [behind + lead, *(behind for _ in rest)]
        now = make_scoring_state(rules, players, tuple(totals), target, 0)
        found.append(win_chances(now, totals, None)[0])
    assert all(before < after for before, after in pairwise(found))
    of_many = rules.with_options(hands=12)
    found = [
        win_chances(
            make_scoring_state(of_many, players, (lead, *rest), target, deals), [lead, *rest], None
        )[0]
        for deals in range(12)
    ]
    assert all(before < after for before, after in pairwise(found))
    assert 1 / len(rules.sides) < found[0] < 0.9
    assert found[-1] == 1.0


def test_absent_sides_cannot_win() -> None:
    """Two players are tied and play on. The totals of the others stay but do not count."""
    rules = variants.get("five-card", 5)
    now = make_scoring_state(rules, (1, 3), (49, 55, 10, 55, 0), rules.ending.target, 9)
    found = win_chances(now, [int(total) for total in now.scores], None)
    assert found[0] == found[2] == found[4] == 0.0
    assert found[1] == found[3] == 0.5


@pytest.mark.parametrize("rules", variants.VARIANTS.values(), ids=lambda rules: rules.variant)
def test_mean_play_points_are_the_maximum_or_its_share(rules: Rules) -> None:
    for number in rules.players:
        table = variants.get(rules.variant, number)
        mean, most = mean_play_points(table, number), max_play_points(table, number)
        last = table.scoring.last_trick
        if not table.auction or number * table.hand_size + table.deal.kitty == table.deck.size:
            assert mean == most
        else:
            part = number * table.hand_size / table.deck.size
            assert mean == pytest.approx(last + part * 24)  # aces, tens and kings, one each
            assert last < mean < most
