"""What the server has done and is doing, as Prometheus reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator


class Metrics:
    """Counters since the start, kept by whoever does the thing that is counted."""

    def __init__(self) -> None:
        self.sockets = 0
        self.entries = 0
        self.append_seconds = 0.0
        self.messages_in = 0
        self.messages_out = 0
        self.refused: Counter[str] = Counter()

    def text(self, tables: int) -> str:
        """The exposition format. `tables`: how many are in memory now."""
        return "".join(f"{line}\n" for line in self._lines(tables))

    def _lines(self, tables: int) -> Iterator[str]:
        for name, kind, value, says in (
            ("sockets", "gauge", self.sockets, "Open WebSockets."),
            ("tables", "gauge", tables, "Tables in memory."),
            ("entries_total", "counter", self.entries, "Log entries appended."),
            ("append_seconds_total", "counter", self.append_seconds, "Time spent appending."),
            ("messages_in_total", "counter", self.messages_in, "Messages from clients."),
            ("messages_out_total", "counter", self.messages_out, "Messages to clients."),
        ):
            yield from _head(name, kind, says)
            yield f"acesaround_{name} {value}"
        yield from _head("refused_total", "counter", "Commands refused, by code.")
        for code, number in sorted(self.refused.items()):
            yield f'acesaround_refused_total{{code="{code}"}} {number}'


def _head(name: str, kind: str, says: str) -> Iterator[str]:
    yield f"# HELP acesaround_{name} {says}"
    yield f"# TYPE acesaround_{name} {kind}"
