"""What lists go by: kept beside a log with every entry, so that no list needs a log to be read."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from acesaround.game.view import turn_of
from acesaround.table.table import Table
from acesaround.variants import called


class IndexFields(msgspec.Struct, frozen=True):
    """By what a table is found. `host`: a person's id; `free`: seats that no person holds.

    `over`: nothing is going on there, so that it is in no lobby; `played`: a deal was played to its
    end; `finished`: a game was.
    """

    host: str = ""
    free: int = 0
    over: bool = False
    played: bool = False
    finished: bool = False


class GameSummary(msgspec.Struct, frozen=True):
    """A game of a table: how many of its deals are over, and the seats that won it.

    `scores`: of its `sides`, as they were then; none in what was kept before they were.
    `people`: the ids of the persons by whom its seats are called, as they were when the last of
    these deals was over. They are secret: none is shown to others.
    """

    deals: int
    over: bool
    winner: tuple[int, ...] | None
    people: tuple[str | None, ...] = ()
    sides: tuple[tuple[int, ...], ...] = ()
    scores: tuple[int, ...] = ()

    @property
    def progress(self) -> tuple[int, bool]:
        """How far the game has come: while that is the same, nothing is kept anew."""
        return self.deals, self.over


def keys(table: Table) -> IndexFields:
    """By what lists find a table."""
    free = table.rules.seats - len(table.occupied_seats)
    done = table.game is not None and not table.playing
    finished = done or table.games > 1
    played = finished or (table.game is not None and table.game.deals > 0)
    return IndexFields(table.host.id, free, done or table.ended is not None, played, finished)


def turn(table: Table) -> int | None:
    """The seat of a person who is to act; None where a bot is, or nobody."""
    if not table.playing or table.ended is not None or table.game is None:
        return None
    seat = turn_of(table.game)
    return None if seat is None or table.seats[seat].by_bot else seat


def game_kept(table: Table) -> GameSummary | None:
    """The game that a table plays or has played last; None before the first.

    It changes when a deal is over and not with every card.
    """
    state = table.game
    if state is None:
        return None
    over = state.winner is not None
    winner = None if state.winner is None else table.rules.sides[state.winner]
    people = tuple([None if isinstance(one, str) else one.id for one in table.players])
    return GameSummary(state.deals, over, winner, people, table.rules.sides, state.scores)


def games_kept(tables: Iterable[Table]) -> dict[int, GameSummary]:
    """What is kept of games, by number from 1, of a table as it was after each of some entries."""
    found: dict[int, GameSummary] = {}
    for table in tables:
        kept, was = game_kept(table), found.get(table.games)
        if kept is not None and (was is None or kept.progress != was.progress):
            found[table.games] = kept
    return found


def summary(table: Table) -> bytes:
    """What lists show of a table."""
    return msgspec.json.encode(
        {
            "variant": table.config.variant,
            "title": called(table.rules),
            "players": table.rules.seats,
            "public": table.config.public,
            "host": table.host.name,
            "seats": [None if seat.person is None else seat.person.name for seat in table.seats],
            "started": table.games > 0,
            "over": keys(table).over,
            "games": table.games,
        }
    )
