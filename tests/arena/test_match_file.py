"""The file of a match: the same match continues it, and any other match is refused."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from acesaround.arena.executors import InlineExecutor
from acesaround.arena.match import BoardKind, Match
from acesaround.arena.match_file import open_match_file
from acesaround.arena.match_progress import MatchProgress
from acesaround.arena.run_match import play_match
from acesaround.errors import RecordError, RulesError
from tests.arena.fixtures import match, result_without_times


def play_with_file(of: Match, path: Path, deals: int = 20) -> MatchProgress:
    """Play a match with a file, and return its progress."""
    progress = MatchProgress(of, deals)
    with open_match_file(path, of) as log:
        play_match(InlineExecutor(of), progress, log)
    return progress


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize("cut", ["nothing", "half a line", "a line", "all but the first", "all"])
def test_match_continues_where_its_file_ends(tmp_path: Path, cut: str) -> None:
    of = match("random", "thumb")
    path = tmp_path / "match.jsonl"
    expected = result_without_times(of, play_with_file(of, path))
    written = lines(path)
    assert len(written) > 3
    remaining = {
        "nothing": written,
        "half a line": [*written[:-1], written[-1][:50]],
        "a line": written[:-1],
        "all but the first": written[:1],
        "all": [],
    }[cut]
    path.write_bytes(b"".join(remaining))
    again = MatchProgress(of, 20)
    with open_match_file(path, of) as log:
        play_match(InlineExecutor(of), again, log)
    assert result_without_times(of, again) == expected
    after = lines(path)
    complete = [line for line in remaining if line.endswith(b"\n")]
    assert after[: len(complete)] == complete  # nothing is played twice
    assert len(after) == len(written)


def test_legs_in_a_file_may_have_any_order(tmp_path: Path) -> None:
    of = match("random", "thumb")
    path = tmp_path / "match.jsonl"
    whole = result_without_times(of, play_with_file(of, path))
    first, *legs = lines(path)
    path.write_bytes(b"".join([first, *reversed(legs[:-1])]))
    assert result_without_times(of, play_with_file(of, path)) == whole


def test_file_is_reused_for_longer_and_shorter_matches(tmp_path: Path) -> None:
    of = match("random", "thumb")
    path = tmp_path / "match.jsonl"
    short = result_without_times(of, play_with_file(of, path, 5))
    long = result_without_times(of, play_with_file(of, path, 16))
    at_once = result_without_times(of, play_with_file(of, tmp_path / "other.jsonl", 16))
    assert long == at_once
    assert result_without_times(of, play_with_file(of, path, 5)) == short


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (match("thumb", "random"), r"bots \[\"random\",\"thumb\"\] there"),
        (match("random", "thumb", seed=1), "seed 0 there, 1 here"),
        (match("random", "thumb", "two-handed"), 'variant "partnership" there'),
        (
            match("random", "thumb", board_kind=BoardKind.SINGLE_DEAL),
            'play "games" there, "single" here',
        ),
        (match("random", "thumb", limit_seconds=90.0), "limit null there, 90.0 here"),
        (match("random", "thumb", max_deals=7), "max_deals 1000 there, 7 here"),
    ],
)
def test_the_file_of_another_match_is_refused(tmp_path: Path, other: Match, sentence: str) -> None:
    of = match("random", "thumb")
    path = tmp_path / "match.jsonl"
    play_with_file(of, path, 1)
    before = path.read_bytes()
    with pytest.raises(RulesError, match=sentence), open_match_file(path, other):
        pass
    assert path.read_bytes() == before


def test_file_of_other_options_is_refused(tmp_path: Path) -> None:
    of = match("random", "thumb")
    path = tmp_path / "match.jsonl"
    play_with_file(of, path, 1)
    other = match("random", "thumb", rules=of.rules.with_options(target=500))
    with (
        pytest.raises(RulesError, match=re.escape('options {} there, {"target":500} here')),
        open_match_file(path, other),
    ):
        pass


@pytest.mark.parametrize("content", ["hello\n", '{"format": "other"}\n', "[1]\n", "x", "\n"])
def test_other_file_is_refused_and_not_changed(tmp_path: Path, content: str) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    with (
        pytest.raises(RulesError, match="not the file of a match"),
        open_match_file(path, match("thumb", "random")),
    ):
        pass
    assert path.read_text() == content


@pytest.mark.parametrize("name", ["/dev/null", "/dev/zero", "/dev/full", "pipe"])
def test_special_files_are_refused(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (
        pytest.raises(RulesError, match="not the file of a match"),
        open_match_file(tmp_path / name, match("thumb", "random")),
    ):
        pass


def test_invalid_line_is_named(tmp_path: Path) -> None:
    of = match("random", "thumb")
    path = tmp_path / "match.jsonl"
    play_with_file(of, path)
    written = lines(path)
    written[2] = b'{"board": 0}\n'
    path.write_bytes(b"".join(written))
    with pytest.raises(RecordError, match="line 3 is not a leg of a match"):
        play_with_file(of, path)


def test_two_matches_cannot_write_to_one_file(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    of = match("random", "thumb")
    path = tmp_path / "match.jsonl"
    with (
        open_match_file(path, of),
        pytest.raises(RulesError, match="Another match is writing to"),
        open_match_file(path, of),
    ):
        pass
    play_with_file(of, path, 1)
