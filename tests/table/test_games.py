"""Histories and records of the games in a log, which later entries do not change."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.game.view import turn_of
from acesaround.record.model import encode
from acesaround.table import commands as say
from acesaround.table import entries, fold_games, game_records, history_of
from tests.table.test_table import ANN, BOB, CLEO, Log, config


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_a_game_has_the_same_history_from_its_log_and_its_record(variant: str) -> None:
    log = Log(config(variant, options={"hands": 2}))
    log.do(ANN, say.Start())
    log.play(ANN, deals=2)
    table, (history,) = fold_games(log.entries)
    assert table == log.table
    assert history_of(history.record()) == replace(history, person_ids=())  # records have no ids
    numbers = [step.number for step in history.steps if step.deal == 1]
    assert numbers == list(range(-1, len(numbers) - 1)), "the deal itself is number -1"


def play_to_end(log: Log) -> None:
    """Play the game to its end."""
    log.play_bots()
    while log.table.is_playing:
        assert log.table.game is not None
        person = log.table.seats[turn_of(log.table.game) or 0].person
        assert person is not None
        log.act_randomly(person)
        log.play_bots()


def finished_game() -> Log:
    """Return a finished game of Ann and Bob."""
    log = Log(config(options={"hands": 1}))
    log.do(BOB, say.Sit(1))
    log.do(ANN, say.Start())
    play_to_end(log)
    return log


def test_later_entries_do_not_change_the_record_of_a_finished_game() -> None:
    log = finished_game()
    (before,) = game_records(log.entries)
    assert [seat.name for seat in before.seats] == ["Ann", "Bob", "bot:random", "bot:random"]
    log.add(entries.ProfileChanged(0, "Anna"), entries.BotSet(2, "thumb"))
    log.do(BOB, say.Stand())
    log.do(CLEO, say.Sit(1))
    log.do(ANN, say.Stand())
    log.do(CLEO, say.Rematch())
    assert encode(game_records(log.entries)[0]) == encode(before)
    _, (history, _) = fold_games(log.entries)
    assert (history.seat_of(BOB.id), history.seat_of(CLEO.id), history.seat_of(None)) == (
        1,
        None,
        None,
    )


def test_a_record_names_the_last_person_in_each_seat() -> None:
    log = Log(config(options={"hands": 2}))
    log.do(BOB, say.Sit(1))
    log.do(CLEO, say.Sit(2))
    log.do(ANN, say.Start())
    log.play_bots()
    log.do(CLEO, say.Stand())
    log.play_bots()
    log.do(BOB, say.Stand())
    log.add(entries.SeatTaken(1, CLEO))
    play_to_end(log)
    log.add(entries.SeatTaken(3, BOB))
    (record,) = game_records(log.entries)
    assert [seat.name for seat in record.seats] == ["Ann", "Cleo", "bot:random", "bot:random"]


def test_a_record_names_a_person_who_left_during_the_game() -> None:
    log = Log(config(options={"hands": 1}))
    log.do(BOB, say.Sit(1))
    log.do(ANN, say.Start())
    log.play_bots()
    log.do(BOB, say.Stand())
    play_to_end(log)
    (record,) = game_records(log.entries)
    assert [seat.name for seat in record.seats][:2] == ["Ann", "Bob"]
