"""Limits on the open connections of one process: in all, by address, and of WebSockets.

A connection is "waiting" while its client has not sent a whole request. It uses a file but no other
resource. If all slots are taken, the connection that has waited longest is closed in favour of the
new one. So a client that sends its request at once gets an answer, unless newer connections take
all slots before the request is read. WebSockets have slots of their own, so requests never take the
place of players. One eighth of the WebSocket slots is reserved for seated people, and half of
this reserve for seated people who have played a deal (`seat_priority` checks both).

Connections from loopback and from trusted proxies are not counted by address here, because they
carry many people. `WebSocketLimits` counts WebSockets again by the address of the person.
"""

from __future__ import annotations

import logging
from collections import Counter
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Final, NamedTuple, Protocol

from acesaround.server.limits.capacity import ConnectionCapacity
from acesaround.server.limits.client_addresses import rate_limit_keys
from acesaround.server.observability.metrics import Metrics

_LOG: Final = logging.getLogger(__name__)


class Connection(Protocol):
    """The part of an HTTP connection that the limiter uses."""

    client: tuple[str, int] | None

    def abort(self) -> None:
        """Close the connection at once, and release it."""


class ConnectionRefusal(NamedTuple):
    """The answer to a connection that is over a limit."""

    status: HTTPStatus
    sentence: str


FULL: Final = ConnectionRefusal(
    HTTPStatus.SERVICE_UNAVAILABLE, "The server is full at the moment: try again in a minute."
)
TOO_MANY: Final = ConnectionRefusal(
    HTTPStatus.TOO_MANY_REQUESTS, "Your address has too many open connections: close some."
)


class ConnectionLimiter:
    """Counts the connections of one process.

    `max_per_address`: how many connections one address may hold. `proxies`: comma-separated
    addresses of trusted proxies, "*" for all; None for none.
    """

    def __init__(
        self,
        capacity: ConnectionCapacity,
        max_per_address: int,
        proxies: str | None,
        metrics: Metrics,
    ) -> None:
        self._capacity = capacity
        self._max_per_address = max_per_address
        self._trusts_all = proxies == "*"
        names = () if proxies is None or self._trusts_all else proxies.split(",")
        self._proxies = [ip_network(name.strip()) for name in names]
        self._metrics = metrics
        self._requests: set[Connection] = set()
        self._waiting: dict[Connection, None] = {}  # the longest waiting first
        self._websockets = 0
        self._by_address: Counter[str] = Counter()

    @property
    def waiting(self) -> int:
        """How many connections wait for the next step of their client."""
        return len(self._waiting)

    @property
    def serving(self) -> int:
        """How many connections are being served."""
        return len(self._requests) - len(self._waiting)

    def register(self, connection: Connection) -> ConnectionRefusal | None:
        """Count a new connection. Return the refusal to answer if it is over a limit.

        A refused connection is counted too: it may be closed like any other that waits.
        """
        refusal = self._refusal(connection.client)
        self._requests.add(connection)
        self._waiting[connection] = None
        self._count(connection.client, 1)
        if refusal is not None:
            self._metrics.refusals.labels("full").inc()
        return refusal

    def _refusal(self, client: tuple[str, int] | None) -> ConnectionRefusal | None:
        if len(self._requests) >= self._capacity.requests and not self._close_longest_waiting():
            _LOG.warning("connection refused: all %d connections are in use", len(self._requests))
            return FULL
        for key, factor in self._counted_keys(client).items():
            if self._by_address[key] >= factor * self._max_per_address:
                _LOG.warning(
                    "connection refused: %s has %d open connections", key, self._by_address[key]
                )
                return TOO_MANY
        return None

    def _close_longest_waiting(self) -> bool:
        """Close the connection that has waited longest; return whether there was one."""
        longest = next(iter(self._waiting), None)
        if longest is None:
            return False
        self._metrics.refusals.labels("full").inc()
        _LOG.warning("closed an unfinished request to make room: %d unfinished", len(self._waiting))
        longest.abort()
        return True

    def release(self, connection: Connection) -> None:
        """Stop counting a connection that has closed or become a WebSocket."""
        self._waiting.pop(connection, None)
        if connection in self._requests:
            self._requests.remove(connection)
            self._count(connection.client, -1)

    def set_waiting(self, connection: Connection, *, waiting: bool) -> None:
        """Record whether the server now waits for the client."""
        self._waiting.pop(connection, None)
        if waiting and connection in self._requests:
            self._waiting[connection] = None

    def register_websocket(self, client: tuple[str, int] | None) -> None:
        """Count an open WebSocket."""
        self._websockets += 1
        self._count(client, 1)

    def release_websocket(self, client: tuple[str, int] | None) -> None:
        """Stop counting a WebSocket."""
        self._websockets -= 1
        self._count(client, -1)

    def has_websocket_capacity(self) -> bool:
        """Return whether any WebSocket slot is free, reserved ones included."""
        if self._websockets < self._capacity.sockets:
            return True
        self._metrics.refusals.labels("full").inc()
        _LOG.warning("WebSocket refused: all %d WebSockets are in use", self._websockets)
        return False

    @property
    def is_seat_reserve_in_use(self) -> bool:
        """Whether more WebSockets are open than there are unreserved slots."""
        return self._websockets > self._capacity.sockets - self._capacity.reserved_sockets

    @property
    def is_player_reserve_in_use(self) -> bool:
        """Whether an open WebSocket uses the half reserved for people who have played a deal."""
        return self._websockets > self._capacity.sockets - self._capacity.reserved_sockets // 2

    def _count(self, client: tuple[str, int] | None, number: int) -> None:
        for key in self._counted_keys(client):
            self._by_address[key] += number
            if self._by_address[key] <= 0:
                del self._by_address[key]

    def _counted_keys(self, client: tuple[str, int] | None) -> dict[str, int]:
        """Return the rate-limit keys to count a client by; none for loopback and proxies."""
        if client is None or self._trusts_all:
            return {}
        keys = rate_limit_keys(client[0])
        try:
            found = ip_address(client[0])
        except ValueError:
            return keys
        return {} if any(found in proxy for proxy in self._proxies) else keys
