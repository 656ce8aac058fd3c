"""The request id, and the log lines of requests and sockets."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from starlette.datastructures import Headers
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from acesaround.server import app as server_app
from acesaround.server.observability.logging import FIELDS_ATTRIBUTE, RepeatFilter, token_pseudonym
from acesaround.server.routes import variants
from tests.server.http_client import create_table, make_app, open_clients, open_seat, set_name

HEADER = "x-request-id"


def test_each_response_has_its_own_id(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        found = [
            ann.get(path).headers[HEADER]
            for path in ("/", "/api/me", "/api/tables", "/health", "/t/nothing", "/x.js")
        ]
        opened = create_table(ann)
        with open_seat(ann, opened) as sitting:
            headers = Headers(raw=sitting.socket.extra_headers)
            found.append(headers[HEADER])
    assert len(set(found)) == len(found)
    assert all(len(one) == 16 for one in found)


@pytest.mark.parametrize(
    ("proxy", "client", "given", "taken"),
    [
        (None, "127.0.0.1", "given-by-a-proxy", False),
        ("10.0.0.7", "127.0.0.1", "given-by-a-proxy", False),
        ("10.0.0.0/8", "10.0.0.7", "given-by-a-proxy", True),
        ("10.0.0.7", "10.0.0.7", "short", False),
        ("10.0.0.7", "10.0.0.7", "no id; but something else", False),
        ("10.0.0.7", "10.0.0.7", "x" * 65, False),
    ],
)
def test_id_is_accepted_only_from_a_trusted_proxy(
    proxy: str | None, client: str, given: str, taken: bool, tmp_path: Path
) -> None:
    server = make_app(tmp_path, trusted_proxies=proxy)
    with TestClient(server):
        through = TestClient(server, client=(client, 1))
        answer = through.get("/health", headers={HEADER: given})
    assert (answer.headers[HEADER] == given) == taken


def list_log_lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    return [
        (record.getMessage(), getattr(record, FIELDS_ATTRIBUTE))
        for record in caplog.records
        if record.name == "acesaround.access"
    ]


def test_access_log_has_a_line_a_request(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = make_app(tmp_path, access_log=True, trusted_proxies="127.0.0.1")
    with caplog.at_level(logging.INFO, "acesaround.access"), TestClient(server):
        ann = TestClient(server, client=("127.0.0.1", 1))
        ann.get("/")
        caplog.clear()
        forwarded = {"x-forwarded-for": "203.0.113.7"}
        opened = create_table(ann)
        assert ann.get(f"/t/{opened}?name=Ann", headers=forwarded).status_code == 503
        ann.get(f"/api/tables/{opened}/record.json")
        ann.get(f"/t/{opened}/")  # with a trailing slash
        ann.get("/robots.txt")
        ann.post("/health")
    words = [message for message, _ in list_log_lines(caplog)]
    pseudonym = token_pseudonym(opened)
    assert words == [
        "POST /api/tables 201",
        f"GET /t/{pseudonym} 503",
        f"GET /api/tables/{pseudonym}/record.json 404",
        f"GET /t/{pseudonym}/ 404",
        "GET /robots.txt 404",
        "POST /health 404",
    ]
    fields = list_log_lines(caplog)[1][1]
    assert (fields["address"], fields["route"]) == ("203.0.113.7", "/t/{table}")
    assert fields["bytes"] > 0


def test_access_log_has_lines_for_open_and_close_of_sockets(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level(logging.INFO, "acesaround.access"),
        open_clients(make_app(tmp_path, access_log=True)) as [ann],
    ):
        opened = create_table(set_name(ann, "Ann"))
        caplog.clear()
        with open_seat(ann, opened) as sitting:
            sitting.send_refused(type="rematch")
        with ann.websocket_connect("/ws/nothing") as websocket:
            assert websocket.receive()["code"] == 4404
    (begun, _), (ended, fields), (_, _), (nothing, _) = list_log_lines(caplog)
    assert begun == f"opened /ws/{token_pseudonym(opened)}"
    assert ended == f"closed /ws/{token_pseudonym(opened)} 1000"
    assert (fields["heard"], fields["said"]) == (1, 2)
    assert nothing == f"closed /ws/{token_pseudonym('nothing')} 4404"


@pytest.mark.parametrize(
    ("path", "host"),
    [
        ("/ws//{}", "testserver"),
        ("/{}", "testserver"),
        ("/x/{}/y", "testserver"),
        ("/x/{}", "evil"),
    ],
)
def test_refused_socket_logs_no_token(
    path: str, host: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "acesaround.access")
    with open_clients(make_app(tmp_path, access_log=True)) as [ann]:
        opened = create_table(ann)
        with pytest.raises((WebSocketDisconnect, WebSocketDenialResponse)):
            ann.websocket_connect(path.format(opened), headers={"host": host}).__enter__()
    words = [message for message, _ in list_log_lines(caplog)]
    assert any(one.startswith("refused") for one in words)
    assert not any(opened in one for one in words)


def test_access_log_is_off_by_default(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with (
        caplog.at_level(logging.INFO, "acesaround.access"),
        open_clients(make_app(tmp_path)) as [ann],
        open_seat(ann, create_table(ann)),
    ):
        pass
    assert list_log_lines(caplog) == []


def test_error_page_contains_the_request_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("nobody thought of that")

    monkeypatch.setattr(variants, "variant_form", broken)
    server = make_app(tmp_path)
    with TestClient(server, raise_server_exceptions=False) as ann:
        answer = ann.get("/api/variants")
        figures = ann.get("/metrics").text
    assert answer.status_code == 500
    assert answer.headers[HEADER] in answer.json()["error"]
    assert 'acesaround_http_responses_total{status="500"} 1.0' in figures


def test_database_failure_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server_app._LOG, "filters", [RepeatFilter()])
    with open_clients(make_app(tmp_path)) as [ann], caplog.at_level(logging.WARNING):
        (tmp_path / "tables.sqlite").rename(tmp_path / "gone")
        assert [ann.get("/api/tables").status_code for _ in range(5)] == [503] * 5
    said = [one.getMessage() for one in caplog.records if one.name == server_app.__name__]
    assert len(said) == 1
    assert "No such file" in said[0]
