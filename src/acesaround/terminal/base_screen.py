"""The base of the table's screen: its widgets, and methods to show a view, news and the prompt.

The screen shows only views, and sentences made from projected events.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Footer, Static

from acesaround.bots.warmup import process_warmup
from acesaround.cards import Card
from acesaround.game.narration import Names
from acesaround.game.state import Decision
from acesaround.game.view import View
from acesaround.terminal import info_pages, prompts
from acesaround.terminal.background_thread import run_in_thread
from acesaround.terminal.card_art import colour_cards, with_terminal_cards
from acesaround.terminal.choice_bar import Bar, Choice
from acesaround.terminal.dialogs import CONTINUE_CHOICE, DialogChoices, TextDialog
from acesaround.terminal.hand import Hand
from acesaround.terminal.session import Session
from acesaround.terminal.side_panel import Panel
from acesaround.terminal.table_snapshot import TableSnapshot
from acesaround.terminal.table_widget import TableWidget

T = TypeVar("T")


class BaseScreen(Screen[str]):
    """A table that takes no decisions. `new_cards`: cards that just came to the person's hand."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.seat_names = Names(session.rules, session.seat)
        self.decision: Decision | None = None
        """The decision that the person is asked for now."""
        self.new_cards: tuple[Card, ...] = ()
        self.log_lines: list[str] = []
        self.is_in_pause = False
        """Whether the screen is in a pause that a key can end."""
        self._end_pause_event = asyncio.Event()
        self._uncovered_event = asyncio.Event()
        self._news_text = ""

    def compose(self) -> ComposeResult:
        """Yield headline, table, panel, news, prompt, choices, hand and keys."""
        yield Static(id="head")
        with Horizontal(id="middle"):
            yield TableWidget()
            yield Panel()
        yield Static(id="news")
        yield Static(id="prompt")
        yield Bar()
        yield Hand()
        yield Footer(show_command_palette=False, compact=True)

    async def wait_until_uncovered(self) -> None:
        """Wait until no page covers the table."""
        await self._uncovered_event.wait()

    def on_screen_resume(self) -> None:
        """Note that no page covers the table."""
        self._uncovered_event.set()

    def on_screen_suspend(self) -> None:
        """Note that a page covers the table."""
        self._uncovered_event.clear()

    def end_pause(self) -> None:
        """End the current pause."""
        self._end_pause_event.set()

    async def pause_for(self, seconds: float | None) -> None:
        """Wait for `seconds` or until `end_pause` is called. None waits only for `end_pause`."""
        if seconds == 0:
            return
        self._end_pause_event.clear()
        self.is_in_pause = True
        try:
            await asyncio.wait_for(self._end_pause_event.wait(), seconds)
        except TimeoutError:
            pass
        finally:
            self.is_in_pause = False

    async def show_page(
        self,
        title: str,
        body: Text | str,
        choices: DialogChoices = CONTINUE_CHOICE,
        *,
        needs_own_key: bool = False,
    ) -> str:
        """Show a page over the table, wait until it is closed, and return its result."""
        return await self.app.push_screen_wait(
            TextDialog(title, body, choices, needs_own_key=needs_own_key)
        )

    async def wait_for_warmup(self, is_needed: bool) -> None:
        """Wait until the search bots are ready, if they are `is_needed`."""
        warmup = process_warmup()
        if is_needed:
            warmup.start()
        while is_needed and not warmup.ready.is_set():
            self.show_prompt(str(warmup), is_waiting=True)
            await asyncio.sleep(0.2)

    async def run_with_timer(self, label: str, work: Callable[[], T]) -> T:
        """Run `work` in a thread and return its result. Show the elapsed seconds."""
        task, seconds = asyncio.ensure_future(run_in_thread(work)), 0
        while not (await asyncio.wait({task}, timeout=1.0))[0]:
            seconds += 1
            self.show_prompt(f"{label} … {seconds} s", is_waiting=True)
        return task.result()

    def show_view(
        self,
        view: View,
        trick: tuple[tuple[int, Card], ...] | None = None,
        winner: int | None = None,
    ) -> None:
        """Show a view. `trick` and `winner`: a finished trick that is still on the table."""
        if trick is None:
            trick = ()
            if view.trick and view.leader is not None:
                seats = info_pages.seats_in_turn(view.players, view.leader)
                trick = tuple(zip(seats, view.trick, strict=False))
        turn = None if winner is not None else view.turn
        snapshot = TableSnapshot(
            view, self.seat_names, trick, winner, turn, self.log_lines, self.session.scored_deals
        )
        self.query_one(TableWidget).show_snapshot(snapshot)
        self.query_one(Panel).show_snapshot(snapshot)
        laid = view.table[self.seat_names.seat] if view.table else ()
        self.query_one(Hand).show_cards(view.hand, trump=view.trump, new=self.new_cards, laid=laid)
        self.query_one(Bar).show_choices(() if self.decision else self.waiting_choices())
        self.show_prompt(prompts.waiting_text(view, self.seat_names), is_waiting=True)
        self.update_headline()

    def waiting_choices(self) -> tuple[Choice, ...]:
        """Return the choices while another seat is to act."""
        return (Choice("Space Go on", "go"),)

    def update_headline(self) -> None:
        """Update the top line: game, deal and settings."""
        view, settings = self.session.view, self.session.settings
        deal = f" · deal {view.deals + (view.winner is None)}"
        pace = f"   pace: {settings.pace} (+ -)" + (" · auto" if settings.auto else "")
        free_columns = max(0, self.app.size.width - len(deal) - len(pace) - 2)
        title = view.rules.title
        if len(title) > free_columns:
            title = title[: max(0, free_columns - 1)] + "…"
        text = f" {title}{deal}"
        free_columns = self.app.size.width - len(text) - 1
        self.query_one("#head", Static).update(
            colour_cards(f"{text}{pace:>{free_columns}}", "#b9c9c1")
        )

    def show_news(self, text: str) -> None:
        """Show news. If the game could not be saved, show that instead."""
        self._news_text = text
        news = self.query_one("#news", Static)
        news.remove_class("refused")
        news.update(colour_cards(self.session.save_error or text))
        news.set_class(self.session.save_error is not None, "refused")

    def clear_refusal(self) -> None:
        """Remove a refusal, because the person has done something else."""
        if self.query_one("#news").has_class("refused"):
            self.show_news(self._news_text)

    def show_refusal(self, reason: str) -> None:
        """Show why something cannot be done."""
        news = self.query_one("#news", Static)
        news.add_class("refused")
        news.update(colour_cards(f"✗ {reason}", "bold #ffb4a2"))

    def show_prompt(self, text: str, *, is_waiting: bool = False) -> None:
        """Show what the person is to do or, if `is_waiting`, who is to act."""
        widget = self.query_one("#prompt", Static)
        widget.set_class(not is_waiting, "yours")
        if is_waiting:
            widget.update(colour_cards(f"  {text}"))
        else:
            widget.update(with_terminal_cards(f"▶ YOUR TURN  {text}"))
