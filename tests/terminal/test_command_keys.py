"""Keys for commands at the terminal's table: undo, claim, pause, hint."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual._wait import wait_for_idle

from acesaround.game.state import DecisionKind
from acesaround.table import command_handler
from acesaround.table.commands import Claim, Undo
from acesaround.terminal.choice_bar import Bar
from acesaround.terminal.pauses import PACES, PauseLengths
from acesaround.terminal.session import Session
from tests.terminal.table_driver import (
    SIZE,
    get_session,
    get_table_screen,
    has_decision,
    make_decision,
    make_table_app,
    play_until,
    read_body,
    read_heading,
    read_text,
    wait_for,
)


def list_bar_labels(app: object) -> list[str]:
    """Return the labels of the bar."""
    return [choice.label for choice in app.screen.query_one(Bar).choices]  # type: ignore[attr-defined]


async def test_a_card_is_undone_before_another_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PACES, "instant", PauseLengths(30, 0))  # bots wait for the person
    app = make_table_app(tmp_path, "partnership", options={"all_pass": "dealer"})
    async with app.run_test(size=SIZE) as pilot:

        def can_undo() -> bool:
            screen = get_table_screen(app)
            return screen is not None and screen.is_in_pause and get_session(app).accepts(Undo())

        for _ in range(400):
            if can_undo() and get_session(app).view.kind is DecisionKind.PLAY:
                break
            if has_decision(app) and get_table_screen(app) is not None:
                await make_decision(app, pilot)
            elif read_heading(app):
                await pilot.press("enter")
            else:
                await pilot.press("space")
            await pilot.pause()
        assert "u Take back" in list_bar_labels(app)
        view = get_session(app).view
        (card,) = view.trick[-1:]
        await pilot.press("u")
        await wait_for(lambda: has_decision(app, DecisionKind.PLAY))
        assert read_text(app) == "You took back your last action."
        assert get_session(app).view.hand.count(card) == view.hand.count(card) + 1
        assert len(get_session(app).view.trick) == len(view.trick) - 1
        await pilot.press("u")
        await pilot.pause()
        assert read_text(app) == (
            "✗ You can take back a move only until another person acts or a card is shown."
        )


async def test_a_bid_is_undone_after_calls_of_others(tmp_path: Path) -> None:
    app = make_table_app(tmp_path, "three-handed")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.BID))
        calls = get_session(app).view.auction
        await pilot.press("2", "9", "0", "enter")
        await play_until(app, pilot, lambda: has_decision(app))
        if get_session(app).accepts(Undo()):
            await pilot.press("u")
            await wait_for(lambda: get_session(app).view.auction == calls)
            await wait_for(lambda: has_decision(app, DecisionKind.BID))
            assert not any("290" in line for line in app.screen.log_lines)  # type: ignore[attr-defined]


async def test_a_certain_claim_ends_the_deal_and_another_is_refused(tmp_path: Path) -> None:
    app = make_table_app(tmp_path, "two-handed", options={"hands": 4})
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        await pilot.press("c")
        await pilot.pause()
        assert read_text(app).startswith("✗ You can claim only if you are sure to win")
        await play_until(
            app, pilot, lambda: has_decision(app) and get_session(app).accepts(Claim())
        )
        assert "c Claim the rest" in list_bar_labels(app)
        deals = get_session(app).view.deals
        await pilot.press("c")
        await wait_for(lambda: read_heading(app).startswith("The end of deal"))
        assert get_session(app).view.deals == deals + 1
        assert "total" in read_body(app)
        await pilot.press("enter")
        await play_until(app, pilot, lambda: has_decision(app) or read_heading(app) != "")


async def test_keys_do_nothing_while_the_table_is_paused(tmp_path: Path) -> None:
    app = make_table_app(tmp_path, "partnership")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        await pilot.press("b")
        await wait_for(lambda: not has_decision(app))
        await pilot.pause()
        assert list_bar_labels(app) == ["b Go on"]
        before = get_session(app).view
        await pilot.press("enter", "p", "u", "c", "h")
        await pilot.pause()
        assert get_session(app).view == before
    assert Session.resume(get_session(app).path).is_paused


@pytest.mark.parametrize("key", ["b", "space"])
async def test_a_key_resumes_a_paused_table(tmp_path: Path, key: str) -> None:
    app = make_table_app(tmp_path, "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        await pilot.press("b")
        await wait_for(lambda: get_session(app).is_paused and not has_decision(app))
        await pilot.pause()
        await pilot.press(key)
        await wait_for(lambda: has_decision(app, DecisionKind.PLAY))
        assert read_text(app) == "Play continues."


async def test_the_action_of_a_bot_is_dropped_after_an_undo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_table_app(tmp_path, "three-handed")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.BID))
        calls = get_session(app).view.auction
        think = Session.next_automatic_entry
        dropped: list[object] = []

        def think_and_undo(self: Session) -> object:
            entry = think(self)
            if not dropped:
                dropped.append(entry)
                app.call_from_thread(app.screen.send_command, Undo())  # type: ignore[attr-defined]
            return entry

        monkeypatch.setattr(Session, "next_automatic_entry", think_and_undo)
        await pilot.press("p")
        await wait_for(lambda: bool(dropped))
        await wait_for(lambda: has_decision(app, DecisionKind.BID))
        assert get_session(app).view.auction == calls


async def test_a_hint_is_refused_where_the_table_does_not_allow_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_handler, "may_hint", lambda table_screen, seat: False)
    app = make_table_app(tmp_path, "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        await pilot.press("h")
        await pilot.pause()
        assert read_text(app).startswith("✗ You get hints only if you play against bots alone")
        assert "h Hint" not in list_bar_labels(app)


async def test_keys_after_leaving_do_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A program that ends draws its last screen 60 times a second, so it never becomes idle.
    monkeypatch.setattr("textual.app.wait_for_idle", wait_for_idle)
    app = make_table_app(tmp_path, "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        screen = app.screen
        await pilot.press("q", "s", "t", "m", "question_mark")
        assert app.screen is screen
    assert app.return_code == 0
