"""Records: what is written can be replayed, in JSON and in text, and every fault is found."""

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
from tests.stocked import HOUSES

seeds = st.integers(0, 2**32)


def recorded(rules: Rules, seed: int, deals: int = 2, actions: int | None = None) -> GameRecord:
    """The record of a random game, perhaps broken off after that many turns."""
    recorder = Recorder(rules, [f"Player {seat}" for seat in range(rules.seats)])
    for number, turn in enumerate(turns(rules, seed, deals)):
        if number == actions:
            break
        recorder.add(turn.before, turn.decision.seat, turn.action, turn.events)
    return recorder.record


@given(tables(), seeds, st.integers(1, 150))
@settings(max_examples=80, deadline=None)
def test_a_record_is_sound_at_every_moment(rules: Rules, seed: int, actions: int) -> None:
    """A game broken off anywhere leaves a record that replays without a fault."""
    record = recorded(rules, seed, actions=actions)
    assert verify(record) == []


@given(tables(), seeds, st.integers(1, 150))
@settings(max_examples=80, deadline=None)
def test_json_round_trips(rules: Rules, seed: int, actions: int) -> None:
    """JSON read and written again is the same, byte for byte, and so is the replayed record."""
    record = recorded(rules, seed, actions=actions)
    line = encode(record)
    assert encode(decode(line)) == line
    assert encode(rebuild(decode(line))) == line


@given(tables(), seeds, st.integers(1, 150))
@settings(max_examples=80, deadline=None)
def test_text_round_trips(rules: Rules, seed: int, actions: int) -> None:
    """Text holds all of a record: read back it is the same, byte for byte."""
    record = recorded(rules, seed, actions=actions)
    text = to_text(record)
    again = from_text(text)
    assert encode(again) == encode(record)
    assert to_text(again) == text


@pytest.mark.parametrize("rules", HOUSES.values(), ids=HOUSES)
def test_text_round_trips_however_melds_are_laid(rules: Rules) -> None:
    """What nobody laid, a nine turned up, is told before the tricks; lay-downs as they come."""
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
def test_replaying_ends_where_the_game_ended(rules: Rules, seed: int) -> None:
    """Replay is a fold: it passes through the very states of the game."""
    played = list(turns(rules, seed))
    record = recorded(rules, seed)
    for step, turn in zip(steps(record), played, strict=True):
        assert step.before == turn.before
        assert step.after == turn.after
        assert step.events == turn.events


@pytest.fixture(scope="module")
def three_handed() -> GameRecord:
    """A finished deal that was played out, and one thrown in or more."""
    for seed in range(100):
        record = recorded(variants.THREE_HANDED.with_options(hands=2), seed, deals=2)
        if all(len(deal.tricks) == 15 for deal in record.deals):
            return record
    raise AssertionError("no such game was found")


def edited(record: GameRecord, change: str) -> GameRecord:
    """A copy with one thing changed."""
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
    "no action": "is not an action: expected such as",
    "bid too low": "The bid must be at least 250",
    "no rules": "Its rules are not valid: Object missing required field `variant`",
    "rules of another kind": "Its rules are not valid: Expected `int`, got `str`",
    "rules that contradict themselves": "48 cards are too few for 3 players",
    "rules for another number of players": "Its rules are for 3 players, and 2 seats are named",
    "a deal after the end": "deal 3: the game was over before it",
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_fault_of_an_edited_record_is_found(three_handed: GameRecord, change: str) -> None:
    """Each fault is a sentence that names the place, what is wrong and what was expected."""
    assert verify(three_handed) == []
    found = verify(edited(three_handed, change))
    assert any(CHANGES[change] in fault for fault in found), found


def test_several_faults_are_all_told(three_handed: GameRecord) -> None:
    """One sentence for each fault, not only for the first."""
    record = edited(edited(three_handed, "trick points"), "totals")
    assert len(verify(record)) == 2


def test_unknown_keys_are_ignored(three_handed: GameRecord) -> None:
    """Writers may add keys: readers pass over them."""
    data = msgspec.json.decode(encode(three_handed))
    data["site"] = "kitchen"
    data["deals"][0]["clock"] = [1, 2, 3]
    assert encode(decode(msgspec.json.encode(data))) == encode(three_handed)


def test_tens_may_be_written_with_two_digits(three_handed: GameRecord) -> None:
    """`10H` is accepted on input for `TH`, in melds as in plays."""
    line = encode(three_handed).decode().replace('"T', '"10')
    assert verify(decode(line)) == []


def test_a_claim_that_does_not_follow_is_an_error_naming_its_line(
    three_handed: GameRecord,
) -> None:
    """A typed text is checked against the game: each `=` line must follow."""
    lines = to_text(three_handed).splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("= won"))
    lines[at] = "= won 2 70"
    with pytest.raises(RecordError, match=f"line {at + 1}: `= won 2 70` does not follow"):
        from_text("\n".join(lines))


def test_text_without_claims_is_enough(three_handed: GameRecord) -> None:
    """What follows from the game need not be typed."""
    lines = [line for line in to_text(three_handed).splitlines() if not line.startswith("=")]
    assert encode(from_text("\n".join(lines))) == encode(three_handed)


def test_files_of_games_round_trip(tmp_path: Path, three_handed: GameRecord) -> None:
    """JSON lines, one indented JSON object, and text are all read."""
    lines = tmp_path / "games.jsonl"
    write_games(lines, [three_handed, three_handed])
    assert [encode(r) for r in read_games(lines) if isinstance(r, GameRecord)] == [
        encode(three_handed)
    ] * 2
    pretty = tmp_path / "game.json"
    pretty.write_bytes(msgspec.json.format(encode(three_handed), indent=2))
    assert encode(load(pretty)) == encode(three_handed)
    text = tmp_path / "games.txt"
    text.write_text(to_text(three_handed) * 2, encoding="utf-8")
    assert [encode(r) for r in read_games(text) if isinstance(r, GameRecord)] == [
        encode(three_handed)
    ] * 2


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path, three_handed: GameRecord) -> None:
    """Writing that breaks off leaves the old file as it was, and nothing beside it."""
    path = tmp_path / "games.jsonl"
    path.write_text("before")

    def broken() -> object:
        yield three_handed
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_games(path, broken())  # type: ignore[arg-type]  # a generator that breaks off
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
