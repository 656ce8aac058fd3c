"""The result of a tournament, in which each pair of bots plays a match: ratings and points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from acesaround.arena.bot_stats import FailureCount
from acesaround.arena.match import BoardKind, Match
from acesaround.arena.match_progress import MatchProgress
from acesaround.arena.ratings import PairScore, Rating, rate_bots
from acesaround.arena.result import Points, WinCounts, make_result
from acesaround.arena.statistics import effective_trials
from acesaround.arena.text_report import format_difference, pluralize

_MIN_NAME_WIDTH: Final = 24
_NUMBER_WIDTH: Final = 18


class PairResult(msgspec.Struct, frozen=True):
    """The match of two bots. `games` is None if single deals are played."""

    a: str
    b: str
    boards: int
    deals: int
    points: Points
    games: WinCounts | None
    before_play_failures: dict[str, FailureCount] = msgspec.field(name="faults_before")


class BotRating(msgspec.Struct, frozen=True):
    """A bot of a tournament. `played`: its finished games. `rating`: None if there are none.

    `failures`: those of its decisions in all matches, each with the first sentence.
    """

    name: str
    rating: Rating | None
    won: int
    played: int
    failures: dict[str, FailureCount] = msgspec.field(name="faults")


class TournamentResult(msgspec.Struct, frozen=True):
    """The result of a tournament: the best bot first, and the matches in the order of play.

    `is_complete`: every pair has played all requested deals.
    """

    variant: str
    players: int
    options: dict[str, object]
    board_kind: BoardKind = msgspec.field(name="play")
    seed: int
    is_complete: bool = msgspec.field(name="complete")
    bots: tuple[BotRating, ...]
    matches: tuple[PairResult, ...]


def make_tournament_result(
    names: Sequence[str], played: Sequence[tuple[Match, MatchProgress]], *, is_complete: bool
) -> TournamentResult:
    """Return the result of matches between bots. Each match must have a complete board.

    The bots are sorted by rating. Single deals have no winner: then they are sorted by the mean of
    their differences of points a deal.
    """
    pairs: list[PairResult] = []
    scores: list[PairScore] = []
    failures: dict[str, dict[str, FailureCount]] = {name: {} for name in names}
    for match, progress in played:
        result = make_result(match, progress)
        assert result is not None
        pairs.append(
            PairResult(
                *match.bots,
                boards=result.boards,
                deals=result.deals,
                points=result.points,
                games=result.games,
                before_play_failures=result.before_play_failures,
            )
        )
        for bot in (result.a, result.b):
            _add_failures(failures[bot.name], bot.failures)
        won_parts = [board.won for board in progress.boards]
        if result.games is not None and any(part[1] for part in won_parts):
            a, b = (names.index(name) for name in match.bots)
            scores.append(PairScore(a, b, result.games.share.value, effective_trials(won_parts)))
    match = played[0][0]
    rated = _rated_bots(names, pairs, scores, failures)
    return TournamentResult(
        variant=match.rules.variant,
        players=match.rules.seats,
        options=match.changed_options(),
        board_kind=match.board_kind,
        seed=match.seed,
        is_complete=is_complete,
        bots=tuple(rated),
        matches=tuple(pairs),
    )


def tournament_text(result: TournamentResult) -> str:
    """Return the report of a tournament for a terminal."""
    parts = (_head_lines, _rating_lines, _point_lines, _failure_lines)
    blocks = ["\n".join(line.rstrip() for line in part(result)) for part in parts]
    return "\n\n".join(block for block in blocks if block)


def _add_failures(total: dict[str, FailureCount], more: dict[str, FailureCount]) -> None:
    for kind, failure in more.items():
        counted = total.get(kind)
        total[kind] = (
            failure if counted is None else replace(counted, count=counted.count + failure.count)
        )


def _rated_bots(
    names: Sequence[str],
    pairs: Sequence[PairResult],
    scores: Sequence[PairScore],
    failures: Mapping[str, dict[str, FailureCount]],
) -> list[BotRating]:
    rated = sorted({index for score in scores for index in (score.a, score.b)})
    place = {index: number for number, index in enumerate(rated)}
    placed = [
        PairScore(place[one.a], place[one.b], one.share, one.effective_games) for one in scores
    ]
    ratings = rate_bots(len(rated), placed) if rated else ()
    found: list[tuple[float, BotRating]] = []
    for index, name in enumerate(names):
        won = played = 0
        differences: list[float] = []
        for pair in pairs:
            if name in (pair.a, pair.b):
                is_a = name == pair.a
                differences.append((1 if is_a else -1) * pair.points.difference.value)
                if pair.games is not None:
                    won += pair.games.a if is_a else pair.games.b
                    played += pair.games.a + pair.games.b
        rating = ratings[place[index]] if index in place else None
        mean = sum(differences) / len(differences) if differences else 0.0
        bot = BotRating(name, rating, won, played, failures[name])
        found.append((mean if rating is None else rating.value, bot))
    return [bot for _, bot in sorted(found, key=lambda one: -one[0])]


def _head_lines(result: TournamentResult) -> Iterator[str]:
    matches = len(result.matches)
    pairs = f"{matches} match" + ("" if matches == 1 else "es")
    deals = pluralize(sum(pair.deals for pair in result.matches), "deal")
    table = f"{result.variant}, {result.players} players"
    yield f"{table}: {pairs}, {deals} in all, seed {result.seed}"
    if result.options:
        yield "House options: " + ", ".join(f"{k}={v}" for k, v in result.options.items())
    if not result.is_complete:
        yield "The tournament was stopped; these are the results so far."


def _rating_lines(result: TournamentResult) -> Iterator[str]:
    if all(bot.rating is None for bot in result.bots):
        return
    width = _name_width(result)
    yield f"{'':<{width}}{'rating':>{_NUMBER_WIDTH}}{'games won':>{_NUMBER_WIDTH}}"
    for bot in result.bots:
        rating = "-"
        if bot.rating is not None:
            rating = f"{bot.rating.value:+.0f} ± {bot.rating.error:.0f}"
        won = f"{bot.won:,} of {bot.played:,}"
        yield f"{bot.name:<{width}}{rating:>{_NUMBER_WIDTH}}{won:>{_NUMBER_WIDTH}}"
    yield "A rating 400 higher wins 10 of 11 games. The mean of the ratings is 0."


def _point_lines(result: TournamentResult) -> Iterator[str]:
    yield "points a deal, the first less the second"
    width = _name_width(result)
    order = {bot.name: place for place, bot in enumerate(result.bots)}
    for pair in sorted(result.matches, key=lambda one: sorted((order[one.a], order[one.b]))):
        first, second, sign = pair.a, pair.b, 1
        if order[first] > order[second]:
            first, second, sign = second, first, -1
        difference = format_difference(pair.points.difference.scaled(sign))
        yield f"{first:<{width}}{second:<{width}}{difference:>{_NUMBER_WIDTH}}"


def _failure_lines(result: TournamentResult) -> Iterator[str]:
    for bot in result.bots:
        yield from _sentences(bot.name, bot.failures)
    for pair in result.matches:
        yield from _sentences(
            f"before the play of {pair.a} and {pair.b}", pair.before_play_failures
        )


def _sentences(name: str, failures: Mapping[str, FailureCount]) -> Iterator[str]:
    for kind, failure in failures.items():
        yield f"{name} {kind}, {pluralize(failure.count, 'time')}. First: {failure.first}"


def _name_width(result: TournamentResult) -> int:
    """Return the width of the column of names, with two spaces after the longest."""
    return max(_MIN_NAME_WIDTH, 2 + max(len(bot.name) for bot in result.bots))
