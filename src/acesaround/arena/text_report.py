"""Text report of a match, for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from acesaround.arena.match import BoardKind
from acesaround.arena.result import Games, Points, Result
from acesaround.arena.statistics import Estimate

_LABEL: Final = 22
_NUMBER: Final = 18
_LEAVES_OFF: Final = "The match was left off; this is how it stands."


def text(result: Result) -> str:
    """Return the whole report."""
    parts = [_head(result), _score(result)]
    if result.a.bids is not None:
        parts.append(_bids(result))
    parts.append(_times(result))
    parts.append(_faults(result))
    return "\n\n".join(
        block for part in parts if (block := "\n".join(line.rstrip() for line in part))
    )


def signed(difference: Estimate) -> str:
    """Return A's points per deal minus B's, with the interval."""
    return _sign(difference) + _estimate(difference)


def many(number: int, noun: str) -> str:
    """Return a number with its noun: `1 deal`, `2,000 deals`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def seconds(taken: float) -> str:
    """Return a time in a suitable unit."""
    if taken >= 1:
        return f"{taken:.3g} s"
    return f"{taken * 1e3:.3g} ms" if taken >= 1e-3 else f"{taken * 1e6:.3g} µs"


def named(result: Result) -> str:
    """Return one line that says what was played."""
    deals = many(result.deals, "deal")
    boards = many(result.boards, "game" if result.games is not None else "deal")
    table = f"{result.variant}, {result.players} players"
    return f"{table}: {boards} in {result.seatings} seatings each, {deals} in all"


def _head(result: Result) -> Iterator[str]:
    yield f"{named(result)}, seed {result.seed}"
    for letter, bot in zip("AB", (result.a, result.b), strict=True):
        yield f"{letter}: {bot.name}"
    if result.options:
        said = ", ".join(f"{name}={value}" for name, value in result.options.items())
        yield f"House options: {said}"
    if result.play is BoardKind.CARDS:
        yield f"Before the play of tricks {result.before} decides in all seats."
    if not result.complete:
        yield _LEAVES_OFF


def _score(result: Result) -> Iterator[str]:
    yield _row("", "A", "B", "A less B")
    yield _points("points a deal", result.points)
    part = result.of_play
    yield _row(
        f"of {result.in_play:g} in play",
        *(_percent(estimate) for estimate in (part.a, part.b)),
        _sign(part.difference) + _percent(part.difference),
    )
    if result.games is not None:
        yield from _games(result.games)


def _games(games: Games) -> Iterator[str]:
    share = games.share
    if games.a + games.b:
        yield _row("games won", f"{games.a:,}", f"{games.b:,}")
        between = ""
        if share.low is not None and share.high is not None:
            between = f", 95% interval {share.low:.1%} to {share.high:.1%}"
        yield f"A won {share.value:.1%} of the games{between}."
    if games.unfinished:
        yield f"Left unfinished: {many(games.unfinished, 'game')}."


def _bids(result: Result) -> Iterator[str]:
    columns = ("taken", "mean", "made", "set", "given up", "no marriage", "reneged")
    rows = []
    for letter, bot in zip("AB", (result.a, result.b), strict=True):
        bids = bot.bids
        assert bids is not None
        counts = (bids.made, bids.set, bids.conceded, bids.no_marriage, bids.reneged)
        of = max(bids.taken, 1)
        shares = [f"{count / of:.1%}" if count else "-" for count in counts]
        mean = f"{bids.mean:.1f}" if bids.taken else "-"
        rows.append((letter, f"{bids.taken:,}", mean, *shares))
    shown = [at for at in range(len(columns)) if at < 4 or any(r[at + 1] != "-" for r in rows)]
    yield f"{'bids':<10}" + "".join(f"{columns[at]:>12}" for at in shown)
    for row in rows:
        yield f"{row[0]:<10}" + "".join(f"{row[at + 1]:>12}" for at in shown)
    if result.thrown_in:
        yield f"Thrown in: {many(result.thrown_in, 'deal')}."


def _times(result: Result) -> Iterator[str]:
    yield f"{'time a decision':<22}" + "".join(
        f"{head:>12}" for head in ("decisions", "mean", "95% under", "longest")
    )
    for letter, bot in zip("AB", (result.a, result.b), strict=True):
        for kind, times in bot.times.items():
            told = (seconds(t) for t in (times.mean, times.p95, times.longest))
            cells = (f"{times.decisions:,}", *told)
            yield f"{letter + ' ' + kind:<22}" + "".join(f"{cell:>12}" for cell in cells)


def _faults(result: Result) -> Iterator[str]:
    who = (("A", result.a.faults), ("B", result.b.faults), ("before", result.faults_before))
    for letter, faults in who:
        for failure, fault in faults.items():
            yield f"{letter} {failure}, {many(fault.count, 'time')}. First: {fault.first}"


def _points(label: str, points: Points) -> str:
    return _row(label, _estimate(points.a), _estimate(points.b), signed(points.difference))


def _row(label: str, *cells: str) -> str:
    return f"{label:<{_LABEL}}" + "".join(f"{cell:>{_NUMBER}}" for cell in cells)


def _sign(difference: Estimate) -> str:
    return "+" if difference.value >= 0 else ""  # a negative number brings its own sign


def _estimate(estimate: Estimate) -> str:
    digits = 1 if estimate.error is None or estimate.error >= 0.1 or not estimate.error else 2
    if estimate.error is None:
        return f"{estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f} ± {estimate.error:.{digits}f}"


def _percent(estimate: Estimate) -> str:
    if estimate.error is None:
        return f"{estimate.value:.1%}"
    return f"{estimate.value:.1%} ± {100 * estimate.error:.1f}"
