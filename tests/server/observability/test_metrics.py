"""Metrics for Prometheus: play is counted, and every documented metric exists."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from acesaround import __version__
from acesaround.server.accounts.sessions import SIGNED_OUT_CODE
from acesaround.server.observability.metrics import Metrics
from acesaround.server.routes.table_websocket import NO_TABLE_CODE
from acesaround.server.table_client import CLOSED_BY_OPERATOR, DAMAGED_CODE, TRY_LATER
from tests.server.http_client import create_table, make_app, open_clients, open_seat, set_name
from tests.server.metrics_reader import read_all_samples, read_values

ROOT = Path(__file__).parents[3]
CLOSES = "acesaround_websocket_closes_total"


def read_counted_closes(*codes: int) -> dict[str, float]:
    """Return how often each label was counted when sockets were closed with these codes."""
    metrics = Metrics()
    for code in codes:
        metrics.count_close(code)
    [family] = metrics.closes.collect()
    return {one.labels["code"]: one.value for one in family.samples}


def test_unknown_close_codes_count_as_other() -> None:
    assert read_counted_closes(1001, 3000, 4999, 403) == {"1001": 1, "403": 1, "other": 2}


def test_own_close_codes_are_counted_apart() -> None:
    assert "other" not in read_counted_closes(
        SIGNED_OUT_CODE, CLOSED_BY_OPERATOR, NO_TABLE_CODE, DAMAGED_CODE, TRY_LATER
    )


def test_metrics_change_with_play(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(set_name(ann, "Ann"), options={"hands": 1})
        with open_seat(ann, opened) as sitting:
            before = read_values(ann)
            sitting.send(type="start")
            sitting.read_until(lambda m: m["table"]["started"])
            during = read_values(ann)
            sitting.play(lambda state: state["table"]["over"])
            after = read_values(ann)
    states = [
        tuple(found["acesaround_loaded_tables", state] for state in ("lobby", "playing", "over"))
        for found in (before, during, after)
    ]
    assert states == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    # An action is measured after its state is sent, so the last may be missing.
    actions = after["acesaround_action_duration_seconds_count",]
    assert 0 <= sitting.action_count - actions <= 1
    assert sitting.action_count > 0
    commits = after["acesaround_append_batch_entries_count",]
    entries = after["acesaround_append_batch_entries_sum",]
    assert entries == after["acesaround_log_entries_total",] >= commits > 10
    assert after["acesaround_log_append_duration_seconds_count",] > 10
    assert after["acesaround_http_request_duration_seconds_count", "/metrics"] == 2
    assert after["acesaround_http_responses_total", "201"] == 1
    assert after["acesaround_websocket_connections",] == 1
    assert after["acesaround_refusals_total", "unsaved"] == 0
    assert after["acesaround_build_info", __version__] == 1
    if sys.platform == "linux":
        assert after["process_resident_memory_bytes",] > 10_000_000
        assert 3 < after["process_open_fds",] < after["process_max_fds",]


def test_servers_in_one_process_count_separately(tmp_path: Path) -> None:
    with (
        open_clients(make_app(tmp_path)) as [ann],
        open_clients(make_app(tmp_path / "two")) as [bob],
    ):
        ann.get("/health")
        route = ("acesaround_http_request_duration_seconds_count", "/health")
        assert read_values(ann)[route] == 1
        assert route not in read_values(bob)


@pytest.mark.parametrize("kind", ["text/plain; version=0.0.4", "application/openmetrics-text"])
def test_format_follows_the_accept_header(kind: str, tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        answer = ann.get("/metrics", headers={"accept": kind})
    assert answer.headers["content-type"].startswith(kind)


def test_docs_list_exactly_the_metrics(tmp_path: Path) -> None:
    text = (ROOT / "docs/watching.md").read_text()
    rows = re.findall(r"^\| `(acesaround_\w+)` \| (?:`([a-z]+)`)? \|", text, re.MULTILINE)
    exposed = {
        (re.sub("_(bucket|sum|count)$", "", one.name), *(one.labels.keys() - {"le"} or [""]))
        for one in read_all_samples(tmp_path)
        if one.name.startswith("acesaround_")
    }
    assert sorted(rows) == sorted(exposed)
