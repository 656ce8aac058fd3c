"""Anonymizing a deleted person: a table keeps their plays under the name "a former player".

Entries are changed one for one, so that sequence numbers stay the same. In each entry the person
gets another id and the name of a former player. Their chat lines are redacted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from acesaround.table import entries, names
from acesaround.table.entries import Entry, Person
from acesaround.table.folding import apply_entry, fold
from acesaround.table.table import Table

FORMER_PLAYER: Final = "a former player"
"""The name of an anonymized person; a second one at the same table gets a number."""


class AnonymizedLog(msgspec.Struct, frozen=True):
    """The changes that anonymize one person in a log.

    `changed_entries`: the new entries, by number. `redacted_lines`: the numbers of the redacted
    chat lines. `name`: the person's new name. `table`: the fold of the changed log.
    """

    changed_entries: dict[int, Entry]
    redacted_lines: tuple[int, ...]
    name: str
    table: Table


def anonymized_log(
    log_entries: Iterable[Entry], person_id: str, replacement_id: str
) -> AnonymizedLog:
    """Return the changes to a whole log that replace a person by the id `replacement_id`."""
    all_entries = tuple(log_entries)
    former = Person(
        replacement_id, names.make_distinct(FORMER_PLAYER, _names_of_others(all_entries, person_id))
    )
    changed_entries: dict[int, Entry] = {}
    redacted_lines: list[int] = []
    table: Table | None = None
    for number, entry in enumerate(all_entries):
        anonymized = _anonymized_entry(table, entry, person_id, former)
        if anonymized is not entry:
            changed_entries[number] = anonymized
        if isinstance(entry, entries.ChatSent) and anonymized is not entry:
            redacted_lines.append(number)
        table = fold([anonymized]) if table is None else apply_entry(table, anonymized)[0]
    assert table is not None
    return AnonymizedLog(changed_entries, tuple(redacted_lines), former.name, table)


def _names_of_others(log_entries: Iterable[Entry], person_id: str) -> set[str]:
    """Return all names that other persons have had in a log.

    Names from `ProfileChanged` entries are not included.
    """
    return {
        named.name for entry in log_entries for named in _persons_in(entry) if named.id != person_id
    }


def _persons_in(entry: Entry) -> tuple[Person, ...]:
    match entry:
        case entries.Opened(host=host):
            return (host,)
        case entries.SeatTaken(_, person) | entries.SeatRequested(_, person):
            return (person,)
        case _:
            return ()


def _anonymized_entry(table: Table | None, entry: Entry, person_id: str, former: Person) -> Entry:
    """Return an entry in its anonymized form.

    `table`: the fold of the entries before it, in which the person is anonymized already.
    """
    match entry:
        case entries.Opened(host=host) if host.id == person_id:
            return replace(entry, host=former)
        case entries.SeatTaken(_, named) | entries.SeatRequested(_, named) if named.id == person_id:
            return replace(entry, person=former)
        case entries.Readmitted(forgiven) if forgiven == person_id:
            return entries.Readmitted(former.id)
        case entries.ProfileChanged(seat) if _is_former_in_seat(table, seat, former):
            return entries.ProfileChanged(seat, former.name)
        case entries.ChatSent(seat, _) if _is_former_in_seat(table, seat, former):
            return entries.ChatRedacted()
        case _:
            return entry


def _is_former_in_seat(table: Table | None, seat: int, former: Person) -> bool:
    """Return whether the former player holds a seat."""
    holder = None if table is None else table.seats[seat].person
    return holder is not None and holder.id == former.id


def entries_on_deletion(table: Table, person_id: str) -> tuple[Entry, ...]:
    """Return the entries by which a deleted person (by id) leaves a table.

    The seat goes to its bot. If the person is the host, the first person who still has a seat
    becomes host.
    """
    final_entries: list[Entry] = []
    seat = table.seat_of(person_id)
    if seat is not None:
        final_entries.append(entries.PersonDeleted(seat))
        table, _ = apply_entry(table, final_entries[0])
    if table.host.id == person_id and table.occupied_seats:
        final_entries.append(entries.HostGiven(table.occupied_seats[0]))
    return tuple(final_entries)
