"""A lesson at a table: the script deals, acts for the other seats, and accepts only right moves.

The log holds the script, and each part, move and *go on* as an entry. Where the person stands in
the lesson follows from these.
"""

from __future__ import annotations

from typing import Any, Final

from acesaround import game
from acesaround.actions import Action
from acesaround.errors import IllegalAction, NotationError
from acesaround.game.view import turn_of
from acesaround.lessons import (
    Lesson,
    LessonStep,
    format_script_action,
    parse_script_action,
    rules_of,
)
from acesaround.record.model import action_from_json, action_to_json
from acesaround.table import command_refusals, commands, entries
from acesaround.table.command_refusals import CommandResult, Refusal
from acesaround.table.commands import Command
from acesaround.table.entries import Config, Entry, Person
from acesaround.table.folding import begin
from acesaround.table.messages import LessonInfo, LessonWait
from acesaround.table.table import Table

LESSON_BOT: Final = "thumb"
"""The bot that the other seats of a lesson are named after. It decides nothing."""


def open_lesson(lesson: Lesson, person: Person) -> tuple[Entry, ...]:
    """Return the first entries of a table for a lesson. Raise RulesError."""
    rules = rules_of(lesson)
    config = Config(lesson.variant, rules.seats, lesson.options, bots=LESSON_BOT)
    return (*begin(config, person, rules), entries.LessonSet(lesson), *_part_entries(lesson, 0))


def _part_entries(lesson: Lesson, part: int) -> tuple[Entry, ...]:
    """Return the entries that begin a part: a game, and its stacked cards."""
    script = lesson.parts[part]
    deal = script.deal
    return (
        entries.LessonPartBegun(part),
        entries.Begun(script.dealer),
        entries.Dealt(
            hands=[[str(card) for card in hand] for hand in deal.hands],
            kitty=[str(card) for card in deal.kitty],
            stock=[str(card) for card in deal.stock],
            upcard=None if deal.upcard is None else str(deal.upcard),
        ),
    )


def current_step(table: Table) -> LessonStep | None:
    """Return the step of the lesson, None at its end and at a table without a lesson."""
    if table.lesson is None:
        return None
    place, parts = table.lesson_place, table.lesson.parts
    steps = parts[place.part].steps
    return steps[place.step] if place.step < len(steps) else None


def watched_action(table: Table) -> Action | None:
    """Return the action that the script plays next by itself, None if the step waits."""
    step, done = current_step(table), table.lesson_place.watched
    return (
        None if step is None or done >= len(step.watch) else parse_script_action(step.watch[done])
    )


def watched_seat(table: Table) -> int | None:
    """Return the seat for which the script acts next, None if the step waits."""
    if table.game is None or watched_action(table) is None:
        return None
    return turn_of(table.game)


def watched_entry(table: Table) -> Entry:
    """Return the entry of the action that the script plays next by itself."""
    action, seat = watched_action(table), watched_seat(table)
    assert action is not None
    assert seat is not None
    return entries.Acted(seat, action_to_json(seat, action)[1:], bot=True)


def lesson_wait(table: Table) -> LessonWait:
    """Return what the lesson waits for."""
    step = current_step(table)
    if step is None:
        return "end"
    if table.lesson_place.watched < len(step.watch):
        return "watch"
    return "move" if step.right else "go-on"


def handle_lesson_command(table: Table, seat: int | None, command: Command) -> CommandResult:
    """Return what a command does at a table with a lesson: only three kinds are accepted."""
    if seat is None or not isinstance(
        command, commands.Act | commands.ContinueLesson | commands.RestartLesson
    ):
        return command_refusals.LESSON_FOR_ONE
    assert table.lesson is not None
    if isinstance(command, commands.RestartLesson):
        return _part_entries(table.lesson, 0)
    if isinstance(command, commands.ContinueLesson):
        return _continue_lesson(table, command.step)
    return _act(table, seat, command.seq, command.action)


def _continue_lesson(table: Table, step_number: int) -> CommandResult:
    if step_number != _step_number(table):
        return command_refusals.STALE_STEP
    match lesson_wait(table):
        case "watch":
            return command_refusals.LESSON_WATCH
        case "move":
            return command_refusals.LESSON_MOVE
        case "end":
            return command_refusals.LESSON_OVER
    assert table.lesson is not None
    place, parts = table.lesson_place, table.lesson.parts
    is_part_over = place.step + 1 == len(parts[place.part].steps)
    if is_part_over and place.part + 1 < len(parts):
        return (entries.LessonContinued(), *_part_entries(table.lesson, place.part + 1))
    return (entries.LessonContinued(),)


def _act(table: Table, seat: int, seq: int, action: list[Any]) -> CommandResult:
    """Accept a right move. Refuse every other with the sentence of the script."""
    step = current_step(table)
    if not table.moved_seq <= seq <= table.seq:
        return command_refusals.STALE_ACTION
    match lesson_wait(table):
        case "watch":
            return command_refusals.LESSON_WATCH
        case "go-on":
            return command_refusals.LESSON_GO_ON
        case "end":
            return command_refusals.LESSON_OVER
    assert step is not None
    assert table.game is not None
    try:
        _, chosen = action_from_json([seat, *action])
        text = format_script_action(chosen)
        if text in [format_script_action(parse_script_action(right)) for right in step.right]:
            return (entries.Acted(seat, action_to_json(seat, chosen)[1:], bot=False),)
        game.apply(table.game, chosen, seat)
    except NotationError as error:
        return Refusal("malformed", str(error))
    except IllegalAction as error:
        sentence = _find_sentence(step, text)
        return Refusal("rule", sentence if sentence else f"{error} {step.wrong}")
    return Refusal("rule", _find_sentence(step, text) or step.wrong)


def _find_sentence(step: LessonStep, action_text: str) -> str:
    """Return what the script says on a certain wrong action, "" if it says nothing special."""
    verb = action_text.split(maxsplit=1)[0]
    return step.wrong_moves.get(action_text) or step.wrong_moves.get(verb, "")


def _step_number(table: Table) -> int:
    """Return the number of the step, counted from 1 over all parts."""
    assert table.lesson is not None
    place = table.lesson_place
    earlier = sum([len(part.steps) for part in table.lesson.parts[: place.part]])
    return min(earlier + place.step + 1, table.lesson.step_count)


def lesson_info(table: Table) -> LessonInfo | None:
    """Return what the page and the terminal show of the lesson, None without one."""
    lesson, step = table.lesson, current_step(table)
    if lesson is None:
        return None
    return LessonInfo(
        name=lesson.name,
        title=lesson.title,
        step=_step_number(table),
        steps=lesson.step_count,
        sentence=lesson.closing if step is None else step.say,
        waits=lesson_wait(table),
    )
