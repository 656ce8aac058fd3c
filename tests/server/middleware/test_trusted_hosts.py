"""Allowed host names, and the security headers of every response."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from acesaround.server.middleware.trusted_hosts import AllowedHosts
from acesaround.store import table_lists
from tests.server.http_client import create_table, make_app, open_clients, open_seat, set_name
from tests.server.in_process_server import serve_in_process
from websocket_client import Answer, exchange

SECURITY_HEADERS = {
    "content-security-policy", "x-content-type-options", "referrer-policy", "x-frame-options",
    "permissions-policy", "cross-origin-opener-policy", "cross-origin-resource-policy",
}  # fmt: skip
HANDSHAKE = (
    b"GET /ws/x HTTP/1.1\r\nHost: evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.mark.parametrize("path", ["/", "/health", "/metrics", "/api/me", "/api/tables", "/x.js"])
def test_unknown_host_is_refused(path: str, tmp_path: Path) -> None:
    """DNS rebinding: the browser sees the same site, so only the host name tells."""
    with open_clients(make_app(tmp_path)) as [ann]:
        cookies = dict(ann.cookies)
        ann.cookies.clear()
        answer = ann.get(path, headers={"host": "evil.example"})
        assert answer.status_code == 421
        assert "--allowed-host" in answer.text
        assert "set-cookie" not in answer.headers
        assert set(answer.headers) >= SECURITY_HEADERS
        ann.cookies.update(cookies)
        sent = {"host": "evil.example", "origin": "http://evil.example"}
        assert ann.post("/api/me", json={"name": "Eve"}, headers=sent).status_code == 421
        opened = create_table(set_name(ann, "Ann"))
        with (
            pytest.raises(WebSocketDenialResponse),
            ann.websocket_connect(f"/ws/{opened}", headers=sent),
        ):
            pass


async def test_unknown_host_is_refused_over_a_real_socket(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with serve_in_process(make_app(tmp_path)) as port:
        for host, status in (("evil.example", 421), (f"localhost:{port}", 200)):
            asked = f"GET /health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            assert Answer(await exchange(port, asked.encode())).status == status
        doubled = b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
        assert Answer(await exchange(port, doubled)).status == 400
        answer = Answer(await exchange(port, HANDSHAKE))
        assert (answer.status, b"--allowed-host" in answer.body) == (421, True)
    assert [one for one in caplog.records if one.exc_info] == []


def test_names_of_this_machine_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Den.Home.example")
    hosts = AllowedHosts("https://Cards.Example:8443", ["club.example."])
    own = "den.home.example"
    for host in (
        "localhost", "localhost:8000", "LOCALHOST.", "127.0.0.1:8000", "192.168.1.7:8000",
        "[::1]:8000", "[fe80::1]", "cards.example", "cards.example:443", "CLUB.example", own,
        f"{own}:8000", f"{own.partition('.')[0]}.local", "",
    ):  # fmt: skip
        assert hosts.allows(host), host
    for host in (
        "evil.example", "cards.example.evil.example", "localhost.evil.example", "xlocalhost",
        "127.0.0.1.evil.example", "1.2.3", "cards.example@evil.example", "evil.example:80:80",
        "[::1", "[evil.example]", "local", f"{own}.evil.example", "cards.example evil.example",
        "cards.example\x00", "0x7f.1", "\u0441ards.example", ".", ":8000",
    ):  # fmt: skip
        assert not hosts.allows(host), host


def test_allowed_host_option_adds_a_name(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path, allowed_hosts=("testserver", "club.example"))) as [ann]:
        assert ann.get("/health", headers={"host": "club.example:8000"}).status_code == 200


def get_responses(client: TestClient, opened: str) -> dict[str, Any]:
    asked = {
        path: client.get(path)
        for path in (
            "/", f"/t/{opened}", "/t/nowhere", f"/r/{opened}/1", "/assets/x-abc.js", "/nothing.js",
            "/api/me", "/api/nothing", "/api/tables", "/health", "/metrics",
            f"/api/tables/{opened}/record.json",
        )
    }  # fmt: skip
    asked["post"] = client.post("/api/me", content=b"{")
    asked["odd"] = client.request("PUT", "/api/me")
    return asked


def test_every_response_has_security_headers(tmp_path: Path) -> None:
    assets = tmp_path / "static" / "assets"
    assets.mkdir(parents=True)
    (tmp_path / "static" / "index.html").write_text("<p>the table")
    (assets / "x-abc.js").write_text("1")
    with open_clients(make_app(tmp_path)) as [ann]:
        for path, answer in get_responses(ann, create_table(ann)).items():
            assert set(answer.headers) >= SECURITY_HEADERS, path
            policy = answer.headers["content-security-policy"]
            for part in ("default-src 'self'", "frame-ancestors 'none'", "object-src 'none'"):
                assert part in policy
            assert "connect-src 'self' ws://testserver wss://testserver;" in policy
            assert "unsafe-eval" not in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "strict-transport-security" not in answer.headers
    with open_clients(make_app(tmp_path, public_url="https://cards.example")) as [ann]:
        answer = ann.get("/health")
        assert "max-age=" in answer.headers["strict-transport-security"]
        assert "wss://cards.example" in answer.headers["content-security-policy"]


def test_errors_have_security_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = make_app(tmp_path)
    with TestClient(server, raise_server_exceptions=False) as ann:
        monkeypatch.setattr(table_lists, "lobby_tables", None)
        answer = ann.get("/api/tables")
        assert answer.status_code == 500
        assert set(answer.headers) >= SECURITY_HEADERS
        assert "log" in answer.json()["error"]


def test_second_person_of_a_name_gets_a_number(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, other]:
        opened = create_table(set_name(ann, "Ann"))
        set_name(other, "ann")
        for _ in range(2):
            with open_seat(other, opened) as sitting:
                if sitting.state["table"]["you"] is None:
                    sitting.send(type="sit", seat=1)
                    sitting.read_until(lambda message: message["table"]["you"] == 1)
                seats = sitting.state["table"]["seats"]
                assert [one["name"] for one in seats[:2]] == ["Ann", "ann 2"]
        assert other.get("/api/me").json() == {"name": "ann", "avatar": ""}
