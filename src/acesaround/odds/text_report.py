"""The estimates as a table with bars, for a terminal of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from math import floor, log10
from typing import Final

from acesaround.odds.estimates import Bid, Estimate, Lead, Meld, Melds, Odds, Runs

_WIDTH: Final = 79
_LABEL: Final = 40  # columns before a number
_NUMBER: Final = 18  # columns of a number with its interval
_ROW: Final = 13  # columns before the first number in the table of melds
_COLUMN: Final = 22  # columns of each number in the table of melds
_DIGITS: Final = 4  # maximum decimals
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"
_DECLARES: Final = {
    "rules": "nobody bids, the hand that promises most declares",
    "random": "nobody bids, any hand declares",
}


def text(odds: Odds) -> str:
    """Return the whole table."""
    parts = [_head(odds), _melds(odds.melds), _runs(odds.runs)]
    if odds.lead is not None:
        parts.append(_lead(odds.lead))
    if odds.bids is None:
        parts.append(iter([f"Nobody bids in {odds.variant}."]))
    else:
        parts.append(_bids(odds.bids, odds.policy))
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts)


def rows(steps: tuple[int, ...]) -> Iterator[str]:
    """Yield the labels of the rows of melds: `nothing`, `1-49`, `50-99`, `100 or more`."""
    for at, low in enumerate(steps):
        if at + 1 == len(steps):
            yield f"{low} or more"
        elif low == 0:
            yield "nothing"
        else:
            high = steps[at + 1] - 1
            yield f"{low}-{high}" if low < high else f"{low}"


def columns(melds: Melds) -> Iterator[tuple[str, Meld]]:
    """Yield the label and the meld of each column."""
    yield "a hand as dealt", melds.dealt
    if melds.declarer is not None:
        yield "declarer's side", melds.declarer
    if melds.others is not None:
        yield "each other side" if melds.declarer is not None else "each side", melds.others


def chances(runs: Runs) -> Iterator[tuple[str, Estimate]]:
    """Yield the label and the estimate of each line about runs."""
    yield "a hand has one", runs.hand
    yield "a hand has two", runs.two
    if runs.side != runs.hand:
        yield "a side has one in its hands", runs.side
    yield "somebody has one", runs.deal


def share(estimate: Estimate) -> str:
    """Format a share with its interval, such as `3.79% ± 0.06`."""
    error = None if estimate.error is None else 100 * estimate.error
    return number(Estimate(100 * estimate.value, error), "%")


def number(estimate: Estimate, unit: str = "") -> str:
    """Format a number with as many decimals as its error justifies."""
    value, error = estimate.value, estimate.error
    if not error:
        return f"{value:.1f}{unit}"
    digits = min(max(0, -floor(log10(error))), _DIGITS)
    return f"{value:.{digits}f}{unit} ± {error:.{digits}f}"


def _head(odds: Odds) -> Iterator[str]:
    options = "".join(f", {name}={_word(value)}" for name, value in odds.options.items())
    deals = f"{odds.deals} deal" + ("" if odds.deals == 1 else "s")
    yield from textwrap.wrap(
        f"{odds.variant}, {odds.players} players{options}: {deals}, policy {odds.policy}, "
        f"seed {odds.seed}",
        _WIDTH,
    )
    if odds.played < 1:
        yield f"{1 - odds.played:.1%} are not played: their declarer has no marriage"


def _word(value: object) -> str:
    """Format the value of an option as it is typed on the command line."""
    if value is None or isinstance(value, bool):
        return "none" if value is None else "yes" if value else "no"
    return str(value)


def _melds(melds: Melds) -> Iterator[str]:
    shown = list(columns(melds))
    yield f"{'Points melded':<{_ROW}}" + "".join(f" {name:<{_COLUMN - 1}}" for name, _ in shown)
    most = max(max(meld.shares) for _, meld in shown)
    for row, name in enumerate(rows(melds.steps)):
        cells = (_cell(meld.shares[row], most) for _, meld in shown)
        yield f"{name:<{_ROW}}" + "".join(cells)
    yield f"{'mean':<{_ROW}}" + "".join(f" {number(m.mean):<{_COLUMN - 1}}" for _, m in shown)
    yield f"{'median':<{_ROW}}" + "".join(f" {m.median:<{_COLUMN - 1}g}" for _, m in shown)


def _cell(share: float, most: float) -> str:
    percent = f"{share:.1%}" if share >= 0.0005 else "<0.1%" if share else "-"
    return f"{percent:>6} {_bar(share / most, _COLUMN - 8):<{_COLUMN - 7}}"


def _runs(runs: Runs) -> Iterator[str]:
    yield "Chance of a run in the cards as they are dealt"
    for name, estimate in chances(runs):
        yield _line(name, share(estimate), estimate.value)


def _lead(lead: Lead) -> Iterator[str]:
    yield "Points in play, the last trick included"
    most = max(lead.leader.value, lead.others.value)
    yield _line("the side that leads first", number(lead.leader), lead.leader.value / most)
    yield _line("each other side", number(lead.others), lead.others.value / most)
    yield _line("the side that leads first wins the most", share(lead.ahead), lead.ahead.value)
    yield _line("... or as much as the best other", share(lead.level), lead.level.value)


def _bids(bids: tuple[Bid, ...], policy: str) -> Iterator[str]:
    yield f"How often a bid is made ({_DECLARES[policy]})"
    for bid in bids:
        yield _line(f"{bid.bid:>6}", share(bid.made), bid.made.value, 8)


def _line(name: str, number: str, part: float, label: int = _LABEL) -> str:
    value, plus_minus, error = number.partition(" ± ")
    shown = f"{value:>7}{plus_minus}{error}"
    return f"{name:<{label}}{shown:<{_NUMBER}}{_bar(part, _WIDTH - label - _NUMBER)}"


def _bar(part: float, width: int) -> str:
    """Return a bar that fills that part of the width, to an eighth of a column."""
    whole, eighth = divmod(round(part * width * 8), 8)
    return "█" * whole + _EIGHTHS[eighth].strip()
