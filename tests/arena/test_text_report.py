"""docs/arena.md: its examples, run and compared except for times."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from acesaround import cli

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
TIMES = re.compile(r"( +[\d.]+ (s|ms|µs)){3}$", re.MULTILINE)


def block(language: str) -> str:
    """Return the only block of the page in a language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def test_command_prints_the_output_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    first, shown = block("console").split("\n", 1)
    words = shlex.split(first.removeprefix("$ acesaround "))
    assert cli.main([*words, "--processes", "1"]) == 0
    printed = capsys.readouterr().out
    assert len(TIMES.findall(printed)) == 8
    assert TIMES.sub("", printed) == TIMES.sub("", shown)


def rounded(value: Any) -> Any:
    """Return a value rounded to three digits, without times."""
    if isinstance(value, float):
        return float(f"{value:.3g}")
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items() if k not in ("mean", "p95", "longest")}
    return value


def test_json_equals_that_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    (words,) = re.findall(r"`(--deals .*? target=\d+)`", PAGE)
    match = ("arena", "partnership", "thumb", "random", *words.split())
    assert cli.main([*match, "--json", "--processes", "1"]) == 0
    printed, shown = json.loads(capsys.readouterr().out), json.loads(block("json"))
    assert list(shown) == list(printed)
    for bot in ("a", "b"):
        times = {kind: printed[bot]["times"][kind] for kind in shown[bot]["times"]}
        assert [list(t) for t in times.values()] == [list(t) for t in shown[bot]["times"].values()]
        printed[bot]["times"] = times
    assert rounded(shown) == rounded(printed)


def test_doctests_of_the_page_pass() -> None:
    test = doctest.DocTestParser().get_doctest(block("python"), {}, "arena.md", "arena.md", 0)
    assert len(test.examples) > 4
    assert doctest.DocTestRunner().run(test).failed == 0


def test_page_lists_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["arena", "--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    assert len(options) > 10
    assert options <= set(re.findall(r"`(--[a-z-]+)", PAGE))
