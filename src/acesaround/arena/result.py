"""Result of a match: numbers with their intervals, for text, JSON and plots."""

from __future__ import annotations

from typing import Final

import msgspec

from acesaround.arena.bot_stats import BotStats, FailureCount
from acesaround.arena.match import BoardKind, Match
from acesaround.arena.results_ledger import Contracts, Ledger
from acesaround.arena.statistics import Estimate, Share, mean_ratio, wilson_interval
from acesaround.rules.scoring import Outcome

_P95: Final = 0.95


class Points(msgspec.Struct, frozen=True):
    """Points per deal and seat. `difference`: A's minus B's, on the same cards."""

    difference: Estimate
    a: Estimate
    b: Estimate


class Games(msgspec.Struct, frozen=True):
    """Games won by each bot, games left unfinished, and A's share of the games won."""

    a: int
    b: int
    unfinished: int
    share: Share


class Bids(msgspec.Struct, frozen=True):
    """The bids that a bot had to make: their number, mean and outcomes."""

    taken: int
    mean: float
    made: int
    set: int
    conceded: int
    no_marriage: int
    reneged: int


class Times(msgspec.Struct, frozen=True):
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
    bids: Bids | None
    times: dict[str, Times]
    faults: dict[str, FailureCount]


class Result(msgspec.Struct, frozen=True):
    """The result of a match. `complete`: whether all requested deals were dealt.

    `deals`: in all seatings together. `of_play`: the points as shares of the points in play per
    deal. `games` is None if single deals are played. `faults_before`: failures of the bot that
    decides before the play of tricks.
    """

    variant: str
    players: int
    options: dict[str, object]
    play: BoardKind
    before: str | None
    seed: int
    limit: float | None
    complete: bool
    boards: int
    seatings: int
    deals: int
    thrown_in: int
    in_play: float
    points: Points
    of_play: Points
    games: Games | None
    a: BotResult
    b: BotResult
    faults_before: dict[str, FailureCount]


def make_result(match: Match, ledger: Ledger) -> Result | None:
    """Return the result so far, or None if no board is complete."""
    boards = ledger.boards
    if not boards:
        return None
    points = Points(
        difference=mean_ratio([board.difference for board in boards]),
        a=mean_ratio([board.a for board in boards]),
        b=mean_ratio([board.b for board in boards]),
    )
    scale = 1 / match.average_points_in_play
    return Result(
        variant=match.rules.variant,
        players=match.rules.seats,
        options=match.changed_options(),
        play=match.play,
        before=match.before,
        seed=match.seed,
        limit=match.limit,
        complete=ledger.has_enough_deals,
        boards=len(boards),
        seatings=len(match.seatings),
        deals=sum(ledger.deals_by_seating),
        thrown_in=ledger.thrown_in,
        in_play=match.average_points_in_play,
        points=points,
        of_play=Points(
            points.difference.scaled(scale), points.a.scaled(scale), points.b.scaled(scale)
        ),
        games=_game_counts(ledger) if match.play is BoardKind.GAMES else None,
        a=_bot_result(match, ledger, 0),
        b=_bot_result(match, ledger, 1),
        faults_before=ledger.bot_stats[2].faults,
    )


def _game_counts(ledger: Ledger) -> Games:
    won_parts = [board.won for board in ledger.boards]
    a, finished = (int(sum(won_part[index] for won_part in won_parts)) for index in (0, 1))
    return Games(a, finished - a, ledger.unfinished, wilson_interval(won_parts))


def _bot_result(match: Match, ledger: Ledger, bot_index: int) -> BotResult:
    stats = ledger.bot_stats[bot_index]
    bids = _bid_counts(ledger.contracts[bot_index]) if match.rules.auction is not None else None
    return BotResult(match.bots[bot_index], bids, _decision_times(stats), stats.faults)


def _bid_counts(contracts: Contracts) -> Bids:
    outcomes = contracts.outcomes
    return Bids(
        taken=contracts.count,
        mean=contracts.bid_total / max(contracts.count, 1),
        made=outcomes.get(Outcome.MADE, 0),
        set=outcomes.get(Outcome.SET, 0),
        conceded=outcomes.get(Outcome.CONCEDED, 0),
        no_marriage=outcomes.get(Outcome.NO_MARRIAGE, 0),
        reneged=outcomes.get(Outcome.RENEGED, 0),
    )


def _decision_times(stats: BotStats) -> dict[str, Times]:
    return {
        kind: Times(histogram.count, histogram.mean, histogram.quantile(_P95), histogram.longest)
        for kind, histogram in sorted(stats.clocks.items())
    }
