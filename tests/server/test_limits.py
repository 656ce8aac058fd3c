"""What is too much over HTTP: for one guest, for one address, and behind a proxy."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from acesaround.server.limits import Allowance, Purse, TooMany, network
from acesaround.server.settings import ServeError, Settings
from tests.server.browser import app, browsers

OPEN = {"variant": "partnership"}


def test_a_guest_who_opens_too_many_tables_has_to_wait(tmp_path: Path) -> None:
    with browsers(app(tmp_path, http_credits=2, http_credit_seconds=1e9), 2) as [ann, bob]:
        assert [ann.post("/api/tables", json=OPEN).status_code for _ in range(2)] == [201, 201]
        refused = ann.post("/api/tables", json=OPEN)
        assert refused.status_code == 429
        assert "wait" in refused.json()["error"]
        assert int(refused.headers["retry-after"]) > 0
        assert ann.post("/api/me", json={"name": "Ann"}).status_code == 429
        assert ann.get("/api/me").status_code == 200
        assert bob.post("/api/tables", json=OPEN).status_code == 201


def test_guests_without_cookies_share_the_credits_of_their_address(tmp_path: Path) -> None:
    server = app(tmp_path, http_credits=1, crowd=3, http_credit_seconds=1e9)
    with TestClient(server, client=("203.0.113.7", 1)) as client:
        codes = []
        for _ in range(4):
            client.cookies.clear()
            codes.append(client.post("/api/tables", json=OPEN).status_code)
        assert codes == [201, 201, 201, 429]
        elsewhere = TestClient(server, client=("203.0.113.8", 1))
        elsewhere.portal = client.portal
        assert elsewhere.post("/api/tables", json=OPEN).status_code == 201
        elsewhere.portal = None


def test_behind_a_proxy_that_is_told_of_the_address_is_the_forwarded_one(tmp_path: Path) -> None:
    server = app(tmp_path, http_credits=1, crowd=1, http_credit_seconds=1e9)

    def codes(trusted: str, client: str) -> list[int]:
        # As uvicorn wraps the server where --proxy is given.
        proxied = ProxyHeadersMiddleware(server, trusted)  # type: ignore[arg-type]
        with TestClient(server):
            through = TestClient(proxied, client=(client, 1))  # type: ignore[arg-type]
            got = []
            for last in (1, 1, 2, 2):
                forwarded = {"x-forwarded-for": f"203.0.113.{last}"}
                through.cookies.clear()
                answer = through.post("/api/tables", json=OPEN, headers=forwarded)
                got.append(answer.status_code)
            return got

    assert codes("127.0.0.1", "127.0.0.1") == [201, 429, 201, 429]
    assert codes("127.0.0.1", "198.51.100.1") == [201, 429, 429, 429]  # anybody can say that


def test_an_address_is_a_home() -> None:
    assert network("2001:db8:1:2:3::4") == network("2001:db8:1:2::9")
    assert network("2001:db8:1:2::9") != network("2001:db8:1:3::9")
    assert network("::ffff:192.0.2.1") == network("192.0.2.1") == "192.0.2.1"
    assert [network(own) for own in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "", None)] == [
        None
    ] * 5
    assert network("unix:") == "unix:"


def test_this_machine_is_not_limited_as_an_address() -> None:
    allowance = Allowance(1, 1e9, crowd=1)
    for number in range(10):
        allowance.spend(f"guest {number}", "127.0.0.1")
    with pytest.raises(TooMany):
        allowance.spend("guest 1", "127.0.0.1")


def test_many_names_take_bounded_memory() -> None:
    purse = Purse(1, 1e9, most=100)
    for number in range(1000):
        assert purse.spend(str(number))
    assert len(purse._held) == 100
    assert not purse.spend("999")
    assert purse.spend("0")  # forgotten


def test_a_proxy_is_an_address() -> None:
    for proxy in ("127.0.0.1", "10.0.0.0/8, ::1", "*"):
        assert Settings(database_url="sqlite://", secret="x", proxy=proxy).proxy == proxy
    for proxy in ("proxy.example", "127.0.0.1,", "127.0.0.1;::1"):
        with pytest.raises(ServeError, match="no address of a proxy"):
            Settings(database_url="sqlite://", secret="x", proxy=proxy)
