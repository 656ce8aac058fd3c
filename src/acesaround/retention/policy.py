"""The rule by which things are cleared, as an operator writes it: `90d`, `2y`, `forever`."""

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
"""For how long at most is kept what nobody ever used, in ms."""
USUAL: Final = 400 * DAY
"""For how long where nothing else is said, in ms: as long as a browser knows who sat there."""


class RetentionPolicy(msgspec.Struct, frozen=True):
    """For how long, in ms, what is kept that nobody comes back to. None is for ever.

    `rest`: unfinished games, talk and guests; `games`: tables with a finished game.
    """

    rest: int | None = USUAL
    games: int | None = None

    @property
    def unused_table_age(self) -> int | None:
        """For how long a table is kept at which no deal was played to its end."""
        return None if self.rest is None else min(self.rest, UNUSED)


def parse_age(text: str) -> int | None:
    """A time as it is written, in ms; None for `forever`. Raises AcesAroundError."""
    if text == "forever":
        return None
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise AcesAroundError(
            f"{text!r:.40} is no time to keep things: expected such as 90d, 8w, 2y or forever."
        )
    return int(found[1]) * _DAYS[found[2]] * DAY


def format_age(milliseconds: int | None) -> str:
    """A time as it is said: whole days."""
    return "forever" if milliseconds is None else f"{milliseconds // DAY}d"
