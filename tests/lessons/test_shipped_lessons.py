"""Each shipped script is played to its end, rightly and with wrong moves at each waiting step."""

from __future__ import annotations

import pytest

from acesaround.lessons import FIRST_LESSON, shipped_lessons
from acesaround.table import CommandRefused
from acesaround.table.commands import ContinueLesson
from acesaround.table.lesson_play import current_step
from acesaround.variants import VARIANTS
from tests.lessons.play_script import (
    read_info,
    refusal_of,
    send,
    take_step,
    walk,
    watch,
    wrong_actions,
)

NAMES = list(shipped_lessons())


def test_there_is_a_first_lesson_and_one_for_every_variant() -> None:
    assert NAMES[0] == FIRST_LESSON
    assert set(NAMES[1:]) == set(VARIANTS)


@pytest.mark.parametrize("name", NAMES)
def test_right_moves_lead_to_the_end(name: str) -> None:
    lesson = shipped_lessons()[name]
    infos = [read_info(table) for table in walk(lesson)]
    steps = [step for part in lesson.parts for step in part.steps]
    assert [info.step for info in infos[:-1]] == list(range(1, lesson.step_count + 1))
    assert [info.sentence for info in infos] == [*[step.say for step in steps], lesson.closing]
    assert [info.waits for info in infos[:-1]] == [
        "move" if step.right else "go-on" for step in steps
    ]


@pytest.mark.parametrize("name", NAMES)
def test_wrong_moves_are_refused_with_a_sentence_and_change_nothing(name: str) -> None:
    for table in walk(shipped_lessons()[name]):
        step = current_step(table)
        if step is None or not step.right:
            continue
        tried = wrong_actions(table)
        for action in tried:
            sentence = refusal_of(table, action)
            known = (step.wrong, *step.wrong_moves.values())
            assert sentence.endswith(known), (step.say, action)
        with pytest.raises(CommandRefused):
            send(table, ContinueLesson(read_info(table).step))


@pytest.mark.parametrize("name", NAMES)
def test_every_right_move_leads_on(name: str) -> None:
    for table in walk(shipped_lessons()[name]):
        step = current_step(table)
        for text in () if step is None else step.right:
            after = watch(take_step(table, text))
            assert read_info(after).step > read_info(table).step or after.is_lesson_over


@pytest.mark.parametrize("name", NAMES)
def test_person_does_something_in_every_lesson(name: str) -> None:
    lesson = shipped_lessons()[name]
    moves = sum(bool(step.right) for part in lesson.parts for step in part.steps)
    assert moves >= 2
    assert 1 <= lesson.minutes <= 6
