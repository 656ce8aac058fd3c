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
from acesaround.terminal.card_art import colour_cards
from acesaround.terminal.choice_bar import Bar, Choice
from acesaround.terminal.dialogs import Dialog
from acesaround.terminal.save_folder import PERSON, SavedGame

BAR_CHOICES = (
    Choice("Enter Go on", "open"),
    Choice("n New game", "new"),
    Choice("d Delete", "delete"),
    Choice("q Quit", "quit"),
)


class MenuChoice(NamedTuple):
    """The person's choice: `open` or `delete` a game of the list, `new` or `quit`."""

    action: str
    game: SavedGame | None = None


class SavedGamesDialog(Dialog[MenuChoice]):
    """The list of saved games, with cursor, number or mouse."""

    def __init__(self, games: Sequence[SavedGame], note: str = "") -> None:
        super().__init__()
        self.games, self.note_text = tuple(games), note

    def compose(self) -> ComposeResult:
        """Yield title, list and choices."""
        now = time.time()
        with Vertical(classes="page"):
            yield Label("Your games", classes="title")
            yield OptionList(
                *[
                    Option(colour_cards(f"{n:>2}  {game_row(game, now)}"))
                    for n, game in enumerate(self.games, 1)
                ]
            )
            if self.note_text:
                yield Label(self.note_text, classes="note")
            yield Bar()

    def on_mount(self) -> None:
        """Show the choices."""
        self.query_one(Bar).show_choices(BAR_CHOICES)
        self.query_one(OptionList).focus()

    @property
    def selected_game(self) -> SavedGame:
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
            self._answer_with(keys[event.key])

    def on_bar_pressed(self, message: Bar.Pressed) -> None:
        """Answer with the clicked choice."""
        message.stop()
        self._answer_with(message.value)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Open the chosen game."""
        message.stop()
        self.answer(MenuChoice("open", self.games[message.option_index]))

    def _answer_with(self, action: str) -> None:
        self.answer(
            MenuChoice(action, self.selected_game if action in ("open", "delete") else None)
        )


def game_row(game: SavedGame, now: float) -> str:
    """Return three lines about a game: variant; turn and score; opponents and last change."""
    table = game.table
    if table is None:
        return f"✗ {game.path.name}\n    {game.error}"
    seat = table.seat_of(PERSON.id)
    assert seat is not None and table.game is not None
    seat_names = Names(table.rules, seat)
    points = table.game.scores
    score = ", ".join(f"{seat_names.side_name(side)} {total}" for side, total in enumerate(points))
    bots = ", ".join(
        dict.fromkeys(s.bot for other_seat, s in enumerate(table.seats) if other_seat != seat)
    )
    return (
        f"{table.rules.title}\n"
        f"    {_progress_text(table, seat_names)} · {score}\n"
        f"    against {bots} · {format_when(game.changed_at, now)}"
    )


def _progress_text(table: Table, seat_names: Names) -> str:
    """Return the progress of a game: its winner, or its deal and the seat on turn."""
    state = table.game
    assert state is not None
    if state.winner is not None:
        return f"{seat_names.side_in_sentence(state.winner)} won"
    deal = f"deal {state.deals + 1}"
    if table.is_paused:
        return f"{deal}, paused"
    turn = turn_of(state)
    if turn is None:
        return f"{deal}, {seat_names.clause(state.dealer, 'deal')}"
    return f"{deal}, " + (
        "your turn" if turn == seat_names.seat else f"{seat_names.names[turn]}'s turn"
    )


def format_when(changed_at: float, now: float) -> str:
    """Format a time for people: `today 14:05`, `yesterday 9:30`, `3 June 2026`."""
    changed, current = time.localtime(changed_at), time.localtime(now)
    time_text = f"{changed.tm_hour}:{changed.tm_min:02}"
    if changed[:3] == current[:3]:
        return f"today {time_text}"
    if changed[:3] == time.localtime(now - 86400)[:3]:
        return f"yesterday {time_text}"
    return f"{changed.tm_mday} {time.strftime('%B %Y', changed)}"
