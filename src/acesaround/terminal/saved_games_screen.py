"""The list of saved games: continue one, delete one, or begin a new one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Label, OptionList
from textual.widgets.option_list import Option

from acesaround.game.narration import Names
from acesaround.game.view import turn_of
from acesaround.table import Table
from acesaround.terminal.card_art import coloured
from acesaround.terminal.choice_bar import Bar, Choice
from acesaround.terminal.dialogs import Question
from acesaround.terminal.save_folder import ME, Listed

CHOICES = (
    Choice("Enter Go on", "open"),
    Choice("n New game", "new"),
    Choice("d Delete", "delete"),
    Choice("q Quit", "quit"),
)


class MenuChoice(NamedTuple):
    """The person's choice: `open` or `delete` a game of the list, `new` or `quit`."""

    what: str
    game: Listed | None = None


class Games(Question[MenuChoice]):
    """The list of saved games, with cursor, number or mouse."""

    def __init__(self, games: Sequence[Listed], note: str = "") -> None:
        super().__init__()
        self.games, self.note = tuple(games), note

    def compose(self) -> ComposeResult:
        """Yield title, list and choices."""
        now = time.time()
        with Vertical(classes="page"):
            yield Label("Your games", classes="title")
            yield OptionList(
                *[
                    Option(coloured(f"{n:>2}  {row(one, now)}"))
                    for n, one in enumerate(self.games, 1)
                ]
            )
            if self.note:
                yield Label(self.note, classes="note")
            yield Bar()

    def on_mount(self) -> None:
        """Show the choices."""
        self.query_one(Bar).show(CHOICES)
        self.query_one(OptionList).focus()

    @property
    def chosen(self) -> Listed:
        """The game under the cursor."""
        return self.games[self.query_one(OptionList).highlighted or 0]

    def on_key(self, event: events.Key) -> None:
        """Answer with the choice of a key, or open the game of a number."""
        if event.character and event.character.isdigit():
            if 1 <= int(event.character) <= len(self.games):
                event.stop()
                self.answer(MenuChoice("open", self.games[int(event.character) - 1]))
            return
        keys = {"n": "new", "d": "delete", "delete": "delete", "q": "quit", "escape": "quit"}
        if event.key in keys:
            event.stop()
            self._do(keys[event.key])

    def on_bar_pressed(self, message: Bar.Pressed) -> None:
        """Answer with the clicked choice."""
        message.stop()
        self._do(message.value)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Open the chosen game."""
        message.stop()
        self.answer(MenuChoice("open", self.games[message.option_index]))

    def _do(self, what: str) -> None:
        self.answer(MenuChoice(what, self.chosen if what in ("open", "delete") else None))


def row(one: Listed, now: float) -> str:
    """Return three lines about a game: variant; turn and score; opponents and last change."""
    table = one.table
    if table is None:
        return f"✗ {one.path.name}\n    {one.wrong}"
    seat = table.seat_of(ME.id)
    assert seat is not None and table.game is not None
    who = Names(table.rules, seat)
    points = table.game.scores
    score = ", ".join(f"{who.side(side)} {total}" for side, total in enumerate(points))
    bots = ", ".join(dict.fromkeys(s.bot for at, s in enumerate(table.seats) if at != seat))
    return (
        f"{table.rules.title}\n"
        f"    {_stands(table, who)} · {score}\n"
        f"    against {bots} · {ago(one.when, now)}"
    )


def _stands(table: Table, who: Names) -> str:
    """Return the progress of a game: its winner, or its deal and the seat on turn."""
    state = table.game
    assert state is not None
    if state.winner is not None:
        return f"{who.side(state.winner)} won"
    deal = f"deal {state.deals + 1}"
    if table.paused:
        return f"{deal}, paused"
    turn = turn_of(state)
    if turn is None:
        return f"{deal}, {who.does(state.dealer, 'deal')}"
    return f"{deal}, " + ("your turn" if turn == who.seat else f"{who.names[turn]}'s turn")


def ago(when: float, now: float) -> str:
    """Format a time for people: `today 14:05`, `yesterday 9:30`, `3 June 2026`."""
    then, today = time.localtime(when), time.localtime(now)
    clock = f"{then.tm_hour}:{then.tm_min:02}"
    if then[:3] == today[:3]:
        return f"today {clock}"
    if then[:3] == time.localtime(now - 86400)[:3]:
        return f"yesterday {clock}"
    return f"{then.tm_mday} {time.strftime('%B %Y', then)}"
