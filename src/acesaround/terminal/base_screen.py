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
from acesaround.terminal.board import Table
from acesaround.terminal.card_art import coloured, with_terminal_cards
from acesaround.terminal.choice_bar import Bar, Choice
from acesaround.terminal.dialogs import GO_ON, Choices, TextDialog
from acesaround.terminal.hand import Hand
from acesaround.terminal.scene import Scene
from acesaround.terminal.session import Session
from acesaround.terminal.side_panel import Panel

T = TypeVar("T")


class BaseScreen(Screen[str]):
    """A table that takes no decisions. `received`: cards that just came to the person's hand."""

    def __init__(self, match: Session) -> None:
        super().__init__()
        self.match = match
        self.who = Names(match.rules, match.seat)
        self.decision: Decision | None = None
        """The decision that the person is asked for now."""
        self.received: tuple[Card, ...] = ()
        self.log_lines: list[str] = []
        self.holding = False
        """Whether the screen is in a pause that a key can end."""
        self._go_on = asyncio.Event()
        self._front = asyncio.Event()
        self._news = ""

    def compose(self) -> ComposeResult:
        """Yield headline, table, panel, news, prompt, choices, hand and keys."""
        yield Static(id="head")
        with Horizontal(id="middle"):
            yield Table()
            yield Panel()
        yield Static(id="news")
        yield Static(id="prompt")
        yield Bar()
        yield Hand()
        yield Footer(show_command_palette=False, compact=True)

    async def in_front(self) -> None:
        """Wait until no page covers the table."""
        await self._front.wait()

    def on_screen_resume(self) -> None:
        """Note that no page covers the table."""
        self._front.set()

    def on_screen_suspend(self) -> None:
        """Note that a page covers the table."""
        self._front.clear()

    def go_on(self) -> None:
        """End the current pause."""
        self._go_on.set()

    async def pause(self, seconds: float | None) -> None:
        """Wait for `seconds` or until `go_on` is called. None waits only for `go_on`."""
        if seconds == 0:
            return
        self._go_on.clear()
        self.holding = True
        try:
            await asyncio.wait_for(self._go_on.wait(), seconds)
        except TimeoutError:
            pass
        finally:
            self.holding = False

    async def page(
        self, title: str, body: Text | str, choices: Choices = GO_ON, *, safe: bool = False
    ) -> str:
        """Show a page over the table, wait until it is closed, and return its result."""
        return await self.app.push_screen_wait(TextDialog(title, body, choices, safe=safe))

    async def prepared(self, needed: bool) -> None:
        """Wait until the search bots are ready, if they are `needed`."""
        its = process_warmup()
        if needed:
            its.begin()
        while needed and not its.ready.is_set():
            self.prompt(str(its), waiting=True)
            await asyncio.sleep(0.2)

    async def thinking(self, what: str, work: Callable[[], T]) -> T:
        """Run `work` in a thread and return its result. Show the elapsed seconds."""
        task, seconds = asyncio.ensure_future(run_in_thread(work)), 0
        while not (await asyncio.wait({task}, timeout=1.0))[0]:
            seconds += 1
            self.prompt(f"{what} … {seconds} s", waiting=True)
        return task.result()

    def show(
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
        scene = Scene(view, self.who, trick, winner, turn, self.log_lines, self.match.sheet)
        self.query_one(Table).show(scene)
        self.query_one(Panel).show(scene)
        laid = view.table[self.who.seat] if view.table else ()
        self.query_one(Hand).show(view.hand, trump=view.trump, new=self.received, laid=laid)
        self.query_one(Bar).show(() if self.decision else self.meanwhile())
        self.prompt(prompts.waiting(view, self.who), waiting=True)
        self.headline()

    def meanwhile(self) -> tuple[Choice, ...]:
        """Return the choices while another seat is to act."""
        return (Choice("Space Go on", "go"),)

    def headline(self) -> None:
        """Update the top line: game, deal and settings."""
        view, playing = self.match.view, self.match.playing
        deal = f" · deal {view.deals + (view.winner is None)}"
        pace = f"   pace: {playing.pace} (+ -)" + (" · auto" if playing.auto else "")
        room = max(0, self.app.size.width - len(deal) - len(pace) - 2)
        title = view.rules.title
        if len(title) > room:
            title = title[: max(0, room - 1)] + "…"
        text = f" {title}{deal}"
        room = self.app.size.width - len(text) - 1
        self.query_one("#head", Static).update(coloured(f"{text}{pace:>{room}}", "#b9c9c1"))

    def say(self, text: str) -> None:
        """Show news. If the game could not be saved, show that instead."""
        self._news = text
        news = self.query_one("#news", Static)
        news.remove_class("refused")
        news.update(coloured(self.match.unsaved or text))
        news.set_class(self.match.unsaved is not None, "refused")

    def settle(self) -> None:
        """Remove a refusal, because the person has done something else."""
        if self.query_one("#news").has_class("refused"):
            self.say(self._news)

    def refuse(self, sentence: str) -> None:
        """Show why something cannot be done."""
        news = self.query_one("#news", Static)
        news.add_class("refused")
        news.update(coloured(f"✗ {sentence}", "bold #ffb4a2"))

    def prompt(self, text: str, *, waiting: bool = False) -> None:
        """Show what the person is to do or, if `waiting`, who is to act."""
        prompt = self.query_one("#prompt", Static)
        prompt.set_class(not waiting, "yours")
        if waiting:
            prompt.update(coloured(f"  {text}"))
        else:
            prompt.update(with_terminal_cards(f"▶ YOUR TURN  {text}"))
