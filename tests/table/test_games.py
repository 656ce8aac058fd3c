"""The lines of the games in a log: what comes after a game changes nothing about it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.game.view import turn_of
from acesaround.record.model import encode
from acesaround.table import commands as say
from acesaround.table import entries, fold_games, history_of, records
from tests.table.test_table import ANN, BOB, CLEO, Log, choice, config


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_a_game_has_the_same_line_by_the_log_and_by_its_record(variant: str) -> None:
    log = Log(config(variant, options={"hands": 2}))
    log.do(ANN, say.Start())
    log.play(ANN, deals=2)
    table, (line,) = fold_games(log.entries)
    assert table == log.table
    assert history_of(line.record()) == replace(line, person_ids=())  # a record knows no ids
    numbers = [step.number for step in line.steps if step.deal == 1]
    assert numbers == list(range(-1, len(numbers) - 1)), "the deal itself is number -1"


def played(log: Log) -> None:
    """Play the game to its end, whoever sits there."""
    log.bots()
    while log.table.is_playing:
        assert log.table.game is not None
        person = log.table.seats[turn_of(log.table.game) or 0].person
        assert person is not None
        log.do(person, say.Act(log.table.seq, choice(log.table, log.rng)))
        log.bots()


def finished() -> Log:
    log = Log(config(options={"hands": 1}))
    log.do(BOB, say.Sit(1))
    log.do(ANN, say.Start())
    played(log)
    return log


def test_a_finished_record_stays_as_it_is_whoever_leaves_comes_or_is_renamed() -> None:
    log = finished()
    (before,) = records(log.entries)
    assert [seat.name for seat in before.seats] == ["Ann", "Bob", "bot:random", "bot:random"]
    log.add(entries.ProfileChanged(0, "Anna"), entries.BotSet(2, "thumb"))
    log.do(BOB, say.Stand())
    log.do(CLEO, say.Sit(1))
    log.do(ANN, say.Stand())
    log.do(CLEO, say.Rematch())
    assert encode(records(log.entries)[0]) == encode(before)
    _, (line, _) = fold_games(log.entries)
    assert (line.seat_of(BOB.id), line.seat_of(CLEO.id), line.seat_of(None)) == (1, None, None)


def test_a_seat_that_changed_hands_is_called_by_who_held_it_last_in_the_game() -> None:
    log = Log(config(options={"hands": 2}))
    log.do(BOB, say.Sit(1))
    log.do(CLEO, say.Sit(2))
    log.do(ANN, say.Start())
    log.bots()
    log.do(CLEO, say.Stand())  # and a bot plays on
    log.bots()
    log.do(BOB, say.Stand())
    log.add(entries.SeatTaken(1, CLEO))
    played(log)
    log.add(entries.SeatTaken(3, BOB))
    (record,) = records(log.entries)
    assert [seat.name for seat in record.seats] == ["Ann", "Cleo", "bot:random", "bot:random"]


def test_a_player_who_left_in_mid_game_is_still_in_its_record() -> None:
    log = Log(config(options={"hands": 1}))
    log.do(BOB, say.Sit(1))
    log.do(ANN, say.Start())
    log.bots()
    log.do(BOB, say.Stand())
    played(log)
    (record,) = records(log.entries)
    assert [seat.name for seat in record.seats][:2] == ["Ann", "Bob"]
