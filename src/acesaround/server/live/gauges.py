"""Gauges of one process for Prometheus: tables in memory, connections, bots and the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector

from acesaround.server.limits.connections import ConnectionLimiter
from acesaround.server.live.table_registry import TableRegistry

_STATES: Final = ("lobby", "playing", "over")
_DATABASE: Final = {
    "tables": ("tables", "Tables in the database."),
    "games": ("games", "Games in the database, over or not."),
    "entries": ("log_entries", "Log entries in the database."),
    "people": ("people", "People with a name in the database."),
    "bytes": ("size_bytes", "Size of the database."),
}
"""The name and the description of each field of `retention_queries.DatabaseSizes`."""


class GaugeCollector(Collector):
    """Collects the metrics that are counted at each request of Prometheus."""

    def __init__(self, registry: TableRegistry, connections: ConnectionLimiter) -> None:
        self._registry = registry
        self._connections = connections

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metrics."""
        tables = Counter(live.state for live in self._registry.loaded_tables)
        yield _by_state(
            "loaded_tables", "Tables in memory.", {state: tables[state] for state in _STATES}
        )
        yield _by_state(
            "http_connections",
            "Connections without a WebSocket: the server or the client has the next step.",
            {"serving": self._connections.serving, "waiting": self._connections.waiting},
        )
        scheduler = self._registry.services.bot_dispatcher.scheduler
        executor = scheduler.executor
        yield _by_state(
            "bot_requests",
            "Decisions and hints for which bots are asked.",
            {"waiting": executor.waiting_count, "running": executor.working_count},
        )
        yield _gauge(
            "bot_requesters", "People whom bot requests are charged to.", executor.person_count
        )
        yield _gauge("bot_pool_ready", "1 if the bots that search are ready.", scheduler.is_ready)
        yield _gauge(
            "database_damaged",
            "1 if damage in the database is known.",
            bool(self._registry.services.store.damage),
        )
        for field, number in self._registry.services.metrics.database_size.items():
            name, says = _DATABASE[field]
            yield _gauge(f"database_{name}", says, number)


def _gauge(name: str, says: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"acesaround_{name}", says, value)


def _by_state(name: str, says: str, numbers: Mapping[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"acesaround_{name}", says, labels=["state"])
    for state, number in numbers.items():
        family.add_metric([state], number)
    return family
