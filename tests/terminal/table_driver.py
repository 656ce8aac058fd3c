"""Drives the table as a person would: keys for every kind of decision, until something is seen."""

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


def table_app(
    folder: Path,
    variant: str,
    players: int | None = None,
    *,
    seed: int = 1,
    options: Mapping[str, object] | None = None,
    auto: bool = False,
    bots: tuple[str, ...] = ("random",),
) -> TableApp:
    wishes = StartOptions(0, bots, seed, pace="instant", auto=auto)
    return build_app(variants.get(variant, players, options), wishes, folder)


def match_of(app: TableApp) -> Session:
    assert app.current_session is not None
    return app.current_session


def table(app: TableApp) -> TableScreen | None:
    """The table, if nothing lies over it."""
    return app.screen if isinstance(app.screen, TableScreen) else None


def heading(app: TableApp) -> str:
    """The title of the page that lies over the table, or nothing."""
    return app.screen.heading if isinstance(app.screen, TextDialog) else ""


def body(app: TableApp) -> str:
    assert isinstance(app.screen, TextDialog)
    return str(app.screen.body)


def said(app: TableApp, where: str = "#news") -> str:
    """What the news or the prompt says."""
    return str(app.screen.query_one(where, Static).content)


def asked(app: TableApp, kind: DecisionKind | None = None) -> bool:
    """Whether the person is being asked, about that kind of decision."""
    screen = table(app)
    if screen is None or screen.decision is None:
        return False
    return kind is None or screen.decision.kind is kind


async def settled(app: TableApp) -> None:
    """Wait until the table waits for the person: a question, a page or a list."""
    await come(lambda: asked(app) or isinstance(app.screen, TextDialog | ListDialog))


async def act(app: TableApp, pilot: Pilot[int]) -> None:
    """Answer the present question by keyboard, the simplest way."""
    screen = table(app)
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


async def until(
    app: TableApp, pilot: Pilot[int], there: Callable[[], bool], *, most: int = 400
) -> None:
    """Play on by keyboard until something is so."""
    for _ in range(most):
        await settled(app)
        if there():
            return
        if isinstance(app.screen, TextDialog):
            await pilot.press("enter")
        elif asked(app):
            await act(app, pilot)
    raise AssertionError("It did not come to that.")


async def come(there: Callable[[], bool]) -> None:
    """Wait until something is so, and do nothing meanwhile."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        await asyncio.sleep(0.001)
        if there():
            return
        assert time.monotonic() < deadline, "It did not come to that."


async def shown(app: TableApp, title: str) -> None:
    """Wait until a page with that title lies over the table, and do nothing meanwhile."""
    await come(lambda: heading(app).startswith(title))


def unseen(app: TableApp) -> list[str]:
    """What sticks out of the window or lies outside its widget."""
    width, height = app.size
    found = [
        f"{widget!r} at {widget.region}"
        for widget in app.screen.query("#head, #table, #panel, #news, #prompt, #bar, #hand, Footer")
        if widget.region.right > width or widget.region.bottom > height
    ]
    hand = app.screen.query_one(Hand)
    found += [
        f"{card} at {hand.position_of(index)}"
        for index, card in enumerate(hand.cards)
        if hand.position_of(index).x + 5 > hand.size.width
        or hand.position_of(index).y + 3 > hand.size.height
    ]
    return found
