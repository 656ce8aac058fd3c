"""The lines of the log: as text, as JSON, and what must not stand in either."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from acesaround.server.observability import logging as journal
from acesaround.server.observability.logging import (
    CURRENT_REQUEST,
    FIELDS_ATTRIBUTE,
    LogFormat,
    token_alias,
)
from tests.multiprocess.server import Server
from tests.server.random_client import Guest

LOG = logging.getLogger("acesaround.server.somewhere")
KEY = "Kk9-never-in-a-log-0123456789"
TOKEN = "Ab3-Cd4_Ef5G"


class Written:
    """What has been written to standard error."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys, self._text = capsys, ""

    def getvalue(self) -> str:
        self._text += self._capsys.readouterr().err
        return self._text


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str]) -> Iterator[Written]:
    """Afterwards the log goes where it went before."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), logging.getLogger("acesaround").level
    yield Written(capsys)
    root.handlers[:] = handlers
    logging.getLogger("acesaround").setLevel(level)
    logging.captureWarnings(False)
    CURRENT_REQUEST.set(None)


def test_a_line_of_text_says_when_how_bad_what_and_in_which_request(written: Written) -> None:
    journal.configure_logging("text")
    LOG.info("nothing is wrong")
    CURRENT_REQUEST.set("0123456789abcdef")
    LOG.error("it broke", extra={FIELDS_ATTRIBUTE: {"seconds": 1.5, "status": 500}})
    calm, broken = written.getvalue().splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} nothing is wrong", calm)
    assert broken[24:] == "error: it broke seconds=1.5 [0123456789abcdef]"


def test_a_line_of_json_is_one_object(written: Written) -> None:
    journal.configure_logging("json")
    CURRENT_REQUEST.set("0123456789abcdef")
    try:
        raise KeyError("x")
    except KeyError:
        LOG.exception("it\nbroke", extra={FIELDS_ATTRIBUTE: {"status": 500}})
    [line] = written.getvalue().splitlines()
    held = json.loads(line)
    assert (held["level"], held["message"]) == ("error", "it\\nbroke")
    assert (held["request"], held["status"]) == ("0123456789abcdef", 500)
    assert held["time"].endswith("Z")
    assert "KeyError: 'x'" in held["trace"].splitlines()[-1]


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_lines_of_others_go_the_same_way_and_only_once(
    form: LogFormat, written: Written
) -> None:
    uvicorn.Config("nowhere")  # who makes one sets up uvicorn's log anew
    journal.configure_logging(form)
    journal.configure_logging(form)  # as a worker does that serves in the same process
    for name in ("uvicorn.error", "sqlalchemy.pool", "asyncio"):
        logging.getLogger(name).error("from %s", name)
        logging.getLogger(name).info("not this")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("and warnings", stacklevel=1)
    lines = written.getvalue().splitlines()
    assert len(lines) >= 4
    for name in ("uvicorn.error", "sqlalchemy.pool", "asyncio"):
        assert sum(f"from {name}" in line for line in lines) == 1
    assert not any("not this" in line for line in lines)
    assert any("and warnings" in line for line in lines)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    ("words", "args"),
    [
        ("table %s: not saved: %s", (TOKEN, "disk full")),
        (f"table {TOKEN} is here", ()),
        ("%s is another link", (TOKEN,)),
        ("GET /t/%s and /ws/%s", (TOKEN, f"{TOKEN}?seq=7")),
        ("asked for %s", (f"https://cards.example/api/tables/{TOKEN}/games",)),
        ("<Task pending name=%r>", (f"bots of {TOKEN}",)),
        ("Cookie: acesaround=%s; Path=/", (TOKEN,)),
        ("said __Host-acesaround=%s", (TOKEN,)),
        ("cannot reach postgresql://ann:%s@db/tables", (TOKEN,)),
        ("of a %(kind)s", ({"kind": f"table {TOKEN}"},)),
    ],
)
def test_no_token_stands_in_a_line(
    form: LogFormat, words: str, args: tuple[Any, ...], written: Written
) -> None:
    journal.configure_logging(form)
    LOG.error(words, *args)
    try:
        raise ValueError(f"/r/{TOKEN}/1 is none")
    except ValueError:
        LOG.exception("it broke")
    assert written.getvalue().count("\n") >= 2
    assert TOKEN not in written.getvalue()


@pytest.mark.parametrize("card", ["AS", "10H", "9D", "TC", "Q♠"])
def test_no_card_stands_in_a_line(card: str, written: Written) -> None:
    journal.configure_logging("text")
    LOG.error("its bot failed: %s", f"The bot 'ann' chose an illegal action: play {card}.")
    assert card not in written.getvalue()
    assert "chose an illegal action: play **." in written.getvalue()


def test_a_table_has_the_same_name_wherever_it_stands(written: Written) -> None:
    journal.configure_logging("text")
    LOG.error("table %s: damaged", TOKEN)
    LOG.error("GET /t/%s", TOKEN)
    LOG.error("GET /t/%s", token_alias(TOKEN))  # written so already
    assert written.getvalue().count(token_alias(TOKEN)) == 3


@pytest.mark.parametrize("form", ["text", "json"])
def test_nobody_writes_a_line_of_their_own(form: LogFormat, written: Written) -> None:
    logging.getLogger().handlers.clear()  # pytest's would report what no worker can send in UTF-8
    journal.configure_logging(form)
    for end in ("\n", "\r", "\x1b[2J", "\x85", "\u2028", "\u202e", "\ud800"):
        LOG.error("asked for %s", f"x{end}2026-11-23 00:00:00.000 all is well")
    text = written.getvalue()
    assert len(text.splitlines()) == 7
    assert not set(text) & set("\r\x1b\x85\u2028\u202e\ud800")


async def test_a_busy_servers_log_holds_no_secret(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    server = Server(url, tmp_path / "log", log_format="json", access_log=True, secret=KEY)
    await asyncio.to_thread(server.start)
    try:
        guests = [
            Guest(f"Person{n}", server.port, random.Random(n), restless=0.3) for n in range(3)
        ]
        for guest in guests:
            await guest.enter()
        tables = [
            await guests[0].opens(
                variant="partnership", options={"hands": 1}, public=True, bots="thumb"
            )
        ]
        over = lambda state: bool(state["table"]["over"])  # noqa: E731
        async with asyncio.TaskGroup() as together:
            for guest in guests:
                together.create_task(guest.play(tables[0], over))
    finally:
        await asyncio.to_thread(server.stop)
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    text = server.log.read_text()
    secret = {KEY, *tables, *(guest.cookie.partition("=")[2] for guest in guests)}
    for guest in guests:
        for said in map(json.loads, guest.heard):
            if said["type"] == "state" and (links := said["table"]["links"]):
                secret |= {link.rpartition("/")[2] for link in links.values() if link}
    assert len(secret) >= 6
    assert [one for one in secret if one in text] == []
    assert [guest.name for guest in guests if guest.name in text] == []
    assert any(line["message"].startswith("opened /ws/#") for line in lines)
    assert any(line["message"].startswith("closed /ws/#") for line in lines)
    # A warning of a slow moment is none: no line may hold a secret, whatever its level.
    assert [line for line in lines if line["level"] in ("error", "critical")] == []
