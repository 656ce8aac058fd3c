"""The retention policy, with ages as an operator writes them: `90d`, `2y`, `forever`."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from acesaround.errors import AcesAroundError

DAY: Final = 24 * 60 * 60 * 1000
"""Milliseconds of a day."""
_DAYS: Final = {"d": 1, "w": 7, "y": 365}
_WRITTEN: Final = re.compile(r"([1-9][0-9]{0,4})([dwy])")
UNUSED: Final = 30 * DAY
"""The maximum age in ms of tables without a finished deal, and of guests without a table."""
USUAL: Final = 400 * DAY
"""The default age in ms, equal to the lifetime of the cookie that identifies a player."""


class RetentionPolicy(msgspec.Struct, frozen=True):
    """Ages in ms after which unused data is removed. None is forever.

    `rest`: for unfinished games, chat and guests. `games`: for tables with a finished game.
    """

    rest: int | None = USUAL
    games: int | None = None

    @property
    def unused_table_age(self) -> int | None:
        """The age after which a table without a finished deal is removed."""
        return None if self.rest is None else min(self.rest, UNUSED)


def parse_age(text: str) -> int | None:
    """Parse an age into ms; return None for `forever`. Raises AcesAroundError."""
    if text == "forever":
        return None
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise AcesAroundError(
            f"{text!r:.40} is no time to keep things: expected such as 90d, 8w, 2y or forever."
        )
    return int(found[1]) * _DAYS[found[2]] * DAY


def format_age(milliseconds: int | None) -> str:
    """Format an age in whole days."""
    return "forever" if milliseconds is None else f"{milliseconds // DAY}d"
