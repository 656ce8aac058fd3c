"""The dashboard and the alerts ask for what the server exposes, and for all of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from acesaround.server.observability.metrics import FAMILIES

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
FAMILY = {family.name: family for family in FAMILIES}


def exposed() -> dict[str, set[str]]:
    """The name of every sample, with its labels."""
    found = {}
    for family in FAMILIES:
        labels = set() if family.label is None else {family.label}
        if family.kind == "histogram":
            found[f"acesaround_{family.name}_bucket"] = {*labels, "le"}
            found[f"acesaround_{family.name}_sum"] = labels
            found[f"acesaround_{family.name}_count"] = labels
        else:
            found[f"acesaround_{family.name}"] = labels
    return found


def dashboard() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DEPLOY / "grafana.json").read_text())
    return found


def alerts() -> list[dict[str, Any]]:
    groups = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def asked() -> Iterator[str]:
    for panel in dashboard()["panels"]:
        yield from (target["expr"] for target in panel.get("targets", ()))
    yield from (rule["expr"] for rule in alerts())


def test_every_figure_that_is_asked_for_is_exposed_with_these_labels() -> None:
    names = exposed()
    for expression in asked():
        wanted = re.findall(r"acesaround_\w+", expression)
        assert wanted or expression.startswith("up{"), expression
        assert [name for name in wanted if name not in names] == []
        labels = set().union(*(names[name] for name in wanted))
        grouped = re.findall(r"by \(([a-z, ]+)\)", expression)
        by = {label for group in grouped for label in group.split(", ")}
        chosen = set(re.findall(r"[{,](\w+)=", expression)) - {"job"}
        assert by | chosen <= labels, expression
        if "_bucket" in expression:
            assert "le" in by, expression


def test_legends_name_labels_that_are_there() -> None:
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", ()):
            for label in re.findall(r"{{(\w+)}}", target["legendFormat"]):
                assert label in set().union(
                    *(exposed()[name] for name in re.findall(r"acesaround_\w+", target["expr"]))
                )


def test_every_figure_is_on_the_dashboard() -> None:
    shown = {name for expr in asked() for name in re.findall(r"acesaround_(\w+)", expr)}
    for family in FAMILIES:
        assert any(name.startswith(family.name) for name in shown), family.name


def test_no_two_panels_lie_over_each_other() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in dashboard()["panels"]:
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= 24
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken, panel["title"]
        taken |= cells
    ids = [panel["id"] for panel in dashboard()["panels"]]
    assert len(set(ids)) == len(ids)


def test_refusals_that_alerts_wait_for_are_counted_from_the_start() -> None:
    from acesaround.server.observability.metrics import Metrics

    for rule in alerts():
        for code in re.findall(r'code="(\w+)"', rule["expr"]):
            assert f"refused_total {code}" in Metrics().figures
        assert rule["annotations"]["summary"]
