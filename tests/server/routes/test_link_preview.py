"""What a link shows before it is opened: title, description and picture, and nothing more."""

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
from tests.server.http_client import app, browsers, named, png_size, seat, table
from tests.server.routes.test_games import SHORT, over
from tests.waiting import PATIENCE_SECONDS

HOSTILE = '"><script>ay()</script>'


class Head(HTMLParser):
    """What a crawler reads of a page: the title, what is said under which name, and scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: dict[str, str] = {}
        self.scripts: list[str | None] = []
        self.title = ""
        self._in_title = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        if tag == "meta" and (name := held.get("name") or held.get("property")):
            self.said[name] = held.get("content") or ""
        if tag == "link" and held.get("rel") == "canonical":
            self.said["canonical"] = held.get("href") or ""
        if tag == "script":
            self.scripts.append(held.get("src"))
        self._in_title = tag == "title"

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False

    def handle_data(self, data: str) -> None:
        self.title += data if self._in_title else ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the page as it is before it is built, and the picture."""
    (tmp_path / "static").mkdir()
    page = (ROOT / "frontend" / "index.html").read_text(encoding="utf-8")
    (tmp_path / "static" / "index.html").write_text(page, encoding="utf-8")
    copy(ROOT / "frontend" / "public" / "preview.png", tmp_path / "static")
    return tmp_path


def head(client: TestClient, path: str) -> Head:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    return Head(answer.text)


def check_picture(client: TestClient, address: str) -> None:
    """Assert that an address answers a picture of the size that the page says."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert png_size(answer.content) == (1200, 630)


def test_the_first_page_says_what_it_is_and_has_a_picture(folder: Path) -> None:
    with browsers(app(folder, public_url="https://cards.example/")) as [ann]:
        found = head(ann, "/")
        assert found.title.startswith("Aces Around")
        assert "Pinochle" in found.said["description"]
        assert f" {len(VARIANTS)} ways the game is played" in found.said["description"]
        assert found.said["og:description"] == found.said["description"]
        assert found.said["twitter:card"] == "summary_large_image"
        assert found.said["canonical"] == found.said["og:url"] == "https://cards.example/"
        assert found.said["og:image"] == "https://cards.example/preview.png"
        assert found.said["twitter:image"] == found.said["og:image"]
        assert (found.said["og:image:width"], found.said["og:image:height"]) == ("1200", "630")
        assert "robots" not in found.said
        check_picture(ann, "/preview.png")


def test_a_link_to_a_table_says_who_invites_to_what_and_then_who_plays(folder: Path) -> None:
    with browsers(app(folder), 2) as [ann, bob]:
        opened = table(named(ann, "Ann"))
        asked = head(bob, f"/t/{opened}")
        assert asked.title == "Ann invites you to play pinochle · Aces Around"
        assert asked.said["og:title"] == "Ann invites you to play pinochle"
        assert "Partnership" in asked.said["og:description"]
        assert "3 seats free" in asked.said["og:description"]
        assert asked.said["og:url"] == f"http://testserver/t/{opened}"
        assert asked.said["robots"] == "noindex"
        assert asked.said["og:image"] == "http://testserver/preview.png"
        check_picture(bob, asked.said["og:image"])
        with seat(ann, opened) as sitting:
            links = sitting.state["table"]["links"]
            sitting.send(type="start")
            sitting.until(lambda m: m["type"] == "state" and m["table"]["started"])
            going = head(bob, f"/t/{opened}")
            assert going.said["og:title"] == "Ann and 3 bots play pinochle"
            watching = head(bob, links["watch"])
            assert watching.said["og:title"] == "Ann and 3 bots play pinochle"
            assert "sit down" not in watching.said["og:description"]


def test_nobody_is_asked_to_sit_down_where_four_people_play(folder: Path) -> None:
    with browsers(app(folder), 5) as [ann, *others, late]:
        opened = table(named(ann, "Ann"))
        with ExitStack() as stack:
            sitting = [stack.enter_context(seat(named(ann, "Ann"), opened))]
            for name, browser in zip(("Bob", "Cat", "Deb"), others, strict=True):
                sitting.append(stack.enter_context(seat(named(browser, name), opened)))
            for at, one in enumerate(sitting[1:], 1):
                one.send(type="sit", seat=at)
                one.until(lambda m: m["type"] == "state" and m["table"]["you"] is not None)
            sitting[0].send(type="start")
            sitting[0].until(lambda m: m["type"] == "state" and m["table"]["started"])
            going = head(late, f"/t/{opened}")
        assert going.said["og:title"] == "Ann, Bob, Cat and Deb play pinochle"
        assert going.said["og:description"].endswith(". Open the link to watch.")


def test_a_link_to_a_game_tells_its_end_once_it_is_over_and_nothing_before(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "_PREVIEW_SECONDS", PATIENCE_SECONDS)
    with browsers(app(folder), 2) as [ann, bob]:
        opened = table(named(ann, "Ann"), **SHORT)
        with seat(ann, opened) as sitting:
            sitting.play(lambda state: state["decision"])
            link = sitting.state["table"]["links"]["replay"]
            before = head(bob, f"{link}/1")
            assert before.said["og:title"] == link_preview.GAME.title
            assert "Ann" not in "".join(before.said.values())
            sitting.play(over)
        found = head(bob, f"{link}/1")
        kept = bob.get(f"/api/tables/{link[3:]}/record.json").json()
        won, lost = kept["totals"][kept["winner"]], kept["totals"][1 - kept["winner"]]
        assert re.fullmatch(r"\w+ and \w+ beat \w+ and \w+, .*", found.said["og:title"])
        assert "Ann" in found.said["og:title"]
        assert found.said["og:title"].replace("\u2212", "-").endswith(f"{won} to {lost}")
        score = kept["deals"][-1]["score"]
        said = found.said["og:description"]
        assert f"bid {score['bid']}" in said or score["bid"] is None
        assert f"{len(kept['deals'])} deal" in said
        assert found.said["og:image"] == "http://testserver/preview.png"


def test_a_hostile_name_stays_a_name(folder: Path) -> None:
    with browsers(app(folder), 2) as [ann, bob]:
        opened = table(named(ann, HOSTILE))
        found = head(bob, f"/t/{opened}")
        assert found.scripts == ["/src/main.ts"]
        assert found.said["og:title"] == f"{HOSTILE} invites you to play pinochle"
        assert "<script>ay" not in bob.get(f"/t/{opened}").text


def test_what_a_host_calls_itself_stays_an_address(folder: Path) -> None:
    with browsers(app(folder)) as [ann]:
        for host in ("evil.example", 'testserver"><script>'):
            assert ann.get("/", headers={"host": host}).status_code == 421
        found = head(ann, '/?q="><script>')
        assert found.said["canonical"] == "http://testserver/"


def test_a_link_that_leads_nowhere_any_more_tells_no_name(folder: Path) -> None:
    with browsers(app(folder), 2) as [ann, bob]:
        opened = table(named(ann, "Ann"))
        with seat(ann, opened) as sitting:
            sitting.send(type="renew", link="play")
            sitting.until(lambda m: "table" in m and m["table"]["links"]["play"] != f"/t/{opened}")
            anew = sitting.state["table"]["links"]["play"]
        old = head(bob, f"/t/{opened}")
        assert old.said["og:title"] == link_preview.TABLE.title
        assert "Ann" not in bob.get(f"/t/{opened}").text
        assert head(bob, anew).said["og:title"].startswith("Ann invites")


def test_bots_have_the_names_of_the_page_and_none_that_a_person_bears() -> None:
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
    ("names", "said"),
    [(["A"], "A"), (["A", "B"], "A and B"), (list("ABCD"), "A, B, C and D"),
     (list("ABCDE"), "A, B, C and 2 others")],
)  # fmt: skip
def test_many_names_are_told_in_part(names: list[str], said: str) -> None:
    assert link_preview.listed(names) == said


def test_a_damaged_summary_tells_nothing() -> None:
    damaged: list[Any] = [b"", b"{", b'{"title": 3}', b'{"seats": "x"}']
    assert {link_preview.of_table(kept, play=True) for kept in damaged} == {link_preview.TABLE}
