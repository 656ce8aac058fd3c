"""What routes accept of a request."""

from __future__ import annotations

from pathlib import Path

from tests.server.http_client import app, browsers, named


def test_a_body_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        assert ann.post("/api/me", content=b" " * 20_000).status_code == 413


def test_what_another_site_sends_changes_nothing(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        named(ann, "Ann")
        headers = {"origin": "http://evil.example"}
        assert ann.post("/api/me", json={"name": "Eve"}, headers=headers).status_code == 403
        assert ann.get("/api/me").json() == {"name": "Ann", "avatar": ""}
