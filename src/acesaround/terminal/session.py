"""A game between one person and bots: a table's log in a file, and the table made from it.

The package `table` decides everything. The person's commands go through `send_command`, the deals
and the actions of bots through `next_automatic_entry`. Callers get only what the person's seat may
see: views, projected events and that seat's decisions. The module does not depend on a screen.

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
from acesaround.bots.advice import Advice, ask_for_advice, relative_seat_names
from acesaround.bots.explanations import reason_sentence
from acesaround.bots.player import Player, close
from acesaround.bots.warmup import process_warmup
from acesaround.errors import BotError, Failure, IllegalAction, Reason, RulesError
from acesaround.game.events import DealScored, Dealt, Event, GameWon
from acesaround.game.narration import Names, narrate_event, suggestion_text
from acesaround.game.state import Decision, DecisionKind, GameState
from acesaround.game.view import View, turn_of, view_for
from acesaround.lessons import Lesson
from acesaround.record.files import write_games
from acesaround.record.model import action_from_json, action_to_json
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
    fold_games,
    handle_command,
    hint,
    open_lesson,
    watched_entry,
)
from acesaround.table import automatic_actor as pending_at
from acesaround.table.alerts import natural_seats
from acesaround.table.client_state import bid_progress
from acesaround.table.command_handler import is_allowed
from acesaround.table.commands import Act, Start
from acesaround.table.entries import Acted, Begun
from acesaround.table.guidance import compose_guidance
from acesaround.table.legal_choices import current_choices
from acesaround.table.lesson_play import lesson_info
from acesaround.table.messages import LessonInfo
from acesaround.terminal import save_file, save_folder
from acesaround.terminal.save_file import Line, SaveFile, SaveSettings
from acesaround.terminal.save_folder import PERSON

HINT_SECONDS: Final = 0.9
"""Seconds of thinking for a hint."""


class BotReason(msgspec.Struct, frozen=True):
    """An action of a bot and its reason. `trick`: the number of the trick, 0 before the play."""

    seat: int
    trick: int
    action_text: str
    reason: str


class ShownEntry(msgspec.Struct, frozen=True):
    """An entry as the person saw it, with the views before and after it.

    `seat`: the seat that acted, None if the entry is not an action of a seat.
    """

    entry: Entry
    seat: int | None
    view_before: View
    events: tuple[Event, ...]
    view: View


class _UndoPoint(msgspec.Struct, frozen=True):
    """The numbers of events, reasons and actions before an action that can be undone."""

    event_count: int
    reason_count: int
    action_count: int


def assign_bots(rules: Rules, seat: int, names: Sequence[str]) -> tuple[str, ...]:
    """Return a bot's name for every seat, beginning left of the person. A shorter list repeats.

    Raises RulesError.
    """
    if not 0 <= seat < rules.seats:
        raise RulesError(f"There is no seat {seat}: seats are 0 to {rules.seats - 1}.")
    if not names:
        raise RulesError("Name at least one bot.")
    if len(names) > rules.seats - 1:
        raise RulesError(
            f"You named {len(names)} bots: with {rules.seats} players there are {rules.seats - 1} "
            "other seats."
        )
    bot_names = [bots.check(name, rules) for name in names]
    return tuple(
        bot_names[((other_seat - seat - 1) % rules.seats) % len(bot_names)]
        for other_seat in range(rules.seats)
    )


class _AdvisedPlayer:
    """A player that remembers its last advice."""

    def __init__(self, player: Player) -> None:
        self.name = player.name
        self.player = player
        self.last_advice: Advice | None = None

    def choose(self, view: View, decision: Decision) -> Action:
        self.last_advice = ask_for_advice(self.player, view, decision)
        return self.last_advice.action


class Session:
    """A table with one person. `deal_events`: the events of the deal, as the person saw them.

    `bot_reasons`: the reasons of the bots in the last finished deal. In a running deal they would
    reveal cards. `save_error`: the error of the last write, None if it succeeded.
    """

    def __init__(self, file: SaveFile, lines: Sequence[Line]) -> None:
        """Restore the game from the lines of a file. Raises RecordError."""
        self._file = file
        self.settings = save_file.latest_settings(lines)
        self.deal_events: list[Event] = []
        self.bot_reasons: tuple[BotReason, ...] = ()
        self.save_error: str | None = None
        self._deal_bot_reasons: list[BotReason] = []
        self._pending_bot_reason: BotReason | None = None
        self._players: dict[int, tuple[_AdvisedPlayer, random.Random]] = {}
        self._reported_failures: set[tuple[str, Failure]] = set()
        self._bot_warnings: list[str] = []
        self._reported_bots: set[str] = set()
        self._action_count = 0
        self._undo_point = _UndoPoint(0, 0, 0)
        self._entries: list[Entry] = []
        person_seat = save_folder.load_table(file.path, lines).seat_of(PERSON.id)
        assert person_seat is not None
        self.seat = person_seat
        remaining = iter(save_file.log_entries(lines))
        self._entries.append(next(remaining))
        self._table = fold(self._entries)
        for entry in remaining:
            self._apply_entry(entry)

    @classmethod
    def new(
        cls, folder: Path, rules: Rules, seat: int, names: Sequence[str], settings: SaveSettings
    ) -> Session:
        """Create a game and save it in a folder. `names`: a bot for every seat."""
        log_entries = save_folder.opening_entries(rules, seat, names)
        log_entries += handle_command(fold(log_entries), PERSON, Start(), _dealer_rng(settings, 1))
        session = cls(SaveFile(save_folder.new_save_path(folder)), [settings, *log_entries])
        session._save([settings, *log_entries])
        return session

    @classmethod
    def for_lesson(cls, folder: Path, lesson: Lesson, settings: SaveSettings) -> Session:
        """Create a table for a lesson and save it in a folder. Raises RulesError."""
        lines = [settings, *open_lesson(lesson, PERSON)]
        session = cls(SaveFile(save_folder.new_save_path(folder)), lines)
        session._save(lines)
        return session

    @classmethod
    def resume(cls, path: Path) -> Session:
        """Open and lock the saved game of a file. Raises RecordError and OSError."""
        file = SaveFile(path)
        file.read_lines()  # raises RecordError for a missing or damaged file
        file.lock()
        try:
            session = cls(file, file.read_lines())
            session._check_bots()
        except BaseException:
            file.close()
            raise
        return session

    def _check_bots(self) -> None:
        """Raise RecordError if a bot of the table cannot play with this installation."""
        for name in self.other_bots:
            try:
                bots.check(name, self.rules)
            except RulesError as error:
                raise save_file.cannot_resume_error(self.path, error) from None

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
    def scored_deals(self) -> tuple[DealScored, ...]:
        """The scores of all deals of this game."""
        return self._table.sheet

    @property
    def game_number(self) -> int:
        """The number of games begun at this table, including this one."""
        return self._table.game_count

    @property
    def other_bots(self) -> tuple[str, ...]:
        """The bots in the other seats."""
        return tuple(
            s.bot for other_seat, s in enumerate(self._table.seats) if other_seat != self.seat
        )

    @property
    def natural_seats(self) -> tuple[int, ...]:
        """The seats that play without conventions."""
        return natural_seats(self._table)

    @property
    def is_natural(self) -> bool:
        """Whether no other seat plays with conventions."""
        return not any(bots.has_conventions(name) for name in self.other_bots)

    @property
    def view(self) -> View:
        """The person's view."""
        return self._table.view(self.seat)

    @property
    def lesson(self) -> LessonInfo | None:
        """The lesson that is taken here, None without one."""
        return lesson_info(self._table)

    @property
    def is_over(self) -> bool:
        """Whether no game is being played, because it has been won."""
        return not self._table.is_playing

    @property
    def is_paused(self) -> bool:
        """Whether the table is paused."""
        return self._table.is_paused

    @property
    def decision(self) -> Decision | None:
        """The person's decision, None if the person is not on turn."""
        if self.is_over or turn_of(self._state) != self.seat:
            return None
        if self.lesson is not None and self.lesson.waits != "move":
            return None
        return game.decision(self._state)

    @property
    def is_automatic_turn(self) -> bool:
        """Whether chance or a bot is to act."""
        return pending_at(self._table) is not None

    @property
    def revision(self) -> int:
        """A number that changes whenever the game does."""
        return self._table.moved_seq

    def layable_melds(self) -> tuple[Meld, ...]:
        """Return the melds that the person may lay now, the highest score first."""
        offered = current_choices(self._table, self.seat)
        return (
            () if offered is None else tuple(sorted(offered.melds, key=lambda meld: -meld.points))
        )

    def guidance_text(self, seat_names: Names) -> str:
        """Return what the person has to do and why, or whose turn it is."""
        view = self.view
        if view.winner is not None:
            return narrate_event(GameWon(view.winner), seat_names)
        told = compose_guidance(view, current_choices(self._table, self.seat), bid_progress(view))
        parts = ("Cards are dealt.",) if told is None else told.long
        return "".join(
            [seat_names.names[part] if isinstance(part, int) else part for part in parts]
        )

    def accepts(self, command: Command) -> bool:
        """Return whether the table would accept that command now."""
        return is_allowed(self._table, PERSON, command)

    def broken_rule(self, action: Action) -> str | None:
        """Return the rule that the person's action would break at the cost of the deal, or None.

        Only some options accept and punish such an action. Raises IllegalAction if it is refused.
        """
        decision = self.decision
        if decision is None:
            raise IllegalAction(Reason.NOT_YOUR_TURN, turn="it is somebody else's turn")
        if action in decision.legal or self.lesson is not None:  # the table says what is wrong
            return None
        game.apply(self._state, action)
        strict_state = replace(self._state, rules=self.rules.with_options(renege="refuse"))
        try:
            game.apply(strict_state, action)
        except IllegalAction as error:
            return str(error)
        return None

    # What the person does

    def send_command(self, command: Command) -> list[ShownEntry]:
        """Apply a command of the person and save the result. Raises CommandRefused."""
        rng = _dealer_rng(self.settings, self.game_number + 1)
        return self.add_entries(handle_command(self._table, PERSON, command, rng))

    def send_action(self, action: Action) -> list[ShownEntry]:
        """Apply an action of the person, who is on turn. Raises CommandRefused."""
        return self.send_command(Act(self._table.seq, action_to_json(self.seat, action)[1:]))

    def change_settings(self, settings: SaveSettings) -> None:
        """Change the settings of the table and save them."""
        self.settings = settings
        self._save([settings])

    def prepare_hint(self) -> Callable[[], Advice | None]:
        """Return a function that computes what the best available bot would do now, and why.

        The function takes a while. Its advice is for the position at the time of this call, even if
        the game continues.
        """
        table = self._table
        rng = random.Random(self._stream_seed("hint", self._action_count))
        name = bots.hint_bot_name(self.rules)
        is_usable = self._usable_bot(name) == name
        adviser = (
            bots.make_hint_bot(rng, HINT_SECONDS, self.rules, is_natural=self.is_natural)
            if is_usable
            else bots.make("thumb", rng)
        )

        def compute_hint() -> Advice | None:
            if not bots.has_hand_weights(adviser.name, self.rules):
                bots.measure_hand_weights(self.rules)
            return hint(table, self.seat, adviser)

        return compute_hint

    # Chance and bots

    @property
    def needs_preparation(self) -> bool:
        """Whether the bot on turn needs preparation before it can decide."""
        seat = pending_at(self._table)
        if not isinstance(seat, int):
            return False
        name = self._table.seats[seat].bot
        return bots.needs_warmup(name) or not bots.has_hand_weights(name, self.rules)

    def next_automatic_entry(self) -> Entry:
        """Return the entry of chance or of the bot on turn, without applying it."""
        if self.lesson is not None:
            return watched_entry(self._table)
        table, state, seat = self._table, self._state, turn_of(self._state)
        if seat is None:
            return automatic_entry(table, random.Random(self._stream_seed("deal", state.deals)))
        if seat not in self._players:
            if not bots.has_hand_weights(self._usable_bot(table.seats[seat].bot), self.rules):
                bots.measure_hand_weights(self.rules)
            rng = random.Random()
            self._players[seat] = (
                _AdvisedPlayer(bots.make(self._usable_bot(table.seats[seat].bot), rng)),
                rng,
            )
        player, rng = self._players[seat]
        rng.seed(self._stream_seed("bot", seat, self._action_count))
        errors: list[BotError] = []

        def complain(bot: str, error: BotError) -> None:
            errors.append(error)
            if (bot, error.failure) not in self._reported_failures:
                self._reported_failures.add((bot, error.failure))
                self._bot_warnings.append(f"{error} The safest action was played instead.")

        entry = automatic_entry(table, rng, player=player, on_failure=complain)
        assert isinstance(entry, Acted)
        is_play = game.decision(state).kind is DecisionKind.PLAY
        action, reason_text, view = (
            action_from_json([seat, *entry.action])[1],
            "",
            view_for(state, seat),
        )
        if errors:
            reason_text = str(errors[0])
        elif player.last_advice is not None:
            reason_text = reason_sentence(player.last_advice.why, relative_seat_names(view))
        trick = len(state.deal.tricks) + 1 if is_play else 0
        self._pending_bot_reason = BotReason(
            seat, trick, suggestion_text(action, is_lead=is_play and not view.trick), reason_text
        )
        return entry

    def _usable_bot(self, name: str) -> str:
        """Return the bot's name, or `thumb` with a complaint if the bot cannot be prepared."""
        warmup_error = process_warmup().error
        if warmup_error is None or not bots.needs_warmup(name):
            return name
        if name not in self._reported_bots:
            self._reported_bots.add(name)
            cause = str(warmup_error).rstrip(".")
            self._bot_warnings.append(
                f"The bot {name} cannot play here: {cause}. Thumb plays instead."
            )
        return "thumb"

    def take_bot_warnings(self) -> list[str]:
        """Return and clear the complaints about bots. Each kind of failure is reported once."""
        warnings, self._bot_warnings = self._bot_warnings, []
        return warnings

    # The log

    def add_entries(self, log_entries: Iterable[Entry]) -> list[ShownEntry]:
        """Add entries to the log, save them, and return what the person saw of them."""
        new_entries = list(log_entries)
        if new_entries:
            self._save(new_entries)
        shown_entries = []
        for entry in new_entries:
            state_before = self._table.game
            events = self._apply_entry(entry)
            if state_before is None or isinstance(entry, Begun):
                continue
            seat = entry.seat if isinstance(entry, Acted) else None
            shown_entries.append(
                ShownEntry(entry, seat, view_for(state_before, self.seat), events, self.view)
            )
        return shown_entries

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The log of the table."""
        return tuple(self._entries)

    def finished_games(self) -> list[GameHistory]:
        """Return the finished games of this table, step by step."""
        return [history for history in fold_games(self._entries)[1] if history.is_over]

    def write_record(self) -> Path:
        """Write the record of the last finished game and return its path. Raises OSError."""
        finished = self.finished_games()
        path = save_folder.record_path(self.path, len(finished))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_games(path, [finished[-1].record()])
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

    def _save(self, lines: Sequence[Line]) -> None:
        try:
            self._file.append(lines)
            self.save_error = None
        except OSError as error:
            self.save_error = f"The game could not be saved: {error.strerror or error}."

    def _apply_entry(self, entry: Entry) -> tuple[Event, ...]:
        """Apply an entry of the log and return what the person saw of it."""
        table_before = self._table
        self._table, events = apply_entry(table_before, entry)
        self._entries.append(entry)
        if isinstance(entry, Acted):
            self._note_action(entry, table_before)
        elif isinstance(entry, Begun):
            self._action_count = 0
        elif (
            table_before.undoable is not None
            and self._table.game is table_before.undoable.game_before
        ):
            self._restore_undo_point()
        return tuple([self._record_event(event) for event in events])

    def _note_action(self, entry: Acted, table_before: Table) -> None:
        undo_before, undo = table_before.undoable, self._table.undoable
        if undo is not None and (
            undo_before is None or undo.game_before is not undo_before.game_before
        ):
            self._undo_point = _UndoPoint(
                len(self.deal_events), len(self._deal_bot_reasons), self._action_count
            )
        if self._pending_bot_reason is not None and self._pending_bot_reason.seat == entry.seat:
            self._deal_bot_reasons.append(self._pending_bot_reason)
        self._pending_bot_reason = None
        self._action_count += 1

    def _restore_undo_point(self) -> None:
        """Forget the person's last action and what followed, because it was undone."""
        undo_point = self._undo_point
        del (
            self.deal_events[undo_point.event_count :],
            self._deal_bot_reasons[undo_point.reason_count :],
        )
        self._action_count = undo_point.action_count

    def _record_event(self, event: Event) -> Event:
        """Store and return what the person saw of an event."""
        if isinstance(event, Dealt):
            self.deal_events.clear()
            self._deal_bot_reasons.clear()
        visible_event = event.seen_by(self.seat)
        self.deal_events.append(visible_event)
        if isinstance(visible_event, DealScored):
            self.bot_reasons = tuple(self._deal_bot_reasons)
        return visible_event

    def _stream_seed(self, *parts: object) -> str:
        return _stream_seed(self.settings, self.game_number, *parts)


def _stream_seed(settings: SaveSettings, game_number: int, *parts: object) -> str:
    """Return the seed of a random stream for a place in game `game_number` of the table."""
    return ":".join(map(str, (settings.seed, settings.before + game_number, *parts)))


def _dealer_rng(settings: SaveSettings, game_number: int) -> random.Random:
    """Return the random generator that draws the first dealer of a game."""
    return random.Random(_stream_seed(settings, game_number, "dealer"))
