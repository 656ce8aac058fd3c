"""What Prometheus reads: histograms that add up, and every figure that is promised."""

from __future__ import annotations

import re
import resource
from pathlib import Path

import pytest

from acesaround.server.accounts.sessions import SIGNED_OUT
from acesaround.server.client import ENDED, TRY_LATER
from acesaround.server.observability.metrics import (
    FAMILIES,
    QUICK,
    Histogram,
    Metrics,
    render_prometheus,
)
from acesaround.server.routes.table_websocket import DAMAGED, NO_TABLE
from tests.server.http_client import app, browsers, named, seat, table

ROOT = Path(__file__).parents[3]
SAMPLE = re.compile(r'([a-z_]+)(\{[a-z]+="[^"\n]*"(?:,[a-z]+="[^"\n]*")*\})? (\S+)')


def samples(text: str) -> dict[str, float]:
    """Every sample by its name and labels; a line that is none fails."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            fits = SAMPLE.fullmatch(line)
            assert fits, line
            assert fits[1] + (fits[2] or "") not in found
            found[fits[1] + (fits[2] or "")] = float(fits[3])
    return found


def test_a_histogram_counts_what_is_no_larger_than_each_bound() -> None:
    metrics = Metrics()
    for seconds in (0.0, 0.001, 0.0011, 10.0, 10.1):
        metrics.action.observe(seconds)
    found = samples(render_prometheus([metrics.figures]))
    its = "acesaround_action_seconds"
    assert found[f'{its}_bucket{{le="0.001"}}'] == 2
    assert found[f'{its}_bucket{{le="0.0025"}}'] == 3
    assert found[f'{its}_bucket{{le="10"}}'] == 4
    assert found[f'{its}_bucket{{le="+Inf"}}'] == found[f"{its}_count"] == 5
    assert found[f"{its}_sum"] == pytest.approx(20.1021)


def test_the_figures_of_several_processes_add_up() -> None:
    several = [Metrics() for _ in range(3)]
    for number, metrics in enumerate(several, 1):
        metrics.entries = number
        metrics.refused["rule"] += number
        for _ in range(number):
            metrics.http("/t/{table}", number / 100)
    several[0].http("/", 0.5)
    found = samples(render_prometheus(metrics.figures for metrics in several))
    assert found["acesaround_entries_total"] == 6
    assert found['acesaround_refused_total{code="rule"}'] == 6
    its = 'acesaround_http_seconds_{}{{route="/t/{{table}}"{}}}'
    assert found[its.format("count", "")] == 6
    assert found[its.format("sum", "")] == pytest.approx(0.14)
    assert found[its.format("bucket", ',le="0.025"')] == 3
    assert found['acesaround_http_seconds_count{route="/"}'] == 1


def test_what_another_version_counts_otherwise_is_left_out() -> None:
    other = {"entries_total": [1.0, 2.0], "of_tomorrow": [1.0], "action_seconds": [1.0]}
    found = samples(render_prometheus([Metrics().figures, other]))
    assert found["acesaround_entries_total"] == 0
    assert found["acesaround_action_seconds_count"] == 0
    assert "acesaround_of_tomorrow" not in found


def test_codes_that_browsers_make_up_are_one() -> None:
    metrics = Metrics()
    for code in (1001, 3000, 4999, 403):
        metrics.close(code)
    found = samples(render_prometheus([metrics.figures]))
    its = "acesaround_sockets_closed_total"
    assert {name: number for name, number in found.items() if its in name} == {
        f'{its}{{code="1001"}}': 1,
        f'{its}{{code="403"}}': 1,
        f'{its}{{code="other"}}': 2,
    }


def test_codes_of_our_own_are_told_apart() -> None:
    metrics = Metrics()
    for code in (SIGNED_OUT, ENDED, NO_TABLE, DAMAGED, TRY_LATER):
        metrics.close(code)
    assert "other" not in metrics.closed


def test_a_quote_in_a_label_ends_nothing() -> None:
    text = render_prometheus([{'answers_total a"b\\': [1.0]}])
    assert r'acesaround_answers_total{status="a\"b\\"} 1' in text


def test_a_server_at_which_somebody_plays_counts_it(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        table(ann)
        opened = table(named(ann, "Ann"), options={"hands": 1})
        with seat(ann, opened) as sitting:
            before = samples(ann.get("/metrics").text)
            sitting.send(type="start")
            sitting.until(lambda m: m["table"]["started"])
            during = samples(ann.get("/metrics").text)
            sitting.play(lambda state: state["table"]["over"])
            answer = ann.get("/metrics")
    after = samples(answer.text)
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    states = [
        {state: found[f'acesaround_tables{{state="{state}"}}'] for state in
         ("lobby", "playing", "over", "asleep")}
        for found in (before, during, after)
    ]  # fmt: skip
    assert states == [
        {"lobby": 1, "playing": 0, "over": 0, "asleep": 1},
        {"lobby": 0, "playing": 1, "over": 0, "asleep": 1},
        {"lobby": 0, "playing": 0, "over": 1, "asleep": 1},
    ]
    assert after["acesaround_action_seconds_count"] >= 5
    commits, entries = "acesaround_commit_entries_count", "acesaround_commit_entries_sum"
    assert after[entries] == after["acesaround_entries_total"] >= after[commits] > 10
    assert after["acesaround_append_seconds_count"] > 10
    assert after['acesaround_http_seconds_count{route="/metrics"}'] == 2
    assert after['acesaround_answers_total{status="201"}'] == 2
    assert after["acesaround_loop_lag_seconds_count"] >= 0
    assert after["acesaround_resident_bytes"] > 10_000_000
    assert 3 < after["acesaround_open_files"] < after["acesaround_open_files_limit"]
    assert after["acesaround_open_files_limit"] == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert after['acesaround_refused_total{code="unsaved"}'] == 0
    for family in FAMILIES:
        assert f"# TYPE acesaround_{family.name} {family.kind}" in answer.text


def test_each_family_says_what_it_is_made_of() -> None:
    figures = Metrics().figures | {"http_seconds /": Histogram(QUICK).figures}
    families = {family.name: family for family in FAMILIES}
    for key, figure in figures.items():
        assert len(figure) == families[key.partition(" ")[0]].numbers, key
        assert (" " in key) == (families[key.partition(" ")[0]].label is not None)


def test_the_page_for_hosts_has_a_line_for_each_family_and_no_other() -> None:
    text = (ROOT / "docs/watching.md").read_text()
    rows = re.findall(r"^\| `acesaround_([a-z_]+)`", text, re.MULTILINE)
    assert sorted(rows) == sorted(family.name for family in FAMILIES)
