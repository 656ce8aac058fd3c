"""A former player: somebody of whom a table keeps what was played, and nothing else.

Entries are changed one for one, so that every number stays what it was. In each the person is
called by another id and as a former player; what he said is said no more.
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
"""What somebody is called of whom nothing is kept; a second one at a table gets a number."""


class AnonymizedLog(msgspec.Struct, frozen=True):
    """Where a log tells of a person: the entries, by number, as they are to be.

    `said`: the numbers of those that are his talk. `name`: what he will be called. `table`: the
    fold of the log as it will be.
    """

    changed: dict[int, Entry]
    said: tuple[int, ...]
    name: str
    table: Table


def anonymized_log(entries: Iterable[Entry], person: str, stands_for: str) -> AnonymizedLog:
    """What a whole log tells of a person, by id, and what it is to tell of `stands_for` instead."""
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
    """What others are called in a log. A name that was taken later is his or somebody's: all."""
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
    """An entry as it is to be; `table`: as it is before, the person being called otherwise."""
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
    """Whether that person holds a seat."""
    held = None if table is None else table.seats[seat].person
    return held is not None and held.id == former.id


def entries_on_deletion(table: Table, person: str) -> tuple[Entry, ...]:
    """How a person, by id, leaves a table for good.

    The seat goes to its bot, and the host's rights to the first of those who sit there.
    """
    left: list[Entry] = []
    seat = table.seat_of(person)
    if seat is not None:
        left.append(log.PersonDeleted(seat))
        table, _ = apply_entry(table, left[0])
    if table.host.id == person and table.occupied_seats:
        left.append(log.HostGiven(table.occupied_seats[0]))
    return tuple(left)
