"""Limits on open WebSockets, by address and by person."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator

from acesaround.server.limits.client_addresses import rate_limit_keys


class TooManyConnections(Exception):  # noqa: N818 - named after the limit
    """A WebSocket limit is reached. The message is a sentence for people."""


class WebSocketLimits:
    """Counts open WebSockets.

    `max_per_address`: the limit of one address. `max_per_person`: the limit of one person.
    """

    def __init__(self, max_per_address: int, max_per_person: int) -> None:
        self._max_per_address, self._max_per_person = max_per_address, max_per_person
        self._open_counts: Counter[str] = Counter()

    @contextlib.contextmanager
    def count_open(self, address: str | None, person: str | None) -> Iterator[None]:
        """Count a WebSocket inside the `with` block. Raises TooManyConnections.

        WebSockets from loopback are not counted by address, as with requests (see
        `rate_limit_keys`).
        """
        address_keys = rate_limit_keys(address)
        for key, factor in address_keys.items():
            if self._open_counts[key] >= factor * self._max_per_address:
                raise TooManyConnections(
                    "Your address has too many tables open: close one and try again."
                )
        counted_keys = [*address_keys]
        if person is not None:
            if self._open_counts[person] >= self._max_per_person:
                raise TooManyConnections("You have too many tables open: close one and try again.")
            counted_keys.append(person)
        self._open_counts.update(counted_keys)
        try:
            yield
        finally:
            self._open_counts.subtract(counted_keys)
            for key in counted_keys:
                if not self._open_counts[key]:
                    del self._open_counts[key]
