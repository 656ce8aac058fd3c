"""The estimates as a picture: a panel each for melds, runs, the lead and bids.

Needs matplotlib, `pip install 'acesaround[plot]'`. The code avoids matplotlib's global state, so
it works in any program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from acesaround.odds.estimates import Bid, Estimate, Lead, Melds, Odds, Runs
from acesaround.odds.text_report import (
    format_number,
    format_share,
    meld_columns,
    row_labels,
    run_estimates,
)
from acesaround.reporting import plots
from acesaround.reporting.plots import BAR_COLOURS

_ROUND_TICKS: Final = [1, 2, 5, 10]  # axis ticks are round numbers


def write_plot(odds: Odds, out: IO[bytes], image_format: str) -> None:
    """Draw the picture and write it in one of `plots.IMAGE_FORMATS`. Raises OSError."""
    plots.write_figure(lambda: _draw_figure(odds), out, image_format)


def _draw_figure(odds: Odds) -> Figure:
    """Return the picture, without panels for estimates that are None."""
    figure = Figure(figsize=(12, 8.5), dpi=110)
    figure.set_layout_engine("constrained", w_pad=0.2, h_pad=0.12)
    panels = [("melds", True), ("runs", True), ("lead", odds.lead), ("bids", odds.bids)]
    names = [name for name, is_shown in panels if is_shown]
    if len(names) % 2:
        names.insert(1, names[0])
    mosaic: list[Any] = [names[index : index + 2] for index in range(0, len(names), 2)]
    axes = figure.subplot_mosaic(mosaic)
    _draw_melds(axes["melds"], odds.melds)
    _draw_runs(axes["runs"], odds.runs)
    if odds.lead is not None:
        _draw_lead(axes["lead"], odds.lead)
    if odds.bids is not None:
        _draw_bids(axes["bids"], odds.bids)
    deals = f"{odds.deals:,} deal" + ("" if odds.deals == 1 else "s")
    figure.suptitle(
        f"{odds.variant}, {odds.players} players: {deals}, policy {odds.policy}", fontsize=13
    )
    return figure


def _draw_melds(axes: Axes, melds: Melds) -> None:
    groups = list(meld_columns(melds))
    width = 0.84 / len(groups)
    for group, (name, meld) in enumerate(groups):
        left_edges = [row - 0.42 + width * group for row in range(len(melds.steps))]
        label = f"{name}, on average {format_number(meld.mean)}"
        axes.bar(
            left_edges, meld.shares, width, align="edge", color=BAR_COLOURS[group], label=label
        )
    axes.set_xticks(range(len(melds.steps)), list(row_labels(melds.steps)), rotation=40, ha="right")
    axes.grid(visible=False, axis="x")
    axes.set_ylim(0, 1.4 * max(max(meld.shares) for _, meld in groups))  # space for the legend
    axes.yaxis.set_major_formatter(PercentFormatter(1, 0))
    axes.set(title="What is melded", xlabel="points melded", ylabel="share of hands or sides")
    axes.legend(frameon=False, loc="upper right")


def _draw_runs(axes: Axes, runs: Runs) -> None:
    names, estimates = zip(*run_estimates(runs), strict=True)
    _draw_bars(axes, names, estimates, [format_share(estimate) for estimate in estimates])
    axes.set_xticks([tick for tick in axes.get_xticks() if tick <= min(1, axes.get_xlim()[1])])
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set(title="Chance of a run in the cards as dealt", xlabel="share of hands, sides or deals")


def _draw_lead(axes: Axes, lead: Lead) -> None:
    names = (
        f"the side that leads first,\nwhich wins the most in\n{format_share(lead.ahead)} of the "
        "deals",
        "each other side",
    )
    estimates = (lead.leader, lead.others)
    _draw_bars(axes, names, estimates, [format_number(estimate) for estimate in estimates])
    axes.set(title="Points in play", xlabel="points of a side, the last trick included")


def _draw_bars(
    axes: Axes, names: Sequence[str], estimates: Sequence[Estimate], labels: Sequence[str]
) -> None:
    """Draw a horizontal bar for each estimate, from the top down, with interval and number."""
    values = [estimate.value for estimate in estimates]
    errors = [estimate.error or 0 for estimate in estimates]
    bars = axes.barh(names, values, 0.6, xerr=errors, color=BAR_COLOURS[0], capsize=3)
    axes.bar_label(bars, labels, padding=6)
    longest = max(value + error for value, error in zip(values, errors, strict=True))
    axes.set_xlim(0, 1.4 * longest or 1)  # space for the numbers
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=_ROUND_TICKS))
    axes.grid(visible=False, axis="y")
    axes.invert_yaxis()


def _draw_bids(axes: Axes, bids: Sequence[Bid]) -> None:
    heights = [bid.bid for bid in bids]
    values = [bid.made.value for bid in bids]
    errors = [bid.made.error or 0 for bid in bids]
    axes.errorbar(heights, values, errors, color=BAR_COLOURS[0], marker="o", capsize=3)
    axes.set_ylim(0, 1)
    axes.xaxis.set_major_locator(MaxNLocator(9, steps=_ROUND_TICKS, integer=True))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set(title="How often a bid is made", xlabel="bid", ylabel="share of deals")
