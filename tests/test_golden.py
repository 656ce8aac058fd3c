"""The annotated games, one for each variant: valid, and written as the engine writes them."""

from __future__ import annotations

import json
import re

import msgspec
import pytest

from acesaround.record import from_text, to_text, verify
from acesaround.record.model import encode
from acesaround.record.replay import rules_of
from acesaround.rules import Rules
from acesaround.variants import VARIANTS
from tests.cli_runner import GAMES, golden
from tests.referee.replay import check


def text_of(variant: str) -> str:
    return golden(variant).read_text(encoding="utf-8")


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_folder_of_a_variant_has_its_files(variant: str) -> None:
    assert {path.name for path in (GAMES / variant).iterdir()} >= {
        *("sheet.toml", "golden.txt", "notes.md"),
    }


@pytest.mark.parametrize("variant", VARIANTS)
def test_source_of_a_variant_is_no_file_that_readers_do_not_have(variant: str) -> None:
    assert VARIANTS[variant].source
    for path in (GAMES / variant).iterdir():
        assert re.search(r"\bseeds/|\b\d{3}_[0-9a-f]{16}", path.read_text("utf-8")) is None, path


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_golden_game_follows_the_rules(variant: str) -> None:
    record = from_text(text_of(variant))
    assert record.variant == variant
    assert record.winner is not None
    assert verify(record) == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_referee_finds_no_fault_in_a_golden_game(variant: str) -> None:
    record = from_text(text_of(variant))
    assert check(json.loads(encode(record))) == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_golden_game_without_its_comments_is_what_the_engine_writes(variant: str) -> None:
    lines = text_of(variant).splitlines(keepends=True)
    comments = [line for line in lines if line.startswith("#")]
    assert len(comments) > 10
    record = from_text(text_of(variant))
    written = to_text(record).splitlines(keepends=True)
    # The written rules may have newer fields, but are the same rules.
    old, new = ([x for x in text if x.startswith("rules ")] for text in (lines, written))
    assert [msgspec.json.decode(x[6:], type=Rules) for x in old + new] == [rules_of(record)] * 2
    assert [x for x in lines if x not in comments + old] == [x for x in written if x not in new]
