"""The retention policy, with ages as an operator writes them: `90d`, `2y`, `forever`."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from acesaround.errors import AcesAroundError

DAY_MS: Final = 24 * 60 * 60 * 1000
"""Milliseconds of a day."""
_DAYS_BY_UNIT: Final = {"d": 1, "w": 7, "y": 365}
_AGE_PATTERN: Final = re.compile(r"([1-9][0-9]{0,4})([dwy])")
UNUSED_AGE_MS: Final = 30 * DAY_MS
"""The maximum age in ms of tables without a finished deal, and of guests without a table."""
DEFAULT_AGE_MS: Final = 400 * DAY_MS
"""The default age in ms, equal to the lifetime of the cookie that identifies a player."""


class RetentionPolicy(msgspec.Struct, frozen=True):
    """Ages in ms after which unused data is removed. None is forever.

    `default_age`: for unfinished games, chat and guests. `finished_game_age`: for tables with a
    finished game.
    """

    default_age: int | None = DEFAULT_AGE_MS
    finished_game_age: int | None = None

    @property
    def unused_table_age(self) -> int | None:
        """The age after which a table without a finished deal is removed."""
        return None if self.default_age is None else min(self.default_age, UNUSED_AGE_MS)


def parse_age(text: str) -> int | None:
    """Parse an age into ms; return None for `forever`. Raises AcesAroundError."""
    if text == "forever":
        return None
    match = _AGE_PATTERN.fullmatch(text)
    if match is None:
        raise AcesAroundError(
            f"{text!r:.40} is not a retention time: expected a time such as 90d, 8w, 2y or forever."
        )
    return int(match[1]) * _DAYS_BY_UNIT[match[2]] * DAY_MS


def format_age(milliseconds: int | None) -> str:
    """Format an age in whole days."""
    return "forever" if milliseconds is None else f"{milliseconds // DAY_MS}d"
