"""Invitations and the public URL."""

from __future__ import annotations

from pathlib import Path

import pytest

from acesaround.server.settings import ServeError, Settings
from tests.server.http_client import create_table, make_app, open_clients, open_seat


def test_invitation_has_the_current_play_link(tmp_path: Path) -> None:
    with open_clients(make_app(tmp_path), 2) as [ann, bob]:
        opened = create_table(ann)
        said = ann.get(f"/api/tables/{opened}/invitation").json()
        assert said["link"] == f"http://testserver/t/{opened}"
        assert said["qr"].startswith("data:image/svg+xml")
        assert said["is_local_only"] is False
        with open_seat(ann, opened) as sitting:
            watch = sitting.state["table"]["links"]["watch"].rpartition("/")[2]
            sitting.send(type="renew", link="play")
            sitting.read_until(lambda m: m["table"]["links"]["play"] != f"/t/{opened}")
            renewed = sitting.state["table"]["links"]["play"]
            replay = sitting.state["table"]["links"]["replay"].rpartition("/")[2]
        tokens = {opened, renewed.rpartition("/")[2], watch, replay}
        assert len(tokens) == 4
        assert {token[:6] for token in tokens} == {opened[:6]}  # proxies hash it
        said = ann.get(f"/api/tables/{opened}/invitation").json()
        assert said["link"] == f"http://testserver{renewed}"
        # Old links and watch links do not reveal the new one.
        assert bob.get(f"/api/tables/{opened}/invitation").status_code == 404
        assert bob.get(f"/api/tables/{watch}/invitation").status_code == 403
        assert renewed.encode() not in bob.get(f"/api/tables/{opened}/invitation").content


@pytest.mark.parametrize(
    ("changes", "asked_at", "link", "alone"),
    [
        ({}, "http://127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ({"lan_url": "http://192.0.2.7:8000/"}, "http://127.0.0.1:8000",
         "http://192.0.2.7:8000", False),
        ({"public_url": "https://cards.example"}, "https://cards.example",
         "https://cards.example", False),
    ],
)  # fmt: skip
def test_invitation_has_an_address_that_others_can_reach(
    changes: dict[str, str], asked_at: str, link: str, alone: bool, tmp_path: Path
) -> None:
    hosts = ("testserver", "127.0.0.1", "cards.example")
    with open_clients(make_app(tmp_path, allowed_hosts=hosts, **changes)) as [ann]:
        ann.base_url = asked_at
        ann.headers["origin"] = asked_at
        opened = create_table(ann)
        said = ann.get(f"/api/tables/{opened}/invitation").json()
        assert said["link"] == f"{link}/t/{opened}"
        assert said["is_local_only"] is alone


@pytest.mark.parametrize("url", ["cards.example", "ftp://cards.example", "https://", ""])
def test_invalid_public_url_is_refused(url: str) -> None:
    with pytest.raises(ServeError, match="is not a public address"):
        Settings(database_url="sqlite://", secret="x" * 20, public_url=url)
