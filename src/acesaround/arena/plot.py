"""Plot of a match result: the running difference, single deals, and decision times.

Needs matplotlib, `pip install 'acesaround[plot]'`. The global state of matplotlib is not used, so
that this works in any program.
"""

from __future__ import annotations

from math import ceil, floor, log10
from typing import IO, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter, PercentFormatter

from acesaround.arena.result import Result
from acesaround.arena.results_ledger import Ledger
from acesaround.arena.statistics import mean_ratio
from acesaround.arena.text_report import named, seconds, signed
from acesaround.reporting import plots
from acesaround.reporting.plots import COLOURS

_STEPS: Final = 60  # number of points at which the running difference is computed
_BARS: Final = 41
_ROOM: Final = 6  # height of the plot above and below the final value, in half intervals
_TAILS: Final = 0.002  # share of deals at either end that goes into the outermost bars


def write(result: Result, ledger: Ledger, out: IO[bytes], form: str) -> None:
    """Draw the plot and write it in one of `plots.FORMS`. Raise OSError."""
    plots.write(lambda: _draw(result, ledger), out, form)


def _draw(result: Result, ledger: Ledger) -> Figure:
    figure = Figure(figsize=(12, 8.5), dpi=110)
    figure.set_layout_engine("constrained", w_pad=0.2, h_pad=0.12)
    axes = figure.subplot_mosaic([["running", "running"], ["deals", "times"]])
    _running(axes["running"], result, ledger)
    _deals(axes["deals"], ledger)
    _times(axes["times"], result)
    figure.suptitle(f"A: {result.a.name}   B: {result.b.name}\n{named(result)}", fontsize=13)
    return figure


def _running(axes: Axes, result: Result, ledger: Ledger) -> None:
    """Draw the difference after each number of boards, with its interval."""
    parts = [board.difference for board in ledger.boards]
    ends = sorted({1 + (len(parts) - 1) * at // _STEPS for at in range(_STEPS + 1)})
    found = [mean_ratio(parts[:end]) for end in ends]
    values = [estimate.value for estimate in found]
    told = [at for at, estimate in enumerate(found) if estimate.error is not None]
    low = [values[at] - (found[at].error or 0) for at in told]
    high = [values[at] + (found[at].error or 0) for at in told]
    axes.axhline(0, color="black", linewidth=1)
    axes.fill_between([ends[at] for at in told], low, high, color=COLOURS[0], alpha=0.2, lw=0)
    last = result.points.difference
    axes.plot(ends, values, color=COLOURS[0], label=f"{signed(last)} in the end")
    if reach := _ROOM * (last.error or 0):  # the first intervals are too wide to show
        bottom, top = min(last.value - reach, 0), max(last.value + reach, 0)
        axes.set_ylim(bottom - 0.05 * (top - bottom), top + 0.05 * (top - bottom))
    axes.set_xlim(0, len(parts))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    what = "games" if result.games is not None else "deals"
    axes.set(
        title="A less B, with the 95% interval",
        xlabel=f"{what} played in every seating",
        ylabel="points a deal and seat",
    )
    axes.legend(frameon=False, loc="upper right")


def _deals(axes: Axes, ledger: Ledger) -> None:
    """Draw the distribution of the difference in single deals."""
    counts = sorted(ledger.differences.items())
    total = sum(number for _, number in counts)
    low, high = (_end(ordered, _TAILS * total) for ordered in (counts, counts[::-1]))
    reach = max(abs(low), abs(high), 1.0)
    width = 2 * reach / _BARS
    bars = [0.0] * _BARS
    for difference, number in counts:
        at = int((difference + reach) / width)
        bars[min(max(at, 0), _BARS - 1)] += number / total
    left = [-reach + width * at for at in range(_BARS)]
    axes.bar(left, bars, 0.9 * width, align="edge", color=COLOURS[0])
    axes.axvline(0, color="black", linewidth=1)
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set(title="Single deals", xlabel="points of A less those of B", ylabel="share of deals")


def _end(counts: list[tuple[float, int]], tail: float) -> float:
    """Return the first difference at which more than `tail` deals have been counted."""
    seen = 0
    for difference, number in counts:
        seen += number
        if seen > tail:
            return difference
    return 0.0


def _times(axes: Axes, result: Result) -> None:
    """Draw the decision times: a bar for the mean, an error bar up to the 95% quantile."""
    kinds = sorted({*result.a.times, *result.b.times})
    height = 0.4
    for at, (letter, bot) in enumerate(zip("AB", (result.a, result.b), strict=True)):
        rows = [(row, bot.times[kind]) for row, kind in enumerate(kinds) if kind in bot.times]
        axes.barh(
            [row + height * (at - 0.5) for row, _ in rows],
            [times.mean for _, times in rows],
            0.9 * height,
            xerr=[
                [0.0 for _ in rows],
                [max(times.p95 - times.mean, 0.0) for _, times in rows],
            ],
            color=COLOURS[at],
            capsize=3,
            label=letter,
        )
    taken = [times.mean for bot in (result.a, result.b) for times in bot.times.values()]
    most = [times.p95 for bot in (result.a, result.b) for times in bot.times.values()]
    axes.set_xscale("log")
    if taken:
        ends = log10(max(min(taken), 1e-9)), log10(max(*taken, *most, 1e-9))
        axes.set_xlim(10 ** floor(ends[0]), 10 ** ceil(ends[1] + 0.1))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: seconds(value)))
    axes.set_yticks(range(len(kinds)), kinds)
    axes.grid(visible=False, axis="y")
    axes.invert_yaxis()
    axes.set(title="Time a decision", xlabel="mean, and what 95% stay under")
    axes.legend(frameon=False, loc="best")
