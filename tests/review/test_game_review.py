"""The review of a game: its sums, its kinds, what it refuses, and the command that prints it."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from acesaround import bots, variants
from acesaround.errors import RecordError, RulesError
from acesaround.record import GameRecord, write_games
from acesaround.record.model import encode
from acesaround.review import GameReview, game_review, review_game
from acesaround.review.text_report import as_json, report_text
from acesaround.rules import HouseMeld, Rules
from acesaround.rules.feature_support import Feature, why_unsupported
from acesaround.simulate import play_games
from tests.cli_runner import Command, golden

_QUICK = 0.002
_GATE_VARIANTS = ("partnership", "five-card", "two-handed")
SUPPORTED = [
    name
    for name, rules in variants.VARIANTS.items()
    if why_unsupported(rules, Feature.SEARCH) is None
]


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


def play_record(variant: str, bot: str, deals: int = 1, seed: int = 1) -> GameRecord:
    """Return the record of a game in which seat 0 is a bot and the others play by rules of thumb.

    It is never over before that many deals.
    """
    rules = variants.get(variant, options={"hands": deals})
    names = (bot, *["thumb"] * (rules.seats - 1))
    (played,) = play_games(rules, names, 1, seed, record=True)
    assert played.record is not None
    return msgspec.json.decode(encode(played.record), type=GameRecord)


def check_sums(review: GameReview) -> None:
    """Assert that luck and decisions add up to the change of the chance to win."""
    assert review.deals
    for deal in review.deals:
        assert deal.luck + deal.decisions == pytest.approx(deal.chance_after - deal.chance_before)
        own = [one for one in review.decisions if one.deal == deal.deal]
        assert deal.decisions == pytest.approx(-sum(one.evaluation.chance_lost for one in own))
    for one, following in zip(review.deals, review.deals[1:], strict=False):
        assert one.chance_after == following.chance_before
    if review.is_over:
        assert review.deals[-1].chance_after in (0.0, 1.0)
    assert sum(total.count for total in review.totals) == len(review.decisions)
    assert len(review.mistakes) == sum(one.evaluation.is_mistake for one in review.decisions)
    assert report_text(review)
    assert json.dumps(as_json(review))


@pytest.mark.parametrize(
    "variant",
    [
        name if name in _GATE_VARIANTS else pytest.param(name, marks=pytest.mark.soak)
        for name in SUPPORTED
    ],
)
def test_luck_and_decisions_add_up_to_the_result(variant: str) -> None:
    review = review_game(play_record(variant, "random"), 0, seconds=_QUICK)
    assert review.is_over
    assert review.decisions
    check_sums(review)


def test_a_random_player_makes_mistakes_and_a_searching_one_hardly_any() -> None:
    random_review = review_game(play_record("partnership", "random", 3, 2), 0, seconds=0.02)
    check_sums(random_review)
    assert len(random_review.mistakes) >= 5

    search_review = review_game(
        play_record("partnership", "search:time=0.02", 3, 2), 0, seconds=0.02
    )
    check_sums(search_review)
    cost = sum(one.evaluation.chance_lost for one in search_review.mistakes)
    assert cost < sum(one.evaluation.chance_lost for one in random_review.mistakes) / 5


def test_progress_is_reported() -> None:
    seen: list[tuple[int, int]] = []
    review = review_game(
        play_record("two-handed", "thumb"),
        0,
        seconds=_QUICK,
        on_progress=lambda done, total: seen.append((done, total)),
    )
    total = len(review.decisions) + review.skipped_count + len(review.deals)
    assert seen == [(done, total) for done in range(total + 1)]


def test_only_finished_deals_are_reviewed() -> None:
    record = play_record("partnership", "thumb", 3)
    unfinished = replace(record, deals=record.deals[:2], winner=None)
    del unfinished.deals[1].actions[-5:]
    review = review_game(unfinished, 0, seconds=_QUICK)
    assert not review.is_over
    assert [deal.deal for deal in review.deals] == [1]
    check_sums(review)
    assert "The game is not over: only its finished deals are reviewed." in report_text(review)


def test_deals_beyond_the_limit_are_left_out_of_a_finished_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(game_review, "MAX_DEALS", 1)
    review = review_game(play_record("partnership", "thumb", 3), 0, seconds=_QUICK)
    assert review.is_over
    assert len(review.deals) == 1
    assert review.left_out_deals == 2
    text = report_text(review)
    assert "The game is not over" not in text
    assert "It leaves out 2 deals at the end." in text


def test_hands_are_judged_by_measured_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the arena and on the server: a house game has no shipped weights."""
    measured: list[Rules] = []
    monkeypatch.setattr(bots, "measure_hand_weights", lambda rules: measured.append(rules))
    record = play_record("partnership", "thumb")
    measured.clear()
    review = review_game(record, 0, seconds=_QUICK)
    assert measured
    assert set(measured) == {review.rules}


def test_what_cannot_be_reviewed_is_refused() -> None:
    record = play_record("partnership", "thumb")
    with pytest.raises(RecordError, match="There is no seat 4: the record has 4 seats"):
        review_game(record, 4)
    empty = replace(record, deals=[])
    with pytest.raises(RecordError, match="No deal of this game is finished"):
        review_game(empty, 0)
    illegal = msgspec.convert(msgspec.to_builtins(record), GameRecord)
    illegal.deals[0].actions[0] = [0, "play", "AS"]
    with pytest.raises(RecordError, match="deal 1, action 1"):
        review_game(illegal, 0)
    unsupported = play_unsupported_record()
    with pytest.raises(RulesError):
        review_game(unsupported, 0)


def play_unsupported_record() -> GameRecord:
    """Return the record of a game that the search cannot play: kernels hold no such meld."""
    rules = variants.get("partnership", options={"hands": 1})
    uneven = HouseMeld("uneven", "QS QS JD", 40)
    rules = replace(rules, melds=replace(rules.melds, others=(uneven,)))
    (played,) = play_games(rules, ["random"] * 4, 1, 1, record=True)
    assert played.record is not None
    return msgspec.json.decode(encode(played.record), type=GameRecord)


def test_the_command_prints_the_report(acesaround: Command, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_games(path, [play_record("partnership", "easy"), play_record("two-handed", "random")])
    answer = acesaround("review", str(path), "--seconds", "0.002", "--mistakes", "1")
    assert answer.status == 0
    assert answer.out.startswith("Review of seat 0 (bot:easy): ")
    assert "The chance to win the game, deal by deal" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80
    second = acesaround("review", str(path), "--game", "2", "--seconds", "0.002", "--json")
    fields = json.loads(second.out)
    assert fields["variant"] == "two-handed"
    assert len(fields["deals"]) == 1


def test_the_command_refuses_in_one_line(acesaround: Command, tmp_path: Path) -> None:
    record = str(golden("partnership"))
    assert "there is no game 9 in it" in acesaround.refuses("review", record, "--game", "9")
    assert "There is no seat 9" in acesaround.refuses("review", record, "--seat", "9")
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": "acesaround/2"')
    assert "game 1" in acesaround.refuses("review", str(broken))
    assert "No such file" in acesaround.refuses("review", str(tmp_path / "missing"))
