"""A fault in a script is reported with its file, part and step."""

from __future__ import annotations

from pathlib import Path

import pytest

from acesaround.lessons import LessonError, lesson_of
from acesaround.lessons.checks import MAX_SENTENCE_LENGTH
from acesaround.lessons.library import LESSON_FILE
from acesaround.lessons.reader import parse_lesson, read_lesson
from acesaround.variants import VARIANTS_FOLDER

SCRIPT = (VARIANTS_FOLDER / "classic" / LESSON_FILE).read_text(encoding="utf-8")
"""A sound script with one part and six steps. In the second the person trades the nine of trump."""


def error_of(text: str) -> str:
    with pytest.raises(LessonError) as raised:
        parse_lesson(text, "classic", "classic/lesson.toml", variant="classic")
    return str(raised.value)


def change(old: str, new: str) -> str:
    assert old in SCRIPT
    return SCRIPT.replace(old, new, 1)


def test_sound_script_is_read() -> None:
    lesson = parse_lesson(SCRIPT, "classic", "classic/lesson.toml", variant="classic")
    assert (lesson.name, lesson.variant, len(lesson.parts)) == ("classic", "classic", 1)
    assert lesson == lesson_of("classic")


@pytest.mark.parametrize(
    ("old", "new", "place", "reason"),
    [
        ("title = ", "titel = ", "classic/lesson.toml: ", "titel"),
        ("minutes = 3", 'minutes = "3"', "classic/lesson.toml: ", "Expected `int`"),
        ("minutes = 3", "minutes = ", "classic/lesson.toml: ", "Invalid value"),
        ("dealer = 3", "dealer = 4", "classic/lesson.toml, part 1: ", "no seat 4"),
        ("AS JS AH", "AS JS AS", "classic/lesson.toml, part 1: ", "deal"),
        ("AS JS AH", "AS JS XH", "classic/lesson.toml, part 1: ", "XH"),
        ("wrong = ", "worng = ", "classic/lesson.toml, part 1, step 2: ", "worng"),
        ("discard 9H", "discard 9S", "classic/lesson.toml, part 1, step 2: ", "9S"),
        ("discard 9H", "throw 9H", "classic/lesson.toml, part 1, step 2: ", "throw 9H"),
        ("play 9D", "play AC", "classic/lesson.toml, part 1, step 4: ", "A♣"),
        ('"play AC"]', '"play AS"]', "classic/lesson.toml, part 1, step 5: ", "`play AS`"),
        ('"play AC"]', '"pass"]', "classic/lesson.toml, part 1, step 5: ", "`pass`"),
        (
            'try = ["play 9D"]\n',
            "",
            "classic/lesson.toml, part 1, step 4: ",
            "a step without `try` cannot have it",
        ),
        (
            '"play JC" = "The jack',
            '"play 9C" = "The jack',
            "classic/lesson.toml, part 1, step 5: ",
            "`play 9C` is right and wrong",
        ),
        (
            'say = "Remember',
            f'say = "{"long " * MAX_SENTENCE_LENGTH}',
            "classic/lesson.toml, part 1, step 6: ",
            f"at most {MAX_SENTENCE_LENGTH}",
        ),
    ],
)
def test_fault_is_reported_with_its_place(old: str, new: str, place: str, reason: str) -> None:
    sentence = error_of(change(old, new))
    assert sentence.startswith(place)
    assert reason in sentence


def test_step_on_another_players_turn_is_refused() -> None:
    sentence = error_of(change('watch = ["play 9D", "play JD", "play AD", "play AC"]\n', ""))
    assert sentence.startswith("classic/lesson.toml, part 1, step 5: It is not the person's turn")


def test_part_before_the_last_ends_with_going_on() -> None:
    part = SCRIPT[SCRIPT.index("[[parts]]") :]
    cut = part[: part.index('[[parts.steps]]\nwatch = ["play 9D"')]
    sentence = error_of(SCRIPT[: SCRIPT.index("[[parts]]")] + cut + part)
    assert sentence.startswith("classic/lesson.toml, part 1, step 4: The last step of a part")


@pytest.mark.parametrize("key", ["parts = []", 'variant = "none"'])
def test_lesson_without_parts_or_variant_is_refused(key: str) -> None:
    head = SCRIPT[: SCRIPT.index("[[parts]]")]
    text = head + key if "parts" in key else f"{key}\n{SCRIPT}"
    assert error_of(text).startswith("classic/lesson.toml: ")


def test_part_without_steps_is_refused() -> None:
    text = SCRIPT[: SCRIPT.index("[[parts.steps]]")].replace("dealer", "steps = []\ndealer")
    assert error_of(text) == "classic/lesson.toml, part 1: There is no step: a part needs one."


def test_file_is_named_by_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "five-card" / LESSON_FILE
    path.parent.mkdir()
    path.write_text("title = 3", encoding="utf-8")
    with pytest.raises(LessonError, match=r"^five-card/lesson\.toml: "):
        read_lesson(path, "five-card", variant="five-card")


def test_unknown_lesson_is_refused_with_the_names() -> None:
    with pytest.raises(LessonError, match="'golf' is not a lesson: expected one of first, "):
        lesson_of("golf")
