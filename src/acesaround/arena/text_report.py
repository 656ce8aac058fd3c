"""Text report of a match, for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from acesaround.arena.match import BoardKind
from acesaround.arena.result import MatchResult, Points, WinCounts
from acesaround.arena.statistics import PointsEstimate

_LABEL_WIDTH: Final = 22
_NUMBER_WIDTH: Final = 18
_UNFINISHED_NOTE: Final = "The match was stopped; these are the results so far."


def report_text(result: MatchResult) -> str:
    """Return the whole report."""
    parts = [_head_lines(result), _score_lines(result)]
    if result.a.bids is not None:
        parts.append(_bid_lines(result))
    parts.append(_time_lines(result))
    parts.append(_fault_lines(result))
    return "\n\n".join(
        block for part in parts if (block := "\n".join(line.rstrip() for line in part))
    )


def format_difference(difference: PointsEstimate) -> str:
    """Return A's points per deal minus B's, with the interval."""
    return _plus_sign(difference) + _format_estimate(difference)


def pluralize(number: int, noun: str) -> str:
    """Return a number with its noun: `1 deal`, `2,000 deals`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def format_seconds(duration: float) -> str:
    """Return a time in a suitable unit."""
    if duration >= 1:
        return f"{duration:.3g} s"
    return f"{duration * 1e3:.3g} ms" if duration >= 1e-3 else f"{duration * 1e6:.3g} µs"


def match_title(result: MatchResult) -> str:
    """Return one line that describes the match."""
    deals = pluralize(result.deals, "deal")
    boards = pluralize(result.boards, "game" if result.games is not None else "deal")
    table = f"{result.variant}, {result.players} players"
    return f"{table}: {boards} in {result.seatings} seatings each, {deals} in all"


def _head_lines(result: MatchResult) -> Iterator[str]:
    yield f"{match_title(result)}, seed {result.seed}"
    for letter, bot in zip("AB", (result.a, result.b), strict=True):
        yield f"{letter}: {bot.name}"
    if result.options:
        options_text = ", ".join(f"{name}={value}" for name, value in result.options.items())
        yield f"House options: {options_text}"
    if result.board_kind is BoardKind.CARD_PLAY:
        yield f"Until the play of tricks, {result.before_play_bot} decides in all seats."
    if not result.complete:
        yield _UNFINISHED_NOTE


def _score_lines(result: MatchResult) -> Iterator[str]:
    yield _format_row("", "A", "B", "A less B")
    yield _points_row("points a deal", result.points)
    shares = result.shares_of_points_in_play
    yield _format_row(
        f"of {result.average_points_in_play:g} in play",
        *(_format_percent(estimate) for estimate in (shares.a, shares.b)),
        _plus_sign(shares.difference) + _format_percent(shares.difference),
    )
    if result.games is not None:
        yield from _game_lines(result.games)


def _game_lines(games: WinCounts) -> Iterator[str]:
    share = games.share
    if games.a + games.b:
        yield _format_row("games won", f"{games.a:,}", f"{games.b:,}")
        interval_text = ""
        if share.low is not None and share.high is not None:
            interval_text = f", 95% interval {share.low:.1%} to {share.high:.1%}"
        yield f"A won {share.value:.1%} of the games{interval_text}."
    if games.unfinished:
        yield f"Left unfinished: {pluralize(games.unfinished, 'game')}."


def _bid_lines(result: MatchResult) -> Iterator[str]:
    columns = ("taken", "mean", "made", "set", "given up", "no marriage", "reneged")
    rows = []
    for letter, bot in zip("AB", (result.a, result.b), strict=True):
        bids = bot.bids
        assert bids is not None
        counts = (bids.made, bids.set, bids.conceded, bids.no_marriage, bids.reneged)
        bid_count = max(bids.taken, 1)
        shares = [f"{count / bid_count:.1%}" if count else "-" for count in counts]
        mean = f"{bids.mean:.1f}" if bids.taken else "-"
        rows.append((letter, f"{bids.taken:,}", mean, *shares))
    shown_columns = [
        column
        for column in range(len(columns))
        if column < 4 or any(r[column + 1] != "-" for r in rows)
    ]
    yield f"{'bids':<10}" + "".join(f"{columns[column]:>12}" for column in shown_columns)
    for row in rows:
        yield f"{row[0]:<10}" + "".join(f"{row[column + 1]:>12}" for column in shown_columns)
    if result.thrown_in:
        yield f"Thrown in: {pluralize(result.thrown_in, 'deal')}."


def _time_lines(result: MatchResult) -> Iterator[str]:
    yield f"{'time a decision':<22}" + "".join(
        f"{heading:>12}" for heading in ("decisions", "mean", "95% under", "longest")
    )
    for letter, bot in zip("AB", (result.a, result.b), strict=True):
        for kind, times in bot.times.items():
            formatted_times = (format_seconds(t) for t in (times.mean, times.p95, times.longest))
            cells = (f"{times.decisions:,}", *formatted_times)
            yield f"{letter + ' ' + kind:<22}" + "".join(f"{cell:>12}" for cell in cells)


def _fault_lines(result: MatchResult) -> Iterator[str]:
    sources = (
        ("A", result.a.failures),
        ("B", result.b.failures),
        ("before", result.before_play_failures),
    )
    for letter, failures in sources:
        for failure, seen in failures.items():
            yield f"{letter} {failure}, {pluralize(seen.count, 'time')}. First: {seen.first}"


def _points_row(label: str, points: Points) -> str:
    return _format_row(
        label,
        _format_estimate(points.a),
        _format_estimate(points.b),
        format_difference(points.difference),
    )


def _format_row(label: str, *cells: str) -> str:
    return f"{label:<{_LABEL_WIDTH}}" + "".join(f"{cell:>{_NUMBER_WIDTH}}" for cell in cells)


def _plus_sign(difference: PointsEstimate) -> str:
    return "+" if difference.value >= 0 else ""  # a negative number brings its own sign


def _format_estimate(estimate: PointsEstimate) -> str:
    digits = 1 if estimate.error is None or estimate.error >= 0.1 or not estimate.error else 2
    if estimate.error is None:
        return f"{estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f} ± {estimate.error:.{digits}f}"


def _format_percent(estimate: PointsEstimate) -> str:
    if estimate.error is None:
        return f"{estimate.value:.1%}"
    return f"{estimate.value:.1%} ± {100 * estimate.error:.1f}"
