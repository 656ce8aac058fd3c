"""Checks of a lesson: the engine plays it from start to end, with every right action.

A fault is reported with the part and the step in which it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from acesaround import game
from acesaround.actions import Action
from acesaround.errors import AcesAroundError
from acesaround.game.state import Dealing, GameState
from acesaround.game.view import turn_of
from acesaround.lessons.errors import LessonError
from acesaround.lessons.model import (
    PERSON_SEAT,
    Lesson,
    LessonPart,
    LessonStep,
    format_script_action,
    parse_script_action,
    rules_of,
)
from acesaround.rules import Rules

MAX_SENTENCE_LENGTH: Final = 240
"""The most characters that are said at once, so that they fit on a small phone."""


def check_lesson(lesson: Lesson, file: str) -> None:
    """Raise LessonError if a lesson cannot be played from start to end."""
    try:
        rules = rules_of(lesson)
    except AcesAroundError as error:
        raise LessonError(f"{file}: {error}") from None
    if not lesson.parts:
        raise LessonError(f"{file}: There is no part: a lesson needs one.")
    _check_length(lesson.closing, f"{file}, closing")
    for number, part in enumerate(lesson.parts, 1):
        place = f"{file}, part {number}"
        if not part.steps:
            raise LessonError(f"{place}: There is no step: a part needs one.")
        if number < len(lesson.parts) and part.steps[-1].right:
            raise LessonError(
                f"{place}, step {len(part.steps)}: The last step of a part cannot wait for a move, "
                "unless it is the last part."
            )
        try:
            state = dealt_state(rules, part)
        except AcesAroundError as error:
            raise LessonError(f"{place}: {error}") from None
        _check_steps(state, part.steps, place)


def dealt_state(rules: Rules, part: LessonPart) -> GameState:
    """Return the game at the beginning of a part, when the cards are dealt.

    Raise AcesAroundError.
    """
    return game.apply(game.start(rules, part.dealer), part.deal)[0]


def _check_steps(state: GameState, steps: tuple[LessonStep, ...], place: str) -> None:
    """Check the steps from each state that right actions lead to."""
    states = [state]
    for number, step in enumerate(steps, 1):
        step_place = f"{place}, step {number}"
        _check_sentences(step, step_place)
        try:
            states = list(dict.fromkeys(after for one in states for after in _step_ends(one, step)))
        except AcesAroundError as error:
            raise LessonError(f"{step_place}: {error}") from None


def _step_ends(state: GameState, step: LessonStep) -> Iterator[GameState]:
    """Yield the states after a step, one for each right action. Raise AcesAroundError."""
    for text in step.watch:
        if isinstance(state.phase, Dealing) or turn_of(state) is None:
            raise LessonError(f"There is nothing to watch: `{text}` comes after the deal.")
        state = apply_text(state, text)
    if not step.right:
        yield state
        return
    if isinstance(state.phase, Dealing) or turn_of(state) != PERSON_SEAT:
        raise LessonError(f"It is not the person's turn: seat {turn_of(state)} is on turn.")
    for text in step.right:
        yield apply_text(state, text)


def apply_text(state: GameState, text: str) -> GameState:
    """Return the game after an action of the seat on turn. Raise AcesAroundError."""
    try:
        return game.apply(state, parse_script_action(text), turn_of(state))[0]
    except AcesAroundError as error:
        raise LessonError(f"`{text}`: {error}") from None


def _check_sentences(step: LessonStep, place: str) -> None:
    for sentence in (step.say, step.wrong, *step.wrong_moves.values()):
        _check_length(sentence, place)
    if not step.say:
        raise LessonError(f"{place}: `say` is empty.")
    if bool(step.right) != bool(step.wrong):
        raise LessonError(
            f"{place}: A step with `try` needs `wrong`, and a step without `try` cannot have it."
        )
    right_texts = {format_script_action(_read(text, place)) for text in step.right}
    for key in step.wrong_moves:
        if " " in key and (text := format_script_action(_read(key, place))) != key:
            raise LessonError(f"{place}: Write `{text}` for `{key}` in `wrong_moves`.")
        if key in right_texts:
            raise LessonError(f"{place}: `{key}` is right and wrong.")


def _read(text: str, place: str) -> Action:
    try:
        return parse_script_action(text)
    except AcesAroundError as error:
        raise LessonError(f"{place}: `{text}`: {error}") from None


def _check_length(sentence: str, place: str) -> None:
    if len(sentence) > MAX_SENTENCE_LENGTH:
        raise LessonError(
            f"{place}: A sentence has {len(sentence)} characters: at most {MAX_SENTENCE_LENGTH} "
            "fit on a small phone."
        )
