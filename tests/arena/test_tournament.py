"""A tournament of several bots, as the command plays and prints it."""

from __future__ import annotations

import json

import pytest

from tests.cli_runner import Command

QUICK = ("--deals", "20", "--processes", "1", "--seed", "3")


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


def test_each_pair_plays_the_match_that_it_plays_alone(acesaround: Command) -> None:
    bots = ("random", "thumb", "easy")
    result = json.loads(acesaround("arena", "two-handed", *bots, *QUICK, "--json").out)
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
