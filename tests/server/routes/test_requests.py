"""Large bodies and requests from other sites are refused."""

from __future__ import annotations

from pathlib import Path

from tests.server.http_client import make_app, open_clients, set_name


def test_large_body_is_refused(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        assert ann.post("/api/me", content=b" " * 20_000).status_code == 413


def test_post_from_another_site_is_refused(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        set_name(ann, "Ann")
        headers = {"origin": "http://evil.example"}
        assert ann.post("/api/me", json={"name": "Eve"}, headers=headers).status_code == 403
        assert ann.get("/api/me").json() == {"name": "Ann", "avatar": ""}
