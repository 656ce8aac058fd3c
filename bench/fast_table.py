"""The table of `fast.py`: a row for each measurement, with its references and its targets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any, Final, Protocol

_HEADS: Final = ("what", "here", "CPU", "beside", "", "ratio", "nodes", "reach", "aim")
_RIGHT: Final = {2, 5, 6}


@dataclass(frozen=True)
class Target:
    """A target, and whether it is met; None if that is unknown."""

    text: str
    met: bool | None

    def __str__(self) -> str:
        return f"{self.text}: {'?' if self.met is None else 'yes' if self.met else 'no'}"


@dataclass(frozen=True)
class Reference:
    """A reference: its figures, and the ratios of our figures to its.

    `ratio`: our time over its time, or our rate over its rate. `nodes`: our nodes over its nodes.
    """

    who: str
    said: str
    ratio: float | None = None
    nodes: float | None = None


@dataclass(frozen=True)
class Row:
    """One measurement: `here` as text, the processor seconds spent, references and targets."""

    name: str
    what: str
    here: Sequence[str]
    cpu: float
    references: Sequence[Reference] = ()
    reach: Sequence[Target] = ()
    aim: Sequence[Target] = ()
    figures: dict[str, Any] = field(default_factory=dict)
    """All figures, for `--json`."""


class Measure(Protocol):
    """A measurement in rounds, so that a slowdown of the machine affects all measurements alike."""

    name: str

    def round(self, number: int) -> None:
        """Measure ours and the references once more."""

    def row(self) -> Row:
        """Return the row of the figures so far."""


@dataclass
class Times:
    """Times of answers: processor seconds of each, and nodes where they are counted."""

    who: str
    seconds: list[float] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)

    def add(self, seconds: float, nodes: int | None = None) -> None:
        """Add the figures of one answer."""
        self.seconds.append(seconds)
        if nodes is not None:
            self.nodes.append(nodes)

    @property
    def median(self) -> float:
        """The median of the seconds."""
        return median(self.seconds)

    @property
    def p95(self) -> float:
        """The 95% quantile of the seconds."""
        return sorted(self.seconds)[len(self.seconds) * 95 // 100]

    @property
    def cpu(self) -> float:
        """The sum of the seconds."""
        return sum(self.seconds)

    def __str__(self) -> str:
        return f"{span(self.median)}, p95 {span(self.p95)}"

    def as_reference(self, ours: Times) -> Reference:
        """Return these times as a reference for ours: ratios of the medians and of all nodes."""
        nodes = sum(ours.nodes) / sum(self.nodes) if sum(self.nodes) and ours.nodes else None
        return Reference(self.who, str(self), ours.median / self.median, nodes)

    def figures(self) -> dict[str, Any]:
        """Return the seconds and nodes for `--json`."""
        said: dict[str, Any] = {
            "number": len(self.seconds),
            "median": self.median,
            "p95": self.p95,
            "longest": max(self.seconds),
            "mean": mean(self.seconds),
        }
        if self.nodes:
            said |= {"nodes median": median(self.nodes), "nodes mean": mean(self.nodes)}
        return said


def span(seconds: float) -> str:
    """Return a time as people read it."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"


def table(rows: Iterable[Row]) -> str:
    """Return all rows as text. `ratio` and `nodes` are our figures over the reference's."""
    lines: list[tuple[str, ...]] = [_HEADS]
    for row in rows:
        for number in range(max(map(len, (row.here, row.references, row.reach, row.aim)))):
            reference = (
                row.references[number] if number < len(row.references) else Reference("", "")
            )
            lines.append(
                (
                    row.what if number == 0 else "",
                    row.here[number] if number < len(row.here) else "",
                    f"{row.cpu:.1f} s" if number == 0 else "",
                    reference.who,
                    reference.said,
                    "" if reference.ratio is None else f"{reference.ratio:.3g}",
                    "" if reference.nodes is None else f"{reference.nodes:.2f}",
                    str(row.reach[number]) if number < len(row.reach) else "",
                    str(row.aim[number]) if number < len(row.aim) else "",
                )
            )
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADS))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in _RIGHT else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
