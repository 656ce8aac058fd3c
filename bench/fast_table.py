"""The table of `fast.py`: a row for each thing measured, beside its references and its targets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any, Final, Protocol

_HEADS: Final = ("what", "here", "CPU", "beside", "", "ratio", "nodes", "reach", "aim")
_RIGHT: Final = {2, 5, 6}


@dataclass(frozen=True)
class Target:
    """What is to be reached, and whether it is; None where that cannot be said."""

    text: str
    met: bool | None

    def __str__(self) -> str:
        return f"{self.text}: {'?' if self.met is None else 'yes' if self.met else 'no'}"


@dataclass(frozen=True)
class Beside:
    """A reference: its figures, our time over its (or our rate), our nodes over its."""

    who: str
    said: str
    ratio: float | None = None
    nodes: float | None = None


@dataclass(frozen=True)
class Row:
    """One thing measured: `here` in words, processor seconds spent on it, all else beside it."""

    name: str
    what: str
    here: Sequence[str]
    cpu: float
    beside: Sequence[Beside] = ()
    reach: Sequence[Target] = ()
    aim: Sequence[Target] = ()
    figures: dict[str, Any] = field(default_factory=dict)
    """All that was measured, for `--json`."""


class Measure(Protocol):
    """What can be measured in rounds, so that all are equally long at a slow machine's mercy."""

    name: str

    def round(self, number: int) -> None:
        """Measure ours and the references once more."""

    def row(self) -> Row:
        """What has been measured so far."""


@dataclass
class Times:
    """Answers to questions: processor seconds of each, and nodes where they are counted."""

    who: str
    seconds: list[float] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)

    def add(self, seconds: float, nodes: int | None = None) -> None:
        """One more."""
        self.seconds.append(seconds)
        if nodes is not None:
            self.nodes.append(nodes)

    @property
    def median(self) -> float:
        """Seconds."""
        return median(self.seconds)

    @property
    def p95(self) -> float:
        """Seconds within which 95 of 100 were answered."""
        return sorted(self.seconds)[len(self.seconds) * 95 // 100]

    @property
    def cpu(self) -> float:
        """All seconds."""
        return sum(self.seconds)

    def __str__(self) -> str:
        return f"{span(self.median)}, p95 {span(self.p95)}"

    def beside(self, ours: Times) -> Beside:
        """These as a reference of ours: ratios of the medians, and of all nodes."""
        nodes = sum(ours.nodes) / sum(self.nodes) if sum(self.nodes) and ours.nodes else None
        return Beside(self.who, str(self), ours.median / self.median, nodes)

    def figures(self) -> dict[str, Any]:
        """For `--json`: seconds and nodes."""
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
    """A time as people read it."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"


def table(rows: Iterable[Row]) -> str:
    """All rows. `ratio`: ours over the reference's; `nodes` likewise."""
    lines: list[tuple[str, ...]] = [_HEADS]
    for row in rows:
        for number in range(max(map(len, (row.here, row.beside, row.reach, row.aim)))):
            beside = row.beside[number] if number < len(row.beside) else Beside("", "")
            lines.append(
                (
                    row.what if number == 0 else "",
                    row.here[number] if number < len(row.here) else "",
                    f"{row.cpu:.1f} s" if number == 0 else "",
                    beside.who,
                    beside.said,
                    "" if beside.ratio is None else f"{beside.ratio:.3g}",
                    "" if beside.nodes is None else f"{beside.nodes:.2f}",
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
