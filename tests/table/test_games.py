"""Histories and records of the games in a log, which later entries do not change."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.record.model import encode
from acesaround.table import commands, entries, fold_games, game_records, history_of
from tests.table.table_log import (
    ANN,
    BOB,
    CLEO,
    TableLog,
    make_finished_game,
    play_game_to_end,
    table_config,
)


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_a_game_has_the_same_history_from_its_log_and_its_record(variant: str) -> None:
    log = TableLog(table_config(variant, options={"hands": 2}))
    log.send(ANN, commands.Start())
    log.play_deals(ANN, deals=2)
    table, (history,) = fold_games(log.entries)
    assert table == log.table
    assert history_of(history.record()) == replace(history, person_ids=())  # records have no ids
    numbers = [step.number for step in history.steps if step.deal == 1]
    assert numbers == list(range(-1, len(numbers) - 1)), "the deal itself is number -1"


def test_later_entries_do_not_change_the_record_of_a_finished_game() -> None:
    log = make_finished_game()
    (before,) = game_records(log.entries)
    assert [seat.name for seat in before.seats] == ["Ann", "Bob", "bot:random", "bot:random"]
    log.add(entries.ProfileChanged(0, "Anna"), entries.BotSet(2, "thumb"))
    log.send(BOB, commands.Stand())
    log.send(CLEO, commands.Sit(1))
    log.send(ANN, commands.Stand())
    log.send(CLEO, commands.Rematch())
    assert encode(game_records(log.entries)[0]) == encode(before)
    _, (history, _) = fold_games(log.entries)
    assert (history.seat_of(BOB.id), history.seat_of(CLEO.id), history.seat_of(None)) == (
        1,
        None,
        None,
    )


def test_a_record_names_the_last_person_in_each_seat() -> None:
    log = TableLog(table_config(options={"hands": 2}))
    log.send(BOB, commands.Sit(1))
    log.send(CLEO, commands.Sit(2))
    log.send(ANN, commands.Start())
    log.play_bots()
    log.send(CLEO, commands.Stand())
    log.play_bots()
    log.send(BOB, commands.Stand())
    log.add(entries.SeatTaken(1, CLEO))
    play_game_to_end(log)
    log.add(entries.SeatTaken(3, BOB))
    (record,) = game_records(log.entries)
    assert [seat.name for seat in record.seats] == ["Ann", "Cleo", "bot:random", "bot:random"]


def test_a_record_names_a_person_who_left_during_the_game() -> None:
    log = TableLog(table_config(options={"hands": 1}))
    log.send(BOB, commands.Sit(1))
    log.send(ANN, commands.Start())
    log.play_bots()
    log.send(BOB, commands.Stand())
    play_game_to_end(log)
    (record,) = game_records(log.entries)
    assert [seat.name for seat in record.seats][:2] == ["Ann", "Bob"]
