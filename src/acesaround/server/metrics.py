"""What the server has done and is doing, as Prometheus reads it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from acesaround.bots.preparing import preparation


class Metrics:
    """Counters since the start, kept by whoever does the thing that is counted."""

    def __init__(self) -> None:
        self.sockets = 0
        self.entries = 0
        self.append_seconds = 0.0
        self.messages_in = 0
        self.messages_out = 0
        self.refused: Counter[str] = Counter()
        self.held: dict[str, int] = {}  # by the database, as it was counted last

    def figures(self, tables: int) -> dict[str, float]:
        """Every figure by its name; those of refusals by `refused` and the code.

        `tables`: how many are in memory now.
        """
        return {
            "processes": 1,
            "ready": int(preparation().ready.is_set()),
            "sockets": self.sockets,
            "tables": tables,
            "entries_total": self.entries,
            "append_seconds_total": self.append_seconds,
            "messages_in_total": self.messages_in,
            "messages_out_total": self.messages_out,
            **{f"held {what}": number for what, number in self.held.items()},
            **{f"refused {code}": number for code, number in self.refused.items()},
        }


def exposed(all_figures: Iterable[Mapping[str, float]]) -> str:
    """The figures of several processes added up, in the exposition format."""
    total: defaultdict[str, float] = defaultdict(float)
    for figures in all_figures:
        for name, number in figures.items():
            # Each process counts the one database: what they hold is not held several times.
            held = name.startswith("held ")
            total[name] = max(total[name], number) if held else total[name] + number
    return "".join(f"{line}\n" for line in _lines(total))


_SAYS: Final = (
    ("processes", "gauge", "Processes on this database."),
    ("ready", "gauge", "Processes whose bots that search are ready."),
    ("sockets", "gauge", "Open WebSockets."),
    ("tables", "gauge", "Tables in memory."),
    ("entries_total", "counter", "Log entries appended."),
    ("append_seconds_total", "counter", "Time spent appending."),
    ("messages_in_total", "counter", "Messages from clients."),
    ("messages_out_total", "counter", "Messages to clients."),
)
_HELD: Final = (
    ("tables", "Tables in the database, at most ten minutes ago."),
    ("games", "Games in the database, finished or not."),
    ("entries", "Entries of all logs in the database."),
    ("people", "People with a name in the database."),
    ("bytes", "Bytes of the database."),
)


def _lines(total: Mapping[str, float]) -> Iterator[str]:
    for name, kind, says in _SAYS:
        yield from _head(name, kind, says)
        yield f"acesaround_{name} {total[name]:.15g}"
    for name, says in _HELD:
        if f"held {name}" in total:  # as soon as it has been counted
            yield from _head(f"database_{name}", "gauge", says)
            yield f"acesaround_database_{name} {total[f'held {name}']:.15g}"
    yield from _head("refused_total", "counter", "Commands refused, by code.")
    for name, number in sorted(total.items()):
        if name.startswith("refused "):
            code = name.removeprefix("refused ")
            yield f'acesaround_refused_total{{code="{code}"}} {number:.15g}'


def _head(name: str, kind: str, says: str) -> Iterator[str]:
    yield f"# HELP acesaround_{name} {says}"
    yield f"# TYPE acesaround_{name} {kind}"
