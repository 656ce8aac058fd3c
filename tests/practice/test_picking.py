"""Which position comes next: weights of themes, and rest after an answer."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from acesaround.practice import PastAnswers, PracticeItem, Theme, pick_item, theme_weights
from acesaround.practice.picking import (
    MIN_WEIGHT,
    RIGHT_REST_SECONDS,
    WRONG_REST_SECONDS,
)

LEADS, BIDDING = Theme.LEADS, Theme.BIDDING
ITEMS = [
    *[PracticeItem(f"lead {number}", LEADS) for number in range(10)],
    *[PracticeItem(f"bid {number}", BIDDING) for number in range(10)],
]


def test_a_theme_that_is_missed_weighs_more() -> None:
    weights = theme_weights([(LEADS, 2, 6), (BIDDING, 6, 2)], [LEADS, BIDDING, Theme.TRUMP])
    assert weights == {LEADS: 0.7, BIDDING: pytest.approx(0.3), Theme.TRUMP: 0.5}


def test_no_theme_disappears() -> None:
    assert theme_weights([(LEADS, 500, 0)], [LEADS]) == {LEADS: MIN_WEIGHT}


def test_answers_to_several_positions_of_a_theme_add_up() -> None:
    answers = [(LEADS, 1, 0), (LEADS, 0, 1), (LEADS, 0, 4)]
    assert theme_weights(answers, [LEADS])[LEADS] == 0.75


def test_missed_themes_come_more_often(chance: random.Random) -> None:
    answers = [(LEADS, 0, 18), (BIDDING, 18, 0)]
    picked = Counter(
        item.theme for _ in range(300) if (item := pick_item(ITEMS, {}, answers, chance))
    )
    assert picked[LEADS] > 200
    assert picked[BIDDING] > 0


def test_a_solved_position_rests_and_a_missed_one_comes_back_sooner(chance: random.Random) -> None:
    right = PastAnswers(1, 0, True, WRONG_REST_SECONDS + 1)
    wrong = PastAnswers(0, 1, False, WRONG_REST_SECONDS + 1)
    past = {item.id: right for item in ITEMS} | {"lead 3": wrong}
    assert pick_item(ITEMS, past, [], chance) == PracticeItem("lead 3", LEADS)
    assert right.is_resting
    assert not right._replace(age_seconds=RIGHT_REST_SECONDS).is_resting
    assert wrong._replace(age_seconds=WRONG_REST_SECONDS - 1).is_resting


def test_where_all_rest_the_oldest_answer_comes_back(chance: random.Random) -> None:
    past = {item.id: PastAnswers(1, 0, True, age) for age, item in enumerate(ITEMS)}
    assert pick_item(ITEMS, past, [], chance) == ITEMS[-1]
    assert pick_item([], {}, [], chance) is None


def test_half_of_the_positions_are_from_own_games(chance: random.Random) -> None:
    items = [*ITEMS[:10], PracticeItem("mine", LEADS, is_own=True)]
    picked = [pick_item(items, {}, [], chance) for _ in range(200)]
    own = sum(item is not None and item.is_own for item in picked)
    assert 60 < own < 140
    alone = [PracticeItem("mine", LEADS, is_own=True)]
    assert pick_item(alone, {}, [], chance) == alone[0]
