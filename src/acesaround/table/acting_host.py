"""The person who acts for a host who is away or has left the table."""

from __future__ import annotations

from collections.abc import Collection

from acesaround.table.table import Table


def acting_host_id(table: Table, gone_people: Collection[str] = ()) -> str | None:
    """Return the id of the person who acts for the host, or None if nobody does.

    If the host holds no seat or is one of `gone_people`, that is the first seated person who is
    not gone.
    """
    if table.seat_of(table.host.id) is not None and table.host.id not in gone_people:
        return None
    seated = (table.seats[number].person for number in table.occupied_seats)
    return next(
        (
            person.id
            for person in seated
            if person is not None and person.id != table.host.id and person.id not in gone_people
        ),
        None,
    )


def acts_as_host(table: Table, person_id: str | None, gone_people: Collection[str] = ()) -> bool:
    """Return whether a person is the host or acts for the host."""
    return person_id is not None and person_id in (
        table.host.id,
        acting_host_id(table, gone_people),
    )
