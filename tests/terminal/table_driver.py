"""Play at the terminal's table by keyboard, and read what it shows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Static

from acesaround import variants
from acesaround.game.state import DecisionKind
from acesaround.terminal import prompts
from acesaround.terminal.app import StartOptions, TableApp, build_app
from acesaround.terminal.choice_bar import Bar
from acesaround.terminal.dialogs import ListDialog, TextDialog
from acesaround.terminal.hand import Hand
from acesaround.terminal.session import Session
from acesaround.terminal.table_screen import TableScreen
from tests.waiting import PATIENCE_SECONDS

SIZE = (80, 24)


def make_table_app(
    folder: Path,
    variant: str,
    players: int | None = None,
    *,
    seed: int = 1,
    options: Mapping[str, object] | None = None,
    auto: bool = False,
    bots: tuple[str, ...] = ("random",),
) -> TableApp:
    start = StartOptions(0, bots, seed, pace="instant", auto=auto)
    return build_app(variants.get(variant, players, options), start, folder)


def get_session(app: TableApp) -> Session:
    assert app.current_session is not None
    return app.current_session


def get_table_screen(app: TableApp) -> TableScreen | None:
    """Return the table's screen, or None under a dialog."""
    return app.screen if isinstance(app.screen, TableScreen) else None


def read_heading(app: TableApp) -> str:
    """Return the title of the open page, or nothing."""
    return app.screen.heading if isinstance(app.screen, TextDialog) else ""


def read_body(app: TableApp) -> str:
    assert isinstance(app.screen, TextDialog)
    return str(app.screen.body)


def read_text(app: TableApp, selector: str = "#news") -> str:
    """Return the text of a widget: the news, or the prompt."""
    return str(app.screen.query_one(selector, Static).content)


def has_decision(app: TableApp, kind: DecisionKind | None = None) -> bool:
    """Return True if the person has a decision, of that kind if one is given."""
    screen = get_table_screen(app)
    if screen is None or screen.decision is None:
        return False
    return kind is None or screen.decision.kind is kind


async def wait_for_person(app: TableApp) -> None:
    """Wait until the person has a decision, a page or a list."""
    await wait_for(lambda: has_decision(app) or isinstance(app.screen, TextDialog | ListDialog))


async def make_decision(app: TableApp, pilot: Pilot[int]) -> None:
    """Make the present decision with the simplest keys."""
    screen = get_table_screen(app)
    assert screen is not None
    assert screen.decision is not None
    decision = screen.decision
    if decision.kind is DecisionKind.BID:
        may_pass = app.screen.query_one(Bar).choices[0].value == "pass"
        await pilot.press("p" if may_pass else "enter")
    elif decision.kind in prompts.MARKED_DECISIONS:
        least, _ = prompts.mark_limits(decision)
        for _ in range(least):
            await pilot.press("space", "right")
        await pilot.press("enter")
    else:
        await pilot.press("enter")


async def play_until(
    app: TableApp, pilot: Pilot[int], condition: Callable[[], bool], *, most: int = 400
) -> None:
    """Play by keyboard until the condition holds."""
    for _ in range(most):
        await wait_for_person(app)
        if condition():
            return
        if isinstance(app.screen, TextDialog):
            await pilot.press("enter")
        elif has_decision(app):
            await make_decision(app, pilot)
    raise AssertionError("The condition did not become true.")


async def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        await asyncio.sleep(0.001)
        if condition():
            return
        assert time.monotonic() < deadline, "The condition did not become true."


async def wait_for_page(app: TableApp, title: str) -> None:
    """Wait until a page with that title is open."""
    await wait_for(lambda: read_heading(app).startswith(title))


def find_clipped_texts(app: TableApp) -> list[str]:
    """Return the widgets outside the window and the cards outside the hand."""
    width, height = app.size
    clipped_texts = [
        f"{widget!r} at {widget.region}"
        for widget in app.screen.query("#head, #table, #panel, #news, #prompt, #bar, #hand, Footer")
        if widget.region.right > width or widget.region.bottom > height
    ]
    hand = app.screen.query_one(Hand)
    clipped_texts += [
        f"{card} at {hand.position_of(index)}"
        for index, card in enumerate(hand.cards)
        if hand.position_of(index).x + 5 > hand.size.width
        or hand.position_of(index).y + 3 > hand.size.height
    ]
    return clipped_texts
