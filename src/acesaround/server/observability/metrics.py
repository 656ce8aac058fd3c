"""Counters and histograms of one server process for Prometheus.

Gauges that are read at each scrape, such as the tables in memory, are in `live/gauges.py`.

Prometheus scrapes each process for itself and adds up the processes in its queries. No label holds
a token, a name or a card, and each label has a fixed set of values.
"""

from __future__ import annotations

from typing import Final, get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
)

from acesaround import __version__
from acesaround.table.messages import RefusalCode

SLOW: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Histogram bounds in seconds for slow operations."""
_QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_MANY: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
_CLOSES: Final = (1000, 1001, 1005, 1006, 1008, 1009, 1011, 1012, 1013, 4401, 4404, 4410, 4500)
"""The WebSocket close codes with a label of their own, because browsers may invent others."""
_REFUSALS: Final = (*get_args(RefusalCode), "full")

# Without this, each counter and histogram has a second series with its start time.
disable_created_metrics()  # type: ignore[no-untyped-call]  # the package gives it no types


class Metrics:
    """The metrics of one server, in a registry of its own. All counts begin at its start."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        Info("acesaround_build", "Version of Aces Around.", registry=self.registry).info(
            {"version": __version__}
        )
        self.websockets = self._gauge("websocket_connections", "Open WebSockets.")
        self.closes = self._counter(
            "websocket_closes", "WebSockets closed or refused, by close code or status.", "code"
        )
        self.messages_received = self._counter(
            "websocket_messages_received", "Messages from clients."
        )
        self.messages_sent = self._counter("websocket_messages_sent", "Messages to clients.")
        self.refusals = self._counter(
            "refusals", "Commands and connections refused, by reason.", "code"
        )
        self.http_request_seconds = self._histogram(
            "http_request_duration_seconds", "Time to answer a request, by route.", label="route"
        )
        self.http_responses = self._counter("http_responses", "Responses, by status.", "status")
        self.action_seconds = self._histogram(
            "action_duration_seconds", "Time from an action until everybody at the table sees it."
        )
        self.append_seconds = self._histogram(
            "log_append_duration_seconds", "Time to store log entries."
        )
        self.entries = self._counter("log_entries", "Log entries stored.")
        self.append_batch_entries = self._histogram(
            "append_batch_entries", "Log entries stored in one transaction.", _MANY
        )
        self.bot_wait_seconds = self._histogram(
            "bot_request_wait_seconds", "Time that a bot request waits for a worker.", SLOW
        )
        self.bot_work_seconds = self._histogram(
            "bot_request_duration_seconds", "Time that a worker needs for a bot request.", SLOW
        )
        self.loop_lag_seconds = self._histogram(
            "event_loop_lag_seconds", "How late the event loop runs a timer."
        )
        self.database_size: dict[str, int] = {}  # the last count of the database's rows
        for code in _REFUSALS:  # an alert on the first one needs the zero before it
            self.refusals.labels(code)
        for status in ("500", "503"):
            self.http_responses.labels(status)

    def count_close(self, code: int) -> None:
        """Count a WebSocket that closed with a code or was refused with a status."""
        known = code in _CLOSES or code < _CLOSES[0]
        self.closes.labels(str(code) if known else "other").inc()

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(f"acesaround_{name}", says, labels, registry=self.registry)

    def _gauge(self, name: str, says: str) -> Gauge:
        return Gauge(f"acesaround_{name}", says, registry=self.registry)

    def _histogram(
        self, name: str, says: str, bounds: tuple[float, ...] = _QUICK, *, label: str | None = None
    ) -> Histogram:
        labels = () if label is None else (label,)
        return Histogram(f"acesaround_{name}", says, labels, buckets=bounds, registry=self.registry)
