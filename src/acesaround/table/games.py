"""The games that a table has played: the steps of each game, and its record.

One pass over a log finds the histories of all its games. Lists, records and replays are made from
these. They do not contain undone actions.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from acesaround.game.state import GameState
from acesaround.record.model import GameRecord
from acesaround.record.recorder import Recorder
from acesaround.record.replay import Step, rules_of, steps
from acesaround.rules import Rules
from acesaround.table import entries as log
from acesaround.table.entries import Entry, Person
from acesaround.table.table import Table, action_of, apply_entry, fold


class GameHistory(msgspec.Struct, frozen=True):
    """One game: its steps in order, and the names of its seats (a bot as `bot:` and its name).

    A seat has the name of the person who held it last during the game. It has a bot's name only if
    no person held it. `persons`: their ids, None for a bot; empty if no ids are known.
    """

    rules: Rules
    names: tuple[str, ...]
    steps: tuple[Step, ...]
    persons: tuple[str | None, ...] = ()

    def seat_of(self, person: str | None) -> int | None:
        """Return the seat that has a person's name, by the person's id."""
        return self.persons.index(person) if person in self.persons and person else None

    @property
    def end(self) -> GameState | None:
        """The last state of the game; None before the first cards are dealt."""
        return self.steps[-1].after if self.steps else None

    @property
    def over(self) -> bool:
        """Whether the game has been won."""
        return self.end is not None and self.end.winner is not None

    @property
    def deals(self) -> int:
        """The number of finished deals."""
        return 0 if self.end is None else self.end.deals

    def record(self) -> GameRecord:
        """Return the record of the game, including a deal in progress."""
        recorder = Recorder(self.rules, self.names)
        for step in self.steps:
            recorder.add(step.before, step.seat, step.action, step.events)
        return recorder.record


def history_of(record: GameRecord) -> GameHistory:
    """Return the history of a record's game.

    Raise RulesError or RecordError if it cannot be played.
    """
    names = tuple(seat.name for seat in record.seats)
    return GameHistory(rules_of(record), names, tuple(steps(record)))


def games(entries: Iterable[Entry]) -> tuple[Table, list[GameHistory]]:
    """Return the table that a whole log folds to, and the histories of its games.

    Seat changes after the last step of a game do not affect its history.
    """
    rest = iter(entries)
    table = fold([next(rest)])
    lines: list[list[Step]] = []
    players: list[tuple[Person | str, ...]] = []
    for entry in rest:
        was = table
        table, events = apply_entry(table, entry)
        if isinstance(entry, log.Begun):
            lines.append([])
            players.append(table.players)
        elif isinstance(entry, log.Dealt | log.Acted):
            assert was.game is not None and table.game is not None
            seat, action = action_of(entry)
            number = -1 if seat is None else lines[-1][-1].number + 1
            lines[-1].append(
                Step(was.game.deals, number, seat, action, was.game, table.game, events)
            )
            players[-1] = table.players
        elif was.undo is not None and table.game is was.undo.game:
            while lines[-1].pop().before is not table.game:
                pass
    return table, [
        GameHistory(
            table.rules,
            tuple([f"bot:{one}" if isinstance(one, str) else one.name for one in named]),
            tuple(line),
            tuple([None if isinstance(one, str) else one.id for one in named]),
        )
        for line, named in zip(lines, players, strict=True)
    ]


def records(entries: Iterable[Entry]) -> list[GameRecord]:
    """Return the records of all games in a whole log."""
    return [line.record() for line in games(entries)[1]]


def public_record(line: GameHistory) -> GameRecord:
    """Return the record of a game without a deal in progress, which would reveal every hand."""
    found = line.record()
    if not line.over:
        found.deals = [deal for deal in found.deals if deal.score is not msgspec.UNSET]
    return found
