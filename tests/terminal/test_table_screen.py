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
from acesaround.terminal.table_widget import TableWidget
from acesaround.variants import PARTNERSHIP, VARIANTS
from tests.terminal.event_loop_idle import IGNORED_THREAD
from tests.terminal.table_driver import (
    SIZE,
    find_clipped_texts,
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
    wait_for_page,
    wait_for_person,
)
from tests.variant_sample import sample_variants
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


@pytest.mark.parametrize(("variant", "players"), sample_variants(TABLES))
async def test_a_deal_of_every_variant_is_played_by_keyboard(
    tmp_path: Path, variant: str, players: int | None
) -> None:
    app = make_table_app(tmp_path / "games", variant, players)
    played = 0
    async with app.run_test(size=SIZE) as pilot:
        for _ in range(300):
            await wait_for_person(app)
            if read_heading(app).startswith("The end of deal"):
                if "Everybody passed" not in read_body(app):
                    break
                await pilot.press("enter")
            elif has_decision(app):
                await pilot.pause()  # for the layout
                assert find_clipped_texts(app) == []
                assert read_text(app, "#prompt").startswith("▶ YOUR TURN")
                assert len(read_text(app, "#prompt")) <= SIZE[0] - 2
                await make_decision(app, pilot)
                played += 1
            elif get_table_screen(app) is None:
                await pilot.press("enter")
        else:
            pytest.fail("the deal did not end")
        assert played >= get_session(app).rules.hand_size
        assert "total" in read_body(app)


async def test_all_cards_of_a_hand_of_twenty_are_shown(tmp_path: Path) -> None:
    app = make_table_app(tmp_path / "games", "double-deck")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app))
        await pilot.pause()
        hand = app.screen.query_one(Hand)
        rendered = str(hand.render())
        assert len(hand.cards) == 20
        for card in set(hand.cards):
            assert rendered.count(card.pretty) >= hand.cards.count(card)
        assert find_clipped_texts(app) == []


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 50)])
async def test_nothing_is_clipped_in_windows_of_any_size(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app = make_table_app(tmp_path / "games", "double-deck")
    async with app.run_test(size=size) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        await pilot.pause()
        assert find_clipped_texts(app) == []
        drawn = str(app.screen.query_one(TableWidget).render()).split("\n")
        assert {len(line) for line in drawn} == {app.screen.query_one(TableWidget).size.width}


async def test_a_click_on_a_card_plays_it(tmp_path: Path) -> None:
    app = make_table_app(tmp_path / "games", "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        await pilot.pause()
        hand = app.screen.query_one(Hand)
        card, place = hand.cards[3], hand.position_of(3)
        await pilot.click(hand, offset=(place.x + 1, place.y + 1))
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        assert any(card.pretty in line for line in get_table_screen(app).log_lines)  # type: ignore[union-attr]
        assert len(get_session(app).view.tricks) == 1


async def test_a_refused_card_shows_the_reason(tmp_path: Path) -> None:
    app = make_table_app(tmp_path / "games", "partnership")
    async with app.run_test(size=SIZE) as pilot:

        def has_illegal_card() -> bool:
            screen = get_table_screen(app)
            decision = None if screen is None else screen.decision
            if decision is None or decision.kind is not DecisionKind.PLAY:
                return False
            return any(Play(card) not in decision.legal for card in get_session(app).view.hand)

        await play_until(app, pilot, has_illegal_card)
        hand, before = app.screen.query_one(Hand), get_session(app).view
        assert hand.legal is not None
        while hand.cards[hand.cursor or 0] in hand.legal:
            await pilot.press("right")
        await pilot.press("enter")
        assert read_text(app).startswith("✗ You must")
        assert get_session(app).view == before
        await pilot.press("right")
        assert not read_text(app).startswith("✗")


async def test_a_bid_is_typed_and_a_refused_bid_shows_possible_ones(tmp_path: Path) -> None:
    app = make_table_app(tmp_path / "games", "three-handed")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.BID))
        await pilot.press("2", "5", "5", "enter")
        assert "possible bids are" in read_text(app)
        await pilot.press("9", "0", "0", "enter")
        await pilot.pause()
        assert Call(0, 900) in get_session(app).view.auction


async def test_conceding_needs_confirmation(tmp_path: Path) -> None:
    app = make_table_app(tmp_path / "games", "three-handed")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.BID))
        while get_session(app).view.declarer is None:
            await pilot.press("enter")
            await pilot.pause()
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        bid = get_session(app).view.bid
        assert bid is not None
        await pilot.press("g")
        await pilot.pause()
        assert read_heading(app) == "Give up this deal?"
        await pilot.press("enter")  # does nothing
        assert read_heading(app) == "Give up this deal?"
        await pilot.press("n")
        await pilot.pause()
        assert has_decision(app, DecisionKind.PLAY)
        await pilot.press("g")
        await pilot.pause()
        await pilot.press("y")
        await play_until(app, pilot, lambda: read_heading(app).startswith("The end of deal"))
        assert "gave up" in read_body(app)
        assert get_session(app).view.scores[0] == -bid


async def test_a_hint_shows_action_and_reason_and_can_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "HINT_SECONDS", 0.01)
    app = make_table_app(tmp_path / "games", "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        hint = get_session(app).prepare_hint()()
        assert hint is not None
        assert isinstance(hint.action, Play)
        assert len(hint.tried) == len({tried.action for tried in hint.tried}) > 1
        await pilot.press("h")
        await wait_for_page(app, "Hint")
        assert hint.action.card.pretty in read_heading(app)
        assert reason_sentence(hint.why, lambda seat: "Ada") in read_body(app)
        for tried in hint.tried:
            assert f"{tried.points:.1f}" in read_body(app)
        await pilot.press("enter")
        await play_until(app, pilot, lambda: len(get_session(app).view.tricks) == 1)
        assert hint.action.card in get_session(app).view.tricks[0].cards


async def test_a_hint_that_comes_after_the_action_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "HINT_SECONDS", 0.01)
    app = make_table_app(tmp_path / "games", "five-card")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.BID))

        ready = asyncio.Event()

        async def prepared(needed: bool) -> None:
            if needed:
                await ready.wait()

        monkeypatch.setattr(app.screen, "wait_for_warmup", prepared)
        await pilot.press("h")
        await pilot.press("p")
        ready.set()
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.DISCARD))
        assert not read_heading(app).startswith("Hint")
        compute_hint = get_session(app).prepare_hint()
        await pilot.press("enter")
        await play_until(app, pilot, lambda: not has_decision(app, DecisionKind.DISCARD))
        hint = compute_hint()
        assert hint is not None
        assert isinstance(hint.action, Discard)


async def test_reasons_of_bots_are_shown_after_the_deal_only(tmp_path: Path) -> None:
    app = make_table_app(tmp_path / "games", "five-card", bots=("easy",))
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        assert get_session(app).bot_reasons == ()
        await pilot.press("w")
        assert "when the deal is over" in read_text(app)
        await play_until(app, pilot, lambda: read_heading(app).startswith("The end of deal"))
        assert read_body(app).count("Ben") > 0
        await pilot.press("w")
        await wait_for_page(app, "Reasons of the bots")
        bot_reasons = get_session(app).bot_reasons
        assert {bot_reason.seat for bot_reason in bot_reasons} == {1, 2, 3}
        assert all(bot_reason.reason in read_body(app) for bot_reason in bot_reasons)
        assert all(bot_reason.reason.endswith(".") for bot_reason in bot_reasons)
        assert "Before the play" in read_body(app)
        assert "Trick 5" in read_body(app)


async def test_long_thinking_is_shown_and_the_table_can_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, go_on = threading.Event(), threading.Event()

    def think(self: Session) -> Action:
        threading.current_thread().name = IGNORED_THREAD
        started.set()
        go_on.wait(PATIENCE_SECONDS)
        raise AssertionError("the table has been left")

    app = make_table_app(tmp_path / "games", "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: has_decision(app, DecisionKind.PLAY))
        monkeypatch.setattr(Session, "next_automatic_entry", think)
        await make_decision(app, pilot)
        await wait_for(
            lambda: started.is_set() and "is thinking … 1 s" in read_text(app, "#prompt")
        )
        await pilot.press("q")
    go_on.set()


async def test_each_page_opens_with_its_key_and_closes(tmp_path: Path) -> None:
    app = make_table_app(tmp_path / "games", "two-handed")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: len(get_session(app).view.tricks) == 2)
        await play_until(app, pilot, lambda: has_decision(app))
        pages = {
            "question_mark": "Help",
            "e": "What now?",
            "s": "Score sheet",
            "m": "Melds",
            "l": "The last trick",
            "t": "This deal so far",
            "r": "Rules",
        }
        for key, title in pages.items():
            await pilot.press(key)
            await pilot.pause()
            assert read_heading(app) == title
            await pilot.press("escape")
            await pilot.pause()
            assert get_table_screen(app) is not None


async def test_a_killed_game_is_resumed_at_the_same_view(tmp_path: Path) -> None:
    save = tmp_path / "games"
    app = make_table_app(save, "partnership")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: len(get_session(app).view.tricks) == 3)
        await play_until(app, pilot, lambda: has_decision(app))
        view = get_session(app).view
    again = build_app(None, StartOptions(0, ("random",)), save, resume=True)
    assert get_session(again).path == get_session(app).path
    async with again.run_test(size=SIZE) as pilot:
        await play_until(again, pilot, lambda: has_decision(again), most=20)
        assert get_session(again).view == view
        assert again.screen.query_one(Hand).cards == view.hand
        await play_until(again, pilot, lambda: read_heading(again).startswith("The end of deal"))


async def test_a_new_game_does_not_change_saved_games(tmp_path: Path) -> None:
    first = make_table_app(tmp_path / "games", "five-card")
    async with first.run_test(size=SIZE) as pilot:
        await play_until(first, pilot, lambda: has_decision(first))
    path = get_session(first).path
    saved = path.read_bytes()
    second = make_table_app(tmp_path / "games", "seven-card", seed=2)
    async with second.run_test(size=SIZE) as pilot:
        await play_until(second, pilot, lambda: has_decision(second))
        assert get_session(second).rules.variant == "seven-card"
    assert path.read_bytes() == saved
    assert len(list((tmp_path / "games").iterdir())) == 2


def test_resume_without_a_saved_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="There is no unfinished saved game"):
        build_app(None, StartOptions(0, ("random",)), tmp_path / "games", resume=True)


async def test_without_a_variant_a_menu_of_variants_is_shown(tmp_path: Path) -> None:
    start = StartOptions(0, ("random",), 1, options={"target": 30}, pace="instant")
    app: TableApp = build_app(None, start, tmp_path / "games")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, ListDialog)
        assert app.screen.query_one(OptionList).option_count == len(VARIANTS)
        await pilot.press(*str(1 + list(VARIANTS).index("five-card")))
        await pilot.pause()
        assert "how many play" in app.screen.heading
        await pilot.press("1")
        await play_until(app, pilot, lambda: has_decision(app))
        assert get_session(app).rules.seats == 2
        assert get_session(app).rules.ending.target == 30


async def test_without_bots_a_menu_of_bots_is_shown_after_the_variant(tmp_path: Path) -> None:
    start = StartOptions(0, (), 1, players=2, pace="instant")
    app: TableApp = build_app(None, start, tmp_path / "games")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, ListDialog)
        await pilot.press(*str(1 + list(VARIANTS).index("two-handed")))
        await pilot.pause()
        assert isinstance(app.screen, ListDialog)
        assert "which bots" in app.screen.heading
        names = [line.partition("\n")[0].lower() for line in app.screen.lines]
        assert names[0] == bots.default_bot()  # under the cursor
        assert sorted(names) == sorted(bots.selectable_bots())
        await pilot.press(str(1 + names.index("easy")))
        await play_until(app, pilot, lambda: has_decision(app))
        assert get_session(app).other_bots == ("easy",)


def test_a_variant_without_bots_is_played_against_the_default_bot(tmp_path: Path) -> None:
    app = build_app(PARTNERSHIP, StartOptions(0, (), 1), tmp_path / "games")
    assert get_session(app).other_bots == (bots.default_bot(),) * 3


@pytest.mark.parametrize("auto", [False, True])
async def test_forced_cards_are_played_automatically_only_with_auto(
    tmp_path: Path, auto: bool
) -> None:
    app = make_table_app(tmp_path / "games", "seven-card", auto=auto)
    forced = 0
    async with app.run_test(size=SIZE) as pilot:

        def is_over() -> bool:
            nonlocal forced
            screen = get_table_screen(app)
            decision = None if screen is None else screen.decision
            if decision is not None and decision.kind is DecisionKind.PLAY:
                forced += decision.is_forced
            return read_heading(app).startswith("The end of deal")

        await play_until(app, pilot, is_over)
    assert (forced == 0) is auto


async def test_with_renege_penalty_an_illegal_card_needs_confirmation(tmp_path: Path) -> None:
    options = {"renege": "penalty"}
    app = make_table_app(tmp_path / "games", "partnership", options=options)
    async with app.run_test(size=SIZE) as pilot:

        def has_illegal_card() -> bool:
            screen = get_table_screen(app)
            decision = None if screen is None else screen.decision
            if decision is None or decision.kind is not DecisionKind.PLAY:
                return False
            return any(Play(card) not in decision.legal for card in get_session(app).view.hand)

        await play_until(app, pilot, has_illegal_card)
        hand = app.screen.query_one(Hand)
        assert hand.legal is not None
        while hand.cards[hand.cursor or 0] in hand.legal:
            await pilot.press("right")
        await pilot.press("enter")
        await pilot.pause()
        assert read_heading(app) == "That breaks a rule"
        assert "You must" in read_body(app)
        await pilot.press("n")
        await pilot.pause()
        assert has_decision(app, DecisionKind.PLAY)


async def test_a_rematch_can_be_started_after_the_game(tmp_path: Path) -> None:
    app = make_table_app(tmp_path / "games", "five-card", 2, options={"hands": 1})
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: read_heading(app) == "The end of the game")
        assert "win" in read_body(app)
        await pilot.press("n")
        await play_until(app, pilot, lambda: has_decision(app))
        assert get_session(app).game_number == 2
        assert get_session(app).scored_deals == ()


async def test_deal_events_of_the_table_hide_other_hands(tmp_path: Path) -> None:
    app = make_table_app(tmp_path / "games", "partnership")
    async with app.run_test(size=SIZE) as pilot:
        await play_until(app, pilot, lambda: len(get_session(app).view.tricks) == 1)
        dealt = get_session(app).deal_events[0]
        assert isinstance(dealt, Dealt)
        assert [hand is not None for hand in dealt.hands] == [True, False, False, False]
        assert not any(
            isinstance(event, DealScored | Concede) for event in get_session(app).deal_events
        )
