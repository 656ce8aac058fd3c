"""A tournament of several bots, as the command plays and prints it."""

from __future__ import annotations

import json

import pytest

from acesaround import bots
from acesaround.cli import arena_run
from acesaround.errors import RulesError
from tests.cli_runner import Command

QUICK = ("--deals", "20", "--processes", "1", "--seed", "3")


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


def test_each_pair_plays_the_match_that_it_plays_alone(acesaround: Command) -> None:
    names = ("random", "thumb", "easy")
    result = json.loads(acesaround("arena", "two-handed", *names, *QUICK, "--json").out)
    assert [(one["a"], one["b"]) for one in result["matches"]] == [
        ("random", "thumb"),
        ("random", "easy"),
        ("thumb", "easy"),
    ]
    for pair in result["matches"]:
        alone = json.loads(
            acesaround("arena", "two-handed", pair["a"], pair["b"], *QUICK, "--json").out
        )
        assert pair["points"] == alone["points"]
        assert pair["games"] == alone["games"]
    ratings = [one["rating"]["value"] for one in result["bots"]]
    assert ratings == sorted(ratings, reverse=True)
    assert result["bots"][-1]["name"] == "random"
    assert sum(one["won"] for one in result["bots"]) == sum(
        pair["games"]["a"] + pair["games"]["b"] for pair in result["matches"]
    )


def test_report_has_a_line_for_each_bot_and_each_pair(acesaround: Command) -> None:
    out = acesaround("arena", "two-handed", "thumb", "random", "easy", *QUICK).out
    lines = out.splitlines()
    assert lines[0].startswith("two-handed, 2 players: 3 matches, ")
    assert [line.split()[0] for line in lines[3:6]][-1] == "random"
    assert len(lines[lines.index("points a deal, the first less the second") + 1 :]) == 3


def test_single_deals_have_points_and_no_ratings(acesaround: Command) -> None:
    out = acesaround(
        "arena", "partnership", "random", "thumb", "easy", *QUICK, "--single-deals"
    ).out
    assert "rating" not in out
    assert "\n\n\n" not in out
    assert out.splitlines()[-1].split()[-3:-2][0].startswith("+")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("thumb", "random", "thumb"), "name it once"),
        (("thumb", "random", "easy", "--out", "x"), "--out works only for two bots"),
        (("thumb", "random", "easy", "--plot", "x.png"), "--plot works only for two bots"),
    ],
)
def test_tournament_that_cannot_be_played_is_refused(
    acesaround: Command, words: tuple[str, ...], sentence: str
) -> None:
    assert sentence in acesaround.refuses("arena", "two-handed", *words)


def test_failures_of_a_bot_are_counted_over_its_matches(acesaround: Command) -> None:
    names = ("random", "cmd:false", "thumb")
    answer = acesaround("arena", "two-handed", *names, *QUICK, "--json")
    result = json.loads(answer.out)
    failing = next(one for one in result["bots"] if one["name"] == "cmd:false")
    alone = [
        json.loads(acesaround("arena", "two-handed", *pair, *QUICK, "--json").out)
        for pair in (("random", "cmd:false"), ("cmd:false", "thumb"))
    ]
    expected = [one["b"]["faults"] for one in alone[:1]] + [one["a"]["faults"] for one in alone[1:]]
    for kind, fault in failing["faults"].items():
        assert fault["count"] == sum(faults.get(kind, {"count": 0})["count"] for faults in expected)
    assert failing["faults"]
    assert answer.status == 1
    lines = acesaround("arena", "two-handed", *names, *QUICK).out.splitlines()
    assert lines[-1].startswith("cmd:false ")


def test_bot_that_cannot_play_is_refused_before_the_first_match(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def refuse_last(name: str, *more: object) -> object:
        made.append(name)
        if name == "easy":
            raise RulesError("It cannot play.")
        return object()

    def fail_to_play(*_: object) -> None:
        pytest.fail("a match has begun")

    monkeypatch.setattr(bots, "make", refuse_last)
    monkeypatch.setattr(bots, "close", lambda bot: None)
    monkeypatch.setattr(arena_run, "play_match", fail_to_play)
    words = ("arena", "two-handed", "thumb", "random", "easy", *QUICK)
    assert "It cannot play." in Command(capsys, monkeypatch).refuses(*words)
    assert made == ["thumb", "random", "easy"]
