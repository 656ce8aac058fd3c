"""The start page, table links and unknown paths."""

from __future__ import annotations

from pathlib import Path

from tests.server.http_client import create_table, make_app, open_clients


def test_missing_page_says_how_to_build_it(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        assert ann.get("/").status_code == 503
        assert "make play" in ann.get("/").text
        assert ann.get("/assets/x.js").status_code == 404
        assets = tmp_path / "static" / "assets"
        assets.mkdir(parents=True)
        (tmp_path / "static" / "index.html").write_text("<p>the table")
        (assets / "x-abc.js").write_text("1")
        opened = create_table(ann)
        for path in ("/", f"/t/{opened}"):
            built = ann.get(path)
            assert built.text == "<p>the table"
            assert built.headers["cache-control"] == "no-cache"
        assert "immutable" in ann.get("/assets/x-abc.js").headers["cache-control"]
        parts = ann.get("/assets/x-abc.js", headers={"range": "bytes=0-0,2-2"})
        assert (parts.status_code, parts.text) == (200, "1")  # many parts would take long
        assert "accept-ranges" not in parts.headers
        assert ann.get("/assets/../../tables.sqlite").status_code == 404
        assert ann.get("/assets/%2e%2e/%2e%2e/tables.sqlite").status_code == 404


def test_unknown_link_is_a_page_and_unknown_api_path_a_sentence(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        lost = ann.get("/t/nowhere")
        assert lost.status_code == 404
        assert "no table" in lost.text
        assert ann.get("/api/nowhere").json()["error"]
        assert ann.get("/api/tables/nowhere/record.json").status_code == 404
