"""Open sockets of one address, of one person and at one table: each is many, none is all there is.

Whoever has a seat is let in to the table whatever crowd looks on.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator

from acesaround.server.limits.rates import rate_limit_key
from acesaround.server.live.live_table import LiveTable


class TooManyConnections(Exception):  # noqa: N818 - it names what the place is
    """There is no room for one more, said in a sentence."""


class WebSocketLimits:
    """Counts sockets. `each`: of one address, `person`: of one person, `lookers`: at one table."""

    def __init__(self, each: int, person: int, lookers: int) -> None:
        self._each, self._person, self._lookers = each, person, lookers
        self._open: Counter[str] = Counter()

    @contextlib.contextmanager
    def counted(self, address: str | None, person: str | None) -> Iterator[None]:
        """Be one socket more of an address and of a person meanwhile. Raises Full.

        Sockets from this very machine are everybody's, as requests are (see `limits.network`).
        """
        place = rate_limit_key(address)
        who = [f"at {place}"] if place is not None else []
        if place is not None and self._open[who[0]] >= self._each:
            raise TooManyConnections(
                "Too many tables are open at your address: close one, and try again."
            )
        if person is not None:
            if self._open[person] >= self._person:
                raise TooManyConnections("You have too many tables open: close one, and try again.")
            who.append(person)
        self._open.update(who)
        try:
            yield
        finally:
            self._open.subtract(who)
            for one in who:
                if not self._open[one]:
                    del self._open[one]

    def check_spectators(self, live: LiveTable, person: str | None) -> None:
        """Raise Full where so many look on at a table that one more would be too many."""
        if live.table.seat_of(person) is None and live.spectator_count >= self._lookers:
            raise TooManyConnections("Too many people look on at this table: try again later.")
