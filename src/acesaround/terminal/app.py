"""The application: from a choice of game to the table, and from one game to the next."""

from __future__ import annotations

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
from acesaround.terminal import pages
from acesaround.terminal.match import Match, seating
from acesaround.terminal.pace import PACES
from acesaround.terminal.save import Playing
from acesaround.terminal.screens import Page, Pick
from acesaround.terminal.table import TableScreen
from acesaround.variants import VARIANTS

WIDE = 116
"""Columns from which on the panel is wider."""


@dataclass(frozen=True)
class Wishes:
    """What was asked for on the command line, until the game is known (see `run`).

    `bots`: none where they are still to be chosen.
    """

    seat: int
    bots: tuple[str, ...]
    seed: int | None = None
    players: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    pace: str = "normal"
    auto: bool = False

    def match(self, rules: Rules, save: Path) -> Match:
        """The game they make. Raises RulesError."""
        if self.pace not in PACES:
            raise RulesError(f"{self.pace!r} is no pace: expected one of {', '.join(PACES)}.")
        names = seating(rules, self.seat, self.bots or (bots.usual(rules),))
        seed = random.SystemRandom().getrandbits(48) if self.seed is None else self.seed
        return Match(rules, Playing(self.seat, names, seed, pace=self.pace, auto=self.auto), save)


class TableApp(App[int]):
    """Aces Around in the terminal. Without a match it asks first what is to be played."""

    CSS_PATH = "table.tcss"
    TITLE = "Aces Around"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = []

    def __init__(self, save: Path, match: Match | None, wishes: Wishes, saved: Match | None = None):
        super().__init__()
        self._save, self._match, self._wishes, self._saved = save, match, wishes, saved

    def on_mount(self) -> None:
        """Begin."""
        self._run_games()

    def on_resize(self, event: Resize) -> None:
        """Give the panel more room in a wide window."""
        self.set_class(event.size.width >= WIDE, "wide")

    @work
    async def _run_games(self) -> None:
        match = await self._first()
        while match is not None:
            self._match = match
            again = await self.push_screen_wait(TableScreen(match))
            match = match.again() if again else None
        self.exit(0)

    async def _first(self) -> Match | None:
        """The game to begin with: the saved one, the one asked for, or one chosen now."""
        if self._saved is not None:
            about = f"{self._saved.rules.title}, deal {self._saved.view.deals + 1}"
            text = f"There is a saved game that is not finished: **{about}**."
            choices = (
                ("r", "Resume it", "resume"),
                ("n", "New game instead", "new"),
                ("q", "Quit", ""),
            )
            wish = await self.push_screen_wait(Page("A saved game", text, choices, safe=True))
            if wish == "resume":
                return self._saved
            if not wish:
                return None
        if self._match is not None:
            return self._match
        return await self._choose()

    async def _choose(self) -> Match | None:
        """Ask for a variant and, where there is a choice, for the number of players."""
        variants = list(VARIANTS.values())
        note = ""
        while True:
            lines = [f"{rules.title}\n   {pages.facts(rules)}" for rules in variants]
            picked = await self.push_screen_wait(
                Pick("Aces Around: which pinochle?", lines, note, "Esc quits")
            )
            if picked is None:
                return None
            try:
                rules = await self._players(variants[picked].but(**self._wishes.options))
                if rules is not None and (wishes := await self._against(rules)) is not None:
                    return wishes.match(rules, self._save)
                note = ""
            except AcesAroundError as error:
                note = str(error)

    async def _players(self, rules: Rules) -> Rules | None:
        if self._wishes.players is not None:
            return rules.but(players=self._wishes.players)
        if len(rules.players) == 1:
            return rules
        many = sorted(rules.players)
        lines = [f"{n} players" + (" (usual)" if n == rules.players[0] else "") for n in many]
        picked = await self.push_screen_wait(Pick(f"{rules.title}: how many play?", lines))
        return None if picked is None else rules.but(players=many[picked])

    async def _against(self, rules: Rules) -> Wishes | None:
        """Ask against whom, unless that was said."""
        if self._wishes.bots:
            return self._wishes
        names = list(bots.offered(rules))
        names.sort(key=lambda name: name != bots.usual(rules))  # the usual one is under the cursor
        lines = [f"{name.capitalize()}\n   {bots.BOTS[name].summary}" for name in names]
        note = bots.lacking() or ""
        picked = await self.push_screen_wait(Pick("Against which bots?", lines, note))
        return None if picked is None else replace(self._wishes, bots=(names[picked],))

    @property
    def match(self) -> Match | None:
        """The game at the table."""
        return self._match


def run(
    rules: Rules | None,
    *,
    seat: int,
    bots: Sequence[str],
    seed: int | None,
    save: Path,
    resume: bool = False,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    pace: str = "normal",
    auto: bool = False,
) -> int:
    """Play in the terminal; returns the exit status.

    `rules` None: the person chooses a variant first, then `players` and `options` apply. `seat`:
    the person's; `bots`: names round the table from the left of it, a shorter list repeats; where
    none is named, the person chooses with the variant, and else it is the usual one.
    `save`: the file that holds the game after every action. `resume`: go on with it. `pace`: one
    of `PACES`. `auto`: forced cards are played by themselves.

    Raises RulesError, and RecordError if there is nothing to resume or a saved game is damaged;
    without a terminal AcesAroundError.
    """
    wishes = Wishes(seat, tuple(bots), seed, players, dict(options or {}), pace, auto)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise AcesAroundError("The table needs a terminal: input or output goes elsewhere.")
    app = build(rules, wishes, save, resume=resume)
    status = app.run()
    match = app.match
    if match is not None and not match.over and match.story:
        sys.stdout.write(
            "The game is saved: `make terminal` or `acesaround play` offers it again.\n"
        )
    return status or 0


def build(rules: Rules | None, wishes: Wishes, save: Path, *, resume: bool = False) -> TableApp:
    """The application that `run` runs. Raises RulesError and RecordError."""
    if resume:
        return TableApp(save, Match.resume(save), wishes)
    match = None if rules is None else wishes.match(rules, save)
    saved = Match.resume(save) if save.exists() else None
    return TableApp(save, match, wishes, None if saved is None or saved.over else saved)
