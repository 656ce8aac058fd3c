"""Keys of cookies: replaced without losing a guest, and dropped later."""

from __future__ import annotations

import http.cookies
import time
from pathlib import Path

import pytest
from itsdangerous import URLSafeTimedSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from acesaround.server.accounts.cookie import Cookie, CookieSigner, parse_keys
from tests.server.http_client import create_table, make_app, open_clients, set_name

OLD, NEW = "an old key of many letters", "a new key of many letters"


def test_guest_is_recognized_after_a_change_of_keys(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path, secret=OLD)) as [ann]:
        opened = create_table(set_name(ann, "Ann"))
        cookie = ann.cookies["acesaround"]

    def tables_and_new_cookie(secret: str) -> tuple[list[str], str | None]:
        """Return the tables of a guest with that cookie, and the cookie that is sent back."""
        with open_clients(make_app(tmp_path, secret=secret)) as [guest]:
            guest.cookies.clear()
            guest.cookies.set("acesaround", cookie)
            mine = [line["id"] for line in guest.get("/api/mine").json()]
            answer = guest.get("/")
            return mine, answer.cookies.get("acesaround")

    assert tables_and_new_cookie(OLD) == ([opened], None)
    mine, renewed = tables_and_new_cookie(f"{NEW}, {OLD}")
    assert mine == [opened]
    assert renewed is not None  # signed with the new key
    cookie = renewed
    assert tables_and_new_cookie(f"{NEW},{OLD}") == ([opened], None)
    assert tables_and_new_cookie(NEW) == ([opened], None)
    assert tables_and_new_cookie(f"{OLD}\n{NEW}\n")[0] == [opened]
    assert tables_and_new_cookie(OLD)[0] == []  # unknown signature


def test_the_first_key_signs() -> None:
    assert parse_keys(f"{NEW},\n {OLD} \n") == [NEW, OLD]
    signed = CookieSigner(f"{NEW},{OLD}", secure=False)._any_key.dumps({"id": "x"})
    assert URLSafeTimedSerializer(NEW, salt="acesaround.guest").loads(signed) == {"id": "x"}


def test_old_key_with_a_comma_still_verifies() -> None:
    whole = "a key of before, which had a comma"
    signed = URLSafeTimedSerializer(whole, salt="acesaround.guest").dumps({"id": "x"})
    assert CookieSigner(whole, secure=False)._any_key.loads(signed) == {"id": "x"}


def test_no_cookie_is_unquoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python takes seconds to unquote a value of many backslashes."""

    def unquote(value: str) -> str:
        raise AssertionError(f"unquoted: {value[:20]}")

    monkeypatch.setattr(http.cookies, "_unquote", unquote)
    with open_clients(make_app(tmp_path)) as [ann]:
        own = f"acesaround={set_name(ann, 'Ann').cookies['acesaround']}"
        backslashes = '"' + "\\" * 1000 + '"'
        ann.cookies.clear()
        for sent in (own, f"a={backslashes}; {own} ; b", f"acesaround={backslashes};{own}"):
            assert ann.get("/api/me", headers={"cookie": sent}).json()["name"] == "Ann"
        for sent in (f"acesaround={backslashes}", "acesaround", f"x{own}", ";=;", own[:-1]):
            assert ann.get("/api/me", headers={"cookie": sent}).json()["name"] is None


def test_bot_name_in_an_old_cookie_is_dropped(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path, secret=OLD)) as [eve]:
        signer = URLSafeTimedSerializer(OLD, salt="acesaround.guest")
        eve.cookies.clear()
        eve.cookies.set("acesaround", signer.dumps({"id": "eve", "name": "bot:expert"}))
        assert eve.get("/api/me").json() == {"name": None, "avatar": ""}


@pytest.mark.parametrize("secret", ["", ",", "\n"])
def test_empty_key_is_one_key(secret: str) -> None:
    assert parse_keys(secret) == [secret]


def test_cookie_from_a_clock_ahead_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    signer = CookieSigner(NEW, secure=False)
    response = Response()
    ahead = time.time() + 3600
    with monkeypatch.context() as patched:
        patched.setattr(time, "time", lambda: ahead)
        signer.set_cookie(response, Cookie("a-device", "Ann"))
    sent = response.headers["set-cookie"].partition(";")[0]
    request = HTTPConnection({"type": "http", "headers": [(b"cookie", sent.encode())]})
    assert signer.read_cookie(request) == Cookie("a-device", "Ann")


def test_cookie_expires_after_400_days(monkeypatch: pytest.MonkeyPatch) -> None:
    signer = CookieSigner(NEW, secure=False)
    response = Response()
    signer.set_cookie(response, Cookie("a-device", "Ann"))
    sent = response.headers["set-cookie"].partition(";")[0]
    request = HTTPConnection({"type": "http", "headers": [(b"cookie", sent.encode())]})
    later = time.time() + 400 * 86_400 + 10
    monkeypatch.setattr(time, "time", lambda: later)
    assert signer.read_cookie(request) is None
