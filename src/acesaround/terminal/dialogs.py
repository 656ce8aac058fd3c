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

from acesaround.terminal.card_art import colour_cards
from acesaround.terminal.choice_bar import Bar, Choice

DialogChoices = Sequence[tuple[str, str, str]]
"""The (key, label, value) of each way to close a page."""

KEY_NAMES: Final = {"enter": "Enter", "escape": "Esc"}
CONTINUE_CHOICE: Final[DialogChoices] = (("enter", "Go on", ""),)


DialogAnswer = TypeVar("DialogAnswer")


class Dialog(ModalScreen[DialogAnswer]):
    """A page over the table that is answered exactly once.

    Keys typed ahead still reach a page that is closing. `answer` ignores a second answer, because
    it would close the screen below.
    """

    _is_answered = False

    def answer(self, value: DialogAnswer) -> None:
        """Close the page with that result, unless it was answered before."""
        if not self._is_answered:
            self._is_answered = True
            self.dismiss(value)


class TextDialog(Dialog[str]):
    """A text with a title and one or more choices. The result is the value of the choice.

    `choices`: (key, label, value). Enter and Space take the first. Escape gives an empty value.
    """

    def __init__(
        self,
        title: str,
        body: Text | str,
        choices: DialogChoices = CONTINUE_CHOICE,
        *,
        needs_own_key: bool = False,
    ) -> None:
        """Create the page. `body`: a str is Markdown.

        `needs_own_key`: Enter and Space are no shortcuts for the first choice, so its own key is
        needed.
        """
        super().__init__()
        self.heading, self.body = title, body
        self._dialog_choices, self._needs_own_key = tuple(choices), needs_own_key

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
        bar_choices = [
            Choice(f"{KEY_NAMES.get(key, key)} {label}", value)
            for key, label, value in self._dialog_choices
        ]
        self.query_one(Bar).show_choices(bar_choices)
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
        for key, _, value in self._dialog_choices:
            if key in (event.key, event.character):
                event.stop()
                self.answer(value)
                return
        if event.key == "escape":
            event.stop()
            self.answer("")
        elif event.key in ("enter", "space") and not self._needs_own_key:
            event.stop()
            self.answer(self._dialog_choices[0][2])


class ListDialog(Dialog[int | None]):
    """A list to choose a line from, with cursor, number or mouse. None means no choice."""

    BINDINGS = [("escape", "leave", "Back")]

    def __init__(
        self, title: str, lines: Sequence[str], note: str = "", leave_hint: str = "Esc back"
    ):
        super().__init__()
        self.heading, self.lines = title, tuple(lines)
        self._note_text, self._leave_hint = note, leave_hint
        self._typed_number = 0  # the number so far, while another digit may follow

    def compose(self) -> ComposeResult:
        """Yield title, list and keys."""
        with Vertical(classes="page"):
            yield Label(self.heading, classes="title")
            yield OptionList(
                *[Option(colour_cards(f"{n}  {line}")) for n, line in enumerate(self.lines, 1)]
            )
            if self._note_text:
                yield Label(self._note_text, classes="note")
            yield Label(
                f"↑ ↓ and Enter, a number, or the mouse · {self._leave_hint}", classes="keys"
            )

    def on_key(self, event: events.Key) -> None:
        """Choose a line by its number. If another digit may follow, only move the cursor there."""
        option_list = self.query_one(OptionList)
        typed = self._typed_number if option_list.highlighted == self._typed_number - 1 else 0
        if event.character and event.character.isdecimal():
            digit = int(event.character)
            number = next((n for n in (typed * 10 + digit, digit) if 1 <= n <= len(self.lines)), 0)
            if not number:
                return
            event.stop()
            if number * 10 > len(self.lines):
                self.answer(number - 1)
            else:
                option_list.highlighted, self._typed_number = number - 1, number

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Answer with the chosen line."""
        message.stop()
        self.answer(message.option_index)

    def action_leave(self) -> None:
        """Close the list without a choice."""
        self.answer(None)
