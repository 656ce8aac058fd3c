"""Lessons for people who have never played: scripts as data, checked against the engine.

`model` defines a script, `reader` reads a TOML file, `checks` plays it with the engine, and
`library` finds the shipped scripts. `table.lesson_play` plays a lesson at a table.
"""

from acesaround.lessons.errors import LessonError
from acesaround.lessons.library import FIRST_LESSON, lesson_of, shipped_lessons
from acesaround.lessons.model import (
    Lesson,
    LessonPart,
    LessonStep,
    action_of_text,
    rules_of,
    text_of_action,
)

__all__ = [
    "FIRST_LESSON",
    "Lesson",
    "LessonError",
    "LessonPart",
    "LessonStep",
    "action_of_text",
    "lesson_of",
    "rules_of",
    "shipped_lessons",
    "text_of_action",
]
