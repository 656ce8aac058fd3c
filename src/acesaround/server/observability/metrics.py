"""What the server has done and is doing, as Prometheus reads it.

Several processes may serve one address, on several machines, so that nobody can ask each of them.
They tell each other their figures, and whoever is asked adds them up. So a figure is a list of
numbers that can be added one by one: one number, or of a histogram the sum and the counts.
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
"""Numbers by the name of what is counted; where it has a label, its value stands after a space."""

QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds that people wait for what is done at once."""
SLOW: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Seconds of what takes its time."""
MANY: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
_CLOSES: Final = (1000, 1001, 1005, 1006, 1008, 1009, 1011, 1012, 1013, 4401, 4404, 4410, 4500)
"""Codes with which sockets are closed; a browser may make up others."""
_REFUSALS: Final = (*get_args(RefusalCode), "full")


class Histogram:
    """How often something was so large. `bounds`: the largest of each class but the last."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float] = QUICK) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, size: float) -> None:
        """Count it once more."""
        self._counts[bisect_left(self._bounds, size)] += 1
        self._sum += size

    @property
    def figures(self) -> list[float]:
        """The sum, then how many there were in each class."""
        return [round(self._sum, 6), *self._counts]


class Metrics:
    """Counters since the start, kept by whoever does the thing that is counted."""

    def __init__(self) -> None:
        self.sockets = 0
        self.entries = 0
        self.messages_in = 0
        self.messages_out = 0
        self.refused: Counter[str] = Counter(dict.fromkeys(_REFUSALS, 0))
        self.answered: Counter[str] = Counter({"500": 0, "503": 0})  # so that the first is seen
        self.closed: Counter[str] = Counter()
        self.action = Histogram()
        self.append = Histogram()
        self.commit = Histogram(MANY)
        self.lag = Histogram()
        self.held: dict[str, int] = {}  # by the database, as it was counted last
        self._http: dict[str, Histogram] = {}

    def http(self, route: str, seconds: float) -> None:
        """A request to an address of that form has been answered."""
        found = self._http.get(route)
        if found is None:
            found = self._http[route] = Histogram()
        found.observe(seconds)

    def close(self, code: int) -> None:
        """A WebSocket has been closed with that code, or refused with that status."""
        self.closed[str(code) if code in _CLOSES or code < _CLOSES[0] else "other"] += 1

    @property
    def figures(self) -> Figures:
        """All of it."""
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
    """One name in what Prometheus reads.

    `label`: by what it is divided; `bounds`: of a histogram's classes; `shared`: it is of the
    database, so that what several processes tell is not added up.
    """

    name: str
    kind: Literal["gauge", "counter", "histogram"]
    says: str
    label: str | None = None
    bounds: tuple[float, ...] = ()
    shared: bool = False

    @property
    def numbers(self) -> int:
        """How many its figure has."""
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
    """The figures of several processes added up, in the exposition format.

    What another version of the program counts otherwise is left out.
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
