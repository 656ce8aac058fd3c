"""Reads the script of a lesson from a TOML file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

import msgspec

from acesaround.lessons.checks import check_lesson
from acesaround.lessons.errors import LessonError
from acesaround.lessons.model import Lesson

_PLACE: Final = re.compile(r" - at `\$(?:\.parts\[(\d+)\])?(?:\.steps\[(\d+)\])?[^`]*`$")


def read_lesson(path: Path, name: str, *, variant: str = "") -> Lesson:
    """Return the lesson of a file, checked. Raise LessonError and OSError.

    `variant`: the game that is played, unless the file names one.
    """
    file = f"{path.parent.name}/{path.name}"
    return parse_lesson(path.read_text(encoding="utf-8"), name, file, variant=variant)


def parse_lesson(text: str, name: str, file: str, *, variant: str = "") -> Lesson:
    """Return the lesson of a TOML text, checked. Raise LessonError with the name of the file."""
    try:
        values = tomllib.loads(text)
        lesson = msgspec.convert({"variant": variant, **values, "name": name}, Lesson)
    except tomllib.TOMLDecodeError as error:
        raise LessonError(f"{file}: {error}.") from None
    except msgspec.ValidationError as error:
        raise LessonError(_locate(file, str(error))) from None
    check_lesson(lesson, file)
    return lesson


def _locate(file: str, message: str) -> str:
    """Return a message of msgspec with the file, the part and the step, counted from 1."""
    found = _PLACE.search(message)
    if found is None:
        return f"{file}: {message}."
    part, step = found.groups()
    place = "".join(
        [
            f", {word} {int(number) + 1}"
            for word, number in (("part", part), ("step", step))
            if number is not None
        ]
    )
    return f"{file}{place}: {message[: found.start()]}."
