"""A game between one person and bots: a table's log in a file, and the table made from it.

The package `table` decides everything. The person's commands go through `ask`, the actions of
chance and bots through `think`. Callers get only what the person's seat may see: views, projected
events and that seat's decisions. The module does not depend on a screen.

Each random choice has its own random stream, seeded by the game's seed and the place in the game.
So a game that is resumed after a kill continues exactly as it would have.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from acesaround import bots, game
from acesaround.actions import Action
from acesaround.bots.advice import Advice, advice, relative_seat_names
from acesaround.bots.explanations import reason
from acesaround.bots.player import Player, close
from acesaround.bots.warmup import process_warmup
from acesaround.errors import BotError, Failure, IllegalAction, Reason, RulesError
from acesaround.game.events import DealScored, Dealt, Event
from acesaround.game.narration import suggestion
from acesaround.game.state import Decision, GameState, Kind
from acesaround.game.view import View, turn_of, view_for
from acesaround.record.files import write_games
from acesaround.record.model import from_json, to_json
from acesaround.rules import Rules
from acesaround.rules.melds import Meld
from acesaround.table import (
    Command,
    Entry,
    GameHistory,
    Table,
    apply_entry,
    automatic_entry,
    fold,
    games,
    handle_command,
    hint,
)
from acesaround.table import automatic_actor as pending_at
from acesaround.table import entries as log
from acesaround.table.client_state import offer
from acesaround.table.command_handler import is_allowed
from acesaround.table.commands import Act, Start
from acesaround.terminal import save_file, save_folder
from acesaround.terminal.save_file import Line, SaveFile, SaveSettings
from acesaround.terminal.save_folder import ME

HINT: Final = 1.0
"""Seconds of thinking for a hint."""


class Thought(msgspec.Struct, frozen=True):
    """An action of a bot and its reason. `trick`: the number of the trick, 0 before the play."""

    seat: int
    trick: int
    does: str
    why: str


class Moment(msgspec.Struct, frozen=True):
    """An entry as the person saw it, with the views before and after it.

    `seat`: the seat that acted, None if the entry is no action of a seat.
    """

    entry: Entry
    seat: int | None
    before: View
    events: tuple[Event, ...]
    view: View


class _Place(msgspec.Struct, frozen=True):
    """The numbers of events, thoughts and actions before an action that can be undone."""

    story: int
    thoughts: int
    actions: int


def seating(rules: Rules, seat: int, names: Sequence[str]) -> tuple[str, ...]:
    """Return a bot's name for every seat, beginning left of the person. A shorter list repeats.

    Raises RulesError.
    """
    if not 0 <= seat < rules.seats:
        raise RulesError(f"There is no seat {seat}: seats are 0 to {rules.seats - 1}.")
    if not names:
        raise RulesError("At least one bot must be named.")
    if len(names) > rules.seats - 1:
        raise RulesError(
            f"{len(names)} bots were named: with {rules.seats} players there are "
            f"{rules.seats - 1} other seats."
        )
    found = [bots.check(name, rules) for name in names]
    return tuple(found[((at - seat - 1) % rules.seats) % len(found)] for at in range(rules.seats))


class _Aloud:
    """A player that remembers its last advice."""

    def __init__(self, player: Player) -> None:
        self.name = player.name
        self.player = player
        self.said: Advice | None = None

    def choose(self, view: View, decision: Decision) -> Action:
        self.said = advice(self.player, view, decision)
        return self.said.action


class Session:
    """A table with one person. `story`: the events of the deal so far, as the person saw them.

    `thoughts`: the reasons of the bots in the last finished deal. In a running deal they would
    reveal cards. `unsaved`: the error of the last write, None if it succeeded.
    """

    def __init__(self, file: SaveFile, found: Sequence[Line]) -> None:
        """Restore the game from the lines of a file. Raises RecordError."""
        self._file = file
        self.playing = save_file.playing(found)
        self.story: list[Event] = []
        self.thoughts: tuple[Thought, ...] = ()
        self.unsaved: str | None = None
        self._thinking: list[Thought] = []
        self._thought: Thought | None = None
        self._players: dict[int, tuple[_Aloud, random.Random]] = {}
        self._failed: set[tuple[str, Failure]] = set()
        self._complaints: list[str] = []
        self._unable: set[str] = set()
        self._actions = 0
        self._place = _Place(0, 0, 0)
        self._entries: list[Entry] = []
        held = save_folder.load_table(file.path, found).seat_of(ME.id)
        assert held is not None
        self.seat = held
        rest = iter(save_file.entries(found))
        self._entries.append(next(rest))
        self._table = fold(self._entries)
        for entry in rest:
            self._fold(entry)

    @classmethod
    def new(
        cls, folder: Path, rules: Rules, seat: int, names: Sequence[str], playing: SaveSettings
    ) -> Session:
        """Create a game and save it in a folder. `names`: a bot for every seat."""
        entries = save_folder.opening_entries(rules, seat, names)
        entries += handle_command(fold(entries), ME, Start(), _dealer(playing, 1))
        match = cls(SaveFile(save_folder.new(folder)), [playing, *entries])
        match._write([playing, *entries])
        return match

    @classmethod
    def resume(cls, path: Path) -> Session:
        """Open and lock the saved game of a file. Raises RecordError and OSError."""
        file = SaveFile(path)
        file.lines()  # raises RecordError for a missing or damaged file
        file.lock()
        try:
            match = cls(file, file.lines())
            match._check()
        except BaseException:
            file.close()
            raise
        return match

    def _check(self) -> None:
        """Raise RecordError if a bot of the table cannot play here."""
        for name in self.others:
            try:
                bots.check(name, self.rules)
            except RulesError as error:
                raise save_file.cannot_go_on(self.path, error) from None

    # What the person sees

    @property
    def path(self) -> Path:
        """The file of the game."""
        return self._file.path

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return self._table.rules

    @property
    def sheet(self) -> tuple[DealScored, ...]:
        """The scores of all deals of this game."""
        return self._table.sheet

    @property
    def games(self) -> int:
        """The number of games begun at this table, including this one."""
        return self._table.games

    @property
    def others(self) -> tuple[str, ...]:
        """The bots in the other seats."""
        return tuple(s.bot for at, s in enumerate(self._table.seats) if at != self.seat)

    @property
    def view(self) -> View:
        """The person's view."""
        return self._table.view(self.seat)

    @property
    def over(self) -> bool:
        """Whether no game is being played, because it has been won."""
        return not self._table.playing

    @property
    def paused(self) -> bool:
        """Whether the table is paused."""
        return self._table.paused

    @property
    def decision(self) -> Decision | None:
        """The person's decision, None if the person is not on turn."""
        if self.over or turn_of(self._state) != self.seat:
            return None
        return game.decision(self._state)

    @property
    def pending(self) -> bool:
        """Whether chance or a bot is to act."""
        return pending_at(self._table) is not None

    @property
    def revision(self) -> int:
        """A number that changes whenever the game does."""
        return self._table.moved

    def lays(self) -> tuple[Meld, ...]:
        """Return the melds that the person may lay now, the highest score first."""
        now = offer(self._table, self.seat)
        return () if now is None else tuple(sorted(now.melds, key=lambda meld: -meld.points))

    def may(self, command: Command) -> bool:
        """Return whether the table would accept that command now."""
        return is_allowed(self._table, ME, command)

    def offence(self, action: Action) -> str | None:
        """Return the rule that the person's action would break at the cost of the deal, or None.

        Only some options accept and punish such an action. Raises IllegalAction if it is refused.
        """
        decision = self.decision
        if decision is None:
            raise IllegalAction(Reason.NOT_YOUR_TURN, turn="somebody else is to act")
        if action in decision.legal:
            return None
        game.apply(self._state, action)
        strict = replace(self._state, rules=self.rules.with_options(renege="refuse"))
        try:
            game.apply(strict, action)
        except IllegalAction as refusal:
            return str(refusal)
        return None

    # What the person does

    def ask(self, command: Command) -> list[Moment]:
        """Apply a command of the person and save the result. Raises Refused."""
        chance = _dealer(self.playing, self.games + 1)
        return self.take(handle_command(self._table, ME, command, chance))

    def do(self, action: Action) -> list[Moment]:
        """Apply an action of the person, who is on turn. Raises Refused."""
        return self.ask(Act(self._table.seq, to_json(self.seat, action)[1:]))

    def settle(self, playing: SaveSettings) -> None:
        """Change the settings of the table and save them."""
        self.playing = playing
        self._write([playing])

    def hint(self) -> Callable[[], Advice | None]:
        """Return a function that computes what the best available bot would do now, and why.

        The function takes a while. Its advice is for the position at the time of this call, even if
        the game goes on.
        """
        table = self._table
        rng = random.Random(self._stream("hint", self._actions))
        name = bots.hint_bot_name(self.rules)
        able = self._able(name) == name
        adviser = bots.hint_bot(rng, HINT, self.rules) if able else bots.make("thumb", rng)

        def thought() -> Advice | None:
            if not bots.judged(adviser.name, self.rules):
                bots.judge(self.rules)
            return hint(table, self.seat, adviser)

        return thought

    # Chance and bots

    @property
    def searches(self) -> bool:
        """Whether the bot on turn needs preparation before it can decide."""
        seat = pending_at(self._table)
        if not isinstance(seat, int):
            return False
        name = self._table.seats[seat].bot
        return bots.needs_warmup(name) or not bots.judged(name, self.rules)

    def think(self) -> Entry:
        """Return the entry of chance or of the bot on turn, without applying it."""
        table, state, seat = self._table, self._state, turn_of(self._state)
        if seat is None:
            return automatic_entry(table, random.Random(self._stream("deal", state.deals)))
        if seat not in self._players:
            if not bots.judged(self._able(table.seats[seat].bot), self.rules):
                bots.judge(self.rules)
            rng = random.Random()
            self._players[seat] = _Aloud(bots.make(self._able(table.seats[seat].bot), rng)), rng
        player, rng = self._players[seat]
        rng.seed(self._stream("bot", seat, self._actions))
        wrong: list[BotError] = []

        def complain(bot: str, error: BotError) -> None:
            wrong.append(error)
            if (bot, error.failure) not in self._failed:
                self._failed.add((bot, error.failure))
                self._complaints.append(f"{error} The safest action is done for it.")

        entry = automatic_entry(table, rng, player=player, told=complain)
        assert isinstance(entry, log.Acted)
        playing = game.decision(state).kind is Kind.PLAY
        does, why, seen = from_json([seat, *entry.action])[1], "", view_for(state, seat)
        if wrong:
            why = str(wrong[0])
        elif player.said is not None:
            why = reason(player.said.why, relative_seat_names(seen))
        trick = len(state.deal.tricks) + 1 if playing else 0
        self._thought = Thought(
            seat, trick, suggestion(does, leads=playing and not seen.trick), why
        )
        return entry

    def _able(self, name: str) -> str:
        """Return the bot's name, or `thumb` with a complaint if the bot cannot be prepared."""
        failed = process_warmup().failed
        if failed is None or not bots.needs_warmup(name):
            return name
        if name not in self._unable:
            self._unable.add(name)
            why = str(failed).rstrip(".")
            self._complaints.append(f"The bot {name!r} cannot play here: {why}. Thumb does.")
        return "thumb"

    def bot_failures(self) -> list[str]:
        """Return and clear the complaints about bots. Each kind of failure is reported once."""
        found, self._complaints = self._complaints, []
        return found

    # The log

    def take(self, entries: Iterable[Entry]) -> list[Moment]:
        """Add entries to the log, save them, and return what the person saw of them."""
        new = list(entries)
        if new:
            self._write(new)
        moments = []
        for entry in new:
            before = self._table.game
            events = self._fold(entry)
            if before is None or isinstance(entry, log.Begun):
                continue
            seat = entry.seat if isinstance(entry, log.Acted) else None
            moments.append(Moment(entry, seat, view_for(before, self.seat), events, self.view))
        return moments

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The log of the table."""
        return tuple(self._entries)

    def lines(self) -> list[GameHistory]:
        """Return the finished games of this table, step by step."""
        return [line for line in games(self._entries)[1] if line.over]

    def write_record(self) -> Path:
        """Write the record of the last finished game and return its path. Raises OSError."""
        played = self.lines()
        path = save_folder.record_of(self.path, len(played))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_games(path, [played[-1].record()])
        return path

    def close(self) -> None:
        """Stop the bots that are programs, and close the file."""
        for player, _ in self._players.values():
            close(player.player)
        self._players.clear()
        self._file.close()

    @property
    def _state(self) -> GameState:
        state = self._table.game
        assert state is not None
        return state

    def _write(self, lines: Sequence[Line]) -> None:
        try:
            self._file.add(lines)
            self.unsaved = None
        except OSError as error:
            self.unsaved = f"The game could not be saved: {error.strerror or error}."

    def _fold(self, entry: Entry) -> tuple[Event, ...]:
        """Apply an entry of the log and return what the person saw of it."""
        was = self._table
        self._table, events = apply_entry(was, entry)
        self._entries.append(entry)
        if isinstance(entry, log.Acted):
            self._acted(entry, was)
        elif isinstance(entry, log.Begun):
            self._actions = 0
        elif was.undo is not None and self._table.game is was.undo.game:
            self._go_back()
        return tuple([self._see(event) for event in events])

    def _acted(self, entry: log.Acted, was: Table) -> None:
        last, undo = was.undo, self._table.undo
        if undo is not None and (last is None or undo.game is not last.game):
            self._place = _Place(len(self.story), len(self._thinking), self._actions)
        if self._thought is not None and self._thought.seat == entry.seat:
            self._thinking.append(self._thought)
        self._thought = None
        self._actions += 1

    def _go_back(self) -> None:
        """Forget the person's last action and what followed, because it was undone."""
        place = self._place
        del self.story[place.story :], self._thinking[place.thoughts :]
        self._actions = place.actions

    def _see(self, event: Event) -> Event:
        """Store and return what the person saw of an event."""
        if isinstance(event, Dealt):
            self.story.clear()
            self._thinking.clear()
        seen = event.seen_by(self.seat)
        self.story.append(seen)
        if isinstance(seen, DealScored):
            self.thoughts = tuple(self._thinking)
        return seen

    def _stream(self, *place: object) -> str:
        return _stream(self.playing, self.games, *place)


def _stream(playing: SaveSettings, number: int, *place: object) -> str:
    """Return the seed of a random stream for a place in game `number` of the table."""
    return ":".join(map(str, (playing.seed, playing.before + number, *place)))


def _dealer(playing: SaveSettings, number: int) -> random.Random:
    """Return the random generator that draws the first dealer of a game."""
    return random.Random(_stream(playing, number, "dealer"))
