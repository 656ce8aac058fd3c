"""The estimates as a table with bars, for a terminal of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from math import floor, log10
from typing import Final

from acesaround.odds.estimates import Bid, Estimate, Lead, Meld, Melds, Odds, Runs

_WIDTH: Final = 79
_LABEL_WIDTH: Final = 40  # columns before a number
_NUMBER_WIDTH: Final = 18  # columns of a number with its interval
_ROW_LABEL_WIDTH: Final = 13  # columns before the first number in the table of melds
_MELD_COLUMN_WIDTH: Final = 22  # columns of each number in the table of melds
_MAX_DECIMALS: Final = 4  # maximum decimals
_BAR_EIGHTHS: Final = " ▏▎▍▌▋▊▉"
_POLICY_NOTES: Final = {
    "heuristic": "nobody bids, the most promising hand declares",
    "random": "nobody bids, any hand declares",
}


def report_text(odds: Odds) -> str:
    """Return the whole table."""
    parts = [_head_lines(odds), _meld_lines(odds.melds), _run_lines(odds.runs)]
    if odds.lead is not None:
        parts.append(_lead_lines(odds.lead))
    if odds.bids is None:
        parts.append(iter([f"Nobody bids in {odds.variant}."]))
    else:
        parts.append(_bid_lines(odds.bids, odds.policy))
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts)


def row_labels(steps: tuple[int, ...]) -> Iterator[str]:
    """Yield the labels of the rows of melds: `nothing`, `1-49`, `50-99`, `100 or more`."""
    for index, low in enumerate(steps):
        if index + 1 == len(steps):
            yield f"{low} or more"
        elif low == 0:
            yield "nothing"
        else:
            high = steps[index + 1] - 1
            yield f"{low}-{high}" if low < high else f"{low}"


def meld_columns(melds: Melds) -> Iterator[tuple[str, Meld]]:
    """Yield the label and the meld of each column."""
    yield "a hand as dealt", melds.dealt
    if melds.declarer is not None:
        yield "declarer's side", melds.declarer
    if melds.others is not None:
        yield "each other side" if melds.declarer is not None else "each side", melds.others


def run_estimates(runs: Runs) -> Iterator[tuple[str, Estimate]]:
    """Yield the label and the estimate of each line about runs."""
    yield "a hand has one", runs.hand
    yield "a hand has two", runs.two
    if runs.side != runs.hand:
        yield "a side has one in its hands", runs.side
    yield "somebody has one", runs.deal


def format_share(estimate: Estimate) -> str:
    """Format a share with its interval, such as `3.79% ± 0.06`."""
    error = None if estimate.error is None else 100 * estimate.error
    return format_number(Estimate(100 * estimate.value, error), "%")


def format_number(estimate: Estimate, unit: str = "") -> str:
    """Format a number with as many decimals as its error justifies."""
    value, error = estimate.value, estimate.error
    if not error:
        return f"{value:.1f}{unit}"
    digits = min(max(0, -floor(log10(error))), _MAX_DECIMALS)
    return f"{value:.{digits}f}{unit} ± {error:.{digits}f}"


def _head_lines(odds: Odds) -> Iterator[str]:
    options = "".join(f", {name}={_option_text(value)}" for name, value in odds.options.items())
    deals = f"{odds.deals} deal" + ("" if odds.deals == 1 else "s")
    yield from textwrap.wrap(
        f"{odds.variant}, {odds.players} players{options}: {deals}, policy {odds.policy}, "
        f"seed {odds.seed}",
        _WIDTH,
    )
    if odds.played < 1:
        yield f"{1 - odds.played:.1%} are not played: their declarer has no marriage"


def _option_text(value: object) -> str:
    """Format the value of an option as it is typed on the command line."""
    if value is None or isinstance(value, bool):
        return "none" if value is None else "yes" if value else "no"
    return str(value)


def _meld_lines(melds: Melds) -> Iterator[str]:
    groups = list(meld_columns(melds))
    yield f"{'Points melded':<{_ROW_LABEL_WIDTH}}" + "".join(
        f" {name:<{_MELD_COLUMN_WIDTH - 1}}" for name, _ in groups
    )
    largest_share = max(max(meld.shares) for _, meld in groups)
    for row, name in enumerate(row_labels(melds.steps)):
        cells = (_meld_cell(meld.shares[row], largest_share) for _, meld in groups)
        yield f"{name:<{_ROW_LABEL_WIDTH}}" + "".join(cells)
    yield f"{'mean':<{_ROW_LABEL_WIDTH}}" + "".join(
        f" {format_number(m.mean):<{_MELD_COLUMN_WIDTH - 1}}" for _, m in groups
    )
    yield f"{'median':<{_ROW_LABEL_WIDTH}}" + "".join(
        f" {m.median:<{_MELD_COLUMN_WIDTH - 1}g}" for _, m in groups
    )


def _meld_cell(share: float, largest_share: float) -> str:
    percent = f"{share:.1%}" if share >= 0.0005 else "<0.1%" if share else "-"
    return (
        f"{percent:>6} "
        f"{_bar(share / largest_share, _MELD_COLUMN_WIDTH - 8):<{_MELD_COLUMN_WIDTH - 7}}"
    )


def _run_lines(runs: Runs) -> Iterator[str]:
    yield "Chance of a run in the cards as they are dealt"
    for name, estimate in run_estimates(runs):
        yield _bar_line(name, format_share(estimate), estimate.value)


def _lead_lines(lead: Lead) -> Iterator[str]:
    yield "Points in play, the last trick included"
    most_points = max(lead.leader.value, lead.others.value)
    yield _bar_line(
        "the side that leads first", format_number(lead.leader), lead.leader.value / most_points
    )
    yield _bar_line("each other side", format_number(lead.others), lead.others.value / most_points)
    yield _bar_line(
        "the side that leads first wins the most", format_share(lead.ahead), lead.ahead.value
    )
    yield _bar_line("... or ties for the most", format_share(lead.level), lead.level.value)


def _bid_lines(bids: tuple[Bid, ...], policy: str) -> Iterator[str]:
    yield f"How often a bid is made ({_POLICY_NOTES[policy]})"
    for bid in bids:
        yield _bar_line(f"{bid.bid:>6}", format_share(bid.made), bid.made.value, 8)


def _bar_line(name: str, number: str, fraction: float, label_width: int = _LABEL_WIDTH) -> str:
    value, plus_minus, error = number.partition(" ± ")
    padded = f"{value:>7}{plus_minus}{error}"
    bar = _bar(fraction, _WIDTH - label_width - _NUMBER_WIDTH)
    return f"{name:<{label_width}}{padded:<{_NUMBER_WIDTH}}{bar}"


def _bar(fraction: float, width: int) -> str:
    """Return a bar that fills that part of the width, to an eighth of a column."""
    full_cells, eighths = divmod(round(fraction * width * 8), 8)
    return "█" * full_cells + _BAR_EIGHTHS[eighths].strip()
