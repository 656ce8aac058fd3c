"""The list of saved games and its commands."""

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
from acesaround.table import fold_games
from acesaround.terminal import save_folder
from acesaround.terminal.app import StartOptions, TableApp, build_app
from acesaround.terminal.dialogs import ListDialog
from acesaround.terminal.replay_screen import ReplayScreen
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.saved_games_screen import SavedGamesDialog, format_when, game_row
from acesaround.terminal.session import Session, assign_bots
from acesaround.variants import VARIANTS
from tests.terminal.table_driver import (
    SIZE,
    get_session,
    has_decision,
    make_decision,
    play_until,
    read_body,
    read_heading,
    read_text,
    wait_for,
)


def save_game(
    folder: Path, variant: str, count: int | None, *, when: float = 0, **options: object
) -> Path:
    """Save a game of so many actions, or a whole one for None; `when` is its file time."""
    rules = variants.get(variant, None, {"hands": 1, **options})
    session = Session.new(
        folder, rules, 0, assign_bots(rules, 0, ["random"]), SaveSettings(3, pace="instant")
    )
    number = 0
    while not session.is_over and number != count:
        decision = session.decision
        if decision is None:
            session.add_entries([session.next_automatic_entry()])
        else:
            session.send_action(RandomBot(random.Random(number)).choose(None, decision))
        number += 1
    session.close()
    if when:
        os.utime(session.path, (when, when))
    return session.path


def start_app(folder: Path) -> TableApp:
    return build_app(None, StartOptions(0, ("random",), 1, pace="instant"), folder)


async def wait_for_saved_games(app: TableApp) -> SavedGamesDialog:
    """Wait for the list of saved games and return it."""
    await wait_for(lambda: isinstance(app.screen, SavedGamesDialog))
    assert isinstance(app.screen, SavedGamesDialog)
    return app.screen


def test_saved_games_are_listed_unfinished_first_then_by_time(tmp_path: Path) -> None:
    over = save_game(tmp_path, "five-card", None, when=5000)
    old = save_game(tmp_path, "three-handed", 5, when=1000)
    new = save_game(tmp_path, "two-handed", 5, when=2000)
    assert [game.path for game in save_folder.list_saved_games(tmp_path)] == [new, old, over]
    assert save_folder.latest_unfinished(tmp_path) == new
    assert save_folder.latest_unfinished(tmp_path, "three-handed") == old
    with pytest.raises(RecordError, match="no unfinished saved game of five-card"):
        save_folder.latest_unfinished(tmp_path, "five-card")


def test_a_row_shows_variant_scores_turn_bots_and_time(tmp_path: Path) -> None:
    save_game(tmp_path, "partnership", 1)
    (saved,) = save_folder.list_saved_games(tmp_path)
    assert saved.table is not None
    row = game_row(saved, saved.changed_at)
    assert "Single-deck partnership" in row
    assert "You & Cleo 0, Ben & Dan 0" in row
    assert "deal 1, " in row
    assert "turn" in row
    assert "against random · today" in row


def test_times_are_shown_relative_to_today() -> None:
    noon = time.mktime((2026, 6, 3, 12, 5, 0, 0, 0, -1))
    assert format_when(noon, noon + 60) == "today 12:05"
    assert format_when(noon, noon + 86400) == "yesterday 12:05"
    assert format_when(noon, noon + 9 * 86400) == "3 June 2026"


async def test_any_listed_game_can_be_resumed(tmp_path: Path) -> None:
    save_game(tmp_path, "three-handed", 30, when=1000)
    wanted = save_game(tmp_path, "two-handed", 30, when=900)
    app = start_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        assert len((await wait_for_saved_games(app)).games) == 2
        await pilot.pause()
        await pilot.press("down", "enter")
        await play_until(app, pilot, lambda: has_decision(app))
        assert get_session(app).path == wanted
        assert read_text(app).startswith("You are back at the table.")
        await make_decision(app, pilot)
        await play_until(app, pilot, lambda: has_decision(app))
        await pilot.press("o")
        games = await wait_for_saved_games(app)
        assert games.games[0].path == wanted
        await pilot.press("2")
        await play_until(app, pilot, lambda: has_decision(app))
        assert get_session(app).rules.variant == "three-handed"


async def test_a_game_is_deleted_after_confirmation(tmp_path: Path) -> None:
    path = save_game(tmp_path, "two-handed", 5)
    app = start_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await wait_for_saved_games(app)
        await pilot.press("d")
        await pilot.pause()
        assert read_heading(app) == "Delete this game?"
        await pilot.press("enter")  # does nothing
        await pilot.press("n")
        await wait_for_saved_games(app)
        assert path.exists()
        await pilot.press("d")
        await pilot.pause()
        await pilot.press("y")
        await wait_for(lambda: isinstance(app.screen, ListDialog))
        assert not path.exists()


async def test_a_new_game_can_be_started_from_the_list(tmp_path: Path) -> None:
    save_game(tmp_path, "two-handed", 5)
    app = start_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await wait_for_saved_games(app)
        await pilot.press("n")
        await wait_for(lambda: isinstance(app.screen, ListDialog))
        await pilot.press("escape")
        await wait_for_saved_games(app)
        await pilot.press("n")
        await wait_for(lambda: isinstance(app.screen, ListDialog))
        await pilot.press("enter")
        await play_until(app, pilot, lambda: has_decision(app))
        assert get_session(app).rules == next(iter(VARIANTS.values()))
    assert len(save_folder.list_saved_games(tmp_path)) == 2


async def test_a_damaged_game_is_listed_and_the_others_can_be_played(tmp_path: Path) -> None:
    path = save_game(tmp_path, "two-handed", 5)
    damaged = tmp_path / "2026-06-03.jsonl"
    damaged.write_bytes(b"no game\n")
    app = start_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        games = await wait_for_saved_games(app)
        assert [game.path for game in games.games] == [path, damaged]
        assert "is damaged and was not changed" in game_row(games.games[1], 0)
        await pilot.press("2")
        games = await wait_for_saved_games(app)
        notes = [str(note.content) for note in games.query(Label) if note.has_class("note")]
        assert len(notes) == 1
        assert "damaged" in notes[0]
        await pilot.press("1")
        await play_until(app, pilot, lambda: has_decision(app))
    assert damaged.read_bytes() == b"no game\n"


async def test_a_game_open_in_another_window_is_refused_in_the_list(tmp_path: Path) -> None:
    path = save_game(tmp_path, "two-handed", 5)
    other = Session.resume(path)
    app = start_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        for key in ("enter", "d"):
            games = await wait_for_saved_games(app)
            await pilot.press(key)
            if key == "d":
                await pilot.pause()
                await pilot.press("y")
            await wait_for(
                lambda: isinstance(app.screen, SavedGamesDialog) and app.screen is not games  # noqa: B023
            )
            assert "another window" in (await wait_for_saved_games(app)).note_text
    other.close()
    assert path.exists()


async def test_a_finished_game_can_be_recorded_and_replayed(tmp_path: Path) -> None:
    save_game(tmp_path / "games", "partnership", None, hands=2, concede="never")
    app = start_app(tmp_path / "games")
    async with app.run_test(size=SIZE) as pilot:
        await wait_for_saved_games(app)
        await pilot.press("enter")
        await play_until(app, pilot, lambda: read_heading(app) == "The end of the game")
        await pilot.press("f")
        await wait_for(lambda: read_heading(app).startswith("The record"))
        (written,) = (tmp_path / "records").iterdir()
        assert str(written) in read_body(app)
        assert verify(load(written)) == []
        await pilot.press("enter")
        await play_until(app, pilot, lambda: read_heading(app) == "The end of the game")
        await pilot.press("v")
        await wait_for(lambda: isinstance(app.screen, ReplayScreen))
        await pilot.pause()
        moment = app.screen.query_one("#moment", Static)
        hands = str(moment.content)
        rows = [line for line in hands.splitlines() if line[2:5] in ("You", "Ben", "Cle", "Dan")]
        assert len(rows) == 4
        assert all(sum(map(row.count, "♠♥♦♣")) >= 3 for row in rows)
        await pilot.press("right")
        assert str(moment.content) != hands
        await pilot.press("left")
        assert str(moment.content) == hands
        await pilot.press("down")
        assert "Trick:" in str(moment.content)
        await pilot.press("end")
        assert "total" in str(moment.content)
        await pilot.press("right")
        assert "deal 2 of 2" in read_text(app, "#head")
        await pilot.press("left")
        assert "deal 1 of 2" in read_text(app, "#head")
        await pilot.press("q")
        await wait_for(lambda: read_heading(app) == "The end of the game")


async def test_unfinished_deal_is_not_replayed(tmp_path: Path) -> None:
    session = Session.resume(save_game(tmp_path, "three-handed", 2))
    assert session.finished_games() == []
    history = fold_games(session.entries)[1][0]
    assert history.deal_count == 0
    with pytest.raises(RecordError, match="stay hidden"):
        ReplayScreen(history, Names(session.rules, 0))
