"""What a key asks of the table that is not an action: undo, claim, pause. Refusals are its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual._wait import wait_for_idle

from acesaround.game.state import DecisionKind
from acesaround.table import command_handler
from acesaround.table.commands import Claim, Undo
from acesaround.terminal.choice_bar import Bar
from acesaround.terminal.session import Session
from acesaround.terminal.speed import PACES, Pace
from tests.terminal.table_driver import (
    SIZE,
    act,
    asked,
    body,
    come,
    heading,
    match_of,
    said,
    table,
    table_app,
    until,
)


def offered(app: object) -> list[str]:
    """The labels of the bar."""
    return [choice.label for choice in app.screen.query_one(Bar).choices]  # type: ignore[attr-defined]


async def test_a_card_is_taken_back_while_nobody_has_seen_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PACES, "instant", Pace(30, 0))  # bots wait for the person
    app = table_app(tmp_path, "partnership", options={"all_pass": "dealer"})
    async with app.run_test(size=SIZE) as pilot:

        def mine() -> bool:
            screen = table(app)
            return screen is not None and screen.is_in_pause and match_of(app).accepts(Undo())

        for _ in range(400):
            if mine() and match_of(app).view.kind is DecisionKind.PLAY:
                break
            if asked(app) and table(app) is not None:
                await act(app, pilot)
            elif heading(app):
                await pilot.press("enter")
            else:
                await pilot.press("space")
            await pilot.pause()
        assert "u Take back" in offered(app)
        view = match_of(app).view
        (card,) = view.trick[-1:]
        await pilot.press("u")
        await come(lambda: asked(app, DecisionKind.PLAY))
        assert said(app) == "You took back your last action."
        assert match_of(app).view.hand.count(card) == view.hand.count(card) + 1
        assert len(match_of(app).view.trick) == len(view.trick) - 1
        await pilot.press("u")
        await pilot.pause()
        assert said(app) == "✗ Your last action can no longer be taken back."


async def test_a_bid_is_taken_back_when_others_have_only_bid_since(tmp_path: Path) -> None:
    app = table_app(tmp_path, "three-handed")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.BID))
        calls = match_of(app).view.auction
        await pilot.press("2", "9", "0", "enter")
        await until(app, pilot, lambda: asked(app))
        if match_of(app).accepts(Undo()):
            await pilot.press("u")
            await come(lambda: match_of(app).view.auction == calls)
            await come(lambda: asked(app, DecisionKind.BID))
            assert not any("290" in line for line in app.screen.log_lines)  # type: ignore[attr-defined]


async def test_the_rest_is_claimed_where_it_is_sure_and_refused_where_not(tmp_path: Path) -> None:
    app = table_app(tmp_path, "two-handed", options={"hands": 4})
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        await pilot.press("c")
        await pilot.pause()
        assert said(app).startswith("✗ You can claim only when all tricks left")
        await until(app, pilot, lambda: asked(app) and match_of(app).accepts(Claim()))
        assert "c Claim the rest" in offered(app)
        deals = match_of(app).view.deals
        await pilot.press("c")
        await come(lambda: heading(app).startswith("The end of deal"))
        assert match_of(app).view.deals == deals + 1
        assert "total" in body(app)
        await pilot.press("enter")
        await until(app, pilot, lambda: asked(app) or heading(app) != "")


async def test_nobody_acts_while_the_table_is_paused(tmp_path: Path) -> None:
    app = table_app(tmp_path, "partnership")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        await pilot.press("b")
        await come(lambda: not asked(app))
        await pilot.pause()
        assert offered(app) == ["b Go on"]
        before = match_of(app).view
        await pilot.press("enter", "p", "u", "c", "h")
        await pilot.pause()
        assert match_of(app).view == before
    assert Session.resume(match_of(app).path).is_paused


@pytest.mark.parametrize("key", ["b", "space"])
async def test_a_paused_table_goes_on_with_a_key(tmp_path: Path, key: str) -> None:
    app = table_app(tmp_path, "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        await pilot.press("b")
        await come(lambda: match_of(app).is_paused and not asked(app))
        await pilot.pause()
        await pilot.press(key)
        await come(lambda: asked(app, DecisionKind.PLAY))
        assert said(app) == "Play goes on."


async def test_what_a_bot_thought_before_an_undo_is_not_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person takes a bid back while a bot thinks about it."""
    app = table_app(tmp_path, "three-handed")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.BID))
        calls = match_of(app).view.auction
        think = Session.next_automatic_entry
        taken: list[object] = []

        def undone_meanwhile(self: Session) -> object:
            entry = think(self)
            if not taken:
                taken.append(entry)
                app.call_from_thread(app.screen.send_command, Undo())  # type: ignore[attr-defined]
            return entry

        monkeypatch.setattr(Session, "next_automatic_entry", undone_meanwhile)
        await pilot.press("p")
        await come(lambda: bool(taken))
        await come(lambda: asked(app, DecisionKind.BID))
        assert match_of(app).view.auction == calls


async def test_hints_are_given_where_the_table_allows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_handler, "may_hint", lambda table, seat: False)
    app = table_app(tmp_path, "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        await pilot.press("h")
        await pilot.pause()
        assert said(app).startswith("✗ You get hints only if you play against bots alone")
        assert "h Hint" not in offered(app)


async def test_keys_after_leaving_do_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed ahead, they would open pages over a table that is going away."""
    # A program that ends draws its last screen 60 times a second, so it never comes to rest.
    monkeypatch.setattr("textual.app.wait_for_idle", wait_for_idle)
    app = table_app(tmp_path, "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        screen = app.screen
        await pilot.press("q", "s", "t", "m", "question_mark")
        assert app.screen is screen
    assert app.return_code == 0
