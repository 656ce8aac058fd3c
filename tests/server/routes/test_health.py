"""Health and metrics."""

from __future__ import annotations

from pathlib import Path

from tests.server.http_client import app, browsers, seat, table


def test_health_and_metrics_answer(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        opened = table(ann)
        with seat(ann, opened) as sitting:
            sitting.refused(type="rematch")
            assert ann.get("/health").json() == {"ok": True}
            figures = ann.get("/metrics").text
        assert "acesaround_websocket_connections 1.0" in figures
        assert 'acesaround_refusals_total{code="rule"} 1.0' in figures
