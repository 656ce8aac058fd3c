"""Who may sit where, who has to ask first, and what the host of a table says to that.

A seat whose cards are dealt is a hand: nobody new looks at it unless the host says so. A hand whose
person was removed is looked at by nobody else until its deal is over, whatever the host says.
"""

from __future__ import annotations

import random
import string
from typing import Final

from acesaround.table import commands as say
from acesaround.table import entries as log
from acesaround.table.entries import Entry, Person
from acesaround.table.refusals import Refused, refuse
from acesaround.table.table import Table, There

_KNOCKS: Final = 6  # persons who may wait at once
_LETTERS: Final = string.ascii_letters + string.digits
_LONG: Final = 16  # letters of a token: 95 bits


def host_only(table: Table, person: Person, there: There) -> None:
    """Refuse to anybody but the host, or who acts for him."""
    if not table.hosted_by(person.id, there.gone):
        refuse("host", "That is for the host of the table to do.")


def exists(table: Table, seat: int) -> None:
    """Refuse a seat that there is not."""
    if seat >= len(table.seats):
        refuse("seat", f"There is no seat {seat}: seats are 0 to {len(table.seats) - 1}.")


def sit(table: Table, person: Person, seat: int) -> tuple[Entry, ...]:
    """Sit down without asking anybody."""
    _open(table, person, seat)
    if table.new(person.id) and table.door == "ask":
        refuse("door", "The host lets people in at this table: ask for the seat.")
    if _a_hand(table, person, seat) and person.id != table.host.id:
        refuse("door", "That hand has been dealt to somebody else: ask the host for the seat.")
    return (log.Sat(seat, person),)


def knock(table: Table, person: Person, seat: int, there: There) -> tuple[Entry, ...]:
    """Ask for a seat that one may not simply take."""
    if table.seat_of(person.id) is not None:
        refuse("seat", "You hold a seat at this table.")
    _open(table, person, seat)
    try:
        sit(table, person, seat)
    except Refused:
        pass
    else:
        refuse("rule", "That seat is free: sit down.")
    if any(knock.person.id == person.id for knock in table.knocks):
        refuse("rule", "You have asked already: the host has still to answer.")
    if person.id in table.turned:
        refuse("door", "The host did not let you in: you can ask again in the next deal.")
    if sum(one.person.id in there.present for one in table.knocks) >= _KNOCKS:
        refuse("door", "Too many are waiting already.")
    return (log.Knocked(seat, person),)


def admit(table: Table, person: Person, number: int, yes: bool, there: There) -> tuple[Entry, ...]:
    """What the host says to who has asked."""
    host_only(table, person, there)
    knocker = next((one for one in table.knocks if one.seq == number), None)
    if knocker is None:
        refuse("rule", "Nobody waits for that any more.")
    if not yes:
        return (log.Admitted(number, yes=False),)
    if knocker.person.id not in there.present:
        refuse("rule", f"{knocker.person.name} has gone away.")
    _open(table, knocker.person, knocker.seat)
    return log.Admitted(number, yes=True), log.Sat(knocker.seat, knocker.person)


def waited(table: Table, there: There) -> tuple[Entry, ...]:
    """Who asked for a hand at an open table sits down by himself when it is over."""
    found: list[Entry] = []
    for one in table.knocks:
        taken = [entry.seat for entry in found if isinstance(entry, log.Sat)]
        if one.seat in taken or one.person.id not in there.present:
            continue
        try:
            found += sit(table, one.person, one.seat)
        except Refused:
            continue
    return tuple(found)


def remove(table: Table, person: Person, seat: int, there: There) -> tuple[Entry, ...]:
    """Remove a person for good. Who comes after that, under whatever name, has to ask."""
    host_only(table, person, there)
    exists(table, seat)
    held = table.seats[seat].person
    if held is None:
        refuse("seat", "Nobody holds that seat.")
    if held.id == person.id:
        return (log.Stood(seat),)
    if held.id == table.host.id:
        refuse("host", "The host is only away: a bot can play until he is back.")
    shut = (log.DoorSet("ask"),) if table.door == "open" else ()
    return (log.Removed(seat), *shut)


def run(
    table: Table,
    person: Person,
    command: say.Forgive | say.Door | say.GiveHost | say.Renew,
    there: There,
    rng: random.Random,
) -> tuple[Entry, ...]:
    """What else a host may do."""
    host_only(table, person, there)
    match command:
        case say.Forgive(removal):
            for one in table.out:
                if one.seq == removal:
                    return (log.Forgiven(one.person.id),)
            refuse("rule", "That person has not been removed.")
        case say.Door(door):
            if door == table.door:
                refuse("rule", "That is so already.")
            return (log.DoorSet(door),)
        case say.GiveHost(seat):
            return _give(table, person, seat)
        case say.Renew(link):
            return (link_of(link, rng),)


def _give(table: Table, person: Person, seat: int) -> tuple[Entry, ...]:
    exists(table, seat)
    if person.id != table.host.id:
        refuse("host", "You only stand in for the host.")
    held = table.seats[seat].person
    if held is None or held.id == person.id:
        refuse("seat", "Nobody else sits there.")
    return (log.HostGiven(seat),)


def link_of(kind: log.LinkKind, rng: random.Random) -> log.Linked:
    """A new link. `rng` draws its token, so it has to be one that nobody can guess."""
    return log.Linked(kind, "".join(rng.choice(_LETTERS) for _ in range(_LONG)))


def _a_hand(table: Table, person: Person, seat: int) -> bool:
    """Whether the seat has cards that this person has not held."""
    return table.dealt and (person.id, seat) not in table.looked


def _open(table: Table, person: Person, seat: int) -> None:
    """Refuse a seat that this person cannot have, whoever allows it."""
    exists(table, seat)
    if table.seats[seat].person is not None:
        refuse("seat", "Somebody holds that seat.")
    if any(one.person.id == person.id for one in table.out):
        refuse("door", "The host has removed you from this table.")
    if table.dealt and any(who == person.id and held != seat for who, held in table.looked):
        refuse("rule", "You have seen another hand of this deal: wait until it is over.")
    if table.new(person.id) and table.door == "locked":
        refuse("door", "Nobody new may sit at this table now.")
    if seat in table.closed and _a_hand(table, person, seat):
        refuse("rule", "A bot plays that hand until the deal is over.")
