"""The application: the choice of a game, the table, and the way from one game to the next."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import App
from textual.events import Resize

from acesaround import bots
from acesaround.errors import AcesAroundError, RulesError
from acesaround.rules import Rules
from acesaround.terminal import ascii_driver, info_pages, save_folder
from acesaround.terminal.background_thread import run_in_thread
from acesaround.terminal.card_art import use_ascii
from acesaround.terminal.dialogs import ListDialog, TextDialog
from acesaround.terminal.pauses import PACES
from acesaround.terminal.save_file import SaveSettings
from acesaround.terminal.save_folder import SavedGame
from acesaround.terminal.saved_games_screen import MenuChoice, SavedGamesDialog
from acesaround.terminal.session import Session, assign_bots
from acesaround.terminal.table_screen import TableScreen
from acesaround.variants import VARIANTS

WIDE_COLUMNS = 116
"""The number of columns from which the panel is wider."""


@dataclass(frozen=True)
class StartOptions:
    """The options of the command line, stored until the game is known (see `run_app`).

    `bots`: empty if the person still has to choose them.
    """

    seat: int
    bots: tuple[str, ...]
    seed: int | None = None
    players: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    pace: str = "normal"
    auto: bool = False

    def new_session(self, rules: Rules, folder: Path) -> Session:
        """Return a new session with these options. Raises RulesError."""
        if self.pace not in PACES:
            raise RulesError(f"{self.pace!r} is not a pace: expected one of {', '.join(PACES)}.")
        names = assign_bots(rules, self.seat, self.bots or (bots.default_bot(rules),))
        seed = random.SystemRandom().getrandbits(48) if self.seed is None else self.seed
        settings = SaveSettings(seed, pace=self.pace, auto=self.auto)
        return Session.new(folder, rules, self.seat, names, settings)


class TableApp(App[int]):
    """The terminal app. Without a match, it lists the saved games or asks for a new one."""

    CSS_PATH = "table.tcss"
    TITLE = "Aces Around"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = []

    def __init__(self, folder: Path, session: Session | None, start_options: StartOptions) -> None:
        super().__init__()
        self._folder, self._current_session, self._start_options, self._note = (
            folder,
            session,
            start_options,
            "",
        )

    def on_mount(self) -> None:
        """Start the loop over games."""
        self._run_games()

    def on_resize(self, event: Resize) -> None:
        """Widen the panel in a wide window."""
        self.set_class(event.size.width >= WIDE_COLUMNS, "wide")

    @work
    async def _run_games(self) -> None:
        session = self._current_session or await self._choose_saved_game()
        while session is not None:
            self._current_session = session
            note, self._note = self._note, ""
            choice = await self.push_screen_wait(TableScreen(session, note))
            session = await self._choose_saved_game() if choice == "games" else None
        self.exit(0)

    async def _choose_saved_game(self) -> Session | None:
        """Return a saved game or a new one, or None if the person quits."""
        while games := await run_in_thread(lambda: save_folder.list_saved_games(self._folder)):
            note, self._note = self._note, ""
            choice = await self.push_screen_wait(SavedGamesDialog(games, note))
            try:
                match choice:
                    case MenuChoice("open", SavedGame(path=path)):
                        return Session.resume(path)
                    case MenuChoice("delete", SavedGame() as game):
                        await self._delete_game(game)
                    case MenuChoice("quit"):
                        return None
                    case _:
                        if (session := await self._choose_new_game("Esc back")) is not None:
                            return session
            except AcesAroundError as error:
                self._note = str(error)
            except OSError as error:
                self._note = f"{error.filename}: {error.strerror}."
        return await self._choose_new_game("Esc quits")

    async def _delete_game(self, game: SavedGame) -> None:
        """Delete a game after confirmation. Raises RecordError and OSError."""
        game_name = game.path.name if game.table is None else game.table.rules.title
        choices = (("y", "Yes, delete it", "yes"), ("n", "No, back", ""))
        text = f"{game_name}: you cannot get it back."
        if await self.push_screen_wait(
            TextDialog("Delete this game?", text, choices, needs_own_key=True)
        ):
            save_folder.delete_game(game.path)

    async def _choose_new_game(self, leave_hint: str) -> Session | None:
        """Ask for a variant and, if there is a choice, for number of players and bots."""
        variants = list(VARIANTS.values())
        note, self._note = self._note, ""
        while True:
            lines = [f"{rules.title}\n   {info_pages.variant_facts(rules)}" for rules in variants]
            picked = await self.push_screen_wait(
                ListDialog("Aces Around: which game?", lines, note, leave_hint)
            )
            if picked is None:
                return None
            try:
                rules = await self._choose_player_count(
                    variants[picked].with_options(**self._start_options.options)
                )
                if (
                    rules is not None
                    and (start_options := await self._choose_bots(rules)) is not None
                ):
                    return start_options.new_session(rules, self._folder)
                note = ""
            except AcesAroundError as error:
                note = str(error)

    async def _choose_player_count(self, rules: Rules) -> Rules | None:
        if self._start_options.players is not None:
            return rules.with_options(players=self._start_options.players)
        if len(rules.players) == 1:
            return rules
        player_counts = sorted(rules.players)
        lines = [
            f"{n} players" + (" (usual)" if n == rules.players[0] else "") for n in player_counts
        ]
        picked = await self.push_screen_wait(ListDialog(f"{rules.title}: how many play?", lines))
        return None if picked is None else rules.with_options(players=player_counts[picked])

    async def _choose_bots(self, rules: Rules) -> StartOptions | None:
        """Ask for the bots, unless the command line named them."""
        if self._start_options.bots:
            return self._start_options
        names = list(bots.selectable_bots(rules))
        names.sort(
            key=lambda name: name != bots.default_bot(rules)
        )  # the default bot comes first, under the cursor
        lines = [f"{name.capitalize()}\n   {bots.BOTS[name].summary}" for name in names]
        note = bots.install_hint() or ""
        picked = await self.push_screen_wait(ListDialog("Against which bots?", lines, note))
        return None if picked is None else replace(self._start_options, bots=(names[picked],))

    @property
    def current_session(self) -> Session | None:
        """The session at the table."""
        return self._current_session


def run_app(
    rules: Rules | None,
    *,
    seat: int,
    bots: Sequence[str],
    seed: int | None,
    folder: Path,
    resume: bool = False,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
) -> int:
    """Play in the terminal and return the exit status.

    `rules` None: the person continues a saved game or chooses a variant, to which `players` and
    `options` then apply. `seat`: the person's seat. `bots`: names clockwise from the person's left;
    a shorter list repeats. Without `bots`, the person chooses them together with the variant; if
    `rules` is given, the default bot plays. `folder`: the saved games, updated after every action.
    `resume`: continue the game played last, of the variant of `rules` if given.

    Raises RulesError, RecordError if there is no game to resume or a saved game is damaged, and
    AcesAroundError without a terminal.
    """
    start_options = StartOptions(seat, tuple(bots), seed, players, dict(options or {}))
    require_terminal("play")
    app = build_app(rules, start_options, folder, resume=resume)
    status = run_in_terminal(app)
    session = app.current_session
    if session is not None and not session.is_over and session.deal_events:
        sys.stdout.write(
            "The game is saved: continue it with `make terminal` or `acesaround play`.\n"
        )
    return status


def require_terminal(command: str) -> None:
    """Raise AcesAroundError if a command does not run in a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()):
        raise AcesAroundError(
            f"`acesaround {command}` needs a terminal: do not redirect input, output or errors."
        )


def run_in_terminal(app: App[int]) -> int:
    """Run an application in the terminal, and return the exit status."""
    if ascii_driver.needs_ascii(
        os.environ, getattr(sys.__stderr__, "encoding", None)
    ):  # Textual draws on standard error
        use_ascii(True)
        app.driver_class = ascii_driver.AsciiDriver
    return app.run() or 0


def build_app(
    rules: Rules | None, start_options: StartOptions, folder: Path, *, resume: bool = False
) -> TableApp:
    """Return the application for `run_app`. Raises RulesError and RecordError."""
    if resume:
        variant = None if rules is None else rules.variant
        return TableApp(
            folder, Session.resume(save_folder.latest_unfinished(folder, variant)), start_options
        )
    session = None if rules is None else start_options.new_session(rules, folder)
    return TableApp(folder, session, start_options)
