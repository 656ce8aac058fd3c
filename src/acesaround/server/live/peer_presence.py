"""Who is connected to the other processes on the same database, by what those tell.

Every process tells of each of its tables who is there, whenever that changes, and now and then
that it is alive and what it counts. One that has been silent for too long is forgotten with its
people.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from time import monotonic
from typing import Final, Literal

import msgspec

from acesaround.server.observability.metrics import Figures

EVERY: Final = 2.0
"""Seconds between two signs of life, where nothing else is set."""
_MISSED: Final = 3  # signs of life that do not come until a process is held for dead
_MOST: Final = 150  # persons told of at one table; ids are short, so that a message takes them all


class PeerMessage(msgspec.Struct, array_like=True):
    """What a process says. `here`: who is connected to tables; `hello`: it asks who is there."""

    by: str
    kind: Literal["hello", "alive", "here", "bye"]
    tables: dict[str, list[str]] = {}
    figures: Figures = {}


class _Other:
    """Another process: when it was last heard, its tables with the people there, its figures."""

    def __init__(self, heard: float) -> None:
        self.heard = heard
        self.figures: Figures = {}
        self.tables: dict[str, frozenset[str]] = {}


class PeerPresence:
    """What one process knows of the others. A table where somebody unknown looks on has `""`.

    `every`: seconds between two signs of life; `silence`: after which one is held for dead.
    `unsure`: one that was held for dead has been heard again; who is there has to be asked.
    """

    def __init__(self, every: float = EVERY) -> None:
        self.own = secrets.token_urlsafe(9)
        self.every = every
        self.silence = _MISSED * every
        self.unsure = False
        self._others: dict[str, _Other] = {}
        self._expired: set[str] = set()

    def at(self, table_id: str) -> set[str]:
        """The ids of the persons connected to a table elsewhere."""
        found: set[str] = set()
        for other in self._others.values():
            found |= other.tables.get(table_id, frozenset())
        return found - {""}

    @property
    def tables(self) -> set[str]:
        """The ids of the tables at which some person is connected elsewhere."""
        return {
            table_id
            for other in self._others.values()
            for table_id, people in other.tables.items()
            if people - {""}
        }

    def is_in_use(self, table_id: str) -> bool:
        """Whether anybody, known or not, is connected to a table elsewhere."""
        return any(table_id in other.tables for other in self._others.values())

    def receive(self, said: str, now: float | None = None) -> tuple[bool, set[str]]:
        """Take in a message: whether to tell everything in reply, and the tables that changed.

        What cannot be read comes from another version of the program and is left alone.
        """
        try:
            told = msgspec.json.decode(said, type=PeerMessage)
        except msgspec.DecodeError:
            return False, set()
        if told.by == self.own:
            return False, set()
        if told.by in self._expired:  # it does not know that its tables are forgotten here
            self._expired.discard(told.by)
            self.unsure = self.unsure or told.kind != "bye"
        if told.kind == "bye":
            return False, self._forget(told.by)
        new = told.by not in self._others
        other = self._others.setdefault(told.by, _Other(0.0))
        other.heard = monotonic() if now is None else now
        other.figures |= told.figures
        changed = set()
        for table_id, people in told.tables.items():
            was, now_there = other.tables.pop(table_id, None), frozenset(people)
            if now_there:
                other.tables[table_id] = now_there
            if now_there != (was or frozenset()):
                changed.add(table_id)
        return new or told.kind == "hello", changed

    def expire(self, now: float | None = None) -> set[str]:
        """Forget processes that have long been silent: the tables where that changes something."""
        now = monotonic() if now is None else now
        dead = [name for name, other in self._others.items() if now - other.heard > self.silence]
        changed: set[str] = set()
        for name in dead:
            changed |= self._forget(name)
        self._expired |= set(dead)
        return changed

    def _forget(self, name: str) -> set[str]:
        other = self._others.pop(name, None)
        return set() if other is None else set(other.tables)

    @property
    def figures(self) -> list[Figures]:
        """The figures of the other processes, as each told them last."""
        return [other.figures for other in self._others.values()]

    def encode_message(self, kind: Literal["hello", "alive", "bye"]) -> str:
        """A message without people."""
        return _said(PeerMessage(self.own, kind))

    def heartbeat_messages(self, figures: Figures, longest: int) -> Iterator[str]:
        """Messages that say what this process counts, none longer than PostgreSQL takes."""
        part: Figures = {}
        length = 100
        for name, figure in figures.items():
            more = len(msgspec.json.encode({name: figure}))
            if part and length + more > longest:
                yield _said(PeerMessage(self.own, "alive", {}, part))
                part, length = {}, 100
            part[name] = figure
            length += more
        yield _said(PeerMessage(self.own, "alive", {}, part))

    def presence_messages(
        self, tables: Mapping[str, Collection[str]], longest: int
    ) -> Iterator[str]:
        """Messages that say who is at these tables, none longer than PostgreSQL takes."""
        part: dict[str, list[str]] = {}
        length = 100
        for table_id, people in tables.items():
            named = list(islice(people, _MOST))
            more = len(table_id) + sum(len(person) + 3 for person in named) + 10
            if part and length + more > longest:
                yield _said(PeerMessage(self.own, "here", part))
                part, length = {}, 100
            part[table_id] = named
            length += more
        if part:
            yield _said(PeerMessage(self.own, "here", part))


def _said(told: PeerMessage) -> str:
    return msgspec.json.encode(told).decode()
