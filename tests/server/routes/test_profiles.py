"""Names of guests, and the flags and the expiry of cookies."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.server.http_client import create_table, make_app, open_clients, set_name


def test_name_of_a_guest_is_stored(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        assert ann.get("/api/me").json() == {"name": None, "avatar": ""}
        assert ann.post("/api/me", json={"name": "  Ann\n\u202eMarie "}).json() == {
            "name": "Ann Marie",
            "avatar": "",
        }
        assert ann.get("/api/me").json() == {"name": "Ann Marie", "avatar": ""}
        assert bob.get("/api/me").json() == {"name": None, "avatar": ""}


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"name": 3}', b'{"name": ""}', b'{"name": " "}', b"\xff",
             b'{"name": "' + b"x" * 25 + b'"}', b"[" * 9000]
)  # fmt: skip
def test_invalid_name_is_refused(body: bytes, tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        answer = ann.post("/api/me", content=body)
        assert answer.status_code == 400
        assert answer.json()["error"]


def test_cookie_flags_depend_on_the_public_url(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        ann.cookies.clear()
        plain = ann.get("/api/me").headers["set-cookie"]
    with open_clients(make_app(tmp_path, public_url="https://cards.example")) as [ann]:
        secure = ann.get("/api/me").headers["set-cookie"]
    assert "Secure" not in plain
    assert "Secure" in secure
    assert secure.startswith("__Host-")
    for cookie in (plain, secure):
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie


def test_an_expired_cookie_is_a_new_guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_clients(make_app(tmp_path)) as [ann]:
        create_table(set_name(ann, "Ann"))
        assert len(ann.get("/api/mine").json()) == 1
        later = time.time() + 401 * 86_400
        monkeypatch.setattr("itsdangerous.timed.time.time", lambda: later)
        assert ann.get("/api/mine").json() == []
        assert ann.get("/api/me").json() == {"name": None, "avatar": ""}
