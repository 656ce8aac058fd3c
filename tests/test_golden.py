"""Annotated games, one for each variant: they read, verify, and come back as they stand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acesaround.record import faults, from_text, to_text
from acesaround.record.model import encode
from acesaround.variants import VARIANTS
from tests.referee.replay import check

GOLDEN = Path(__file__).parent / "golden"


def text_of(variant: str) -> str:
    return (GOLDEN / f"{variant}.txt").read_text(encoding="utf-8")


def test_each_variant_has_a_golden_game_and_there_are_no_others() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_golden_game_follows_the_rules(variant: str) -> None:
    record = from_text(text_of(variant))
    assert record.variant == variant
    assert record.winner is not None
    assert faults(record) == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_independent_referee_finds_nothing_wrong_with_a_golden_game(variant: str) -> None:
    record = from_text(text_of(variant))
    assert check(json.loads(encode(record))) == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_golden_game_without_its_comments_is_what_the_engine_writes(variant: str) -> None:
    lines = text_of(variant).splitlines(keepends=True)
    comments = [line for line in lines if line.startswith("#")]
    assert len(comments) > 10
    assert "".join(line for line in lines if line not in comments) == to_text(
        from_text(text_of(variant))
    )
