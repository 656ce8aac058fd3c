"""The commands offered to a person are those that would not be refused."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json

from acesaround.table import (
    CommandRefused,
    Person,
    Table,
    TablePresence,
    commands,
    encode_state,
    handle_command,
)
from acesaround.table.bot_turns import bot_request
from tests.server.visibility_oracle import (
    PEOPLE,
    choose_random_presence,
    list_steps,
    make_random_log,
)
from tests.table.table_log import ANN, BOB, TableLog, table_config

NOBODY = TablePresence()
SEAT_COMMANDS: dict[str, Callable[[int], commands.Command]] = {
    "sit": commands.Sit,
    "request_seat": commands.RequestSeat,
    "swap": commands.Swap,
    "substitute_bot": commands.SubstituteBot,
    "remove": commands.Remove,
    "give_host": commands.GiveHost,
}
STRANGER = Person("z9", "Zoe")
COMMANDS: dict[str, commands.Command] = {
    "start": commands.Start(),
    "undo": commands.Undo(),
    "claim": commands.Claim(),
    "rematch": commands.Rematch(),
    "pause": commands.Pause(),
    "resume": commands.Resume(),
    "request_hint": commands.RequestHint(),
    "propose_hints": commands.AllowHints(True),
    "take_over": commands.TakeOverFromBot(),
}


def read_offered_commands(
    table: Table, person: str | None, presence: TablePresence = NOBODY
) -> dict[str, object]:
    """Return the commands offered in the state sent to a person."""
    state = encode_state(table, "t", person, presence=presence)
    may: dict[str, object] = json.decode(state)["table"]["allowed"]
    return may


def is_refused(
    table: Table, person: Person, command: commands.Command, presence: TablePresence
) -> bool:
    try:
        handle_command(table, person, command, random.Random(1), presence)
    except CommandRefused:
        return True
    return False


def list_accepted_commands(
    table: Table, person: Person, presence: TablePresence
) -> dict[str, object]:
    """Return the commands that would not be refused."""

    def is_accepted(command: commands.Command) -> bool:
        return not is_refused(table, person, command, presence)

    seats = range(table.rules.seats)
    return {
        **{name: is_accepted(command) for name, command in COMMANDS.items()},
        **{
            name: [seat for seat in seats if is_accepted(command(seat))]
            for name, command in SEAT_COMMANDS.items()
        },
        "admit": [
            request.seq
            for request in table.seat_requests
            if is_accepted(commands.AnswerSeatRequest(request.seq, True))
        ],
    }


@given(st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_a_command_is_offered_if_and_only_if_it_would_not_be_refused(seed: int) -> None:
    rng = random.Random(seed)
    for table, _ in list_steps(make_random_log(rng, deals=1, longest=150)):
        for person in (*PEOPLE, STRANGER):
            presence = choose_random_presence(person, rng)
            assert read_offered_commands(table, person.id, presence) == list_accepted_commands(
                table, person, presence
            )


def test_without_a_person_no_command_is_offered() -> None:
    log = TableLog(table_config())
    assert not any(read_offered_commands(log.table, None).values())


def test_a_newcomer_is_offered_the_seats_of_bots() -> None:
    log = TableLog(table_config())
    log.send(BOB, commands.Sit(2))
    assert read_offered_commands(log.table, STRANGER.id)["sit"] == [1, 3]
    assert read_offered_commands(log.table, BOB.id)["swap"] == [0]


def test_pause_is_offered_while_playing_and_resume_while_paused() -> None:
    log = TableLog(table_config())
    log.send(ANN, commands.Start())
    for pause in (True, False):
        may = read_offered_commands(log.table, ANN.id)
        assert (may["pause"], may["resume"]) == (pause, not pause)
        log.send(ANN, commands.Pause() if pause else commands.Resume())


def test_a_rematch_is_offered_once() -> None:
    log = TableLog(table_config(options={"hands": 1}))
    log.send(BOB, commands.Sit(2))
    log.send(ANN, commands.Start())
    play_to_end(log)
    assert read_offered_commands(log.table, ANN.id)["rematch"] is True
    log.send(ANN, commands.Rematch())
    assert log.send_refused(ANN, commands.Rematch()) == "rule"
    assert read_offered_commands(log.table, ANN.id)["rematch"] is False
    assert read_offered_commands(log.table, BOB.id)["rematch"] is True


def play_to_end(log: TableLog) -> None:
    """Play to the end of the game."""
    log.send(BOB, commands.Stand())
    log.play_deals(ANN, deals=99)
    log.send(BOB, commands.Sit(2))


def test_hints_need_consent_only_with_other_people() -> None:
    log = TableLog(table_config())
    assert log.send_refused(ANN, commands.AllowHints(True)) == "rule"
    log.send(BOB, commands.Sit(2))
    assert read_offered_commands(log.table, ANN.id)["propose_hints"] is True


def test_a_hint_is_given_on_turn_and_adds_no_entry() -> None:
    log = TableLog(table_config())
    assert log.send_refused(ANN, commands.RequestHint()) == "rule"  # before the start
    log.send(ANN, commands.Start())
    assert log.send_refused(ANN, commands.RequestHint()) == "turn"  # before the deal
    log.play_bots()
    assert handle_command(log.table, ANN, commands.RequestHint(), log.rng) == ()


def test_bot_request_exists_only_for_the_seat_on_turn() -> None:
    log = TableLog(table_config())
    assert bot_request(log.table, 0, "thumb", 1) is None
    log.send(ANN, commands.Start())
    log.play_bots()
    request = bot_request(log.table, 0, "thumb", 1)
    assert request is not None
    assert (request.view.seat, request.decision.seat) == (0, 0)
    assert all(bot_request(log.table, other, "thumb", 1) is None for other in (1, 2, 3))


@pytest.mark.parametrize("command", [commands.Claim(), commands.Act(3, ["pass"])])
def test_a_person_with_a_substitute_cannot_play(command: commands.Command) -> None:
    log = TableLog(table_config())
    log.send(ANN, commands.Start())
    log.send(ANN, commands.SubstituteBot(0))
    assert log.send_refused(ANN, command) == "substituted"
