"""The screen of a lesson: the table, with a sentence that waits for the right move."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Final

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from acesaround.game import events as ev
from acesaround.lessons import Lesson
from acesaround.table.commands import ContinueLesson, RestartLesson
from acesaround.table.messages import LessonInfo
from acesaround.terminal.card_art import colour_cards
from acesaround.terminal.choice_bar import Choice
from acesaround.terminal.pauses import PACES
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.session import Session
from acesaround.terminal.table_screen import TableScreen

END_CHOICES: Final = (("a", "Start over", "again"), ("q", "Quit", "quit"))
"""The choices when a lesson is over."""
GO_ON_PROMPT: Final = "Space or Enter: go on"


class LessonScreen(TableScreen):
    """A table at which a lesson is taken. The result is `quit`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "restart", "Start over"),
        Binding("h", "explain", show=False),
        Binding("b", "explain", show=False),
        Binding("o", "leave", show=False),
    ]

    def compose(self) -> ComposeResult:
        """Yield the sentence of the lesson under the other widgets, where it stays in view."""
        yield from super().compose()
        yield Static(id="lesson")

    @work(exclusive=True)
    async def _play_games(self) -> None:
        """Go through the lesson until the person leaves."""
        choice = "again"
        while choice == "again":
            while (info := self._info()).waits != "end":
                await self.wait_until_uncovered()
                await self._take_step(info)
            self._show_sentence(info)
            choice = await self.show_page(
                "The end of the lesson", info.sentence, END_CHOICES, needs_own_key=True
            )
            if choice == "again":
                await self._restart()
        self.dismiss("quit")

    def _info(self) -> LessonInfo:
        info = self.session.lesson
        assert info is not None
        return info

    async def _take_step(self, info: LessonInfo) -> None:
        """Show the sentence, and do what the lesson waits for."""
        self._show_sentence(info)
        if self.pending_entries:  # the lesson was begun again
            self.pending_entries.clear()
            self.log_lines.clear()
            self.show_view(self.session.view)
        elif info.waits == "watch":
            entry = self.session.next_automatic_entry()
            if not await self._show_entries(self.session.add_entries([entry])):
                await self.pause_for(PACES[self.session.settings.pace].before_action)
        elif info.waits == "move":
            decision = self.session.decision
            assert decision is not None
            await self._show_entries(await self.ask_decision(decision))
        else:
            await self._wait_to_go_on(info)

    async def _wait_to_go_on(self, info: LessonInfo) -> None:
        """Wait until the person has read the sentence, and go to the next step."""
        self.show_view(self.session.view)
        self.show_prompt(GO_ON_PROMPT, is_waiting=True)
        await self.pause_for(None)
        if self.pending_entries or self.has_left:
            return
        shown_entries = self.session.send_command(ContinueLesson(info.step))
        if any(isinstance(one, ev.Dealt) for shown in shown_entries for one in shown.events):
            self.log_lines.clear()
            self.new_cards = ()
            self.show_news("New cards are dealt.")
            self.show_view(self.session.view)

    async def _restart(self) -> None:
        self.session.send_command(RestartLesson())
        self.log_lines.clear()
        self.show_news("")
        self.show_view(self.session.view)

    def _show_sentence(self, info: LessonInfo) -> None:
        text = f"{info.sentence}  ({info.step} of {info.steps})"
        self.query_one("#lesson", Static).update(colour_cards(text))

    @property
    def shows_melds(self) -> bool:
        """Whether a page shows the melds: not while the lesson goes on by itself."""
        return self._info().waits != "watch"

    def waiting_choices(self) -> tuple[Choice, ...]:
        """Return the choices while the lesson waits for no move."""
        return (Choice("Space Go on", "go"),)

    def action_enter(self) -> None:
        """Do what the prompt says. Without a decision, go on."""
        if self.decision is None:
            self.end_pause()
        else:
            super().action_enter()

    def action_restart(self) -> None:
        """Begin the lesson again."""
        self.send_command(RestartLesson())

    def action_explain(self) -> None:
        """Show the sentence of the lesson as a page."""
        info = self._info()
        self._open_page(info.title, info.sentence)


class LessonApp(App[int]):
    """The terminal app for one lesson."""

    CSS_PATH = "table.tcss"
    TITLE = "Aces Around"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = []

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    @property
    def current_session(self) -> Session:
        """The session at the table."""
        return self._session

    def on_mount(self) -> None:
        """Begin the lesson."""
        self._take_lesson()

    @work
    async def _take_lesson(self) -> None:
        await self.push_screen_wait(LessonScreen(self._session))
        self.exit(0)


def build_lesson_app(lesson: Lesson, folder: Path, pace: str = "normal") -> LessonApp:
    """Return the application for a lesson. `folder`: where the table is stored meanwhile."""
    return LessonApp(Session.for_lesson(folder, lesson, SaveSettings(0, pace=pace)))
