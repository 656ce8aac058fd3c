from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from textual.widgets import OptionList

from acesaround import bots
from acesaround.actions import Action, Concede, Discard, Play
from acesaround.bots.explanations import reason_sentence
from acesaround.errors import RecordError
from acesaround.game.events import DealScored, Dealt
from acesaround.game.state import Call, DecisionKind
from acesaround.terminal import session
from acesaround.terminal.app import StartOptions, TableApp, build_app
from acesaround.terminal.dialogs import ListDialog
from acesaround.terminal.hand import Hand
from acesaround.terminal.session import Session
from acesaround.terminal.table_widget import Table
from acesaround.variants import PARTNERSHIP, VARIANTS
from tests.terminal.rest import HELD
from tests.terminal.table_driver import (
    SIZE,
    act,
    asked,
    body,
    come,
    heading,
    match_of,
    said,
    settled,
    shown,
    table,
    table_app,
    unseen,
    until,
)
from tests.waiting import PATIENCE_SECONDS

TABLES = [
    ("three-handed", None),
    ("five-card", None),
    ("five-card", 9),
    ("seven-card", None),
    ("partnership", None),
    ("two-handed", None),
    ("double-deck", None),
    ("double-deck-classic", None),
]


@pytest.mark.parametrize(("variant", "players"), TABLES)
async def test_a_deal_of_every_variant_is_played_by_keyboard(
    tmp_path: Path, variant: str, players: int | None
) -> None:
    app = table_app(tmp_path / "games", variant, players)
    played = 0
    async with app.run_test(size=SIZE) as pilot:
        for _ in range(300):
            await settled(app)
            if heading(app).startswith("The end of deal"):
                if "thrown in" not in body(app):
                    break
                await pilot.press("enter")
            elif asked(app):
                await pilot.pause()  # until it is laid out
                assert unseen(app) == []
                assert said(app, "#prompt").startswith("▶ YOUR TURN")
                assert len(said(app, "#prompt")) <= SIZE[0] - 2
                await act(app, pilot)
                played += 1
            elif table(app) is None:
                await pilot.press("enter")
        else:
            pytest.fail("the deal did not end")
        assert played >= match_of(app).rules.hand_size
        assert "total" in body(app)


async def test_every_card_of_a_hand_of_twenty_is_on_the_screen(tmp_path: Path) -> None:
    app = table_app(tmp_path / "games", "double-deck")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app))
        await pilot.pause()
        hand = app.screen.query_one(Hand)
        shown = str(hand.render())
        assert len(hand.cards) == 20
        for card in set(hand.cards):
            assert shown.count(card.pretty) >= hand.cards.count(card)
        assert unseen(app) == []


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 50)])
async def test_nothing_sticks_out_of_windows_of_any_size(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = table_app(tmp_path / "games", "double-deck")
    async with app.run_test(size=size) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        await pilot.pause()
        assert unseen(app) == []
        drawn = str(app.screen.query_one(Table).render()).split("\n")
        assert {len(line) for line in drawn} == {app.screen.query_one(Table).size.width}


async def test_a_click_on_a_card_plays_it(tmp_path: Path) -> None:
    app = table_app(tmp_path / "games", "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        await pilot.pause()
        hand = app.screen.query_one(Hand)
        card, place = hand.cards[3], hand.position_of(3)
        await pilot.click(hand, offset=(place.x + 1, place.y + 1))
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        assert any(card.pretty in line for line in table(app).log_lines)  # type: ignore[union-attr]
        assert len(match_of(app).view.tricks) == 1


async def test_a_refused_card_shows_the_engines_own_reason(tmp_path: Path) -> None:
    app = table_app(tmp_path / "games", "partnership")
    async with app.run_test(size=SIZE) as pilot:

        def constrained() -> bool:
            screen = table(app)
            if (
                screen is None
                or screen.decision is None
                or screen.decision.kind is not DecisionKind.PLAY
            ):
                return False
            return any(Play(card) not in screen.decision.legal for card in match_of(app).view.hand)

        await until(app, pilot, constrained)
        hand, before = app.screen.query_one(Hand), match_of(app).view
        assert hand.legal is not None
        while hand.cards[hand.cursor or 0] in hand.legal:
            await pilot.press("right")
        await pilot.press("enter")
        assert said(app).startswith("✗ You must")
        assert match_of(app).view == before
        await pilot.press("right")
        assert not said(app).startswith("✗")


async def test_a_bid_is_typed_and_a_refused_one_says_what_is_possible(tmp_path: Path) -> None:
    app = table_app(tmp_path / "games", "three-handed")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.BID))
        await pilot.press("2", "5", "5", "enter")
        assert "possible are" in said(app)
        await pilot.press("9", "0", "0", "enter")
        await pilot.pause()
        assert Call(0, 900) in match_of(app).view.auction


async def test_giving_up_is_asked_again_before_it_is_done(tmp_path: Path) -> None:
    app = table_app(tmp_path / "games", "three-handed")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.BID))
        while match_of(app).view.declarer is None:
            await pilot.press("enter")
            await pilot.pause()
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        bid = match_of(app).view.bid
        assert bid is not None
        await pilot.press("g")
        await pilot.pause()
        assert heading(app) == "Give up this deal?"
        await pilot.press("enter")  # pressed by mistake: nothing happens
        assert heading(app) == "Give up this deal?"
        await pilot.press("n")
        await pilot.pause()
        assert asked(app, DecisionKind.PLAY)
        await pilot.press("g")
        await pilot.pause()
        await pilot.press("y")
        await until(app, pilot, lambda: heading(app).startswith("The end of deal"))
        assert "gave up" in body(app)
        assert match_of(app).view.scores[0] == -bid


async def test_a_hint_says_what_to_do_and_why_and_can_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "HINT_SECONDS", 0.01)
    app = table_app(tmp_path / "games", "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        hint = match_of(app).prepare_hint()()
        assert hint is not None
        assert isinstance(hint.action, Play)
        assert len(hint.tried) == len({one.action for one in hint.tried}) > 1
        await pilot.press("h")
        await shown(app, "Hint")
        assert hint.action.card.pretty in heading(app)
        assert reason_sentence(hint.why, lambda seat: "Ada") in body(app)
        for one in hint.tried:
            assert f"{one.points:.1f}" in body(app)
        await pilot.press("enter")
        await until(app, pilot, lambda: len(match_of(app).view.tricks) == 1)
        assert hint.action.card in match_of(app).view.tricks[0].cards


async def test_who_bids_before_the_hint_is_there_gets_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the bot was still being got ready, or was thinking already."""
    monkeypatch.setattr(session, "HINT_SECONDS", 0.01)
    app = table_app(tmp_path / "games", "five-card")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.BID))

        ready = asyncio.Event()

        async def prepared(needed: bool) -> None:
            if needed:
                await ready.wait()

        monkeypatch.setattr(app.screen, "wait_for_warmup", prepared)
        await pilot.press("h")
        await pilot.press("p")
        ready.set()
        await until(app, pilot, lambda: asked(app, DecisionKind.DISCARD))
        assert not heading(app).startswith("Hint")
        finds = match_of(app).prepare_hint()
        await pilot.press("enter")
        await until(app, pilot, lambda: not asked(app, DecisionKind.DISCARD))
        found = finds()
        assert found is not None
        assert isinstance(found.action, Discard)


async def test_bots_say_why_when_the_deal_is_over_and_not_before(tmp_path: Path) -> None:
    app = table_app(tmp_path / "games", "five-card", bots=("easy",))
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        assert match_of(app).thoughts == ()
        await pilot.press("w")
        assert "when the deal is over" in said(app)
        await until(app, pilot, lambda: heading(app).startswith("The end of deal"))
        assert body(app).count("Ben") > 0
        await pilot.press("w")
        await shown(app, "Why the bots")
        told = match_of(app).thoughts
        assert {one.seat for one in told} == {1, 2, 3}
        assert all(one.reason in body(app) and one.reason.endswith(".") for one in told)
        assert "Before the play" in body(app)
        assert "Trick 5" in body(app)


async def test_thinking_that_takes_long_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the table can be left meanwhile."""
    begun, go_on = threading.Event(), threading.Event()

    def think(self: Session) -> Action:
        threading.current_thread().name = HELD
        begun.set()
        go_on.wait(PATIENCE_SECONDS)
        raise AssertionError("the table has been left")

    app = table_app(tmp_path / "games", "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: asked(app, DecisionKind.PLAY))
        monkeypatch.setattr(Session, "next_automatic_entry", think)
        await act(app, pilot)
        await come(lambda: begun.is_set() and "is thinking … 1 s" in said(app, "#prompt"))
        await pilot.press("q")
    go_on.set()


async def test_rules_help_score_melds_and_tricks_open_and_close(tmp_path: Path) -> None:
    app = table_app(tmp_path / "games", "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: len(match_of(app).view.tricks) == 2)
        await until(app, pilot, lambda: asked(app))
        pages = {
            "question_mark": "Help",
            "s": "Score sheet",
            "m": "Melds",
            "l": "The last trick",
            "t": "This deal so far",
            "r": "Rules",
        }
        for key, title in pages.items():
            await pilot.press(key)
            await pilot.pause()
            assert heading(app) == title
            await pilot.press("escape")
            await pilot.pause()
            assert table(app) is not None


async def test_after_a_kill_the_game_goes_on_where_it_stood(tmp_path: Path) -> None:
    save = tmp_path / "games"
    app = table_app(save, "partnership")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: len(match_of(app).view.tricks) == 3)
        await until(app, pilot, lambda: asked(app))
        stood = match_of(app).view
    again = build_app(None, StartOptions(0, ("random",)), save, resume=True)
    assert match_of(again).path == match_of(app).path
    async with again.run_test(size=SIZE) as pilot:
        await until(again, pilot, lambda: asked(again), most=20)
        assert match_of(again).view == stood
        assert again.screen.query_one(Hand).cards == stood.hand
        await until(again, pilot, lambda: heading(again).startswith("The end of deal"))


async def test_a_new_game_leaves_those_that_are_kept_alone(tmp_path: Path) -> None:
    first = table_app(tmp_path / "games", "five-card")
    async with first.run_test(size=SIZE) as pilot:
        await until(first, pilot, lambda: asked(first))
    path = match_of(first).path
    saved = path.read_bytes()
    second = table_app(tmp_path / "games", "seven-card", seed=2)
    async with second.run_test(size=SIZE) as pilot:
        await until(second, pilot, lambda: asked(second))
        assert match_of(second).rules.variant == "seven-card"
    assert path.read_bytes() == saved
    assert len(list((tmp_path / "games").iterdir())) == 2


def test_without_a_saved_game_there_is_nothing_to_resume(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="There is no unfinished saved game"):
        build_app(None, StartOptions(0, ("random",)), tmp_path / "games", resume=True)


async def test_without_a_variant_the_person_is_asked_for_one(tmp_path: Path) -> None:
    wishes = StartOptions(0, ("random",), 1, options={"target": 30}, pace="instant")
    app: TableApp = build_app(None, wishes, tmp_path / "games")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, ListDialog)
        assert app.screen.query_one(OptionList).option_count == len(VARIANTS)
        await pilot.press(*str(1 + list(VARIANTS).index("five-card")))
        await pilot.pause()
        assert "how many play" in app.screen.heading
        await pilot.press("1")
        await until(app, pilot, lambda: asked(app))
        assert match_of(app).rules.seats == 2
        assert match_of(app).rules.ending.target == 30


async def test_the_bots_are_chosen_with_the_variant_unless_they_were_named(tmp_path: Path) -> None:
    wishes = StartOptions(0, (), 1, players=2, pace="instant")
    app: TableApp = build_app(None, wishes, tmp_path / "games")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, ListDialog)
        at = 1 + list(VARIANTS).index("two-handed")
        await pilot.press(*str(at))
        await pilot.pause()
        assert isinstance(app.screen, ListDialog)
        assert "which bots" in app.screen.heading
        shown = [line.partition("\n")[0].lower() for line in app.screen.lines]
        assert shown[0] == bots.default_bot()  # under the cursor
        assert sorted(shown) == sorted(bots.selectable_bots())
        await pilot.press(str(1 + shown.index("easy")))
        await until(app, pilot, lambda: asked(app))
        assert match_of(app).other_bots == ("easy",)


def test_a_variant_alone_is_played_against_the_usual_bots(tmp_path: Path) -> None:
    app = build_app(PARTNERSHIP, StartOptions(0, (), 1), tmp_path / "games")
    assert match_of(app).other_bots == (bots.default_bot(),) * 3


@pytest.mark.parametrize("auto", [False, True])
async def test_forced_cards_play_themselves_only_if_wanted(tmp_path: Path, auto: bool) -> None:
    app = table_app(tmp_path / "games", "seven-card", auto=auto)
    forced = 0
    async with app.run_test(size=SIZE) as pilot:

        def over() -> bool:
            nonlocal forced
            screen = table(app)
            decision = None if screen is None else screen.decision
            if decision is not None and decision.kind is DecisionKind.PLAY:
                forced += decision.is_forced
            return heading(app).startswith("The end of deal")

        await until(app, pilot, over)
    assert (forced == 0) is auto


async def test_where_a_house_punishes_reneges_the_person_is_warned_first(tmp_path: Path) -> None:
    options = {"renege": "penalty"}
    app = table_app(tmp_path / "games", "partnership", options=options)
    async with app.run_test(size=SIZE) as pilot:

        def constrained() -> bool:
            screen = table(app)
            decision = None if screen is None else screen.decision
            if decision is None or decision.kind is not DecisionKind.PLAY:
                return False
            return any(Play(card) not in decision.legal for card in match_of(app).view.hand)

        await until(app, pilot, constrained)
        hand = app.screen.query_one(Hand)
        assert hand.legal is not None
        while hand.cards[hand.cursor or 0] in hand.legal:
            await pilot.press("right")
        await pilot.press("enter")
        await pilot.pause()
        assert heading(app) == "That breaks a rule"
        assert "You must" in body(app)
        await pilot.press("n")
        await pilot.pause()
        assert asked(app, DecisionKind.PLAY)


async def test_after_the_last_deal_another_game_is_offered(tmp_path: Path) -> None:
    app = table_app(tmp_path / "games", "five-card", 2, options={"hands": 1})
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: heading(app) == "The end of the game")
        assert "win" in body(app)
        await pilot.press("n")
        await until(app, pilot, lambda: asked(app))
        assert match_of(app).game_number == 2
        assert match_of(app).scored_deals == ()


async def test_what_the_table_knows_is_only_what_the_seat_may_see(tmp_path: Path) -> None:
    app = table_app(tmp_path / "games", "partnership")
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda: len(match_of(app).view.tricks) == 1)
        dealt = match_of(app).deal_events[0]
        assert isinstance(dealt, Dealt)
        assert [hand is not None for hand in dealt.hands] == [True, False, False, False]
        assert not any(
            isinstance(event, DealScored | Concede) for event in match_of(app).deal_events
        )
