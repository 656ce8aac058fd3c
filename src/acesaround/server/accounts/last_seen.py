"""When somebody was here last, to a day: by that, guests without games are cleared some day."""

from __future__ import annotations

import contextlib
import time
from collections import OrderedDict
from typing import Final

from acesaround.store import DatabaseUnavailable, Store, retention_queries

_DAY: Final = 86_400
_MOST: Final = 50_000


class LastSeen:
    """Notes who comes: each person once a day, as far as it is remembered."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._noted: OrderedDict[str, float] = OrderedDict()

    async def touch(self, person: str) -> None:
        """Somebody, by id, is here. Where that cannot be kept, nothing is lost by it."""
        now = time.monotonic()
        if now - self._noted.get(person, -_DAY) < _DAY:
            return
        self._noted[person] = now
        self._noted.move_to_end(person)
        if len(self._noted) > _MOST:
            self._noted.popitem(last=False)
        with contextlib.suppress(DatabaseUnavailable):
            await retention_queries.touch_person(self._store, person)
