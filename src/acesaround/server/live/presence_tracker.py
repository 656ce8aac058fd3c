"""Presence at one table, in all processes.

It holds who is connected, who does not answer pings, and who has been away so long that the other
people no longer wait for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from acesaround.server.live.liveness_check import LivenessCheck
from acesaround.server.live.peer_presence import PeerPresence
from acesaround.server.live.table_clients import TableClients
from acesaround.table import Table, TablePresence, releasable_seats
from acesaround.table.list_columns import person_seat_on_turn


class PresenceTracker:
    """The people connected to one table in any process, and how long others have been absent.

    `on_gone`: called when an absent person begins to count as gone. `liveness_check`: asks the
    clients of the person on turn in this process for an answer.
    """

    def __init__(
        self,
        table_id: str,
        clients: TableClients,
        peers: PeerPresence,
        away_seconds: float,
        on_gone: Callable[[], None],
        liveness_check: LivenessCheck,
    ) -> None:
        self._table_id = table_id
        self._clients = clients
        self._peers = peers
        self._away_seconds = away_seconds
        self._on_gone = on_gone
        self._liveness_check = liveness_check
        self._loaded_at = asyncio.get_running_loop().time()
        self._people_before: set[str] = set()  # people present at the last check
        self._left_at: dict[str, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    @property
    def ids_at_peers(self) -> set[str]:
        """The ids of the people who are connected to other processes (peers)."""
        return self._peers.people_at(self._table_id)

    @property
    def present_ids(self) -> set[str]:
        """The ids of the people who are connected, here or to another process."""
        return self._clients.person_ids - {""} | self.ids_at_peers

    def presence(self, table: Table) -> TablePresence:
        """Return the connected people, and the absent people who no longer hold up the others."""
        present, now = self.present_ids, asyncio.get_running_loop().time()
        gone = frozenset(
            person for person in _members(table) - present if self._gone_at(person) <= now
        )
        spectators = self._clients.named_spectators(table)
        return TablePresence(
            frozenset(present),
            gone,
            self._clients.reader_ids,
            spectators,
            self._silent_ids(_waited_for_id(table, present)),
        )

    def _silent_ids(self, waited_for_id: str | None) -> frozenset[str]:
        """Return the id of the person on turn if none of this person's clients answers."""
        if waited_for_id is None or waited_for_id in self._peers.answering_at(self._table_id):
            return frozenset()
        is_answering_here = (
            waited_for_id in self._clients.person_ids
            and waited_for_id != self._liveness_check.silent_id
        )
        return frozenset() if is_answering_here else frozenset({waited_for_id})

    def check_answers(self, table: Table) -> None:
        """Ask the clients of the person on turn for answers, if other players wait."""
        self._liveness_check.watch(_waited_for_id(table, self.present_ids))

    def _gone_at(self, person: str) -> float:
        """Return the loop time at which an absent person counts as gone.

        The waiting time begins when the person leaves. For a person absent from the start, it
        begins when this process loaded the table, because earlier presence is unknown here.
        """
        return self._left_at.get(person, self._loaded_at) + self._away_seconds

    def update(self, table: Table) -> None:
        """Note who has left since the last check, and schedule the next change to gone."""
        present, now = self.present_ids, asyncio.get_running_loop().time()
        absent = _members(table) - present
        newly_left = dict.fromkeys(self._people_before & absent, now)
        self._left_at = {
            person_id: left_at
            for person_id, left_at in self._left_at.items()
            if person_id in absent
        } | newly_left
        self._people_before = present
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadlines = [left_at for person in absent if (left_at := self._gone_at(person)) > now]
        if deadlines and self._clients:
            delay = min(deadlines) - now + 0.01
            self._timer = asyncio.get_running_loop().call_later(delay, self._on_gone)

    def next_release_at(self, table: Table) -> float | None:
        """Return the loop time at which the next absent person's seat is to be freed, if any."""
        holders = (table.seats[seat].person for seat in releasable_seats(table))
        absent = {holder.id for holder in holders if holder is not None} - self.present_ids
        return min(map(self._gone_at, absent), default=None)


def _waited_for_id(table: Table, present: set[str]) -> str | None:
    """Return the id of the connected person on turn for whom other connected players wait."""
    seat = None if table.is_paused else person_seat_on_turn(table)
    holder = None if seat is None else table.seats[seat].person
    if holder is None or holder.id not in present:
        return None
    players = {seat.person.id for seat in table.seats if seat.person is not None}
    return holder.id if players & present - {holder.id} else None


def _members(table: Table) -> set[str]:
    """Return the ids of the host and of the people with a seat."""
    holders = (seat.person for seat in table.seats)
    return {table.host.id, *(person.id for person in holders if person is not None)}
