"""Take a lesson at a table without a server: move rightly, or try other moves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from acesaround import game
from acesaround.actions import Action, CardSelections
from acesaround.game.view import turn_of
from acesaround.legal_bids import Bids
from acesaround.lessons import Lesson, format_script_action, parse_script_action
from acesaround.record.model import action_to_json
from acesaround.table import (
    Command,
    CommandRefused,
    Person,
    Table,
    apply_entry,
    automatic_actor,
    automatic_entry,
    fold,
    handle_command,
    open_lesson,
)
from acesaround.table.commands import Act, ContinueLesson
from acesaround.table.lesson_play import current_step, lesson_info
from acesaround.table.messages import LessonInfo

ANN = Person("a", "Ann")


def open_table(lesson: Lesson) -> Table:
    return fold(open_lesson(lesson, ANN))


def read_info(table: Table) -> LessonInfo:
    info = lesson_info(table)
    assert info is not None
    return info


def send(table: Table, command: Command) -> Table:
    """Return the table after a command. Raise CommandRefused."""
    for entry in handle_command(table, ANN, command, random.Random(0)):
        table, _ = apply_entry(table, entry)
    return table


def act(table: Table, action: Action) -> Table:
    return send(table, Act(table.seq, action_to_json(0, action)[1:]))


def watch(table: Table) -> Table:
    """Return the table after all that the script does by itself."""
    while automatic_actor(table) is not None:
        table, _ = apply_entry(table, automatic_entry(table, random.Random(0)))
    return table


def take_step(table: Table, right: str | None = None) -> Table:
    """Return the table after a step, with the first right move or the given one."""
    step = current_step(table)
    assert step is not None
    if step.right:
        return act(table, parse_script_action(right or step.right[0]))
    return send(table, ContinueLesson(read_info(table).step))


def walk(lesson: Lesson) -> Iterator[Table]:
    """Yield the table at each step where it waits, and at the end."""
    table = watch(open_table(lesson))
    while read_info(table).waits != "end":
        yield table
        table = watch(take_step(table))
    yield table


def refusal_of(table: Table, action: Action) -> str:
    """Return the sentence with which the table refuses an action."""
    with pytest.raises(CommandRefused) as refused:
        act(table, action)
    return str(refused.value)


def wrong_actions(table: Table) -> list[Action]:
    """Return legal and illegal actions that the present step does not accept.

    Of many bids and selections of cards only some are returned.
    """
    step = current_step(table)
    assert step is not None
    assert table.game is not None
    assert turn_of(table.game) == 0
    right = {format_script_action(parse_script_action(text)) for text in step.right}
    legal = game.decision(table.game).legal
    tried: list[Action] = []
    if isinstance(legal, Bids):
        tried = [parse_script_action("pass"), *islice(legal, 5)]
    elif isinstance(legal, CardSelections):
        rng = random.Random(1)
        tried = [legal.sample(rng) for _ in range(5)]
    else:
        tried = list(legal)
    tried += [parse_script_action(f"play {card}") for card in table.view(0).hand]
    return [action for action in tried if format_script_action(action) not in right]
