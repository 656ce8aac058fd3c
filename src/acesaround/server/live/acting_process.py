"""Which process deals and runs the bots of a table that several processes hold."""

from __future__ import annotations

from acesaround.server.live.presence_tracker import PresenceTracker
from acesaround.server.live.table_clients import TableClients
from acesaround.table import Table


def is_acting_process(table: Table, clients: TableClients, tracker: PresenceTracker) -> bool:
    """Return whether this process deals and runs the bots of the table.

    At least one client must be connected here. The process acts if a seated person is connected to
    it. It also acts if no seated person is connected to any other process, so that play goes on for
    spectators. Several processes may act at once: the log decides which is first.
    """
    seated = {seat.person.id for seat in table.seats if seat.person is not None}
    return bool(clients) and bool(seated & clients.person_ids or not seated & tracker.ids_at_peers)
