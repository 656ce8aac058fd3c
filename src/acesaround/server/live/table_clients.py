"""The clients of one table in one process, and the messages that they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from acesaround.game.events import Event
from acesaround.server.limits.seat_priority import spectator_to_close
from acesaround.server.live.table_log import Step
from acesaround.server.table_client import TRY_LATER, TableClient
from acesaround.table import (
    Person,
    Table,
    TablePresence,
    TimeLeft,
    can_get_seat,
    encode_state,
)
from acesaround.table.client_state import StateEncoder

PLACE_NEEDED: Final = "Your place was needed for a player: try again later."
_MAX_SPECTATOR_NAMES: Final = 12  # spectators listed by name


class TableClients:
    """The clients of one table in one process, in the order in which they joined."""

    def __init__(self) -> None:
        self._clients: dict[TableClient, None] = {}

    def __iter__(self) -> Iterator[TableClient]:
        """Iterate over the clients, the first to join first."""
        return iter(self._clients)

    def __len__(self) -> int:
        """Return the number of clients."""
        return len(self._clients)

    def add(self, client: TableClient) -> None:
        """Add a client."""
        self._clients[client] = None

    def remove(self, client: TableClient) -> None:
        """Remove a client, if it is still there."""
        self._clients.pop(client, None)

    @property
    def person_ids(self) -> set[str]:
        """The ids of the people; `""` represents clients without a person."""
        return {client.person_id or "" for client in self._clients}

    @property
    def reader_ids(self) -> frozenset[str]:
        """The ids of the people whose pages show a result until its person goes on."""
        return frozenset(
            client.person_id
            for client in self._clients
            if client.reads_results and client.person_id is not None
        )

    def people(self, table: Table) -> list[str]:
        """Return the ids of the people (see `person_ids`), seated people first."""
        return sorted(self.person_ids, key=lambda person: table.seat_of(person) is None)

    def spectators(self, table: Table) -> list[TableClient]:
        """Return the clients without a seat."""
        return [client for client in self._clients if table.seat_of(client.person_id) is None]

    def named_spectators(self, table: Table) -> tuple[Person, ...]:
        """Return the first `_MAX_SPECTATOR_NAMES` people without a seat by name."""
        people_by_id = {
            client.person_id: client.person
            for client in self.spectators(table)
            if client.person is not None
        }
        in_order = sorted(people_by_id.values(), key=lambda person: (person.name, person.id))
        return tuple(in_order[:_MAX_SPECTATOR_NAMES])

    def close_spectator_for(
        self, client: TableClient, table: Table, presence: TablePresence, max_spectators: int
    ) -> bool:
        """Close a spectator if a client without a seat needs the place; return whether it may join.

        Beyond `max_spectators` only a person who can get a seat may join.
        """
        spectators = self.spectators(table)
        if len(spectators) < max_spectators:
            return True
        if client.person is None or not can_get_seat(table, client.person, presence):
            return False
        asking = {request.person.id for request in table.seat_requests}
        closed = spectator_to_close(spectators, asking)
        if closed is None:
            return False
        closed.close(TRY_LATER, PLACE_NEEDED)
        del self._clients[closed]
        return True

    def close_where(
        self, must_close: Callable[[TableClient], bool], code: int = TRY_LATER, reason: str = ""
    ) -> None:
        """Close and remove clients, so that their people no longer count as present."""
        for client in [candidate for candidate in self._clients if must_close(candidate)]:
            client.close(code, reason)
            del self._clients[client]

    def send(self, message: bytes) -> None:
        """Send all clients the same message."""
        for client in self._clients:
            client.send(message)


def send_state(
    clients: Iterable[TableClient],
    table: Table,
    events: tuple[Event, ...],
    presence: TablePresence,
    time_left: TimeLeft,
) -> None:
    """Send a table to clients, each in the form that its person may see."""
    encoder = StateEncoder(table, events, presence, time_left=time_left)
    messages: dict[tuple[str | None, str], bytes] = {}
    for client in clients:
        viewer = client.person_id, client.link
        if viewer not in messages:
            messages[viewer] = encoder.encode(client.link, client.person_id)
        client.send(messages[viewer])


def send_missed(client: TableClient, steps: Sequence[Step], presence: TablePresence) -> None:
    """Send a client steps that it has missed, one by one."""
    for table, events in steps:
        client.send(
            encode_state(table, client.link, client.person_id, events, presence, was_missed=True)
        )
