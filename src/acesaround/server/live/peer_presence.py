"""Presence in the other processes on the same database, taken from their messages.

Every process announces who is connected to its tables whenever that changes. At intervals it also
sends a heartbeat. A process that is silent for too long is dropped together with its people.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from time import monotonic
from typing import Final, Literal

import msgspec

from acesaround.server.settings import HEARTBEAT_SECONDS

_MISSED: Final = 3  # missed heartbeats after which a process counts as dead
_MOST: Final = 150  # people announced for one table; so many short ids fit into one message


class PeerMessage(msgspec.Struct, array_like=True):
    """A message of a process. `here`: who is connected to its tables; `hello`: a request for that.

    `alive`: a heartbeat; `bye`: the process ends.
    """

    by: str
    kind: Literal["hello", "alive", "here", "bye"]
    tables: dict[str, list[str]] = {}


class _Other:
    """Another process: the time of its last message, and its people by table."""

    def __init__(self, heard: float) -> None:
        self.heard = heard
        self.tables: dict[str, frozenset[str]] = {}


class PeerPresence:
    """The presence in all other processes, as this process knows it.

    The people of a table include `""` if a client without a person watches it. `every`: seconds
    between two heartbeats; `silence`: seconds without a message after which a process counts as
    dead. `unsure`: a process that counted as dead has sent a message, so its presence is unknown.
    """

    def __init__(self, every: float = HEARTBEAT_SECONDS) -> None:
        self.own = secrets.token_urlsafe(9)
        self.every = every
        self.silence = _MISSED * every
        self.unsure = False
        self._others: dict[str, _Other] = {}
        self._expired: set[str] = set()

    def at(self, table_id: str) -> set[str]:
        """Return the ids of the people connected to a table in other processes."""
        found: set[str] = set()
        for other in self._others.values():
            found |= other.tables.get(table_id, frozenset())
        return found - {""}

    @property
    def tables(self) -> set[str]:
        """The ids of the tables to which a person is connected in another process."""
        return {
            table_id
            for other in self._others.values()
            for table_id, people in other.tables.items()
            if people - {""}
        }

    def is_in_use(self, table_id: str) -> bool:
        """Return whether a table has any client, with or without a person, in another process."""
        return any(table_id in other.tables for other in self._others.values())

    def receive(self, said: str, now: float | None = None) -> tuple[bool, set[str]]:
        """Apply a message. Return whether to announce all presence in reply, and changed tables.

        An unreadable message comes from another version of the program and is ignored.
        """
        try:
            told = msgspec.json.decode(said, type=PeerMessage)
        except msgspec.DecodeError:
            return False, set()
        if told.by == self.own:
            return False, set()
        if told.by in self._expired:  # that process does not know that its tables were dropped
            self._expired.discard(told.by)
            self.unsure = self.unsure or told.kind != "bye"
        if told.kind == "bye":
            return False, self._forget(told.by)
        new = told.by not in self._others
        other = self._others.setdefault(told.by, _Other(0.0))
        other.heard = monotonic() if now is None else now
        changed = set()
        for table_id, people in told.tables.items():
            was, now_there = other.tables.pop(table_id, None), frozenset(people)
            if now_there:
                other.tables[table_id] = now_there
            if now_there != (was or frozenset()):
                changed.add(table_id)
        return new or told.kind == "hello", changed

    def expire(self, now: float | None = None) -> set[str]:
        """Drop processes that are silent for too long, and return the tables that this changes."""
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

    def encode_message(self, kind: Literal["hello", "alive", "bye"]) -> str:
        """Return a message without people."""
        return _said(PeerMessage(self.own, kind))

    def presence_messages(
        self, tables: Mapping[str, Collection[str]], longest: int
    ) -> Iterator[str]:
        """Yield messages with the people at these tables, split at `longest` for PostgreSQL."""
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
