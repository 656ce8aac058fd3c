"""Pings to the person on turn.

A connection stays open if the network stops delivering, so only a missing answer shows it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

from acesaround.server.live.table_clients import TableClients
from acesaround.server.table_client import TableClient


class LivenessCheck:
    """Sends pings to the clients of one person at a time, and notes whether any of them answers.

    `clients`: the clients of the table in this process. `ping_seconds`: seconds between two pings
    to a client; the next one waits for an answer to the last. `answer_seconds`: seconds without an
    answer after which a client counts as silent. `on_change`: called when the person has become
    silent or answers again.

    Any bytes are an answer. While the server has paused reading from a client, the client does not
    count as silent.
    """

    def __init__(
        self,
        clients: TableClients,
        ping_seconds: float,
        answer_seconds: float,
        on_change: Callable[[], None],
    ) -> None:
        self._clients = clients
        self._ping_seconds = ping_seconds
        self._answer_seconds = answer_seconds
        self._on_change = on_change
        self._person_id: str | None = None
        self._is_silent = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def silent_id(self) -> str | None:
        """The id of the person, if connected here but silent with every client."""
        return self._person_id if self._is_silent else None

    def watch(self, person_id: str | None) -> None:
        """Check the clients of this person from now on; None: of nobody."""
        self._person_id = person_id
        self._check()

    def _check(self) -> None:
        """Send the pings that are due, note whether the person is silent, and set the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now = asyncio.get_running_loop().time()
        clients = [
            client
            for client in self._clients
            if self._person_id is not None and client.person_id == self._person_id
        ]
        for client in clients:
            self._ping_if_due(client, now)
        self._is_silent = bool(clients) and all(self._counts_as_silent(one, now) for one in clients)
        deadlines = [
            deadline for client in clients if (deadline := self._next_deadline(client)) > now
        ]
        if deadlines and min(deadlines) < math.inf:
            delay = min(deadlines) - now + 0.01
            self._timer = asyncio.get_running_loop().call_later(delay, self._check_and_report)

    def _ping_if_due(self, client: TableClient, now: float) -> None:
        connection = client.connection
        if connection is None:
            return
        if self._counts_as_silent(client, now) and not connection.is_being_read:
            client.is_ping_unanswered = False  # the answer may be among the unread bytes
        if not client.is_ping_unanswered and self._next_deadline(client) <= now:
            client.on_answer = self._check_and_report
            client.send_ping()

    def _next_deadline(self, client: TableClient) -> float:
        """Return when the next ping is due, or when the client counts as silent without answer."""
        if client.connection is None:
            return math.inf
        if client.pinged_at is None:
            return -math.inf
        seconds = self._answer_seconds if client.is_ping_unanswered else self._ping_seconds
        return client.pinged_at + seconds

    def _counts_as_silent(self, client: TableClient, now: float) -> bool:
        return client.is_ping_unanswered and self._next_deadline(client) <= now

    def _check_and_report(self) -> None:
        was_silent = self._is_silent
        self._check()
        if self._is_silent != was_silent:
            self._on_change()
