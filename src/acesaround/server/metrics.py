"""What the server has done and is doing, as Prometheus reads it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final


class Metrics:
    """Counters since the start, kept by whoever does the thing that is counted."""

    def __init__(self) -> None:
        self.sockets = 0
        self.handed = 0
        self.entries = 0
        self.append_seconds = 0.0
        self.messages_in = 0
        self.messages_out = 0
        self.refused: Counter[str] = Counter()
        self.ready: Callable[[], bool] = lambda: False

    def figures(self, tables: int) -> dict[str, float]:
        """Every figure by its name; those of refusals by `refused` and the code.

        `tables`: how many are in memory now.
        """
        return {
            "processes": 1,
            "ready": int(self.ready()),
            "sockets": self.sockets,
            "handed": self.handed,
            "tables": tables,
            "entries_total": self.entries,
            "append_seconds_total": self.append_seconds,
            "messages_in_total": self.messages_in,
            "messages_out_total": self.messages_out,
            **{f"refused {code}": number for code, number in self.refused.items()},
        }


def exposed(all_figures: Iterable[Mapping[str, float]]) -> str:
    """The figures of several processes added up, in the exposition format."""
    total: defaultdict[str, float] = defaultdict(float)
    for figures in all_figures:
        for name, number in figures.items():
            total[name] += number
    return "".join(f"{line}\n" for line in _lines(total))


_SAYS: Final = (
    ("processes", "gauge", "Processes on this database."),
    ("ready", "gauge", "Processes whose bots that search are ready."),
    ("sockets", "gauge", "Open WebSockets."),
    ("handed", "gauge", "WebSockets that pass through one process to the home of their table."),
    ("tables", "gauge", "Tables in memory."),
    ("entries_total", "counter", "Log entries appended."),
    ("append_seconds_total", "counter", "Time spent appending."),
    ("messages_in_total", "counter", "Messages from clients."),
    ("messages_out_total", "counter", "Messages to clients."),
)


def _lines(total: Mapping[str, float]) -> Iterator[str]:
    for name, kind, says in _SAYS:
        yield from _head(name, kind, says)
        yield f"acesaround_{name} {total[name]:.15g}"
    yield from _head("refused_total", "counter", "Commands refused, by code.")
    for name, number in sorted(total.items()):
        if name.startswith("refused "):
            code = name.removeprefix("refused ")
            yield f'acesaround_refused_total{{code="{code}"}} {number:.15g}'


def _head(name: str, kind: str, says: str) -> Iterator[str]:
    yield f"# HELP acesaround_{name} {says}"
    yield f"# TYPE acesaround_{name} {kind}"
