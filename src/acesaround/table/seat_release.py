"""The release of seats: which seats become free if their persons are away for long.

Only in a public lobby does anybody lose a seat, and never the host. `server/live` decides when a
person has been away for long.
"""

from __future__ import annotations

from acesaround.table import entries
from acesaround.table.entries import Entry
from acesaround.table.table import Table, TablePresence


def releasable_seats(table: Table) -> tuple[int, ...]:
    """Return the seats in a public lobby that persons other than the host hold."""
    if not table.is_public_lobby:
        return ()
    held = ((number, table.seats[number].person) for number in table.occupied_seats)
    return tuple([number for number, one in held if one and one.id != table.host.id])


def release_seats(table: Table, presence: TablePresence) -> tuple[Entry, ...]:
    """Return the entries that free the releasable seats of persons who are gone."""
    holders = ((seat, table.seats[seat].person) for seat in releasable_seats(table))
    return tuple(
        [
            entries.SeatLeft(seat, away=True)
            for seat, one in holders
            if one and one.id in presence.gone
        ]
    )
