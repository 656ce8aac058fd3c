"""HTTP: pages, names, variants and rules, tables, lists and records."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from acesaround import variants
from acesaround.rulebook import page
from acesaround.server.settings import ServeError, Settings
from tests.server.http_client import app, browsers, named, seat, table


def test_the_page_says_how_to_build_it_until_it_is_built(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        assert ann.get("/").status_code == 503
        assert "make play" in ann.get("/").text
        assert ann.get("/assets/x.js").status_code == 404
        assets = tmp_path / "static" / "assets"
        assets.mkdir(parents=True)
        (tmp_path / "static" / "index.html").write_text("<p>the table")
        (assets / "x-abc.js").write_text("1")
        opened = table(ann)
        for path in ("/", f"/t/{opened}"):
            built = ann.get(path)
            assert built.text == "<p>the table"
            assert built.headers["cache-control"] == "no-cache"
        assert "immutable" in ann.get("/assets/x-abc.js").headers["cache-control"]
        assert ann.get("/assets/../../tables.sqlite").status_code == 404
        assert ann.get("/assets/%2e%2e/%2e%2e/tables.sqlite").status_code == 404


def test_a_bad_link_is_a_plain_page_and_a_bad_call_a_sentence(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        lost = ann.get("/t/nowhere")
        assert lost.status_code == 404
        assert "no table" in lost.text
        assert ann.get("/api/nowhere").json()["error"]
        assert ann.get("/api/tables/nowhere/record.json").status_code == 404


def test_a_guest_keeps_a_name_and_a_fresh_one_has_none(tmp_path: Path) -> None:
    with browsers(app(tmp_path), 2) as [ann, bob]:
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
def test_a_name_that_is_none_is_refused(body: bytes, tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        answer = ann.post("/api/me", content=body)
        assert answer.status_code == 400
        assert answer.json()["error"]


def test_a_body_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        assert ann.post("/api/me", content=b" " * 20_000).status_code == 413


def test_what_another_site_sends_changes_nothing(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        named(ann, "Ann")
        headers = {"origin": "http://evil.example"}
        assert ann.post("/api/me", json={"name": "Eve"}, headers=headers).status_code == 403
        assert ann.get("/api/me").json() == {"name": "Ann", "avatar": ""}


def test_cookie_flags_follow_the_public_address(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        ann.cookies.clear()
        plain = ann.get("/api/me").headers["set-cookie"]
    with browsers(app(tmp_path, public_url="https://cards.example")) as [ann]:
        secure = ann.get("/api/me").headers["set-cookie"]
    assert "Secure" not in plain
    assert "Secure" in secure
    assert secure.startswith("__Host-")
    for cookie in (plain, secure):
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie


def test_an_expired_cookie_is_a_new_guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with browsers(app(tmp_path)) as [ann]:
        table(named(ann, "Ann"))
        assert len(ann.get("/api/mine").json()) == 1
        later = time.time() + 401 * 86_400
        monkeypatch.setattr("itsdangerous.timed.time.time", lambda: later)
        assert ann.get("/api/mine").json() == []
        assert ann.get("/api/me").json() == {"name": None, "avatar": ""}


def test_every_variant_is_described_with_its_options(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        described = {one["variant"]: one for one in ann.get("/api/variants").json()}
    assert list(described) == list(variants.VARIANTS)
    assert [name for name in described if described[name]["first"]] == [variants.DEFAULT_VARIANT]
    for name, rules in variants.VARIANTS.items():
        options = {one["name"]: one for one in described[name]["options"]}
        assert tuple(options) == rules.options
        for option in options.values():
            for choice in option["may"].get("enum", ()):  # each is one the rules take
                rules.with_options(**{option["name"]: choice})
            assert rules.with_options(**{option["name"]: option["preset"]}) == rules


def test_the_rules_page_is_that_of_the_rules_object(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        asked = {"variant": "partnership", "options": '{"target": 700}'}
        found = ann.get("/api/rules", params=asked).json()["markdown"]
        assert found == page(variants.get("partnership", None, {"target": 700}))
        for wrong, status in (
            ({"variant": "nothing"}, 422),
            ({}, 422),
            ({"variant": "partnership", "players": "9"}, 422),
            ({"variant": "partnership", "players": "x"}, 400),
            ({"variant": "partnership", "options": "["}, 400),
            ({"variant": "partnership", "options": '{"target": "many"}'}, 422),
        ):
            answer = ann.get("/api/rules", params=wrong)
            assert answer.status_code == status, wrong
            assert answer.json()["error"]


def test_the_rules_of_all_games_are_one_file_to_keep(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        answer = ann.get("/rules.json")
        assert answer.headers["cache-control"] == "no-cache"
        found = {one["variant"]: one for one in answer.json()}
    assert list(found) == list(variants.VARIANTS)
    for name, rules in variants.VARIANTS.items():
        told = {"variant": name, "title": variants.short_name(rules), "markdown": page(rules)}
        assert found[name] == told


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({"variant": "nothing"}, 422),
        ({"variant": "partnership", "players": 9}, 422),
        ({"variant": "partnership", "options": {"target": -1}}, 422),
        ({"variant": "partnership", "bots": "nobody"}, 422),
        ({"variant": "partnership", "clock": 0}, 400),
        ({"variant": 3}, 400),
        ({}, 400),
    ],
)
def test_a_table_that_cannot_be_is_refused(
    wanted: dict[str, object], status: int, tmp_path: Path
) -> None:
    with browsers(app(tmp_path)) as [ann]:
        answer = ann.post("/api/tables", json=wanted)
        assert answer.status_code == status
        assert answer.json()["error"]
        assert ann.get("/api/mine").json() == []


def test_the_lobby_shows_public_tables_and_who_sits_there(tmp_path: Path) -> None:
    with browsers(app(tmp_path), 2) as [ann, bob]:
        shown = table(named(ann, "Ann"), public=True)
        hidden = table(ann)
        [line] = bob.get("/api/tables").json()
        assert (line["id"], line["seats"], line["started"]) == (shown, ["Ann", *[None] * 3], False)
        with seat(named(bob, "Bob"), shown) as sitting:
            sitting.send(type="sit", seat=3)
            sitting.until(lambda m: m["table"]["you"] == 3)
            [line] = ann.get("/api/tables").json()
            assert line["seats"] == ["Ann", None, None, "Bob"]
            assert line["present"] == 1
        assert {one["id"] for one in ann.get("/api/mine").json()} == {shown, hidden}


def test_an_invitation_is_the_link_by_which_others_come(tmp_path: Path) -> None:
    with browsers(app(tmp_path), 2) as [ann, bob]:
        opened = table(ann)
        said = ann.get(f"/api/tables/{opened}/invitation").json()
        assert said["link"] == f"http://testserver/t/{opened}"
        assert said["qr"].startswith("data:image/svg+xml")
        assert said["alone"] is False
        with seat(ann, opened) as sitting:
            watch = sitting.state["table"]["links"]["watch"].rpartition("/")[2]
            sitting.send(type="renew", link="play")
            sitting.until(lambda m: m["table"]["links"]["play"] != f"/t/{opened}")
            renewed = sitting.state["table"]["links"]["play"]
            replay = sitting.state["table"]["links"]["replay"].rpartition("/")[2]
        tokens = {opened, renewed.rpartition("/")[2], watch, replay}
        assert len(tokens) == 4
        assert {token[:6] for token in tokens} == {opened[:6]}  # by which proxies know the table
        said = ann.get(f"/api/tables/{opened}/invitation").json()
        assert said["link"] == f"http://testserver{renewed}"
        # Who has but the old link, or one to watch, learns no new one by it.
        assert bob.get(f"/api/tables/{opened}/invitation").status_code == 404
        assert bob.get(f"/api/tables/{watch}/invitation").status_code == 403
        assert renewed.encode() not in bob.get(f"/api/tables/{opened}/invitation").content


@pytest.mark.parametrize(
    ("changes", "asked_at", "link", "alone"),
    [
        ({}, "http://127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ({"home_url": "http://192.0.2.7:8000/"}, "http://127.0.0.1:8000",
         "http://192.0.2.7:8000", False),
        ({"public_url": "https://cards.example"}, "https://cards.example",
         "https://cards.example", False),
    ],
)  # fmt: skip
def test_an_invitation_is_an_address_that_others_reach(
    changes: dict[str, str], asked_at: str, link: str, alone: bool, tmp_path: Path
) -> None:
    hosts = ("testserver", "127.0.0.1", "cards.example")
    with browsers(app(tmp_path, allowed_hosts=hosts, **changes)) as [ann]:
        ann.base_url = asked_at
        ann.headers["origin"] = asked_at
        opened = table(ann)
        said = ann.get(f"/api/tables/{opened}/invitation").json()
        assert said["link"] == f"{link}/t/{opened}"
        assert said["alone"] is alone


def test_health_and_metrics_answer(tmp_path: Path) -> None:
    with browsers(app(tmp_path)) as [ann]:
        opened = table(ann)
        with seat(ann, opened) as sitting:
            sitting.refused(type="rematch")
            assert ann.get("/health").json() == {"ok": True}
            figures = ann.get("/metrics").text
        assert "acesaround_websocket_connections 1.0" in figures
        assert 'acesaround_refusals_total{code="rule"} 1.0' in figures


@pytest.mark.parametrize("url", ["cards.example", "ftp://cards.example", "https://", ""])
def test_a_public_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ServeError, match="is not a public address"):
        Settings(database_url="sqlite://", secret="x" * 20, public_url=url)
