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
    format_script_action,
    parse_script_action,
    rules_of,
)

__all__ = [
    "FIRST_LESSON",
    "Lesson",
    "LessonError",
    "LessonPart",
    "LessonStep",
    "format_script_action",
    "lesson_of",
    "parse_script_action",
    "rules_of",
    "shipped_lessons",
]
