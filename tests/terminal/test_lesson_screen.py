"""A lesson in the terminal: its sentences, wrong moves, and the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from acesaround.lessons import FIRST_LESSON, Lesson, LessonStep, lesson_of
from acesaround.table.messages import LessonInfo
from acesaround.terminal.dialogs import TextDialog
from acesaround.terminal.hand import Hand
from acesaround.terminal.lesson_screen import LessonApp, LessonScreen, build_lesson_app
from tests.terminal.table_driver import SIZE, wait_for

FIRST = lesson_of(FIRST_LESSON)


def list_steps(lesson: Lesson) -> list[LessonStep]:
    return [step for part in lesson.parts for step in part.steps]


def read_info(app: LessonApp) -> LessonInfo:
    info = app.current_session.lesson
    assert info is not None
    return info


def screen_of(app: LessonApp) -> LessonScreen | None:
    return app.screen if isinstance(app.screen, LessonScreen) else None


def read_widget(app: LessonApp, name: str) -> str:
    return str(app.screen.query_one(name, Static).content)


async def reach(app: LessonApp, pilot: Pilot[int], step: LessonStep) -> None:
    """Wait until the lesson shows a step and waits for the person. Close pages on the way."""

    def is_ready() -> bool:
        screen = screen_of(app)
        if screen is None:
            return isinstance(app.screen, TextDialog)
        if read_info(app).sentence != step.say or step.say not in read_widget(app, "#lesson"):
            return False
        return screen.decision is not None if step.right else screen.is_in_pause

    while True:
        await wait_for(is_ready)
        if screen_of(app) is not None:
            return
        await pilot.press("enter")
        await wait_for(lambda: screen_of(app) is not None)


async def move(app: LessonApp, pilot: Pilot[int], action: str) -> None:
    """Do an action of a script by keyboard."""
    verb, *words = action.split()
    match verb:
        case "play":
            app.screen.query_one(Hand).move_cursor_to(
                next(card for card in app.current_session.view.hand if str(card) == words[0])
            )
            await pilot.press("enter")
        case "bid":
            await pilot.press(*words[0], "enter")
        case "trump":
            await pilot.press(str("SHDC".index(words[0]) + 1))
        case "pass":
            await pilot.press("p")
        case _:
            raise AssertionError(f"no keys for {action}")


@pytest.mark.parametrize("with_wrong_moves", [False, True])
async def test_first_lesson_is_taken_by_keyboard(tmp_path: Path, with_wrong_moves: bool) -> None:
    app = build_lesson_app(FIRST, tmp_path, pace="instant")
    async with app.run_test(size=SIZE) as pilot:
        for number, step in enumerate(list_steps(FIRST), 1):
            await reach(app, pilot, step)
            assert f"({number} of {FIRST.step_count})" in read_widget(app, "#lesson")
            if not step.right:
                await pilot.press("space")
                continue
            if with_wrong_moves and "pass" in step.wrong_moves:
                await move(app, pilot, "pass")
                await wait_for(lambda: app.screen.query_one("#news").has_class("refused"))
                assert step.wrong_moves["pass"] in read_widget(app, "#news")
                assert read_info(app).step == number
            await move(app, pilot, step.right[0])
        await wait_for(lambda: isinstance(app.screen, TextDialog))
        assert isinstance(app.screen, TextDialog)
        assert app.screen.heading == "The end of the lesson"
        assert str(app.screen.body) == FIRST.closing
        if with_wrong_moves:
            await pilot.press("a")
            await reach(app, pilot, list_steps(FIRST)[0])
        await pilot.press("q")
    assert app.return_code == 0


async def test_lesson_starts_over_on_demand(tmp_path: Path) -> None:
    app = build_lesson_app(FIRST, tmp_path, pace="instant")
    first, second, third, fourth, *_ = list_steps(FIRST)
    async with app.run_test(size=SIZE) as pilot:
        for step in (first, second, third):
            await reach(app, pilot, step)
            await pilot.press("enter")
        await reach(app, pilot, fourth)
        await pilot.press("a")
        await reach(app, pilot, first)
        await pilot.press("space")
        await reach(app, pilot, second)
        await pilot.press("a")
        await reach(app, pilot, first)
        await pilot.press("q")
    assert app.return_code == 0
