"""Talk: phrases and pictures for all, words where the host allows them, nothing for strangers."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround.errors import NotationError
from acesaround.table import Refused, decode_command, encode_state, entries, fold, handle_command
from acesaround.table import commands as say
from acesaround.table.anonymize import anonymized_log
from acesaround.table.chat import MAX_TEXT_LENGTH, PHRASES, PICTURES, checked_text
from acesaround.table.games import records
from tests.table.test_table import ANN, BOB, CLEO, Log, config


def two(*, writing: bool = True, **more: Any) -> Log:
    """Ann, the host, and Bob, the game begun."""
    log = Log(config(**more))
    log.do(BOB, say.Sit(2))
    if writing:
        log.do(ANN, say.AllowFreeChat(True))
    log.do(ANN, say.Start())
    return log


def heard(log: Log, person: str | None) -> list[tuple[int, str, str]]:
    table = json.loads(encode_state(log.table, "t", person))["table"]
    return [(one["seat"], one["phrase"], one["text"]) for one in table["talk"]]


def test_phrases_and_pictures_may_be_said_by_all_and_nothing_else() -> None:
    log = two(writing=False)
    for phrase in (*PHRASES, *PICTURES):
        log.do(BOB, say.Talk(phrase))
    assert log.table.chat[-1].phrase == PICTURES[-1]
    for phrase in ("", "💩", "👍👍", "hello you", "HELLO"):
        assert log.refusal(BOB, say.Talk(phrase)) == "malformed"
    assert log.refusal(BOB, say.Talk(text="hello you")) == "rule"
    assert log.refusal(CLEO, say.Talk("hello")) == "seat"


def test_words_are_said_where_the_host_allows_them() -> None:
    log = two(writing=False)
    assert log.refusal(BOB, say.AllowFreeChat(True)) == "host"
    log.do(ANN, say.AllowFreeChat(True))
    assert log.refusal(ANN, say.AllowFreeChat(True)) == "rule"
    log.do(BOB, say.Talk(text="  Well\n\nplayed,   Ann!  "))
    assert heard(log, ANN.id) == [(2, "", "Well played, Ann!")]
    assert log.refusal(BOB, say.Talk("hello", "you")) == "malformed"
    log.do(ANN, say.AllowFreeChat(False))
    assert log.refusal(BOB, say.Talk(text="and now?")) == "rule"
    assert fold([entries.decode(entries.encode(one)) for one in log.entries]) == log.table


def test_at_a_table_that_anybody_can_find_only_phrases_are_said() -> None:
    log = two(writing=False, public=True)
    assert log.refusal(ANN, say.AllowFreeChat(True)) == "rule"
    log.add(entries.FreeChatSet(True))  # whatever a log may hold
    assert log.refusal(ANN, say.Talk(text="hello")) == "rule"


def test_words_are_not_for_who_only_looks_on_by_the_link_to_watch() -> None:
    log = two()
    log.do(BOB, say.Talk("hello"))
    log.do(BOB, say.Talk(text="our secret"))
    assert heard(log, ANN.id) == [(2, "hello", ""), (2, "", "our secret")]
    assert heard(log, None) == [(2, "hello", "")]
    assert b"secret" not in encode_state(log.table, "t", None)


def test_words_stand_in_no_record_and_go_with_their_person() -> None:
    log = two()
    log.bots()
    log.do(BOB, say.Talk(text="our secret"))
    assert not any("secret" in repr(record) for record in records(log.entries))
    told = anonymized_log(log.entries, BOB.id, "former")
    assert len(told.redacted_lines) == 1
    assert told.changed_entries[told.redacted_lines[0]] == entries.ChatRedacted()


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
def test_what_cannot_be_seen_is_left_out(text: str, shown: str) -> None:
    assert checked_text(text) == shown


@pytest.mark.parametrize(
    "text", [" ", "\u200b\u202e\n", "x" * (MAX_TEXT_LENGTH + 1), "a" + "\u0301" * 9]
)
def test_what_cannot_be_read_is_refused_with_a_sentence(text: str) -> None:
    log = two()
    with pytest.raises(NotationError):
        checked_text(text)
    with pytest.raises(Refused) as refused:
        handle_command(log.table, BOB, say.Talk(text=text), random.Random(1))
    assert refused.value.code == "malformed"
    assert str(refused.value).endswith(".")


@given(st.text(max_size=120))
@settings(deadline=None)
def test_whatever_is_written_is_one_short_line_that_stays_as_it_is(text: str) -> None:
    try:
        shown = checked_text(text)
    except NotationError:
        return
    assert 0 < len(shown) <= MAX_TEXT_LENGTH
    assert shown.isprintable()
    assert checked_text(shown) == shown
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
def test_talk_that_is_none_is_malformed(message: str) -> None:
    with pytest.raises(NotationError):
        decode_command(message)


def test_old_talk_is_read_as_it_was() -> None:
    said = entries.decode('{"type":"said","seat":1,"phrase":"hello"}')
    assert said == entries.Said(1, "hello")
    assert entries.encode(said) == b'{"type":"said","seat":1,"phrase":"hello"}'
    assert entries.encode(entries.Said(1, "", "x")).startswith(b'{"type":"said"')
