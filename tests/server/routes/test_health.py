"""Health and metrics."""

from __future__ import annotations

from pathlib import Path

from tests.server.http_client import create_table, make_app, open_clients, open_seat


def test_health_and_metrics_answer(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        opened = create_table(ann)
        with open_seat(ann, opened) as sitting:
            sitting.send_refused(type="rematch")
            assert ann.get("/health").json() == {"ok": True}
            figures = ann.get("/metrics").text
        assert "acesaround_websocket_connections 1.0" in figures
        assert 'acesaround_refusals_total{code="rule"} 1.0' in figures
