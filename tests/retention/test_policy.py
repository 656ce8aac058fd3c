"""The rule as an operator writes it."""

from __future__ import annotations

import pytest

from acesaround.errors import AcesAroundError
from acesaround.retention.policy import DAY_MS, RetentionPolicy, format_age, parse_age


@pytest.mark.parametrize(
    ("text", "days"), [("1d", 1), ("90d", 90), ("8w", 56), ("2y", 730), ("99999d", 99999)]
)
def test_a_time_is_a_number_of_days_weeks_or_years(text: str, days: int) -> None:
    assert parse_age(text) == days * DAY_MS
    assert format_age(parse_age(text)) == f"{days}d"


def test_for_ever_is_no_time() -> None:
    assert parse_age("forever") is None
    assert format_age(None) == "forever"
    assert RetentionPolicy(None).unused_table_age is None


@pytest.mark.parametrize(
    "text",
    ["", "0d", "-1d", "90", "d", "90 d", "90D", "1m", "ever", "1e9d", "100000d", "٣d", "x" * 99],
)
def test_anything_else_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(AcesAroundError, match="is not a retention time"):
        parse_age(text)


def test_finished_games_are_kept_unless_something_else_is_said() -> None:
    assert RetentionPolicy().finished_game_age is None
    assert RetentionPolicy().default_age == 400 * DAY_MS


def test_what_nobody_used_is_kept_for_a_month_or_for_less() -> None:
    assert RetentionPolicy().unused_table_age == 30 * DAY_MS
    assert RetentionPolicy(8 * DAY_MS).unused_table_age == 8 * DAY_MS
