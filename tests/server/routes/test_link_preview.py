"""Link previews: title, description and picture, without secrets."""

from __future__ import annotations

import re
from contextlib import ExitStack
from html.parser import HTMLParser
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from starlette.testclient import TestClient

from acesaround.game.narration import BOT_NAMES
from acesaround.server.routes import games, link_preview
from acesaround.variants import VARIANTS
from tests.cli_runner import ROOT
from tests.server.http_client import (
    create_table,
    make_app,
    open_clients,
    open_seat,
    read_png_size,
    set_name,
)
from tests.server.routes.test_games import ONE_DEAL, is_game_over
from tests.waiting import PATIENCE_SECONDS

HOSTILE = '"><script>ay()</script>'


class HeadParser(HTMLParser):
    """The parts of a page that a crawler reads: title, meta tags and scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.scripts: list[str | None] = []
        self.title = ""
        self._in_title = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "meta" and (name := attributes.get("name") or attributes.get("property")):
            self.meta[name] = attributes.get("content") or ""
        if tag == "link" and attributes.get("rel") == "canonical":
            self.meta["canonical"] = attributes.get("href") or ""
        if tag == "script":
            self.scripts.append(attributes.get("src"))
        self._in_title = tag == "title"

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False

    def handle_data(self, data: str) -> None:
        self.title += data if self._in_title else ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the page before it is built, and the picture."""
    (tmp_path / "static").mkdir()
    page = (ROOT / "frontend" / "index.html").read_text(encoding="utf-8")
    (tmp_path / "static" / "index.html").write_text(page, encoding="utf-8")
    copy(ROOT / "frontend" / "public" / "preview.png", tmp_path / "static")
    return tmp_path


def read_head(client: TestClient, path: str) -> HeadParser:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    return HeadParser(answer.text)


def check_picture(client: TestClient, address: str) -> None:
    """Assert that an address returns a picture of the size in the meta tags."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert read_png_size(answer.content) == (1200, 630)


def test_start_page_has_description_and_picture(folder: Path) -> None:
    with open_clients(make_app(folder, public_url="https://cards.example/")) as [ann]:
        found = read_head(ann, "/")
        assert found.title.startswith("Aces Around")
        assert "Pinochle" in found.meta["description"]
        assert f" {len(VARIANTS)} ways the game is played" in found.meta["description"]
        assert found.meta["og:description"] == found.meta["description"]
        assert found.meta["twitter:card"] == "summary_large_image"
        assert found.meta["canonical"] == found.meta["og:url"] == "https://cards.example/"
        assert found.meta["og:image"] == "https://cards.example/preview.png"
        assert found.meta["twitter:image"] == found.meta["og:image"]
        assert (found.meta["og:image:width"], found.meta["og:image:height"]) == ("1200", "630")
        assert "robots" not in found.meta
        check_picture(ann, "/preview.png")


def test_table_link_names_the_host_and_then_the_players(folder: Path) -> None:
    with open_clients(make_app(folder), 2) as [ann, bob]:
        opened = create_table(set_name(ann, "Ann"))
        asked = read_head(bob, f"/t/{opened}")
        assert asked.title == "Ann invites you to play pinochle · Aces Around"
        assert asked.meta["og:title"] == "Ann invites you to play pinochle"
        nameless = read_head(ann, f"/t/{create_table(bob)}").meta["og:title"]
        assert nameless == "You are invited to play pinochle"
        assert "Partnership" in asked.meta["og:description"]
        assert "3 seats free" in asked.meta["og:description"]
        assert asked.meta["og:url"] == f"http://testserver/t/{opened}"
        assert asked.meta["robots"] == "noindex"
        assert asked.meta["og:image"] == "http://testserver/preview.png"
        check_picture(bob, asked.meta["og:image"])
        with open_seat(ann, opened) as sitting:
            links = sitting.state["table"]["links"]
            sitting.send(type="start")
            sitting.read_until(lambda m: m["type"] == "state" and m["table"]["started"])
            going = read_head(bob, f"/t/{opened}")
            assert going.meta["og:title"] == "Ann and 3 bots play pinochle"
            watching = read_head(bob, links["watch"])
            assert watching.meta["og:title"] == "Ann and 3 bots play pinochle"
            assert "sit down" not in watching.meta["og:description"]


def test_full_table_invites_only_to_watch(folder: Path) -> None:
    with open_clients(make_app(folder), 5) as [ann, *others, late]:
        opened = create_table(set_name(ann, "Ann"))
        with ExitStack() as stack:
            sitting = [stack.enter_context(open_seat(set_name(ann, "Ann"), opened))]
            for name, browser in zip(("Bob", "Cat", "Deb"), others, strict=True):
                sitting.append(stack.enter_context(open_seat(set_name(browser, name), opened)))
            for number, guest in enumerate(sitting[1:], 1):
                guest.send(type="sit", seat=number)
                guest.read_until(lambda m: m["type"] == "state" and m["table"]["you"] is not None)
            sitting[0].send(type="start")
            sitting[0].read_until(lambda m: m["type"] == "state" and m["table"]["started"])
            going = read_head(late, f"/t/{opened}")
        assert going.meta["og:title"] == "Ann, Bob, Cat and Deb play pinochle"
        assert going.meta["og:description"].endswith(". Open the link to watch.")


def test_game_link_shows_only_a_final_result(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_PREVIEW_SECONDS", PATIENCE_SECONDS)
    with open_clients(make_app(folder), 2) as [ann, bob]:
        opened = create_table(set_name(ann, "Ann"), **ONE_DEAL)
        with open_seat(ann, opened) as sitting:
            sitting.play(lambda state: state["decision"])
            link = sitting.state["table"]["links"]["replay"]
            before = read_head(bob, f"{link}/1")
            assert before.meta["og:title"] == link_preview.GAME.title
            assert "Ann" not in "".join(before.meta.values())
            sitting.play(is_game_over)
        found = read_head(bob, f"{link}/1")
        record = bob.get(f"/api/tables/{link[3:]}/record.json").json()
        won, lost = record["totals"][record["winner"]], record["totals"][1 - record["winner"]]
        assert re.fullmatch(r"\w+ and \w+ beat \w+ and \w+, .*", found.meta["og:title"])
        assert "Ann" in found.meta["og:title"]
        assert found.meta["og:title"].replace("\u2212", "-").endswith(f"{won} to {lost}")
        score = record["deals"][-1]["score"]
        description = found.meta["og:description"]
        assert f"bid {score['bid']}" in description or score["bid"] is None
        assert f"{len(record['deals'])} deal" in description
        assert found.meta["og:image"] == "http://testserver/preview.png"


def test_html_in_a_name_is_escaped(folder: Path) -> None:
    with open_clients(make_app(folder), 2) as [ann, bob]:
        opened = create_table(set_name(ann, HOSTILE))
        found = read_head(bob, f"/t/{opened}")
        assert found.scripts == ["/src/main.ts"]
        assert found.meta["og:title"] == f"{HOSTILE} invites you to play pinochle"
        assert "<script>ay" not in bob.get(f"/t/{opened}").text


def test_hostile_host_and_query_are_not_in_the_page(folder: Path) -> None:
    with open_clients(make_app(folder)) as [ann]:
        for host in ("evil.example", 'testserver"><script>'):
            assert ann.get("/", headers={"host": host}).status_code == 421
        found = read_head(ann, '/?q="><script>')
        assert found.meta["canonical"] == "http://testserver/"


def test_replaced_link_shows_no_name(folder: Path) -> None:
    with open_clients(make_app(folder), 2) as [ann, bob]:
        opened = create_table(set_name(ann, "Ann"))
        with open_seat(ann, opened) as sitting:
            sitting.send(type="renew", link="play")
            sitting.read_until(
                lambda m: "table" in m and m["table"]["links"]["play"] != f"/t/{opened}"
            )
            renewed = sitting.state["table"]["links"]["play"]
        old = read_head(bob, f"/t/{opened}")
        assert old.meta["og:title"] == link_preview.TABLE.title
        assert "Ann" not in bob.get(f"/t/{opened}").text
        assert read_head(bob, renewed).meta["og:title"].startswith("Ann invites")


def test_bot_names_are_those_of_the_page_and_not_taken() -> None:
    page = (ROOT / "frontend" / "src" / "strings.ts").read_text(encoding="utf-8")
    [listed] = re.findall(r"bots: \[(.*?)\]", page)
    names = re.findall(r'"(\w+)"', listed)
    assert list(BOT_NAMES) == names
    assert link_preview.seat_names(["ben", "bot:thumb", "bot:thumb", "x"]) == [
        "ben",
        "Finn",
        "Cleo",
        "x",
    ]


@pytest.mark.parametrize(
    ("names", "expected"),
    [(["A"], "A"), (["A", "B"], "A and B"), (list("ABCD"), "A, B, C and D"),
     (list("ABCDE"), "A, B, C and 2 others")],
)  # fmt: skip
def test_long_lists_of_names_are_shortened(names: list[str], expected: str) -> None:
    assert link_preview.join_names(names) == expected


def test_damaged_summary_has_the_default_preview() -> None:
    damaged: list[Any] = [b"", b"{", b'{"title": 3}', b'{"seats": "x"}']
    assert {link_preview.describe_table(kept, play=True) for kept in damaged} == {
        link_preview.TABLE
    }
