"""A lesson at a table: which commands it accepts, what it shows, and how it counts."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from acesaround.lessons import FIRST_LESSON, lesson_of, parse_script_action
from acesaround.table import (
    Command,
    CommandRefused,
    Person,
    Table,
    apply_entry,
    automatic_actor,
    begin,
    commands,
    encode_state,
    entries,
    fold,
    fold_games,
    handle_command,
    open_lesson,
    watched_entry,
)
from acesaround.table.list_columns import (
    game_summary,
    list_columns,
    list_summary,
    person_seat_on_turn,
)
from tests.lessons.play_script import (
    ANN,
    act,
    open_table,
    read_info,
    refusal_of,
    send,
    take_step,
    walk,
    watch,
)

LESSON = lesson_of(FIRST_LESSON)
BOB = Person("b", "Bob")


def shown_to(table: Table, person: Person | None = ANN) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(
        encode_state(table, "link", None if person is None else person.id)
    )
    return state


def go_to(step: int) -> Table:
    """Return the first lesson at a step, from 1, when it waits."""
    return next(table for table in walk(LESSON) if read_info(table).step == step)


def end() -> Table:
    return list(walk(LESSON))[-1]


def refuse(table: Table, command: Command, person: Person = ANN) -> str:
    with pytest.raises(CommandRefused) as refused:
        handle_command(table, person, command, random.Random(0))
    return str(refused.value)


def test_state_shows_the_sentence_and_what_it_waits_for() -> None:
    table = open_table(LESSON)
    assert automatic_actor(table) == 0
    assert shown_to(table)["table"]["lesson"] == {
        "name": "first",
        "title": LESSON.title,
        "step": 1,
        "steps": LESSON.step_count,
        "sentence": LESSON.parts[0].steps[0].say,
        "waits": "watch",
    }
    assert shown_to(watch(table))["table"]["lesson"]["waits"] == "go-on"
    assert shown_to(go_to(4))["table"]["lesson"]["waits"] == "move"


def test_choices_are_offered_only_where_a_move_is_awaited() -> None:
    assert shown_to(go_to(4))["decision"]["kind"] == "play"
    assert shown_to(go_to(5))["decision"] is None
    assert shown_to(go_to(4))["guidance"] is None


def test_wrong_moves_are_answered_by_kind_and_by_action() -> None:
    table = go_to(4)
    step = LESSON.parts[0].steps[3]
    assert refusal_of(table, parse_script_action("play QC")) == step.wrong_moves["play QC"]
    assert refusal_of(table, parse_script_action("pass")).endswith(step.wrong)
    law = refusal_of(table, parse_script_action("play 9S"))
    assert law.endswith(f" {step.wrong}")
    assert law != f" {step.wrong}"
    bid = next(one for one in walk(LESSON) if read_info(one).sentence.endswith("Bid 250."))
    assert "If you pass" in refusal_of(bid, parse_script_action("pass"))
    assert refuse(bid, commands.Act(bid.seq, ["bid", "many"]))


def test_going_on_twice_is_refused() -> None:
    table = watch(open_table(LESSON))
    table = watch(send(table, commands.ContinueLesson(1)))
    assert refuse(table, commands.ContinueLesson(1)) == "You have already gone on."
    assert read_info(table).step == 2


def test_moves_wait_for_reading_watching_and_the_right_moment() -> None:
    reading, watching = go_to(2), open_table(LESSON)
    assert refusal_of(reading, parse_script_action("play AC")) == "Read on first: choose Go on."
    assert refusal_of(watching, parse_script_action("pass")) == "Watch the others first."
    assert refuse(watching, commands.ContinueLesson(1)) == "Watch the others first."
    assert refuse(go_to(4), commands.ContinueLesson(4)) == "Make your move first."
    stale = commands.Act(1, ["play", "AC"])
    assert refuse(go_to(4), stale) != refusal_of(go_to(4), parse_script_action("play 9C"))


def test_end_offers_to_begin_again() -> None:
    table = end()
    assert (read_info(table).waits, read_info(table).sentence) == ("end", LESSON.closing)
    assert automatic_actor(table) is None
    assert refusal_of(table, parse_script_action("play TS")) == "This lesson is over."
    assert refuse(table, commands.ContinueLesson(LESSON.step_count)) == "This lesson is over."
    table = send(table, commands.RestartLesson())
    assert (read_info(table).step, read_info(table).waits) == (1, "watch")
    assert read_info(watch(table)).waits == "go-on"


def test_lesson_can_be_begun_again_in_the_middle() -> None:
    table = send(go_to(9), commands.RestartLesson())
    assert read_info(table).step == 1
    after = list(walk(LESSON))[-1]
    assert after.is_lesson_over


@pytest.mark.parametrize(
    "command",
    [
        commands.Undo(),
        commands.Claim(),
        commands.Pause(),
        commands.RequestHint(),
        commands.Rematch(),
        commands.Stand(),
        commands.Start(),
        commands.SetBot(1, "random"),
        commands.SendChat(phrase="hello"),
        commands.ReplaceLink("play"),
    ],
)
def test_other_commands_are_refused(command: Command) -> None:
    assert refuse(go_to(4), command) == "This table is a lesson for one person."


def test_nobody_else_can_sit_or_move() -> None:
    table = go_to(4)
    for command in (
        commands.Sit(1),
        commands.RequestSeat(1),
        commands.Act(table.seq, ["play", "AC"]),
        commands.RestartLesson(),
    ):
        assert refuse(table, command, BOB) == "This table is a lesson for one person."
    assert shown_to(table, BOB)["decision"] is None
    assert shown_to(table, BOB)["table"]["links"] is None


def test_lesson_commands_are_refused_at_other_tables() -> None:
    table = fold(begin(entries.Config("partnership", 4), ANN))
    assert refuse(table, commands.RestartLesson()) == "There is no lesson at this table."
    assert refuse(table, commands.ContinueLesson(1)) == "There is no lesson at this table."
    assert shown_to(table)["table"]["lesson"] is None


def test_lesson_counts_as_no_game() -> None:
    for table in (go_to(4), end()):
        assert game_summary(table) is None
        assert person_seat_on_turn(table) is None
        fields = list_columns(table)
        assert (fields.host_id, fields.free_seats) == (ANN.id, 0)
        assert not fields.has_finished_deal
        assert not fields.has_finished_game
        assert fields.is_over is table.is_lesson_over
        summary = json.loads(list_summary(table))
        assert (summary["lesson"], summary["over"]) == ("first", table.is_lesson_over)


def test_log_holds_the_script_and_folds_to_the_same_table() -> None:
    log = list(open_lesson(LESSON, ANN))
    table = fold(log)
    for command in (commands.ContinueLesson(1), commands.ContinueLesson(2)):
        while automatic_actor(table) is not None:
            log.append(watched_entry(table))
            table, _ = apply_entry(table, log[-1])
        for entry in handle_command(table, ANN, command, random.Random(0)):
            log.append(entry)
            table, _ = apply_entry(table, entry)
    decoded = [entries.decode(entries.encode(entry)) for entry in log]
    assert fold(decoded) == table
    assert fold_games(decoded)[0] == table


def test_script_stops_when_the_person_is_gone() -> None:
    table, _ = apply_entry(open_table(LESSON), entries.PersonDeleted(0))
    assert automatic_actor(table) is None


def test_right_move_is_accepted_with_cards_in_any_order() -> None:
    lesson = lesson_of("three-handed")
    table = next(one for one in walk(lesson) if "bury three" in read_info(one).sentence)
    after = act(table, parse_script_action("bury TS TC TD"))
    assert read_info(after).step == read_info(table).step + 1
    assert take_step(table) == act(table, parse_script_action("bury TC TD TS"))
