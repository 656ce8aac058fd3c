"""`acesaround learn`: the list of the lessons, and refusals."""

from __future__ import annotations

import pytest

from acesaround.lessons import shipped_lessons
from tests.cli_runner import Command


@pytest.fixture
def acesaround(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


def test_lessons_are_listed_by_name(acesaround: Command) -> None:
    answer = acesaround("learn")
    assert answer.status == 0
    names = [line.split()[0] for line in answer.out.splitlines() if line and line[0] != " "]
    assert names[:-1] == list(shipped_lessons())
    for lesson in shipped_lessons().values():
        assert lesson.title in answer.out
        assert lesson.summary in answer.out


def test_unknown_lesson_is_refused(acesaround: Command) -> None:
    assert "'golf' is not a lesson: expected one of first, " in acesaround.refuses("learn", "golf")


def test_lesson_needs_a_terminal(acesaround: Command) -> None:
    line = acesaround.refuses("learn", "first")
    assert line == (
        "acesaround: `acesaround learn` needs a terminal: do not redirect input, output or errors."
    )
