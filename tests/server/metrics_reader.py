"""Metrics that a server exposes."""

from __future__ import annotations

from pathlib import Path

from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from starlette.testclient import TestClient

from tests.server.clock import get_clock
from tests.server.http_client import create_table, make_app, open_clients, open_seat
from tests.waiting import wait_until


def read_families(client: TestClient) -> list[Metric]:
    return list(text_string_to_metric_families(client.get("/metrics").text))


def read_values(client: TestClient) -> dict[tuple[str, ...], float]:
    """Return the value of each sample, by name and label values."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in read_families(client)
        for sample in family.samples
    }


def read_all_samples(folder: Path) -> list[Sample]:
    """Return every sample of a server that was used and whose database was counted."""
    with open_clients(make_app(folder)) as [ann]:
        with open_seat(ann, create_table(ann)):
            pass
        clock = get_clock(ann)

        def counted() -> list[Sample]:
            clock.advance(0.1)  # passes pauses between pieces of work
            found = [sample for family in read_families(ann) for sample in family.samples]
            names = {sample.name for sample in found}
            wanted = {"acesaround_database_size_bytes", "acesaround_websocket_closes_total"}
            return found if wanted <= names else []

        return wait_until(counted)
