"""Limits on open WebSockets: by address, by person and, for spectators, by table.

A person with a seat can always connect to the table, however many spectators there are.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator

from acesaround.server.limits.rates import rate_limit_key


class TooManyConnections(Exception):  # noqa: N818 - named after the limit
    """A WebSocket limit is reached. The message is a sentence for people."""


class WebSocketLimits:
    """Counts open WebSockets.

    `each`: the limit of one address. `person`: the limit of one person. `lookers`: the limit of
    spectators at one table.
    """

    def __init__(self, each: int, person: int, lookers: int) -> None:
        self._each, self._person, self._lookers = each, person, lookers
        self._open: Counter[str] = Counter()

    @contextlib.contextmanager
    def counted(self, address: str | None, person: str | None) -> Iterator[None]:
        """Count a WebSocket inside the `with` block. Raises TooManyConnections.

        WebSockets from loopback are not counted by address, as with requests (see
        `rate_limit_key`).
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

    def check_spectators(self, spectators: int) -> None:
        """Raise TooManyConnections if a table with so many spectators takes no more."""
        if spectators >= self._lookers:
            raise TooManyConnections("Too many people look on at this table: try again later.")
