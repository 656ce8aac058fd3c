"""A dialog is answered once, also when keys come fast."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from textual import events
from textual.app import App

from acesaround.terminal.app import StartOptions, build_app
from acesaround.terminal.dialogs import ListDialog, TextDialog
from tests.terminal.table_driver import SIZE, get_table_screen, make_table_app, read_heading


@pytest.mark.parametrize(("opened", "key"), [("t", "enter"), ("m", "escape"), ("s", "space")])
async def test_two_fast_keys_close_one_page_and_not_the_table(
    tmp_path: Path, opened: str, key: str
) -> None:
    app = make_table_app(tmp_path / "games", "partnership", seed=2)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press(opened)
        await pilot.pause()
        page = app.screen
        assert isinstance(page, TextDialog)
        for _ in range(2):
            page.post_message(events.Key(key, None))
        await pilot.pause()
        assert get_table_screen(app) is not None or read_heading(app) != page.heading
        assert len(app.screen_stack) >= 2


async def test_a_choice_typed_twice_counts_once(tmp_path: Path) -> None:
    app = build_app(None, StartOptions(0, ("random",), 1, pace="instant"), tmp_path / "games")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        menu = app.screen
        assert isinstance(menu, ListDialog)
        for _ in range(2):
            menu.post_message(events.Key("4", "4"))
        await pilot.pause()
        assert get_table_screen(app) is not None


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("2", 2),
        ("14", 14),
        ("10", 10),
        (("1", "enter"), 1),
        (("1", "9"), 9),
        (("1", "down", "4"), 4),
    ],
)
async def test_a_line_after_the_ninth_is_chosen_by_two_digits(
    keys: Sequence[str], line: int
) -> None:
    chosen: list[int | None] = []
    app = App[None]()
    async with app.run_test(size=SIZE) as pilot:
        await app.push_screen(
            ListDialog("Which?", [f"game {n}" for n in range(1, 16)]), chosen.append
        )
        for key in keys:
            assert not chosen
            await pilot.press(key)
        await pilot.pause()
        assert chosen == [line - 1]
