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

from acesaround.arena.match_progress import MatchProgress
from acesaround.arena.result import MatchResult
from acesaround.arena.statistics import mean_ratio
from acesaround.arena.text_report import format_difference, format_seconds, match_title
from acesaround.reporting import plots
from acesaround.reporting.plots import BAR_COLOURS

_RUNNING_STEPS: Final = 60  # number of points at which the running difference is computed
_BAR_COUNT: Final = 41
_Y_RANGE_INTERVALS: Final = (
    6  # height of the plot above and below the final value, in half intervals
)
_TAIL_SHARE: Final = 0.002  # share of deals at either end that goes into the outermost bars


def write_plot(
    result: MatchResult, progress: MatchProgress, out: IO[bytes], image_format: str
) -> None:
    """Draw the plot and write it in one of `plots.IMAGE_FORMATS`. Raise OSError."""
    plots.write_figure(lambda: _draw_figure(result, progress), out, image_format)


def _draw_figure(result: MatchResult, progress: MatchProgress) -> Figure:
    figure = Figure(figsize=(12, 8.5), dpi=110)
    figure.set_layout_engine("constrained", w_pad=0.2, h_pad=0.12)
    axes = figure.subplot_mosaic([["running", "running"], ["deals", "times"]])
    _draw_running(axes["running"], result, progress)
    _draw_deals(axes["deals"], progress)
    _draw_times(axes["times"], result)
    figure.suptitle(f"A: {result.a.name}   B: {result.b.name}\n{match_title(result)}", fontsize=13)
    return figure


def _draw_running(axes: Axes, result: MatchResult, progress: MatchProgress) -> None:
    """Draw the difference after each number of boards, with its interval."""
    differences = [board.difference for board in progress.boards]
    ends = sorted(
        {
            1 + (len(differences) - 1) * index // _RUNNING_STEPS
            for index in range(_RUNNING_STEPS + 1)
        }
    )
    estimates = [mean_ratio(differences[:end]) for end in ends]
    values = [estimate.value for estimate in estimates]
    with_interval = [
        index for index, estimate in enumerate(estimates) if estimate.error is not None
    ]
    low = [values[index] - (estimates[index].error or 0) for index in with_interval]
    high = [values[index] + (estimates[index].error or 0) for index in with_interval]
    axes.axhline(0, color="black", linewidth=1)
    axes.fill_between(
        [ends[index] for index in with_interval], low, high, color=BAR_COLOURS[0], alpha=0.2, lw=0
    )
    last = result.points.difference
    axes.plot(ends, values, color=BAR_COLOURS[0], label=f"{format_difference(last)} in the end")
    if half_range := _Y_RANGE_INTERVALS * (
        last.error or 0
    ):  # the first intervals are too wide to show
        bottom, top = min(last.value - half_range, 0), max(last.value + half_range, 0)
        axes.set_ylim(bottom - 0.05 * (top - bottom), top + 0.05 * (top - bottom))
    axes.set_xlim(0, len(differences))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    unit = "games" if result.games is not None else "deals"
    axes.set(
        title="A less B, with the 95% interval",
        xlabel=f"{unit} played in every seating",
        ylabel="points a deal and seat",
    )
    axes.legend(frameon=False, loc="upper right")


def _draw_deals(axes: Axes, progress: MatchProgress) -> None:
    """Draw the distribution of the difference in single deals."""
    counts = sorted(progress.differences.items())
    total = sum(number for _, number in counts)
    low, high = (
        _tail_difference(ordered, _TAIL_SHARE * total) for ordered in (counts, counts[::-1])
    )
    half_range = max(abs(low), abs(high), 1.0)
    width = 2 * half_range / _BAR_COUNT
    bars = [0.0] * _BAR_COUNT
    for difference, number in counts:
        bar = int((difference + half_range) / width)
        bars[min(max(bar, 0), _BAR_COUNT - 1)] += number / total
    left_edges = [-half_range + width * bar for bar in range(_BAR_COUNT)]
    axes.bar(left_edges, bars, 0.9 * width, align="edge", color=BAR_COLOURS[0])
    axes.axvline(0, color="black", linewidth=1)
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set(title="Single deals", xlabel="points of A less those of B", ylabel="share of deals")


def _tail_difference(counts: list[tuple[float, int]], tail: float) -> float:
    """Return the first difference at which more than `tail` deals have been counted."""
    counted = 0
    for difference, number in counts:
        counted += number
        if counted > tail:
            return difference
    return 0.0


def _draw_times(axes: Axes, result: MatchResult) -> None:
    """Draw the decision times: a bar for the mean, an error bar up to the 95% quantile."""
    kinds = sorted({*result.a.times, *result.b.times})
    height = 0.4
    for bot_index, (letter, bot) in enumerate(zip("AB", (result.a, result.b), strict=True)):
        rows = [(row, bot.times[kind]) for row, kind in enumerate(kinds) if kind in bot.times]
        axes.barh(
            [row + height * (bot_index - 0.5) for row, _ in rows],
            [times.mean for _, times in rows],
            0.9 * height,
            xerr=[
                [0.0 for _ in rows],
                [max(times.p95 - times.mean, 0.0) for _, times in rows],
            ],
            color=BAR_COLOURS[bot_index],
            capsize=3,
            label=letter,
        )
    means = [times.mean for bot in (result.a, result.b) for times in bot.times.values()]
    quantiles = [times.p95 for bot in (result.a, result.b) for times in bot.times.values()]
    axes.set_xscale("log")
    if means:
        exponents = log10(max(min(means), 1e-9)), log10(max(*means, *quantiles, 1e-9))
        axes.set_xlim(10 ** floor(exponents[0]), 10 ** ceil(exponents[1] + 0.1))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: format_seconds(value)))
    axes.set_yticks(range(len(kinds)), kinds)
    axes.grid(visible=False, axis="y")
    axes.invert_yaxis()
    axes.set(title="Time a decision", xlabel="mean, and 95th percentile")
    axes.legend(frameon=False, loc="best")
