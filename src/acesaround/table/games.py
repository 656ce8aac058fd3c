"""The games a table has played: each one's line, step by step, and the record it makes.

A log is gone through once: what is listed, recorded or shown card by card is all made of the lines
found then. Undone actions are not in them.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from acesaround.record.model import GameRecord
from acesaround.record.recorder import Recorder
from acesaround.record.replay import Step, rules_of, steps
from acesaround.rules import Rules
from acesaround.state import GameState
from acesaround.table import entries as log
from acesaround.table.entries import Entry
from acesaround.table.table import Table, action_of, after, fold


class GameLine(msgspec.Struct, frozen=True):
    """One game: its steps in order, and the names of its seats (a bot as `bot:` and its name)."""

    rules: Rules
    names: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def end(self) -> GameState | None:
        """The last moment of it; None before the first cards are dealt."""
        return self.steps[-1].after if self.steps else None

    @property
    def over(self) -> bool:
        """Whether it has been won."""
        return self.end is not None and self.end.winner is not None

    @property
    def deals(self) -> int:
        """How many of its deals are over."""
        return 0 if self.end is None else self.end.deals

    def record(self) -> GameRecord:
        """Its record, a deal in progress included."""
        recorder = Recorder(self.rules, self.names)
        for step in self.steps:
            recorder.add(step.before, step.seat, step.action, step.events)
        return recorder.record


def line_of(record: GameRecord) -> GameLine:
    """The line of a record. Raises RulesError and RecordError at what cannot be played."""
    names = tuple(seat.name for seat in record.seats)
    return GameLine(rules_of(record), names, tuple(steps(record)))


def games(entries: Iterable[Entry]) -> tuple[Table, list[GameLine]]:
    """The table that a whole log makes, and the lines of its games, names as they are now."""
    rest = iter(entries)
    table = fold([next(rest)])
    lines: list[list[Step]] = []
    for entry in rest:
        was = table
        table, events = after(table, entry)
        if isinstance(entry, log.Begun):
            lines.append([])
        elif isinstance(entry, log.Dealt | log.Acted):
            assert was.game is not None and table.game is not None
            seat, action = action_of(entry)
            number = -1 if seat is None else lines[-1][-1].number + 1
            lines[-1].append(
                Step(was.game.deals, number, seat, action, was.game, table.game, events)
            )
        elif was.undo is not None and table.game is was.undo.game:
            while lines[-1].pop().before is not table.game:
                pass
    names = tuple(
        [f"bot:{seat.bot}" if seat.person is None else seat.person.name for seat in table.seats]
    )
    return table, [GameLine(table.rules, names, tuple(line)) for line in lines]


def records(entries: Iterable[Entry]) -> list[GameRecord]:
    """The records of the games of a whole log."""
    return [line.record() for line in games(entries)[1]]
