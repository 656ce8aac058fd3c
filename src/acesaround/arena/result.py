"""Result of a match: numbers with their intervals, for text, JSON and plots."""

from __future__ import annotations

from typing import Final

import msgspec

from acesaround.arena.bot_stats import BotStats, FailureCount
from acesaround.arena.match import BoardKind, Match
from acesaround.arena.match_progress import BotContracts, MatchProgress
from acesaround.arena.statistics import PointsEstimate, Share, mean_ratio, wilson_interval
from acesaround.rules.scoring import Outcome

_P95: Final = 0.95


class Points(msgspec.Struct, frozen=True):
    """Points per deal and seat. `difference`: A's minus B's, on the same cards."""

    difference: PointsEstimate
    a: PointsEstimate
    b: PointsEstimate


class WinCounts(msgspec.Struct, frozen=True):
    """Games won by each bot, games left unfinished, and A's share of the games won."""

    a: int
    b: int
    unfinished: int
    share: Share


class BotBids(msgspec.Struct, frozen=True):
    """The bids that a bot had to make: their number, mean and outcomes."""

    taken: int
    mean: float
    made: int
    set: int
    conceded: int
    no_marriage: int
    reneged: int


class DecisionTimes(msgspec.Struct, frozen=True):
    """Seconds per decision: the mean, the 95% quantile and the maximum.

    Decisions without a choice are left out.
    """

    decisions: int
    mean: float
    p95: float
    longest: float


class BotResult(msgspec.Struct, frozen=True):
    """One of the two bots. `bids` is None without an auction; `times` is by kind of decision."""

    name: str
    bids: BotBids | None
    times: dict[str, DecisionTimes]
    failures: dict[str, FailureCount] = msgspec.field(name="faults")


class MatchResult(msgspec.Struct, frozen=True):
    """The result of a match. `complete`: whether all requested deals were dealt.

    `deals`: in all seatings together. `shares_of_points_in_play`: the points as shares of the
    points in play per deal. `games` is None if single deals are played. `before_play_failures`:
    failures of the bot that decides before the play of tricks.
    """

    variant: str
    players: int
    options: dict[str, object]
    board_kind: BoardKind = msgspec.field(name="play")
    before_play_bot: str | None = msgspec.field(name="before")
    seed: int
    limit_seconds: float | None = msgspec.field(name="limit")
    complete: bool
    boards: int
    seatings: int
    deals: int
    thrown_in: int
    average_points_in_play: float = msgspec.field(name="in_play")
    points: Points
    shares_of_points_in_play: Points = msgspec.field(name="of_play")
    games: WinCounts | None
    a: BotResult
    b: BotResult
    before_play_failures: dict[str, FailureCount] = msgspec.field(name="faults_before")


def make_result(match: Match, progress: MatchProgress) -> MatchResult | None:
    """Return the result so far, or None if no board is complete."""
    boards = progress.boards
    if not boards:
        return None
    points = Points(
        difference=mean_ratio([board.difference for board in boards]),
        a=mean_ratio([board.a for board in boards]),
        b=mean_ratio([board.b for board in boards]),
    )
    scale = 1 / match.average_points_in_play
    return MatchResult(
        variant=match.rules.variant,
        players=match.rules.seats,
        options=match.changed_options(),
        board_kind=match.board_kind,
        before_play_bot=match.before_play_bot,
        seed=match.seed,
        limit_seconds=match.limit_seconds,
        complete=progress.has_enough_deals,
        boards=len(boards),
        seatings=len(match.seatings),
        deals=sum(progress.deals_by_seating),
        thrown_in=progress.thrown_in,
        average_points_in_play=match.average_points_in_play,
        points=points,
        shares_of_points_in_play=Points(
            points.difference.scaled(scale), points.a.scaled(scale), points.b.scaled(scale)
        ),
        games=_game_counts(progress) if match.board_kind is BoardKind.GAMES else None,
        a=_bot_result(match, progress, 0),
        b=_bot_result(match, progress, 1),
        before_play_failures=progress.bot_stats[2].failures,
    )


def _game_counts(progress: MatchProgress) -> WinCounts:
    won_parts = [board.won for board in progress.boards]
    a, finished = (int(sum(won_part[index] for won_part in won_parts)) for index in (0, 1))
    return WinCounts(a, finished - a, progress.unfinished, wilson_interval(won_parts))


def _bot_result(match: Match, progress: MatchProgress, bot_index: int) -> BotResult:
    stats = progress.bot_stats[bot_index]
    bids = _bid_counts(progress.contracts[bot_index]) if match.rules.auction is not None else None
    return BotResult(match.bots[bot_index], bids, _decision_times(stats), stats.failures)


def _bid_counts(contracts: BotContracts) -> BotBids:
    outcomes = contracts.outcomes
    return BotBids(
        taken=contracts.count,
        mean=contracts.bid_total / max(contracts.count, 1),
        made=outcomes.get(Outcome.MADE, 0),
        set=outcomes.get(Outcome.SET, 0),
        conceded=outcomes.get(Outcome.CONCEDED, 0),
        no_marriage=outcomes.get(Outcome.NO_MARRIAGE, 0),
        reneged=outcomes.get(Outcome.RENEGED, 0),
    )


def _decision_times(stats: BotStats) -> dict[str, DecisionTimes]:
    return {
        kind: DecisionTimes(
            histogram.count, histogram.mean, histogram.quantile(_P95), histogram.longest
        )
        for kind, histogram in sorted(stats.times.items())
    }
