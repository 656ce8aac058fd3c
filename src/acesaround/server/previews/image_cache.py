"""A cache of link pictures by their content; the least recently used are dropped first.

Pictures are drawn in the thread that makes replays, queued for the requester's account.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from acesaround.server.live.records_cache import RecordCache
from acesaround.server.previews.content import About
from acesaround.server.previews.image import render_png

_BYTES: Final = 8 * 2**20


class ImageCache:
    """An LRU cache of pictures. `records`: the cache whose thread draws; `most`: limit in bytes."""

    def __init__(self, records: RecordCache, most: int = _BYTES) -> None:
        self.bytes = 0
        self._records = records
        self._most = most
        self._kept: OrderedDict[About, bytes] = OrderedDict()
        self._drawing: dict[About, asyncio.Lock] = {}

    async def get(self, who: str, about: About) -> bytes:
        """Return a picture as PNG. `who`: the account that the drawing is queued for.

        Raises RateLimited and RulesError.
        """
        lock = self._drawing.setdefault(about, asyncio.Lock())
        try:
            async with lock:  # of several requests at once, only the first draws
                found = self._kept.get(about)
                if found is None:
                    found = await self._records.run(who, lambda: render_png(about))
                    self._kept[about] = found
                    self.bytes += len(found)
                    while self.bytes > self._most:
                        self.bytes -= len(self._kept.popitem(last=False)[1])
                else:
                    self._kept.move_to_end(about)
        finally:
            if not lock.locked():
                self._drawing.pop(about, None)
        return found
