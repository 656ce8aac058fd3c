"""The list of games that are kept, and what is done from it."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest
from textual.widgets import Label, Static

from acesaround import variants
from acesaround.bots.random_bot import RandomBot
from acesaround.errors import RecordError
from acesaround.game.narration import Names
from acesaround.record import load, verify
from acesaround.table import fold_games as games_of
from acesaround.terminal import save_folder
from acesaround.terminal.app import StartOptions, TableApp, build_app
from acesaround.terminal.dialogs import ListDialog
from acesaround.terminal.replay_screen import ReplayScreen
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.saved_games_screen import Games, format_when, game_row
from acesaround.terminal.session import Session, assign_bots
from acesaround.variants import VARIANTS
from tests.terminal.table_driver import SIZE, act, asked, body, come, heading, match_of, said, until


def kept_game(
    folder: Path, variant: str, many: int | None, *, when: float = 0, **options: object
) -> Path:
    """A game of so many actions, None for a whole one, played last at that time."""
    rules = variants.get(variant, None, {"hands": 1, **options})
    match = Session.new(
        folder, rules, 0, assign_bots(rules, 0, ["random"]), SaveSettings(3, pace="instant")
    )
    number = 0
    while not match.is_over and number != many:
        decision = match.decision
        if decision is None:
            match.add_entries([match.next_automatic_entry()])
        else:
            match.send_action(RandomBot(random.Random(number)).choose(None, decision))
        number += 1
    match.close()
    if when:
        os.utime(match.path, (when, when))
    return match.path


def started(folder: Path) -> TableApp:
    return build_app(None, StartOptions(0, ("random",), 1, pace="instant"), folder)


async def listed(app: TableApp) -> Games:
    """The list, once it is there."""
    await come(lambda: isinstance(app.screen, Games))
    assert isinstance(app.screen, Games)
    return app.screen


def test_games_that_can_be_gone_on_with_come_first_then_the_newest(tmp_path: Path) -> None:
    over = kept_game(tmp_path, "five-card", None, when=5000)
    old = kept_game(tmp_path, "three-handed", 5, when=1000)
    new = kept_game(tmp_path, "two-handed", 5, when=2000)
    assert [one.path for one in save_folder.list_saved_games(tmp_path)] == [new, old, over]
    assert save_folder.latest_unfinished(tmp_path) == new
    assert save_folder.latest_unfinished(tmp_path, "three-handed") == old
    with pytest.raises(RecordError, match="no unfinished saved game of five-card"):
        save_folder.latest_unfinished(tmp_path, "five-card")


def test_a_row_says_which_game_how_it_stands_whose_turn_it_is_and_when(tmp_path: Path) -> None:
    kept_game(tmp_path, "partnership", 1)
    (one,) = save_folder.list_saved_games(tmp_path)
    assert one.table is not None
    shown = game_row(one, one.changed_at)
    assert "Single-deck partnership" in shown
    assert "You & Cleo 0, Ben & Dan 0" in shown
    assert "deal 1, " in shown
    assert "turn" in shown
    assert "against random · today" in shown


def test_times_are_told_as_people_do() -> None:
    noon = time.mktime((2026, 6, 3, 12, 5, 0, 0, 0, -1))
    assert format_when(noon, noon + 60) == "today 12:05"
    assert format_when(noon, noon + 86400) == "yesterday 12:05"
    assert format_when(noon, noon + 9 * 86400) == "3 June 2026"


async def test_any_of_several_games_can_be_gone_on_with(tmp_path: Path) -> None:
    kept_game(tmp_path, "three-handed", 30, when=1000)
    wanted = kept_game(tmp_path, "two-handed", 30, when=900)
    app = started(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        assert len((await listed(app)).games) == 2
        await pilot.pause()
        await pilot.press("down", "enter")
        await until(app, pilot, lambda: asked(app))
        assert match_of(app).path == wanted
        assert said(app).startswith("You are back at the table.")
        await act(app, pilot)
        await until(app, pilot, lambda: asked(app))
        await pilot.press("o")
        games = await listed(app)
        assert games.games[0].path == wanted  # it was played last
        await pilot.press("2")
        await until(app, pilot, lambda: asked(app))
        assert match_of(app).rules.variant == "three-handed"


async def test_a_game_is_deleted_when_that_is_meant(tmp_path: Path) -> None:
    path = kept_game(tmp_path, "two-handed", 5)
    app = started(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await listed(app)
        await pilot.press("d")
        await pilot.pause()
        assert heading(app) == "Delete this game?"
        await pilot.press("enter")  # pressed by mistake: nothing happens
        await pilot.press("n")
        await listed(app)
        assert path.exists()
        await pilot.press("d")
        await pilot.pause()
        await pilot.press("y")
        await come(lambda: isinstance(app.screen, ListDialog))
        assert not path.exists()


async def test_a_new_game_is_begun_from_the_list(tmp_path: Path) -> None:
    kept_game(tmp_path, "two-handed", 5)
    app = started(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await listed(app)
        await pilot.press("n")
        await come(lambda: isinstance(app.screen, ListDialog))
        await pilot.press("escape")
        await listed(app)
        await pilot.press("n")
        await come(lambda: isinstance(app.screen, ListDialog))
        await pilot.press("enter")
        await until(app, pilot, lambda: asked(app))
        assert match_of(app).rules == next(iter(VARIANTS.values()))
    assert len(save_folder.list_saved_games(tmp_path)) == 2


async def test_a_damaged_game_is_named_and_the_others_can_be_played(tmp_path: Path) -> None:
    path = kept_game(tmp_path, "two-handed", 5)
    damaged = tmp_path / "2026-06-03.jsonl"
    damaged.write_bytes(b"no game\n")
    app = started(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        games = await listed(app)
        assert [one.path for one in games.games] == [path, damaged]
        assert "is damaged and was left as it is" in game_row(games.games[1], 0)
        await pilot.press("2")
        games = await listed(app)
        notes = [str(note.content) for note in games.query(Label) if note.has_class("note")]
        assert len(notes) == 1
        assert "damaged" in notes[0]
        await pilot.press("1")
        await until(app, pilot, lambda: asked(app))
    assert damaged.read_bytes() == b"no game\n"


async def test_a_game_in_another_window_is_refused_in_the_list(tmp_path: Path) -> None:
    path = kept_game(tmp_path, "two-handed", 5)
    other = Session.resume(path)
    app = started(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        for key in ("enter", "d"):
            games = await listed(app)
            await pilot.press(key)
            if key == "d":
                await pilot.pause()
                await pilot.press("y")
            await come(lambda: isinstance(app.screen, Games) and app.screen is not games)  # noqa: B023 - asked at once
            assert "another window" in (await listed(app)).note_text
    other.close()
    assert path.exists()


async def test_a_game_that_is_over_is_recorded_and_looked_through(tmp_path: Path) -> None:
    kept_game(tmp_path / "games", "partnership", None, hands=2, concede="never")
    app = started(tmp_path / "games")
    async with app.run_test(size=SIZE) as pilot:
        await listed(app)
        await pilot.press("enter")
        await until(app, pilot, lambda: heading(app) == "The end of the game")
        await pilot.press("f")
        await come(lambda: heading(app).startswith("The record"))
        (written,) = (tmp_path / "records").iterdir()
        assert str(written) in body(app)
        assert verify(load(written)) == []
        await pilot.press("enter")
        await until(app, pilot, lambda: heading(app) == "The end of the game")
        await pilot.press("v")
        await come(lambda: isinstance(app.screen, ReplayScreen))
        await pilot.pause()
        moment = app.screen.query_one("#moment", Static)
        hands = str(moment.content)
        held = [line for line in hands.splitlines() if line[2:5] in ("You", "Ben", "Cle", "Dan")]
        assert len(held) == 4
        assert all(sum(map(line.count, "♠♥♦♣")) >= 3 for line in held)
        await pilot.press("right")
        assert str(moment.content) != hands
        await pilot.press("left")
        assert str(moment.content) == hands
        await pilot.press("down")
        assert "Trick:" in str(moment.content)
        await pilot.press("end")
        assert "total" in str(moment.content)
        await pilot.press("right")
        assert "deal 2 of 2" in said(app, "#head")
        await pilot.press("left")
        assert "deal 1 of 2" in said(app, "#head")
        await pilot.press("q")
        await come(lambda: heading(app) == "The end of the game")


async def test_a_game_that_is_not_over_stays_hidden(tmp_path: Path) -> None:
    match = Session.resume(kept_game(tmp_path, "three-handed", 30))
    assert match.finished_games() == []
    line = games_of(match.entries)[1][0]
    with pytest.raises(RecordError, match="stay hidden"):
        ReplayScreen(line, Names(match.rules, 0))
