"""Metrics that a server exposes."""

from __future__ import annotations

from pathlib import Path

from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from starlette.testclient import TestClient

from tests.server.clock import clock_of
from tests.server.http_client import app, browsers, seat, table
from tests.waiting import wait_until


def families(client: TestClient) -> list[Metric]:
    return list(text_string_to_metric_families(client.get("/metrics").text))


def values(client: TestClient) -> dict[tuple[str, ...], float]:
    """Return the value of each sample, by name and label values."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families(client)
        for sample in family.samples
    }


def all_samples(folder: Path) -> list[Sample]:
    """Return every sample of a server that was used and whose database was counted."""
    with browsers(app(folder)) as [ann]:
        with seat(ann, table(ann)):
            pass
        clock = clock_of(ann)

        def counted() -> list[Sample]:
            clock.forward(0.1)  # passes pauses between pieces of work
            found = [sample for family in families(ann) for sample in family.samples]
            names = {sample.name for sample in found}
            wanted = {"acesaround_database_size_bytes", "acesaround_websocket_closes_total"}
            return found if wanted <= names else []

        return wait_until(counted)
