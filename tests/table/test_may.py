"""What a person is offered is what would not be refused."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json

from acesaround.table import Person, Refused, Table, TablePresence, encode_state, handle_command
from acesaround.table import commands as say
from acesaround.table.automatic_turns import bot_request
from tests.server.visibility_oracle import PEOPLE, a_log, somebody_there, steps
from tests.table.test_table import ANN, BOB, Log, config

NOBODY = TablePresence()
SEATS: dict[str, Callable[[int], say.Command]] = {
    "sit": say.Sit,
    "knock": say.Knock,
    "swap": say.Swap,
    "cover": say.SubstituteBot,
    "remove": say.Remove,
    "give": say.GiveHost,
}
STRANGER = Person("z9", "Zoe")
SINGLE: dict[str, say.Command] = {
    "start": say.Start(),
    "undo": say.Undo(),
    "claim": say.Claim(),
    "rematch": say.Rematch(),
    "pause": say.Pause(),
    "resume": say.Resume(),
    "hint": say.Hint(),
    "hints": say.Hints(True),
    "back": say.TakeOverFromBot(),
}


def offered(table: Table, person: str | None, there: TablePresence = NOBODY) -> dict[str, object]:
    """What a message to a person offers."""
    state = encode_state(table, "t", person, presence=there)
    found: dict[str, object] = json.decode(state)["table"]["may"]
    return found


def refused(table: Table, person: Person, command: say.Command, there: TablePresence) -> bool:
    try:
        handle_command(table, person, command, random.Random(1), there)
    except Refused:
        return True
    return False


def would_be(table: Table, person: Person, there: TablePresence) -> dict[str, object]:
    """What would not be refused."""

    def free(command: say.Command) -> bool:
        return not refused(table, person, command, there)

    seats = range(table.rules.seats)
    return {
        **{name: free(command) for name, command in SINGLE.items()},
        **{name: [seat for seat in seats if free(kind(seat))] for name, kind in SEATS.items()},
        "admit": [one.seq for one in table.knockers if free(say.Admit(one.seq, True))],
    }


@given(st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_a_command_is_offered_if_and_only_if_it_would_not_be_refused(seed: int) -> None:
    """At every moment of a random table, to everybody there and to a stranger."""
    rng = random.Random(seed)
    for table, _ in steps(a_log(rng, deals=1, longest=150)):
        for person in (*PEOPLE, STRANGER):
            there = somebody_there(person, rng)
            assert offered(table, person.id, there) == would_be(table, person, there)


def test_who_has_no_identity_may_only_look_on() -> None:
    log = Log(config())
    assert not any(offered(log.table, None).values())


def test_a_newcomer_is_offered_the_seats_that_no_person_holds() -> None:
    log = Log(config())
    log.do(BOB, say.Sit(2))
    assert offered(log.table, STRANGER.id)["sit"] == [1, 3]
    assert offered(log.table, BOB.id)["swap"] == [0]


def test_while_the_table_is_paused_only_going_on_is_offered() -> None:
    log = Log(config())
    log.do(ANN, say.Start())
    assert (offered(log.table, ANN.id)["pause"], offered(log.table, ANN.id)["resume"]) == (
        True,
        False,
    )
    log.do(ANN, say.Pause())
    assert (offered(log.table, ANN.id)["pause"], offered(log.table, ANN.id)["resume"]) == (
        False,
        True,
    )


def test_who_is_ready_for_another_game_need_not_say_it_again() -> None:
    log = Log(config(options={"hands": 1}))
    log.do(BOB, say.Sit(2))
    log.do(ANN, say.Start())
    over(log)
    assert offered(log.table, ANN.id)["rematch"] is True
    log.do(ANN, say.Rematch())
    assert log.refusal(ANN, say.Rematch()) == "rule"
    assert offered(log.table, ANN.id)["rematch"] is False
    assert offered(log.table, BOB.id)["rematch"] is True


def over(log: Log) -> None:
    """Play on to the end of the game."""
    log.do(BOB, say.Stand())
    log.play(ANN, deals=99)
    log.do(BOB, say.Sit(2))


def test_who_plays_against_bots_alone_need_not_ask_for_hints() -> None:
    log = Log(config())
    assert log.refusal(ANN, say.Hints(True)) == "rule"
    log.do(BOB, say.Sit(2))
    assert offered(log.table, ANN.id)["hints"] is True


def test_a_hint_is_given_to_who_is_on_turn_and_adds_nothing_to_the_log() -> None:
    log = Log(config())
    assert log.refusal(ANN, say.Hint()) == "rule"  # nothing is being played
    log.do(ANN, say.Start())
    assert log.refusal(ANN, say.Hint()) == "turn"  # the cards are to be dealt
    log.bots()
    assert handle_command(log.table, ANN, say.Hint(), log.rng) == ()


def test_a_bot_is_asked_in_the_place_of_who_is_on_turn_alone() -> None:
    log = Log(config())
    assert bot_request(log.table, 0, "thumb", 1) is None
    log.do(ANN, say.Start())
    log.bots()
    asked = bot_request(log.table, 0, "thumb", 1)
    assert asked is not None
    assert (asked.view.seat, asked.decision.seat) == (0, 0)
    assert all(bot_request(log.table, other, "thumb", 1) is None for other in (1, 2, 3))


@pytest.mark.parametrize("command", [say.Claim(), say.Act(3, ["pass"])])
def test_nothing_is_played_for_who_is_covered_by_a_bot(command: say.Command) -> None:
    log = Log(config())
    log.do(ANN, say.Start())
    log.do(ANN, say.SubstituteBot(0))
    assert log.refusal(ANN, command) == "covered"
