"""The dashboard and the alerts use exactly the metrics that the server exposes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from acesaround.server.observability.metrics import Metrics
from tests.server.metrics_reader import read_all_samples

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
ADDED_LABELS = {"job", "instance"}
"""The labels that Prometheus adds to each sample."""
FROM_PROMETHEUS = dict.fromkeys(
    (
        "up",  # by Prometheus
        "process_cpu_seconds_total",  # by prometheus-client, on Linux
        "process_resident_memory_bytes",
        "process_open_fds",
        "process_max_fds",
    ),
    ADDED_LABELS,
)
NAMES = re.compile(r"\b(?:acesaround|process)_\w+|\bup\b")


@pytest.fixture(scope="module")
def exposed_labels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Return the labels of every exposed sample, by name."""
    found = dict(FROM_PROMETHEUS)
    for sample in read_all_samples(tmp_path_factory.mktemp("server")):
        found[sample.name] = {*sample.labels, *ADDED_LABELS}
    return found


def dashboard() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DEPLOY / "grafana.json").read_text())
    return found


def alerts() -> list[dict[str, Any]]:
    groups = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def expressions() -> Iterator[str]:
    for panel in dashboard()["panels"]:
        yield from (target["expr"] for target in panel.get("targets", ()))
    yield from (rule["expr"] for rule in alerts())


def test_expressions_use_exposed_metrics_and_labels(exposed_labels: dict[str, set[str]]) -> None:
    for expression in expressions():
        wanted = NAMES.findall(expression)
        assert wanted, expression
        assert [name for name in wanted if name not in exposed_labels] == []
        labels = set().union(*(exposed_labels[name] for name in wanted))
        grouped = re.findall(r"by \(([a-z, ]+)\)", expression)
        by = {label for group in grouped for label in group.split(", ")}
        chosen = set(re.findall(r"[{,](\w+)=", expression))
        assert by | chosen <= labels, expression
        if "_bucket" in expression:
            assert "le" in by, expression


def test_legends_use_exposed_labels(exposed_labels: dict[str, set[str]]) -> None:
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", ()):
            for label in re.findall(r"{{(\w+)}}", target["legendFormat"]):
                names = NAMES.findall(target["expr"])
                assert label in set().union(*(exposed_labels[name] for name in names))


def test_every_metric_is_shown_or_alerted_on(exposed_labels: dict[str, set[str]]) -> None:
    shown = {_family(name) for expression in expressions() for name in NAMES.findall(expression)}
    assert {_family(name) for name in exposed_labels if name.startswith("acesaround_")} <= shown


def _family(name: str) -> str:
    return re.sub("_(bucket|sum|count)$", "", name)


def test_panels_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in dashboard()["panels"]:
        position = panel["gridPos"]
        assert position["x"] + position["w"] <= 24
        cells = {
            (x, y)
            for x in range(position["x"], position["x"] + position["w"])
            for y in range(position["y"], position["y"] + position["h"])
        }
        assert not cells & taken, panel["title"]
        taken |= cells
    ids = [panel["id"] for panel in dashboard()["panels"]]
    assert len(set(ids)) == len(ids)


def test_alerts_use_existing_refusal_counters() -> None:
    registry = Metrics().registry
    for rule in alerts():
        for code in re.findall(r'code="(\w+)"', rule["expr"]):
            assert registry.get_sample_value("acesaround_refusals_total", {"code": code}) == 0
        assert rule["annotations"]["summary"]
