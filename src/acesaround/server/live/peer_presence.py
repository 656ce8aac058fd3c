"""Presence in the other processes on the same database, taken from their messages.

Every process announces who is connected to its tables whenever that changes. At intervals it also
sends a heartbeat. A process that is silent for too long is dropped together with its people.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from time import monotonic
from typing import Final, Literal, TypeAlias

import msgspec

from acesaround.server.settings import HEARTBEAT_SECONDS

_MAX_MISSED_HEARTBEATS: Final = 3  # missed heartbeats after which a process counts as dead
_MAX_PEOPLE_PER_TABLE: Final = (
    150  # people announced for one table; so many short ids fit into one message
)
_Kind: TypeAlias = Literal["hello", "alive", "here", "whole", "bye"]


class PeerMessage(msgspec.Struct, array_like=True):
    """A message of a process. `here`: who is connected to its tables; `hello`: a request for that.

    `whole`: the process has now named all of its tables since the last `hello` of either side;
    `alive`: a heartbeat; `bye`: the process ends. `number` differs in each message of a process,
    because PostgreSQL delivers only the first of equal notifications in a transaction. `silent`: of
    some of these tables the person on turn, who does not answer the sender.
    """

    sender: str
    kind: _Kind
    tables: dict[str, list[str]] = {}
    number: int = 0
    silent: dict[str, str] = {}


class _Peer:
    """Another process: the time of its last message, and its people by table.

    `silent`: by table the person who does not answer it. `unconfirmed_ids`: the tables that it must
    name again, because messages may have been lost.
    """

    def __init__(self, last_message_at: float) -> None:
        self.last_message_at = last_message_at
        self.tables: dict[str, frozenset[str]] = {}
        self.silent: dict[str, str] = {}
        self.unconfirmed_ids: set[str] = set()


class PeerPresence:
    """The presence in all other processes, as this process knows it.

    The people of a table include `""` if a client without a person watches it. `heartbeat_seconds`:
    seconds between two heartbeats; `timeout_seconds`: seconds without a message after which a
    process counts as dead. `is_presence_unknown`: a process that counted as dead has sent a
    message, so its presence is unknown.
    """

    def __init__(self, heartbeat_seconds: float = HEARTBEAT_SECONDS) -> None:
        self.own_id = secrets.token_urlsafe(9)
        self.heartbeat_seconds = heartbeat_seconds
        self.timeout_seconds = _MAX_MISSED_HEARTBEATS * heartbeat_seconds
        self.is_presence_unknown = False
        self._peers: dict[str, _Peer] = {}
        self._dropped_peers: set[str] = set()
        self._message_count = 0

    def people_at(self, table_id: str) -> set[str]:
        """Return the ids of the people connected to a table in other processes."""
        people: set[str] = set()
        for peer in self._peers.values():
            people |= peer.tables.get(table_id, frozenset())
        return people - {""}

    def answering_at(self, table_id: str) -> set[str]:
        """Return the people connected to a table who answer at least one other process."""
        people: set[str] = set()
        for peer in self._peers.values():
            people |= peer.tables.get(table_id, frozenset()) - {peer.silent.get(table_id)}
        return people - {""}

    @property
    def occupied_table_ids(self) -> set[str]:
        """The ids of the tables to which a person is connected in another process."""
        return {
            table_id
            for peer in self._peers.values()
            for table_id, people in peer.tables.items()
            if people - {""}
        }

    def is_in_use(self, table_id: str) -> bool:
        """Return whether a table has any client, with or without a person, in another process."""
        return any(table_id in peer.tables for peer in self._peers.values())

    def receive(self, text: str, now: float | None = None) -> tuple[bool, set[str]]:
        """Apply a message. Return whether to announce all presence in reply, and changed tables.

        An unreadable message comes from another version of the program and is ignored.
        """
        try:
            message = msgspec.json.decode(text, type=PeerMessage)
        except msgspec.DecodeError:
            return False, set()
        if message.sender == self.own_id:
            return False, set()
        if (
            message.sender in self._dropped_peers
        ):  # that process does not know that its tables were dropped
            self._dropped_peers.discard(message.sender)
            self.is_presence_unknown = self.is_presence_unknown or message.kind != "bye"
        if message.kind == "bye":
            return False, self._remove_peer(message.sender)
        is_new_peer = message.sender not in self._peers
        peer = self._peers.setdefault(message.sender, _Peer(0.0))
        peer.last_message_at = monotonic() if now is None else now
        if message.kind == "hello":
            peer.unconfirmed_ids = set(peer.tables)
        stated_tables = message.tables
        if message.kind == "whole":
            stated_tables = {table_id: [] for table_id in sorted(peer.unconfirmed_ids)}
        changed_tables = set()
        for table_id, people in stated_tables.items():
            peer.unconfirmed_ids.discard(table_id)
            people_before, people_now = peer.tables.pop(table_id, None), frozenset(people)
            silent_before = peer.silent.pop(table_id, None)
            silent_now = message.silent.get(table_id)
            if people_now:
                peer.tables[table_id] = people_now
            if silent_now in people_now:
                peer.silent[table_id] = silent_now
            if people_now != (people_before or frozenset()) or silent_now != silent_before:
                changed_tables.add(table_id)
        return is_new_peer or message.kind == "hello", changed_tables

    def expect_presence(self) -> None:
        """Note that messages may have been lost, so that every peer must name its tables again.

        A table is dropped if its peer does not name it before it sends `whole`.
        """
        for peer in self._peers.values():
            peer.unconfirmed_ids = set(peer.tables)

    def drop_silent_peers(self, now: float | None = None) -> set[str]:
        """Drop processes that are silent for too long, and return the tables that this changes."""
        now = monotonic() if now is None else now
        silent = [
            name
            for name, peer in self._peers.items()
            if now - peer.last_message_at > self.timeout_seconds
        ]
        changed_tables: set[str] = set()
        for name in silent:
            changed_tables |= self._remove_peer(name)
        self._dropped_peers |= set(silent)
        return changed_tables

    def _remove_peer(self, name: str) -> set[str]:
        peer = self._peers.pop(name, None)
        return set() if peer is None else set(peer.tables)

    def encode_message(self, kind: Literal["hello", "alive", "whole", "bye"]) -> str:
        """Return a message without people."""
        return self._encode(kind, {}, {})

    def presence_messages(
        self,
        tables: Mapping[str, Collection[str]],
        max_bytes: int,
        silent: Mapping[str, str | None] = {},
    ) -> Iterator[str]:
        """Yield messages with the people at these tables, split at `max_bytes` for PostgreSQL.

        `silent`: by table the person who does not answer, if any.
        """
        tables_part: dict[str, list[str]] = {}
        silent_part: dict[str, str] = {}
        length = 100
        for table_id, people in tables.items():
            listed_people = list(islice(people, _MAX_PEOPLE_PER_TABLE))
            added_bytes = len(table_id) + sum(len(person) + 3 for person in listed_people) + 10
            if (silent_id := silent.get(table_id)) is not None:
                added_bytes += len(table_id) + len(silent_id) + 10
            if tables_part and length + added_bytes > max_bytes:
                yield self._encode("here", tables_part, silent_part)
                tables_part, silent_part, length = {}, {}, 100
            tables_part[table_id] = listed_people
            if silent_id is not None:
                silent_part[table_id] = silent_id
            length += added_bytes
        if tables_part:
            yield self._encode("here", tables_part, silent_part)

    def _encode(self, kind: _Kind, tables: dict[str, list[str]], silent: dict[str, str]) -> str:
        self._message_count += 1
        message = PeerMessage(self.own_id, kind, tables, self._message_count, silent)
        return msgspec.json.encode(message).decode()
