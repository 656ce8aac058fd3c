"""Anonymizing a deleted person: a table keeps their plays under the name "a former player".

Entries are changed one for one, so that sequence numbers stay the same. In each entry the person
gets another id and the name of a former player. Their chat lines are redacted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from acesaround.table import entries as log
from acesaround.table import names
from acesaround.table.entries import Entry, Person
from acesaround.table.table import Table, apply_entry, fold

FORMER: Final = "a former player"
"""The name of an anonymized person; a second one at the same table gets a number."""


class AnonymizedLog(msgspec.Struct, frozen=True):
    """The changes that anonymize one person in a log.

    `changed`: the new entries, by number. `said`: the numbers of the redacted chat lines. `name`:
    the person's new name. `table`: the fold of the changed log.
    """

    changed: dict[int, Entry]
    said: tuple[int, ...]
    name: str
    table: Table


def anonymized_log(entries: Iterable[Entry], person: str, stands_for: str) -> AnonymizedLog:
    """Return the changes to a whole log that replace a person (by id) by the id `stands_for`."""
    whole = tuple(entries)
    former = Person(stands_for, names.make_distinct(FORMER, _others(whole, person)))
    changed: dict[int, Entry] = {}
    said: list[int] = []
    table: Table | None = None
    for number, entry in enumerate(whole):
        told = _told(table, entry, person, former)
        if told is not entry:
            changed[number] = told
        if isinstance(entry, log.Said) and told is not entry:
            said.append(number)
        table = fold([told]) if table is None else apply_entry(table, told)[0]
    assert table is not None
    return AnonymizedLog(changed, tuple(said), former.name, table)


def _others(entries: Iterable[Entry], person: str) -> set[str]:
    """Return all names that other persons have had in a log.

    Names from `ProfileChanged` entries are not included.
    """
    return {one.name for entry in entries for one in _named(entry) if one.id != person}


def _named(entry: Entry) -> tuple[Person, ...]:
    match entry:
        case log.Opened(host=host):
            return (host,)
        case log.SeatTaken(_, person) | log.Knocked(_, person):
            return (person,)
        case _:
            return ()


def _told(table: Table | None, entry: Entry, person: str, former: Person) -> Entry:
    """Return an entry in its anonymized form.

    `table`: the fold of the entries before it, in which the person is anonymized already.
    """
    match entry:
        case log.Opened(host=host) if host.id == person:
            return replace(entry, host=former)
        case log.SeatTaken(_, held) | log.Knocked(_, held) if held.id == person:
            return replace(entry, person=former)
        case log.Forgiven(forgiven) if forgiven == person:
            return log.Forgiven(former.id)
        case log.ProfileChanged(seat) if _in(table, seat, former):
            return log.ProfileChanged(seat, former.name)
        case log.Said(seat, _) if _in(table, seat, former):
            return log.ChatRedacted()
        case _:
            return entry


def _in(table: Table | None, seat: int, former: Person) -> bool:
    """Return whether the former player holds a seat."""
    held = None if table is None else table.seats[seat].person
    return held is not None and held.id == former.id


def entries_on_deletion(table: Table, person: str) -> tuple[Entry, ...]:
    """Return the entries by which a deleted person (by id) leaves a table.

    The seat goes to its bot. If the person is the host, the first person who still has a seat
    becomes host.
    """
    left: list[Entry] = []
    seat = table.seat_of(person)
    if seat is not None:
        left.append(log.PersonDeleted(seat))
        table, _ = apply_entry(table, left[0])
    if table.host.id == person and table.occupied_seats:
        left.append(log.HostGiven(table.occupied_seats[0]))
    return tuple(left)
