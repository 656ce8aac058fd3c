"""Metrics of the server in the Prometheus exposition format.

Several processes on several machines may serve one address, so a scraper cannot reach each of them.
They exchange their figures, and the process that is scraped adds them up. So a figure is a list of
numbers that can be added one by one. Counters and gauges have one number. Histograms have the sum
and the bucket counts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from acesaround.table.messages import RefusalCode

Figures: TypeAlias = dict[str, list[float]]
"""Numbers by metric name. A label value follows the name after a space."""

QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Histogram bounds in seconds for immediate operations."""
SLOW: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Histogram bounds in seconds for slow operations."""
MANY: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
_CLOSES: Final = (1000, 1001, 1005, 1006, 1008, 1009, 1011, 1012, 1013, 4401, 4404, 4410, 4500)
"""The WebSocket close codes with a label of their own, because browsers may invent others."""
_REFUSALS: Final = (*get_args(RefusalCode), "full")


class Histogram:
    """A histogram. `bounds`: the upper bounds of all buckets but the last."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float] = QUICK) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, size: float) -> None:
        """Add an observation."""
        self._counts[bisect_left(self._bounds, size)] += 1
        self._sum += size

    @property
    def figures(self) -> list[float]:
        """The sum, then the count of each bucket."""
        return [round(self._sum, 6), *self._counts]


class Metrics:
    """Counters since the start of the process. The code that does the counted work updates them."""

    def __init__(self) -> None:
        self.sockets = 0
        self.entries = 0
        self.messages_in = 0
        self.messages_out = 0
        self.refused: Counter[str] = Counter(dict.fromkeys(_REFUSALS, 0))
        self.answered: Counter[str] = Counter({"500": 0, "503": 0})  # so that the first one counts
        self.closed: Counter[str] = Counter()
        self.action = Histogram()
        self.append = Histogram()
        self.commit = Histogram(MANY)
        self.lag = Histogram()
        self.held: dict[str, int] = {}  # the last count of the database's rows
        self._http: dict[str, Histogram] = {}

    def http(self, route: str, seconds: float) -> None:
        """Record a response to a request on a route."""
        found = self._http.get(route)
        if found is None:
            found = self._http[route] = Histogram()
        found.observe(seconds)

    def close(self, code: int) -> None:
        """Record a WebSocket that closed with a code or was refused with a status."""
        self.closed[str(code) if code in _CLOSES or code < _CLOSES[0] else "other"] += 1

    @property
    def figures(self) -> Figures:
        """All figures."""
        return {
            "sockets": [self.sockets],
            "entries_total": [self.entries],
            "messages_in_total": [self.messages_in],
            "messages_out_total": [self.messages_out],
            "action_seconds": self.action.figures,
            "append_seconds": self.append.figures,
            "commit_entries": self.commit.figures,
            "loop_lag_seconds": self.lag.figures,
            **{f"database_{what}": [number] for what, number in self.held.items()},
            **{f"refused_total {code}": [number] for code, number in self.refused.items()},
            **{f"answers_total {code}": [number] for code, number in self.answered.items()},
            **{f"sockets_closed_total {code}": [number] for code, number in self.closed.items()},
            **{f"http_seconds {route}": took.figures for route, took in self._http.items()},
        }


class Family(msgspec.Struct, frozen=True):
    """A Prometheus metric family.

    `label`: the label name. `bounds`: the bucket bounds of a histogram. `shared`: a database-wide
    figure; take the maximum over processes instead of the sum.
    """

    name: str
    kind: Literal["gauge", "counter", "histogram"]
    says: str
    label: str | None = None
    bounds: tuple[float, ...] = ()
    shared: bool = False

    @property
    def numbers(self) -> int:
        """The number of numbers in a figure of this family."""
        return len(self.bounds) + 2 if self.kind == "histogram" else 1


FAMILIES: Final = (
    Family("processes", "gauge", "Processes on this database."),
    Family("ready", "gauge", "Processes whose bots that search are ready."),
    Family("sockets", "gauge", "Open WebSockets."),
    Family("sockets_closed_total", "counter", "WebSockets closed or refused, by code.", "code"),
    Family("tables", "gauge", "Tables: in memory by state, and asleep in the database.", "state"),
    Family("database_tables", "gauge", "Tables in the database.", shared=True),
    Family("database_games", "gauge", "Games in the database, over or not.", shared=True),
    Family("database_entries", "gauge", "Entries of all logs in the database.", shared=True),
    Family("database_people", "gauge", "People with a name in the database.", shared=True),
    Family("database_bytes", "gauge", "Bytes of the database.", shared=True),
    Family("action_seconds", "histogram", "From a command to play until all see it.", None, QUICK),
    Family("append_seconds", "histogram", "From asking the store until it is saved.", None, QUICK),
    Family("entries_total", "counter", "Log entries appended to tables in use."),
    Family("commit_entries", "histogram", "Log entries that were saved together.", None, MANY),
    Family("messages_in_total", "counter", "Messages from clients."),
    Family("messages_out_total", "counter", "Messages to clients."),
    Family("refused_total", "counter", "Commands and connections refused, by reason.", "code"),
    Family("http_seconds", "histogram", "Requests, by the form of their address.", "route", QUICK),
    Family("answers_total", "counter", "Requests answered, by status.", "status"),
    Family("thinking", "gauge", "Pieces of thinking: waiting, working.", "state"),
    Family("thinking_persons", "gauge", "Persons for whom something is thought about."),
    Family("thinking_wait_seconds", "histogram", "How long thinking waited.", None, SLOW),
    Family("thinking_work_seconds", "histogram", "How long thinking took.", None, SLOW),
    Family("loop_lag_seconds", "histogram", "How late the event loop is.", None, QUICK),
    Family("processor_seconds_total", "counter", "Processor time of the processes that serve."),
    Family("resident_bytes", "gauge", "Memory of the processes that serve."),
    Family("open_files", "gauge", "Open files, sockets among them."),
    Family("open_files_limit", "gauge", "How many files may be open."),
    Family("damaged", "gauge", "Processes that know of damage in the database."),
)


def render_prometheus(all_figures: Iterable[Mapping[str, Sequence[float]]]) -> str:
    """Add up the figures of several processes and return them in the exposition format.

    Figures of another program version are ignored if this version does not know their form.
    """
    families = {family.name: family for family in FAMILIES}
    total: Figures = {}
    for figures in all_figures:
        for key, figure in figures.items():
            family = families.get(key.partition(" ")[0])
            if family is None or len(figure) != family.numbers:
                continue
            before = total.get(key)
            if before is None:
                total[key] = list(figure)
            elif family.shared:
                total[key] = [max(a, b) for a, b in zip(before, figure, strict=True)]
            else:
                total[key] = [a + b for a, b in zip(before, figure, strict=True)]
    return "".join(f"{line}\n" for family in FAMILIES for line in _lines(family, total))


def _lines(family: Family, total: Figures) -> Iterator[str]:
    name = f"acesaround_{family.name}"
    yield f"# HELP {name} {family.says}"
    yield f"# TYPE {name} {family.kind}"
    for key, figure in sorted(total.items()):
        its, _, value = key.partition(" ")
        if its == family.name:
            labels = [] if family.label is None else [f'{family.label}="{_escaped(value)}"']
            if family.kind == "histogram":
                yield from _classes(name, labels, family.bounds, figure)
            else:
                yield f"{name}{_braced(labels)} {figure[0]:.15g}"


def _classes(
    name: str, labels: list[str], bounds: Sequence[float], figure: Sequence[float]
) -> Iterator[str]:
    counts = list(accumulate(figure[1:]))
    for bound, count in zip((*(f"{bound:g}" for bound in bounds), "+Inf"), counts, strict=True):
        le = f'le="{bound}"'
        yield f"{name}_bucket{_braced([*labels, le])} {count:.15g}"
    yield f"{name}_sum{_braced(labels)} {figure[0]:.15g}"
    yield f"{name}_count{_braced(labels)} {counts[-1]:.15g}"


def _braced(labels: Sequence[str]) -> str:
    return f"{{{','.join(labels)}}}" if labels else ""


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
