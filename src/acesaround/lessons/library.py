"""The lessons that are shipped, found by their files.

The first lesson is beside this module. The lesson of a variant is `lesson.toml` in its folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from acesaround.lessons.errors import LessonError
from acesaround.lessons.model import Lesson
from acesaround.lessons.reader import read_lesson
from acesaround.variants import DEFAULT_VARIANT, VARIANTS, VARIANTS_FOLDER

FIRST_LESSON: Final = "first"
"""The name of the lesson for people who have never played."""
LESSON_FILE: Final = "lesson.toml"


@cache
def shipped_lessons() -> Mapping[str, Lesson]:
    """Return all lessons by name, the first lesson and the usual game in front. Raise LessonError.

    Each lesson is checked when it is read, so the first call takes a moment.
    """
    found = {FIRST_LESSON: read_lesson(Path(__file__).parent / LESSON_FILE, FIRST_LESSON)}
    for name in sorted(VARIANTS, key=lambda variant: variant != DEFAULT_VARIANT):
        path = VARIANTS_FOLDER / name / LESSON_FILE
        if path.is_file():
            found[name] = read_lesson(path, name, variant=name)
    return MappingProxyType(found)


def lesson_of(name: str) -> Lesson:
    """Return the lesson of that name. Raise LessonError, saying which names are possible."""
    lessons = shipped_lessons()
    if name not in lessons:
        raise LessonError(f"{name!r} is not a lesson: expected one of {', '.join(lessons)}.")
    return lessons[name]
