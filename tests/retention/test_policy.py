"""The retention policy and its text form."""

from __future__ import annotations

import pytest

from acesaround.errors import AcesAroundError
from acesaround.retention.policy import DAY_MS, RetentionPolicy, format_age, parse_age


@pytest.mark.parametrize(
    ("text", "days"), [("1d", 1), ("90d", 90), ("8w", 56), ("2y", 730), ("99999d", 99999)]
)
def test_age_is_parsed_in_days_weeks_or_years(text: str, days: int) -> None:
    assert parse_age(text) == days * DAY_MS
    assert format_age(parse_age(text)) == f"{days}d"


def test_forever_is_none() -> None:
    assert parse_age("forever") is None
    assert format_age(None) == "forever"
    assert RetentionPolicy(None).unused_table_age is None


@pytest.mark.parametrize(
    "text",
    ["", "0d", "-1d", "90", "d", "90 d", "90D", "1m", "ever", "1e9d", "100000d", "٣d", "x" * 99],
)
def test_invalid_age_is_refused(text: str) -> None:
    with pytest.raises(AcesAroundError, match="is not a retention time"):
        parse_age(text)


def test_finished_games_are_kept_by_default() -> None:
    assert RetentionPolicy().finished_game_age is None
    assert RetentionPolicy().default_age == 400 * DAY_MS


def test_unused_tables_are_kept_for_at_most_a_month() -> None:
    assert RetentionPolicy().unused_table_age == 30 * DAY_MS
    assert RetentionPolicy(8 * DAY_MS).unused_table_age == 8 * DAY_MS
