"""Limits on connections, and timeouts for slow clients.

A connection with an incomplete request uses a file but no other resource. If there are too many,
the connection that has waited longest is closed in favour of the new one. So a client that sends
its request at once always gets an answer. New connections are refused if all existing ones are
being served, and if their address holds too many. Players are not affected, because WebSockets are
counted separately.

Connections from loopback and from configured proxies are not counted by address here, because they
may belong to anybody. `WebSocketLimits` counts WebSockets again by the client's real address.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from time import monotonic
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from acesaround.server.limits.capacity import ConnectionCapacity
from acesaround.server.limits.rates import rate_limit_key
from acesaround.server.observability.metrics import Metrics

_LOG: Final = logging.getLogger(__name__)
_MINUTE: Final = 60.0
HEAD: Final = 10.0
"""The timeout of the request headers in seconds, from the opening of the connection."""
BODY: Final = 10.0
"""The timeout of the request body in seconds. Bodies are short."""
UNREAD: Final = 30.0
"""The timeout in seconds of a client that does not read its response."""
_POLITE: Final = 1.0  # seconds to send the request before a refusal is written
_SENT_AWAY: Final = 100  # connections that may get a written refusal at once; others are dropped


class ThrottledLog:
    """Logs one warning at once, then at most once a minute with the number of occurrences."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._then: float | None = None
        self._times = 0

    def say(self, sentence: str) -> None:
        """Count an occurrence; log the sentence if due. `{}` in it becomes the count."""
        self._times += 1
        now = self._clock()
        if self._then is None or now - self._then >= _MINUTE:
            _LOG.warning(sentence.format(self._times))
            self._then, self._times = now, 0


class RepeatFilter(logging.Filter):
    """Limits each uvicorn warning to one a minute, because an attack would repeat it endlessly."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._then: dict[object, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record."""
        if record.levelno != logging.WARNING:
            return True
        now = self._clock()
        if now - self._then.get(record.msg, -math.inf) < _MINUTE:
            return False
        self._then[record.msg] = now
        return True


class ConnectionLimiter:
    """The connections of one process.

    `each`: how many connections one address may hold. `proxies`: comma-separated addresses, as for
    `--proxy`; None for none.
    """

    def __init__(
        self, room: ConnectionCapacity, each: int, proxies: str | None, metrics: Metrics
    ) -> None:
        self.sockets = 0
        self._room = room
        self._each = each
        self._everybody = proxies == "*"
        named = () if proxies is None or self._everybody else proxies.split(",")
        self._proxies = [ip_network(name.strip()) for name in named]
        self._metrics = metrics
        self._requests: set[HTTPProtocol] = set()
        self._waiting: dict[HTTPProtocol, None] = {}  # the longest waiting first
        self._away: set[HTTPProtocol] = set()
        self._of: Counter[str] = Counter()
        self._full, self._crowded, self._cut = ThrottledLog(), ThrottledLog(), ThrottledLog()

    def admit(self, one: HTTPProtocol) -> tuple[HTTPStatus, str] | None:
        """Admit a connection, or return the status and sentence of the refusal."""
        who = self._who(one.client)
        if who is not None and self._of[who] >= self._each:
            self._refused(
                self._crowded,
                f"connections sent away: {{}}, now from {who}, which holds {self._each}",
            )
            return HTTPStatus.TOO_MANY_REQUESTS, "Too many connections come from your address."
        if len(self._requests) >= self._room.requests and not self._make_way():
            self._refused(
                self._full, f"connections sent away: {{}}, for {len(self._requests)} are served"
            )
            return HTTPStatus.SERVICE_UNAVAILABLE, FULL
        self._requests.add(one)
        self._count(who, 1)
        return None

    def _make_way(self) -> bool:
        """Close the connection that has waited longest; return whether there was one."""
        oldest = next(iter(self._waiting), None)
        if oldest is None:
            return False
        self._refused(
            self._cut, f"unfinished requests cut for newcomers: {{}}, of {len(self._waiting)} open"
        )
        oldest.abort()
        return True

    def _refused(self, told: ThrottledLog, sentence: str) -> None:
        self._metrics.refused["full"] += 1
        told.say(sentence)

    def release(self, one: HTTPProtocol) -> None:
        """Stop counting a connection that has closed or become a WebSocket."""
        self._waiting.pop(one, None)
        self._away.discard(one)
        if one in self._requests:
            self._requests.remove(one)
            self._count(self._who(one.client), -1)

    def set_waiting(self, one: HTTPProtocol, *, waiting: bool) -> None:
        """Record whether the server now waits for the client."""
        self._waiting.pop(one, None)
        if waiting and one in self._requests:
            self._waiting[one] = None

    def may_explain_refusal(self, one: HTTPProtocol) -> bool:
        """Return whether there is capacity to send a refusal to this client."""
        if len(self._away) >= _SENT_AWAY:
            return False
        self._away.add(one)
        return True

    def websocket_opened(self, client: tuple[str, int] | None) -> None:
        """Count an open WebSocket."""
        self.sockets += 1
        self._count(self._who(client), 1)

    def websocket_closed(self, client: tuple[str, int] | None) -> None:
        """Stop counting a WebSocket."""
        self.sockets -= 1
        self._count(self._who(client), -1)

    def has_websocket_capacity(self) -> bool:
        """Return whether one more WebSocket may open."""
        if self.sockets < self._room.sockets:
            return True
        self._refused(self._full, f"sockets sent away: {{}}, for {self.sockets} are open")
        return False

    def _count(self, who: str | None, number: int) -> None:
        if who is not None:
            self._of[who] += number
            if self._of[who] <= 0:
                del self._of[who]

    def _who(self, client: tuple[str, int] | None) -> str | None:
        """Return the address to count a client by, or None for loopback and proxies."""
        who = None if client is None else rate_limit_key(client[0])
        if who is None or client is None or self._everybody:
            return None
        try:
            found = ip_address(client[0])
        except ValueError:
            return who
        return None if any(found in named for named in self._proxies) else who


FULL: Final = "There is no room for more at the moment: try again in a minute."


class HTTPProtocol(H11Protocol):
    """The HTTP protocol of uvicorn, with timeouts and admission control."""

    _door: ConnectionLimiter | None = None
    _why: tuple[HTTPStatus, str] | None = None
    _timer: asyncio.TimerHandle | None = None
    _timed: tuple[float, RequestResponseCycle | None] | None = None
    _unread = False
    _gone = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Ask for admission; refuse or close the connection if there is no capacity."""
        super().connection_made(transport)
        self._door = self.app_state.get("door")
        self._why = None if self._door is None else self._door.admit(self)
        if self._door is None or self._why is None:
            self._look()
        elif self._door.may_explain_refusal(self):
            self._timer = self.loop.call_later(_POLITE, self._go)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        """Process a part of a request, or send the refusal."""
        if self._why is not None:
            self._go()
            return
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Start the timeout of the next request."""
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """The send buffer is full: start the slow-reader timeout."""
        super().pause_writing()
        self._unread = True
        self._look()

    def resume_writing(self) -> None:
        """The client reads again: stop the slow-reader timeout."""
        super().resume_writing()
        self._unread = False
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer and release the connection."""
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Turn the connection into a WebSocket, which is counted as one from now on."""
        if self._door is not None and not self._door.has_websocket_capacity():
            self._say(HTTPStatus.SERVICE_UNAVAILABLE, FULL)
            return
        self._leave()
        super().handle_websocket_upgrade(event)

    def abort(self) -> None:
        """Close the connection, because a new one needs its slot."""
        self._leave()
        self.transport.abort()

    def _leave(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._door is not None and not self._gone:
            self._door.release(self)
        self._gone = True

    def _look(self) -> None:
        """Start the timeout of the client's next step, unless it is running."""
        timed = self._due()
        if timed == self._timed or self._gone or self.transport.is_closing():
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timed = timed
        self._timer = None if timed is None else self.loop.call_later(timed[0], self._late)
        if self._door is not None:
            self._door.set_waiting(self, waiting=timed is not None)

    def _due(self) -> tuple[float, RequestResponseCycle | None] | None:
        """Return the timeout of the client's next step with its request, or None if none is due."""
        if self._unread:
            return UNREAD, self.cycle
        cycle: RequestResponseCycle | None = self.cycle  # None before the first request
        if cycle is None or cycle.response_complete:
            return HEAD, cycle
        return (BODY, cycle) if cycle.more_body else None

    def _late(self) -> None:
        """Close the connection after a timeout, with an answer if none has begun."""
        cycle: RequestResponseCycle | None = self.cycle
        half = cycle is not None and cycle.response_started and not cycle.response_complete
        if self._unread or half:
            self.transport.abort()
        else:
            self._say(HTTPStatus.REQUEST_TIMEOUT, "The request did not come in time.")

    def _go(self) -> None:
        assert self._why is not None
        self._say(*self._why)

    def _say(self, status: HTTPStatus, sentence: str) -> None:
        """Send a response without the application, and close the connection."""
        if not self.transport.is_closing():
            self.transport.write(
                f"HTTP/1.1 {status.value} {status.phrase}\r\n"
                "content-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
                f"retry-after: 60\r\ncontent-length: {len(sentence)}\r\n\r\n{sentence}".encode()
            )
            self.transport.close()
