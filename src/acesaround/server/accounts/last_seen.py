"""The day on which each person was last seen. Retention deletes inactive guests by this date."""

from __future__ import annotations

import contextlib
import time
from collections import OrderedDict
from typing import Final

from acesaround.store import DatabaseUnavailable, Store, retention_queries

_DAY_SECONDS: Final = 86_400
_MAX_PEOPLE: Final = 50_000


class LastSeen:
    """Updates the last-seen date of each person at most once a day and process.

    The cache holds `_MAX_PEOPLE` persons. An evicted person may be written again on the same day.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._touched_at: OrderedDict[str, float] = OrderedDict()

    async def touch(self, person: str) -> None:
        """Record that a person, given by id, is here. Database failures are ignored."""
        now = time.monotonic()
        if now - self._touched_at.get(person, -_DAY_SECONDS) < _DAY_SECONDS:
            return
        self._touched_at[person] = now
        self._touched_at.move_to_end(person)
        if len(self._touched_at) > _MAX_PEOPLE:
            self._touched_at.popitem(last=False)
        with contextlib.suppress(DatabaseUnavailable):
            await retention_queries.touch_person(self._store, person)
