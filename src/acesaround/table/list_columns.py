"""Denormalized fields stored with each append, so that lists never read logs."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from acesaround.game.view import turn_of
from acesaround.table.table import Table
from acesaround.variants import short_name


class ListColumns(msgspec.Struct, frozen=True):
    """The fields by which lists find a table.

    `free_seats`: the number of seats without a person. `is_over`: the last game or the table has
    ended, so that no lobby shows the table.
    """

    host_id: str = ""
    free_seats: int = 0
    is_over: bool = False
    has_finished_deal: bool = False
    has_finished_game: bool = False


class GameSummary(msgspec.Struct, frozen=True):
    """A game of a table: the number of its finished deals, and the seats that won it.

    `scores`: the scores of its `sides` at that time; both are empty in rows from before they were
    stored. `people`: the ids of the persons after whom the seats were named when the last of these
    deals ended. The ids are secret and never shown to others. `at`: when that was, or when the game
    began, in ms; `encode_summary` sets it.
    """

    deals: int
    over: bool
    winner: tuple[int, ...] | None
    people: tuple[str | None, ...] = ()
    sides: tuple[tuple[int, ...], ...] = ()
    scores: tuple[int, ...] = ()
    at: int = 0

    @property
    def progress(self) -> tuple[int, bool]:
        """The progress of the game: a summary is stored again only when this changes."""
        return self.deals, self.over


class TableSummary(msgspec.Struct, frozen=True):
    """The fields of a table that lists and previews show. `seats`: the names of persons.

    `lesson`: the name of the lesson that is taken there, "" for none.
    """

    variant: str
    title: str
    players: int
    public: bool
    host: str
    seats: tuple[str | None, ...]
    started: bool
    over: bool
    games: int
    lesson: str = ""


def list_columns(table: Table) -> ListColumns:
    """Return the fields by which lists find a table."""
    if table.lesson is not None:
        return ListColumns(host_id=table.host.id, is_over=table.is_lesson_over or bool(table.ended))
    is_game_over = table.game is not None and not table.is_playing
    has_finished_game = is_game_over or table.game_count > 1
    return ListColumns(
        host_id=table.host.id,
        free_seats=table.rules.seats - len(table.occupied_seats),
        is_over=is_game_over or table.ended is not None,
        has_finished_deal=has_finished_game or (table.game is not None and table.game.deals > 0),
        has_finished_game=has_finished_game,
    )


def person_seat_on_turn(table: Table) -> int | None:
    """Return the seat of the person on turn; None if a bot or no seat is on turn."""
    if not table.is_playing or table.ended is not None or table.game is None or table.lesson:
        return None
    seat = turn_of(table.game)
    return None if seat is None or table.seats[seat].is_played_by_bot else seat


def game_summary(table: Table) -> GameSummary | None:
    """Return the summary of a table's current or last game.

    None before the first game, and for a lesson, which counts as no game.

    The summary changes when a deal ends, not with every card.
    """
    state = table.game
    if state is None or table.lesson is not None:
        return None
    over = state.winner is not None
    winner = None if state.winner is None else table.rules.sides[state.winner]
    people = tuple([None if isinstance(player, str) else player.id for player in table.players])
    return GameSummary(state.deals, over, winner, people, table.rules.sides, state.scores)


def changed_summaries(tables: Iterable[Table]) -> dict[int, GameSummary]:
    """Return the changed game summaries by game number (from 1).

    `tables`: the table after each of some entries.
    """
    summaries: dict[int, GameSummary] = {}
    for table in tables:
        current, previous = game_summary(table), summaries.get(table.game_count)
        if current is not None and (previous is None or current.progress != previous.progress):
            summaries[table.game_count] = current
    return summaries


def encode_summary(summary: GameSummary, at: int) -> bytes:
    """Return a summary as the store has it: JSON, with the time in ms."""
    return msgspec.json.encode(msgspec.structs.replace(summary, at=at))


def list_summary(table: Table) -> bytes:
    """Return the summary of a table as JSON."""
    persons = [seat.person for seat in table.seats]
    return msgspec.json.encode(
        TableSummary(
            variant=table.config.variant,
            title=short_name(table.rules),
            players=table.rules.seats,
            public=table.config.public,
            host=table.host.name,
            seats=tuple([None if person is None else person.name for person in persons]),
            started=table.game_count > 0,
            over=list_columns(table).is_over,
            games=table.game_count,
            lesson="" if table.lesson is None else table.lesson.name,
        )
    )
