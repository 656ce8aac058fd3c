"""Records: JSON and text round-trip, replays equal the game, and every fault is found."""

from __future__ import annotations

import copy
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import variants
from acesaround.errors import RecordError
from acesaround.record import (
    GameRecord,
    Recorder,
    from_text,
    load,
    read_games,
    steps,
    to_text,
    verify,
    write_games,
)
from acesaround.record.model import DealRecord, decode, encode
from acesaround.record.replay import rebuild
from acesaround.rules import Rules
from tests.random_games import tables, turns
from tests.stock_rules import STOCK_RULES

seeds = st.integers(0, 2**32)


def recorded(rules: Rules, seed: int, deals: int = 2, actions: int | None = None) -> GameRecord:
    """Return the record of a random game, or of its first `actions` turns."""
    recorder = Recorder(rules, [f"Player {seat}" for seat in range(rules.seats)])
    for number, turn in enumerate(turns(rules, seed, deals)):
        if number == actions:
            break
        recorder.add(turn.before, turn.decision.seat, turn.action, turn.events)
    return recorder.record


@given(tables(), seeds, st.integers(1, 150))
@settings(max_examples=80, deadline=None)
def test_a_record_is_valid_after_any_number_of_actions(
    rules: Rules, seed: int, actions: int
) -> None:
    assert verify(recorded(rules, seed, actions=actions)) == []


@given(tables(), seeds, st.integers(1, 150))
@settings(max_examples=80, deadline=None)
def test_json_round_trips(rules: Rules, seed: int, actions: int) -> None:
    line = encode(recorded(rules, seed, actions=actions))
    assert encode(decode(line)) == line
    assert encode(rebuild(decode(line))) == line


@given(tables(), seeds, st.integers(1, 150))
@settings(max_examples=80, deadline=None)
def test_text_round_trips(rules: Rules, seed: int, actions: int) -> None:
    record = recorded(rules, seed, actions=actions)
    text = to_text(record)
    again = from_text(text)
    assert encode(again) == encode(record)
    assert to_text(again) == text


@pytest.mark.parametrize("rules", STOCK_RULES.values(), ids=STOCK_RULES)
def test_text_round_trips_with_melds_laid_by_house_rules(rules: Rules) -> None:
    """A nine turned up is written before the tricks."""
    turned = 0
    for seed in range(8):
        record = recorded(rules, seed)
        assert verify(record) == []
        assert encode(from_text(to_text(record))) == encode(record)
        for deal, text in zip(record.deals, to_text(record).split("\ndeal ")[1:], strict=True):
            lays = sum(action[1] == "meld" for action in deal.actions)
            if len(deal.melds) > lays:
                turned += 1
                assert text.index("= meld") < text.index("trick")
    assert bool(turned) is bool(rules.melds.nine_turned_up)


@given(tables(), seeds)
@settings(max_examples=40, deadline=None)
def test_a_replay_has_the_states_and_events_of_the_game(rules: Rules, seed: int) -> None:
    played = list(turns(rules, seed))
    record = recorded(rules, seed)
    for step, turn in zip(steps(record), played, strict=True):
        assert step.before == turn.before
        assert step.after == turn.after
        assert step.events == turn.events


@pytest.fixture(scope="module")
def three_handed() -> GameRecord:
    """Return the record of a game of two deals that were played out."""
    for seed in range(100):
        record = recorded(variants.THREE_HANDED.with_options(hands=2), seed, deals=2)
        if all(len(deal.tricks) == 15 for deal in record.deals):
            return record
    raise AssertionError("no game without an early end found")


def edited(record: GameRecord, change: str) -> GameRecord:
    """Return a copy with one change."""
    changed = copy.deepcopy(record)
    deal: DealRecord = changed.deals[0]
    score = deal.score
    assert not isinstance(score, msgspec.UnsetType)
    plays = [n for n, action in enumerate(deal.actions) if action[1] == "play"]
    match change:
        case "trick points":
            deal.tricks[3].points += 10
        case "trick winner":
            deal.tricks[3].winner = (deal.tricks[3].winner + 1) % 3
        case "trick missing":
            del deal.tricks[-1]
        case "meld points":
            deal.melds[1].points += 20
        case "meld entry":
            del deal.melds[0]
        case "score change":
            score.change[0] += 1
        case "score play":
            score.play[2] += 10
        case "outcome":
            score.outcome = "conceded"
        case "score missing":
            deal.score = msgspec.UNSET
        case "totals":
            changed.totals[0] += 10
        case "winner":
            changed.winner = None
        case "sides":
            changed.sides = [[0, 1], [2]]
        case "dealer":
            changed.deals[1].dealer = deal.dealer
        case "players":
            deal.players = [0, 1]
        case "a card twice":
            deal.hands[0][0] = deal.hands[0][1] = deal.hands[1][0]
        case "a card too few":
            del deal.hands[0][0]
        case "a play out of turn":
            deal.actions[plays[0]][0] = (deal.actions[plays[0]][0] + 1) % 3
        case "plays swapped":
            first, second = plays[-6], plays[-5]
            a, b = deal.actions[first], deal.actions[second]
            deal.actions[first], deal.actions[second] = [a[0], "play", b[2]], [b[0], "play", a[2]]
        case "an action missing":
            del deal.actions[plays[5]]
        case "an action too many":
            deal.actions.append([0, "pass"])
        case "no action":
            deal.actions[0] = [0, "shout"]
        case "bid too low":
            deal.actions[0] = [deal.actions[0][0], "bid", 240]
        case "no rules":
            changed.rules = {}
        case "rules of another kind":
            changed.rules["ending"]["target"] = "a lot"
        case "rules that contradict themselves":
            changed.rules["deal"]["hand"] = [17]
        case "rules for another number of players":
            del changed.seats[-1]
        case "a deal after the end":
            changed.deals.append(copy.deepcopy(deal))
    return changed


CHANGES = {
    "trick points": "deal 1, trick 4: its points",
    "trick winner": "deal 1, trick 4: its winner",
    "trick missing": "deal 1: there are 14 tricks, expected 15",
    "meld points": "deal 1, meld of seat 1",
    "meld entry": "deal 1: there are 2 meld entries, expected 3",
    "score change": "deal 1, score: its change",
    "score play": "deal 1, score: its play",
    "outcome": "deal 1, score: its outcome",
    "score missing": "deal 1: it is over, but its score is missing",
    "totals": "totals are",
    "winner": "the winner is None",
    "sides": "sides are",
    "dealer": "deal 2: the dealer is",
    "players": "deal 1: the players are",
    "a card twice": "deal 1: That is not a deal of this game",
    "a card too few": "deal 1: That is not a deal of this game: seat 0 has 14 cards",
    "a play out of turn": "It is not your turn",
    "plays swapped": "deal 1, action",
    "an action missing": "deal 1, action",
    "an action too many": "(0 pass): the deal was over before it",
    "no action": "is not an action: expected one such as",
    "bid too low": "The bid must be at least 250",
    "no rules": "Its rules are not valid: Object missing required field `variant`",
    "rules of another kind": "Its rules are not valid: Expected `int`, got `str`",
    "rules that contradict themselves": "48 cards are too few for 3 players",
    "rules for another number of players": "Its rules are for 3 players, and 2 seats are named",
    "a deal after the end": "deal 3: the game was over before it",
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_fault_of_an_edited_record_is_found(three_handed: GameRecord, change: str) -> None:
    """Each fault names the place, the value and the expected one."""
    assert verify(three_handed) == []
    found = verify(edited(three_handed, change))
    assert any(CHANGES[change] in fault for fault in found), found


def test_verify_returns_all_faults(three_handed: GameRecord) -> None:
    record = edited(edited(three_handed, "trick points"), "totals")
    assert len(verify(record)) == 2


def test_unknown_keys_are_ignored(three_handed: GameRecord) -> None:
    data = msgspec.json.decode(encode(three_handed))
    data["site"] = "kitchen"
    data["deals"][0]["clock"] = [1, 2, 3]
    assert encode(decode(msgspec.json.encode(data))) == encode(three_handed)


def test_tens_may_be_written_with_two_digits(three_handed: GameRecord) -> None:
    """`10H` is accepted on input for `TH`, in melds as in plays."""
    line = encode(three_handed).decode().replace('"T', '"10')
    assert verify(decode(line)) == []


def test_a_wrong_result_line_is_refused_with_its_number(
    three_handed: GameRecord,
) -> None:
    lines = to_text(three_handed).splitlines()
    index = next(n for n, line in enumerate(lines) if line.startswith("= won"))
    lines[index] = "= won 2 70"
    with pytest.raises(RecordError, match=f"line {index + 1}: `= won 2 70` does not follow"):
        from_text("\n".join(lines))


def test_text_may_omit_result_lines(three_handed: GameRecord) -> None:
    lines = [line for line in to_text(three_handed).splitlines() if not line.startswith("=")]
    assert encode(from_text("\n".join(lines))) == encode(three_handed)


def test_files_of_json_lines_indented_json_and_text_are_read(
    tmp_path: Path, three_handed: GameRecord
) -> None:
    lines = tmp_path / "games.jsonl"
    write_games(lines, [three_handed, three_handed])
    text = tmp_path / "games.txt"
    text.write_text(to_text(three_handed) * 2, encoding="utf-8")
    for path in (lines, text):
        records = [record for record in read_games(path) if isinstance(record, GameRecord)]
        assert list(map(encode, records)) == [encode(three_handed)] * 2
    indented = tmp_path / "game.json"
    indented.write_bytes(msgspec.json.format(encode(three_handed), indent=2))
    assert encode(load(indented)) == encode(three_handed)


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, three_handed: GameRecord) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("before")

    def interrupted_games() -> object:
        yield three_handed
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_games(path, interrupted_games())  # type: ignore[arg-type]  # a generator that raises
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
