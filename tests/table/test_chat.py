"""Chat: phrases and pictures for players, text where the host allows it, none for others."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround.errors import NotationError
from acesaround.table import (
    CommandRefused,
    commands,
    decode_command,
    encode_state,
    entries,
    fold,
    handle_command,
)
from acesaround.table.anonymize import anonymized_log
from acesaround.table.chat import MAX_TEXT_LENGTH, PHRASES, PICTURES, require_valid_text
from acesaround.table.games import game_records
from tests.table.table_log import ANN, BOB, CLEO, TableLog, table_config


def start_table(*, free_chat: bool = True, **settings: Any) -> TableLog:
    """Return a table with Ann, the host, and Bob after the start of the game."""
    log = TableLog(table_config(**settings))
    log.send(BOB, commands.Sit(2))
    if free_chat:
        log.send(ANN, commands.AllowFreeChat(True))
    log.send(ANN, commands.Start())
    return log


def read_shown_chat(log: TableLog, person: str | None) -> list[tuple[int, str, str]]:
    table = json.loads(encode_state(log.table, "t", person))["table"]
    return [(line["seat"], line["phrase"], line["text"]) for line in table["chat"]]


def test_players_may_send_only_phrases_and_pictures() -> None:
    log = start_table(free_chat=False)
    for phrase in (*PHRASES, *PICTURES):
        log.send(BOB, commands.SendChat(phrase))
    assert log.table.chat[-1].phrase == PICTURES[-1]
    for phrase in ("", "💩", "👍👍", "hello you", "HELLO"):
        assert log.send_refused(BOB, commands.SendChat(phrase)) == "malformed"
    assert log.send_refused(BOB, commands.SendChat(text="hello you")) == "rule"
    assert log.send_refused(CLEO, commands.SendChat("hello")) == "seat"


def test_text_may_be_sent_while_the_host_allows_it() -> None:
    log = start_table(free_chat=False)
    assert log.send_refused(BOB, commands.AllowFreeChat(True)) == "host"
    log.send(ANN, commands.AllowFreeChat(True))
    assert log.send_refused(ANN, commands.AllowFreeChat(True)) == "rule"
    log.send(BOB, commands.SendChat(text="  Well\n\nplayed,   Ann!  "))
    assert read_shown_chat(log, ANN.id) == [(2, "", "Well played, Ann!")]
    assert log.send_refused(BOB, commands.SendChat("hello", "you")) == "malformed"
    log.send(ANN, commands.AllowFreeChat(False))
    assert log.send_refused(BOB, commands.SendChat(text="and now?")) == "rule"
    assert fold([entries.decode(entries.encode(entry)) for entry in log.entries]) == log.table


def test_text_is_refused_at_a_public_table() -> None:
    log = start_table(free_chat=False, public=True)
    assert log.send_refused(ANN, commands.AllowFreeChat(True)) == "rule"
    log.add(entries.FreeChatSet(True))
    assert log.send_refused(ANN, commands.SendChat(text="hello")) == "rule"


def test_spectators_are_shown_phrases_without_text() -> None:
    log = start_table()
    log.send(BOB, commands.SendChat("hello"))
    log.send(BOB, commands.SendChat(text="our secret"))
    assert read_shown_chat(log, ANN.id) == [(2, "hello", ""), (2, "", "our secret")]
    assert read_shown_chat(log, None) == [(2, "hello", "")]
    assert b"secret" not in encode_state(log.table, "t", None)


def test_text_is_in_no_record_and_is_redacted_with_its_person() -> None:
    log = start_table()
    log.play_bots()
    log.send(BOB, commands.SendChat(text="our secret"))
    assert not any("secret" in repr(record) for record in game_records(log.entries))
    anonymized = anonymized_log(log.entries, BOB.id, "former")
    (line,) = anonymized.redacted_lines
    assert anonymized.changed_entries[line] == entries.ChatRedacted()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("one\ttwo\r\nthree\x00\x07", "one two three"),
        ("\u202eevil\u202c \u2066x\u2069", "evil x"),
        ("a\u200bb\u200dc\ufeff", "abc"),
        ("\u3164\u2800x", "x"),
        ("ﬁne", "fine"),
        ("Grüße, 你好! 👍", "Grüße, 你好! 👍"),
        ("x" * MAX_TEXT_LENGTH, "x" * MAX_TEXT_LENGTH),
    ],
)
def test_checked_text_removes_invisible_characters(text: str, shown: str) -> None:
    assert require_valid_text(text) == shown


@pytest.mark.parametrize(
    "text", [" ", "\u200b\u202e\n", "x" * (MAX_TEXT_LENGTH + 1), "a" + "\u0301" * 9]
)
def test_empty_long_or_stacked_text_is_refused(text: str) -> None:
    log = start_table()
    with pytest.raises(NotationError):
        require_valid_text(text)
    with pytest.raises(CommandRefused) as refused:
        handle_command(log.table, BOB, commands.SendChat(text=text), random.Random(1))
    assert refused.value.code == "malformed"
    assert str(refused.value).endswith(".")


@given(st.text(max_size=120))
@settings(deadline=None)
def test_checked_text_is_one_short_line_and_idempotent(text: str) -> None:
    try:
        shown = require_valid_text(text)
    except NotationError:
        return
    assert 0 < len(shown) <= MAX_TEXT_LENGTH
    assert shown.isprintable()
    assert require_valid_text(shown) == shown
    assert json.loads(json.dumps(shown)) == shown


@pytest.mark.parametrize(
    "message",
    [
        '{"type":"talk","text":5}',
        '{"type":"talk","text":null}',
        '{"type":"talk","text":"' + "x" * 401 + '"}',
        '{"type":"writing"}',
        '{"type":"writing","on":"yes"}',
        '{"type":"talk","text":"\\ud800"}',
    ],
)
def test_invalid_chat_commands_are_refused(message: str) -> None:
    with pytest.raises(NotationError):
        decode_command(message)


def test_chat_entries_keep_their_encoding() -> None:
    said = entries.decode('{"type":"said","seat":1,"phrase":"hello"}')
    assert said == entries.ChatSent(1, "hello")
    assert entries.encode(said) == b'{"type":"said","seat":1,"phrase":"hello"}'
    assert entries.encode(entries.ChatSent(1, "", "x")).startswith(b'{"type":"said"')
