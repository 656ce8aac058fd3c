"""docs/protocol.md: every message on the page is real."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import msgspec

from acesaround import game, variants
from acesaround.bots import external
from acesaround.bots.external import messages, process
from acesaround.cli import commands
from acesaround.errors import Failure
from acesaround.game.view import View, view_for
from acesaround.server.settings import Settings
from tests.scripted_games import Table, deal
from tests.test_docs import blocks

PAGE = "docs/protocol.md"
TEXT = (Path(__file__).parent.parent.parent / PAGE).read_text(encoding="utf-8")


def is_part_of(part: Any, whole: Any, *, cut: bool) -> bool:
    """Return True if `part` is `whole`, or if `cut`, `whole` with keys left out."""
    if not isinstance(part, dict) or not cut:
        return bool(part == whole)
    return all(key in whole and is_part_of(part[key], whole[key], cut=True) for key in part)


def test_messages_are_real_and_answers_legal() -> None:
    """Play a game with the answers of the page, in its order."""
    rules = variants.THREE_HANDED
    hand = "AS AS TS KS QS JS AH KH QH 9H AD KD AC JC 9C"
    table = Table(rules, deal(rules, {1: hand}, kitty="KC TH 9S"))
    kinds: set[str] = set()
    for block in blocks(PAGE, "json"):
        line = json.loads(block)
        kind = line["type"]
        kinds.add(kind)
        if "protocol" in line:
            assert is_part_of(line, json.loads(messages.hello_line(rules, 1, 10.0)), cut=True)
        elif kind == "decide":
            decision = game.decision(table.state)
            assert decision.seat == 1
            real = json.loads(messages.decide_line(view_for(table.state, 1), decision))
            assert is_part_of(line["decision"], real["decision"], cut=False)
            assert is_part_of(line["view"], real["view"], cut=True)
        elif kind == "quit":
            assert line == json.loads(messages.QUIT)
        elif kind == "act":
            chosen, reason = messages.action_and_reason(messages.parse_answer(block.encode()))
            assert reason == line.get("reason", "")
            assert chosen in game.decision(table.state).legal
            table.take(chosen)
            if line["action"][0] == "bid":
                table.do("pass", "pass")
        else:
            assert messages.parse_answer(block.encode()).type == kind
    assert kinds == {"hello", "decide", "act", "info", "quit"}


def test_page_names_every_field_and_failure() -> None:
    for field in msgspec.structs.fields(View):
        assert f"`{field.name}`" in TEXT
    for failure in Failure:
        assert (f"| `{failure.name.lower()}` |" in TEXT) == (failure is not Failure.RAISED)
    for kind in ("bid", "trump", "bury", "give", "discard", "play"):
        assert f"| `{kind}` |" in TEXT


def test_numbers_equal_those_of_the_code() -> None:
    assert f"{external.DEFAULT_LIMIT_SECONDS:g} seconds, or what" in TEXT
    assert f"more than {process.MAX_LINE_BYTES // 1024} KiB in a line" in TEXT
    assert f"more than {process.MAX_RESPONSE_BYTES // 1024**2} MiB for a decision" in TEXT
    assert f"at most {Settings(database_url='', secret='').max_bot_programs} at once" in TEXT


def test_commands_are_parsed() -> None:
    """Only parse them; other tests run them."""
    found = [line for line in TEXT.splitlines() if line.startswith(("acesaround ", "ACESAROUND_"))]
    assert len(found) == 5
    for line in found:
        words = [word for word in shlex.split(line) if not word.startswith("ACESAROUND_")]
        assert words[0] == "acesaround"
        commands.build_parser().parse_args(words[1:])
