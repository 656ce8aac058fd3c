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
from acesaround.table import entries
from acesaround.table.entries import Entry, Person
from acesaround.table.folding import action_of, apply_entry, fold
from acesaround.table.table import Table


class GameHistory(msgspec.Struct, frozen=True):
    """One game: its steps in order, and the names of its seats (a bot as `bot:` and its name).

    A seat has the name of the person who held it last during the game. It has a bot's name only if
    no person held it. `person_ids`: their ids, None for a bot; empty if no ids are known.
    `natural`: whether the bots played without conventions.
    """

    rules: Rules
    names: tuple[str, ...]
    steps: tuple[Step, ...]
    person_ids: tuple[str | None, ...] = ()
    natural: bool = False

    def seat_of(self, person: str | None) -> int | None:
        """Return the seat that has a person's name, by the person's id."""
        return self.person_ids.index(person) if person in self.person_ids and person else None

    @property
    def last_state(self) -> GameState | None:
        """The last state of the game; None before the first cards are dealt."""
        return self.steps[-1].after if self.steps else None

    @property
    def is_over(self) -> bool:
        """Whether the game has been won."""
        return self.last_state is not None and self.last_state.winner is not None

    @property
    def deal_count(self) -> int:
        """The number of finished deals."""
        return 0 if self.last_state is None else self.last_state.deals

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


def fold_games(log_entries: Iterable[Entry]) -> tuple[Table, list[GameHistory]]:
    """Return the table that a whole log folds to, and the histories of its games.

    Seat changes after the last step of a game do not affect its history.
    """
    remaining = iter(log_entries)
    table = fold([next(remaining)])
    steps_by_game: list[list[Step]] = []
    players_by_game: list[tuple[Person | str, ...]] = []
    for entry in remaining:
        table_before = table
        table, events = apply_entry(table, entry)
        if isinstance(entry, entries.Begun):
            steps_by_game.append([])
            players_by_game.append(table.players)
        elif isinstance(entry, entries.Dealt | entries.Acted):
            assert table_before.game is not None and table.game is not None
            seat, action = action_of(entry)
            number = -1 if seat is None else steps_by_game[-1][-1].number + 1
            steps_by_game[-1].append(
                Step(
                    table_before.game.deals,
                    number,
                    seat,
                    action,
                    table_before.game,
                    table.game,
                    events,
                )
            )
            players_by_game[-1] = table.players
        elif table_before.undoable is not None and table.game is table_before.undoable.game_before:
            while steps_by_game[-1].pop().before is not table.game:
                pass
    return table, [
        GameHistory(
            table.rules,
            tuple(
                [
                    f"bot:{player}" if isinstance(player, str) else player.name
                    for player in game_players
                ]
            ),
            tuple(game_steps),
            tuple([None if isinstance(player, str) else player.id for player in game_players]),
            table.config.natural,
        )
        for game_steps, game_players in zip(steps_by_game, players_by_game, strict=True)
    ]


def game_records(log_entries: Iterable[Entry]) -> list[GameRecord]:
    """Return the records of all games in a whole log."""
    return [history.record() for history in fold_games(log_entries)[1]]


def public_record(history: GameHistory) -> GameRecord:
    """Return the record of a game without a deal in progress, which would reveal every hand."""
    game_record = history.record()
    if not history.is_over:
        game_record.deals = [deal for deal in game_record.deals if deal.score is not msgspec.UNSET]
    return game_record
