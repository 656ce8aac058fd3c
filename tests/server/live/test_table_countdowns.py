"""The countdown of a turn when its person stands up, and when a bot plays for its person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable

import pytest

from acesaround.server.live.table_countdowns import TableCountdowns
from acesaround.table import Entry, Person, commands, entries, seat_on_clock
from tests.server.clock import run_without_waiting
from tests.table.table_log import ANN, BOB, TableLog
from tests.table.test_seats import start_table_of_two


def begun() -> tuple[TableLog, Person, int]:
    """Return a table with 30 seconds a turn, and the person on turn with their seat."""
    log = start_table_of_two(clock=30)
    log.send(ANN, commands.Start())
    log.play_bots()
    seat = seat_on_clock(log.table)
    assert seat is not None
    return log, ANN if seat == 0 else BOB, seat


@pytest.mark.parametrize("make_entry", [entries.SeatLeft, entries.BotSubstituted])
def test_person_who_comes_back_in_a_turn_has_no_new_time(
    make_entry: Callable[[int], Entry],
) -> None:
    """A player could otherwise hold up the others for ever, in spite of the clock."""
    log, person, seat = begun()

    async def seconds_left() -> float | None:
        countdowns = TableCountdowns(*[lambda _: None] * 3)
        countdowns.update(log.table, has_clients=True)
        for _ in range(2):
            await asyncio.sleep(10)
            log.add(make_entry(seat))
            countdowns.update(log.table, has_clients=True)
            await asyncio.sleep(100)  # the bot thinks
            is_seated = log.table.seat_of(person.id) is not None
            log.send(person, commands.TakeOverFromBot() if is_seated else commands.Sit(seat))
            countdowns.update(log.table, has_clients=True)
        return countdowns.time_left.turn

    assert run_without_waiting(seconds_left) == 10


def test_time_is_over_in_a_turn_with_interruptions() -> None:
    log, person, seat = begun()
    expired: list[Hashable] = []

    async def stand_and_sit() -> None:
        countdowns = TableCountdowns(expired.append, lambda _: None, lambda _: None)
        countdowns.update(log.table, has_clients=True)
        for command in (commands.Stand(), commands.Sit(seat)):
            await asyncio.sleep(20)
            log.send(person, command)
            countdowns.update(log.table, has_clients=True)
        assert expired == []
        await asyncio.sleep(11)

    run_without_waiting(stand_and_sit)
    assert expired == [(seat, log.table.moved_seq)]


def test_next_turn_has_its_whole_time() -> None:
    log, person, seat = begun()

    async def seconds_left() -> float | None:
        countdowns = TableCountdowns(*[lambda _: None] * 3)
        countdowns.update(log.table, has_clients=True)
        await asyncio.sleep(20)
        log.send(person, commands.Stand())
        countdowns.update(log.table, has_clients=True)
        log.play_bots()
        log.send(person, commands.Sit(seat))
        while seat_on_clock(log.table) != seat:
            log.act_randomly(BOB if person is ANN else ANN)
            log.play_bots()
        countdowns.update(log.table, has_clients=True)
        return countdowns.time_left.turn

    assert run_without_waiting(seconds_left) == 30
