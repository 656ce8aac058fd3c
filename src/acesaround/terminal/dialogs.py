"""Pages over the table: a text to read, a question to answer, a list to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Label, Markdown, OptionList, Static
from textual.widgets.option_list import Option

from acesaround.terminal.card_art import coloured
from acesaround.terminal.choice_bar import Bar, Choice

Choices = Sequence[tuple[str, str, str]]
"""The (key, label, value) of each way to close a page."""

KEY_NAMES: Final = {"enter": "Enter", "escape": "Esc"}
GO_ON: Final[Choices] = (("enter", "Go on", ""),)


Answer = TypeVar("Answer")


class Question(ModalScreen[Answer]):
    """A page over the table that is answered exactly once.

    Keys typed ahead still reach a page that is closing. `answer` ignores a second answer, because
    it would close the screen below.
    """

    _answered = False

    def answer(self, value: Answer) -> None:
        """Close the page with that result, unless it was answered before."""
        if not self._answered:
            self._answered = True
            self.dismiss(value)


class TextDialog(Question[str]):
    """A text with a title and one or more choices. The result is the value of the choice.

    `choices`: (key, label, value). Enter and Space take the first. Escape gives an empty value.
    """

    def __init__(
        self,
        title: str,
        body: Text | str,
        choices: Choices = GO_ON,
        *,
        safe: bool = False,
    ) -> None:
        """Create the page. `body`: a str is Markdown.

        `safe`: Enter and Space are no shortcuts for the first choice, so its own key is needed.
        """
        super().__init__()
        self.heading, self.body = title, body
        self._choices, self._safe = tuple(choices), safe

    def compose(self) -> ComposeResult:
        """Yield title, text and choices."""
        with Vertical(classes="page"):
            yield Label(self.heading, classes="title")
            with VerticalScroll():
                if isinstance(self.body, str):
                    yield Markdown(self.body, open_links=False)
                else:
                    yield Static(self.body)
            yield Bar()

    def on_mount(self) -> None:
        """Show the choices."""
        shown = [
            Choice(f"{KEY_NAMES.get(key, key)} {label}", value)
            for key, label, value in self._choices
        ]
        self.query_one(Bar).show(shown)
        self.query_one(VerticalScroll).focus()

    def on_resize(self) -> None:
        """Limit the height of the text, so that title and choices stay visible."""
        self.query_one(VerticalScroll).styles.max_height = max(3, self.app.size.height - 6)

    def on_bar_pressed(self, message: Bar.Pressed) -> None:
        """Answer with the clicked choice."""
        message.stop()
        self.answer(message.value)

    def on_key(self, event: events.Key) -> None:
        """Answer with the choice of the key."""
        for key, _, value in self._choices:
            if key in (event.key, event.character):
                event.stop()
                self.answer(value)
                return
        if event.key == "escape":
            event.stop()
            self.answer("")
        elif event.key in ("enter", "space") and not self._safe:
            event.stop()
            self.answer(self._choices[0][2])


class ListDialog(Question[int | None]):
    """A list to choose a line from, with cursor, number or mouse. None means no choice."""

    BINDINGS = [("escape", "leave", "Back")]

    def __init__(self, title: str, lines: Sequence[str], note: str = "", leave: str = "Esc back"):
        super().__init__()
        self.heading, self.lines = title, tuple(lines)
        self._note, self._leave = note, leave
        self._typed = 0  # the number so far, while another digit may follow

    def compose(self) -> ComposeResult:
        """Yield title, list and keys."""
        with Vertical(classes="page"):
            yield Label(self.heading, classes="title")
            yield OptionList(
                *[Option(coloured(f"{n}  {one}")) for n, one in enumerate(self.lines, 1)]
            )
            if self._note:
                yield Label(self._note, classes="note")
            yield Label(f"↑ ↓ and Enter, a number, or the mouse · {self._leave}", classes="keys")

    def on_key(self, event: events.Key) -> None:
        """Choose a line by its number. If another digit may follow, only move the cursor there."""
        shown = self.query_one(OptionList)
        typed = self._typed if shown.highlighted == self._typed - 1 else 0
        if event.character and event.character.isdecimal():
            digit = int(event.character)
            wanted = next((n for n in (typed * 10 + digit, digit) if 1 <= n <= len(self.lines)), 0)
            if not wanted:
                return
            event.stop()
            if wanted * 10 > len(self.lines):
                self.answer(wanted - 1)
            else:
                shown.highlighted, self._typed = wanted - 1, wanted

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Answer with the chosen line."""
        message.stop()
        self.answer(message.option_index)

    def action_leave(self) -> None:
        """Close the list without a choice."""
        self.answer(None)
