"""Which people were connected to which table, and how long they were away, as a server could
know."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.simulation.environment import WORLD

if TYPE_CHECKING:
    from tests.simulation.network import Connection


class Attendance:
    """The absences of each person at each table, for a world with one server.

    A person is there from the first state that a connection was sent until the server has lost it.
    Connections whose person is not certain are left out.
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._absences: dict[tuple[str, str], list[tuple[float, float | None]]] = {}
        self._opened_at: dict[str, float] = {}
        self.changed_at: dict[str, float] = {}
        """The time at which a person last came to a table or left it."""

    def note_opened(self, table_id: str) -> None:
        """Record that a table was stored; all absences count from this time."""
        self._opened_at[table_id] = WORLD.now

    def note_joined(self, connection: Connection) -> None:
        """Record that the server has sent a connection its first state."""
        self.changed_at[connection.table_id] = WORLD.now
        for key in _keys(connection):
            self._counts[key] += 1
            absences = self._absences.setdefault(key, [(self._opened_at[key[0]], None)])
            if absences[-1][1] is None:
                absences[-1] = absences[-1][0], WORLD.now

    def note_left(self, connection: Connection) -> None:
        """Record that a server has lost a connection."""
        self.changed_at[connection.table_id] = WORLD.now
        if connection.shown_seq is None:
            return
        for key in _keys(connection):
            self._counts[key] -= 1
            if not self._counts[key]:
                self._absences[key].append((WORLD.now, None))

    def longest_absence(self, table_id: str, person: str, since: float) -> float:
        """Return the seconds of a person's longest absence that did not end before a time."""
        never_there = [(self._opened_at[table_id], None)]
        absences = self._absences.get((table_id, person), never_there)
        lengths = [
            (WORLD.now if end is None else end) - begin
            for begin, end in absences
            if end is None or end >= since
        ]
        return max(lengths, default=0.0)


def _keys(connection: Connection) -> list[tuple[str, str]]:
    if connection.link_kind != "play" or len(connection.persons) != 1:
        return []
    return [(connection.table_id, connection.persons[0])]
