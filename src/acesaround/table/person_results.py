"""Wins and losses of a person, alone and with others, counted from the summaries of games.

A game belongs to the persons after whom its seats are named (`list_columns.GameSummary.people`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

import msgspec

from acesaround.table.list_columns import GameSummary

_PUBLIC_GAMES_OF_FELLOW_PLAYERS: Final = 2
"""The games at public tables after which a person is a fellow player and no longer a stranger."""

GameOutcome: TypeAlias = Literal["won", "lost", "unfinished", "closed"]


class PastGame(msgspec.Struct, frozen=True):
    """A game of a table, over or not.

    `public`, `over`: whether the table is public, and whether it is over. `at`: when its last deal
    ended, in ms.
    """

    variant: str
    title: str
    public: bool
    over: bool
    at: int
    summary: GameSummary


class GameCounts(msgspec.Struct):
    """Numbers of games. `closed`: the operator closed the table before they were over."""

    won: int = 0
    lost: int = 0
    unfinished: int = 0
    closed: int = 0

    def add(self, outcome: GameOutcome) -> None:
        """Count one more game."""
        setattr(self, outcome, getattr(self, outcome) + 1)


class VariantResults(msgspec.Struct):
    """The games of a variant: `people` with other people, `bots` against bots only."""

    variant: str
    title: str
    people: GameCounts
    bots: GameCounts


class FellowPlayerResults(msgspec.Struct):
    """The games with another person. `partners`: on one side; `opponents`: on different sides.

    Won and lost are those of the requester. `public`: the number of games at public tables; `at`:
    when a deal of these games ended last, in ms.
    """

    games: int = 0
    public: int = 0
    at: int = 0
    partners: GameCounts = msgspec.field(default_factory=GameCounts)
    opponents: GameCounts = msgspec.field(default_factory=GameCounts)


class Results(msgspec.Struct):
    """The results of a person. `games`: how many are counted; `fellow_players`: by person id."""

    games: int
    variants: list[VariantResults]
    fellow_players: dict[str, FellowPlayerResults]


def count_results(person_id: str, games: Iterable[PastGame]) -> Results:
    """Count the games of a person. The titles of variants come from the first games."""
    count = 0
    variants: dict[str, VariantResults] = {}
    fellow_players: dict[str, FellowPlayerResults] = {}
    for game in games:
        people = game.summary.people
        if person_id not in people:
            continue
        count += 1
        seat = people.index(person_id)
        outcome = _outcome(game, seat)
        others = dict.fromkeys([other for other in people if other not in (None, person_id)])
        results = variants.setdefault(
            game.variant, VariantResults(game.variant, game.title, GameCounts(), GameCounts())
        )
        (results.people if others else results.bots).add(outcome)
        own_side = next((side for side in game.summary.sides if seat in side), ())
        for other in others:
            fellow_player = fellow_players.setdefault(other, FellowPlayerResults())
            fellow_player.games += 1
            fellow_player.public += game.public
            fellow_player.at = max(fellow_player.at, game.at)
            are_partners = people.index(other) in own_side
            (fellow_player.partners if are_partners else fellow_player.opponents).add(outcome)
    return Results(
        count,
        sorted(variants.values(), key=_count_games, reverse=True),
        {
            other: fellow_player
            for other, fellow_player in sorted(fellow_players.items(), key=lambda item: -item[1].at)
            if fellow_player.public < fellow_player.games
            or fellow_player.public >= _PUBLIC_GAMES_OF_FELLOW_PLAYERS
        },
    )


def _outcome(game: PastGame, seat: int) -> GameOutcome:
    """Return how a game ended for a seat. A game has exactly one side that wins it, or is not over.

    A game that is not over at a table that is over cannot go on.
    """
    if game.summary.winner is not None:
        return "won" if seat in game.summary.winner else "lost"
    return "closed" if game.over else "unfinished"


def _count_games(results: VariantResults) -> int:
    return sum(
        counts.won + counts.lost + counts.unfinished + counts.closed
        for counts in (results.people, results.bots)
    )
