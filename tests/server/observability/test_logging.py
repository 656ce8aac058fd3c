"""Log lines as text and as JSON, and secrets that neither may contain."""

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

from acesaround.server.observability import logging as logging_setup
from acesaround.server.observability.logging import (
    CURRENT_REQUEST,
    FIELDS_ATTRIBUTE,
    LogFormat,
    token_pseudonym,
)
from tests.multiprocess.server import Server
from tests.server.random_client import Guest

LOG = logging.getLogger("acesaround.server.somewhere")
KEY = "Kk9-never-in-a-log-0123456789"
TOKEN = "Ab3-Cd4_Ef5G"


class StandardError:
    """The text written to standard error."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys, self._text = capsys, ""

    def getvalue(self) -> str:
        self._text += self._capsys.readouterr().err
        return self._text


@pytest.fixture
def standard_error(capsys: pytest.CaptureFixture[str]) -> Iterator[StandardError]:
    """Yield the text on standard error, and restore logging afterwards."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), logging.getLogger("acesaround").level
    yield StandardError(capsys)
    root.handlers[:] = handlers
    logging.getLogger("acesaround").setLevel(level)
    logging.captureWarnings(False)
    CURRENT_REQUEST.set(None)


def test_text_line_has_time_level_message_and_request(standard_error: StandardError) -> None:
    logging_setup.configure_logging("text")
    LOG.info("nothing is wrong")
    CURRENT_REQUEST.set("0123456789abcdef")
    LOG.error("it broke", extra={FIELDS_ATTRIBUTE: {"seconds": 1.5, "status": 500}})
    calm, broken = standard_error.getvalue().splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} nothing is wrong", calm)
    assert broken[24:] == "error: it broke seconds=1.5 [0123456789abcdef]"


def test_json_line_is_one_object(standard_error: StandardError) -> None:
    logging_setup.configure_logging("json")
    CURRENT_REQUEST.set("0123456789abcdef")
    try:
        raise KeyError("x")
    except KeyError:
        LOG.exception("it\nbroke", extra={FIELDS_ATTRIBUTE: {"status": 500}})
    [line] = standard_error.getvalue().splitlines()
    held = json.loads(line)
    assert (held["level"], held["message"]) == ("error", "it\\nbroke")
    assert (held["request"], held["status"]) == ("0123456789abcdef", 500)
    assert held["time"].endswith("Z")
    assert "KeyError: 'x'" in held["trace"].splitlines()[-1]


@pytest.mark.parametrize("form", ["text", "json"])
def test_other_loggers_write_once(form: LogFormat, standard_error: StandardError) -> None:
    uvicorn.Config("nowhere")  # configures the loggers of uvicorn
    logging_setup.configure_logging(form)
    logging_setup.configure_logging(form)  # a second time, as a worker does
    for name in ("uvicorn.error", "sqlalchemy.pool", "asyncio"):
        logging.getLogger(name).error("from %s", name)
        logging.getLogger(name).info("not this")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("and warnings", stacklevel=1)
    lines = standard_error.getvalue().splitlines()
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
def test_lines_contain_no_token(
    form: LogFormat, words: str, args: tuple[Any, ...], standard_error: StandardError
) -> None:
    logging_setup.configure_logging(form)
    LOG.error(words, *args)
    try:
        raise ValueError(f"/r/{TOKEN}/1 is none")
    except ValueError:
        LOG.exception("it broke")
    assert standard_error.getvalue().count("\n") >= 2
    assert TOKEN not in standard_error.getvalue()


@pytest.mark.parametrize("card", ["AS", "10H", "9D", "TC", "Q♠"])
def test_lines_contain_no_card(card: str, standard_error: StandardError) -> None:
    logging_setup.configure_logging("text")
    LOG.error("its bot failed: %s", f"The bot 'ann' chose an illegal action: play {card}.")
    assert card not in standard_error.getvalue()
    assert "chose an illegal action: play **." in standard_error.getvalue()


def test_table_has_the_same_alias_in_all_lines(standard_error: StandardError) -> None:
    logging_setup.configure_logging("text")
    LOG.error("table %s: damaged", TOKEN)
    LOG.error("GET /t/%s", TOKEN)
    LOG.error("GET /t/%s", token_pseudonym(TOKEN))  # already a pseudonym
    assert standard_error.getvalue().count(token_pseudonym(TOKEN)) == 3


@pytest.mark.parametrize("form", ["text", "json"])
def test_input_cannot_forge_lines(form: LogFormat, standard_error: StandardError) -> None:
    logging.getLogger().handlers.clear()  # pytest's would report what no worker can send in UTF-8
    logging_setup.configure_logging(form)
    for end in ("\n", "\r", "\x1b[2J", "\x85", "\u2028", "\u202e", "\ud800"):
        LOG.error("asked for %s", f"x{end}2026-11-23 00:00:00.000 all is well")
    text = standard_error.getvalue()
    assert len(text.splitlines()) == 7
    assert not set(text) & set("\r\x1b\x85\u2028\u202e\ud800")


async def test_log_of_a_busy_server_contains_no_secret(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    server = Server(url, tmp_path / "log", log_format="json", access_log=True, secret=KEY)
    await asyncio.to_thread(server.start)
    try:
        guests = [
            Guest(f"Person{n}", server.port, random.Random(n), restlessness=0.3) for n in range(3)
        ]
        for guest in guests:
            await guest.enter()
        tables = [
            await guests[0].open_table(
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
        for said in map(json.loads, guest.received):
            if said["type"] == "state" and (links := said["table"]["links"]):
                secret |= {link.rpartition("/")[2] for link in links.values() if link}
    assert len(secret) >= 6
    assert [one for one in secret if one in text] == []
    assert [guest.name for guest in guests if guest.name in text] == []
    assert any(line["message"].startswith("opened /ws/#") for line in lines)
    assert any(line["message"].startswith("closed /ws/#") for line in lines)
    # Warnings of slow moments are allowed.
    assert [line for line in lines if line["level"] in ("error", "critical")] == []
