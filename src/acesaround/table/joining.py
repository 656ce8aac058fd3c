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
from acesaround.table import names
from acesaround.table.entries import Entry, Person
from acesaround.table.refusals import Asked, No
from acesaround.table.table import Table, There, after

_KNOCKS: Final = 6  # persons who may wait at once
_LETTERS: Final = string.ascii_letters + string.digits
_LONG: Final = 16  # letters of a token: 95 bits


def host_only(table: Table, person: Person, there: There) -> No | None:
    """Refuses anybody but the host, or who acts for him."""
    return None if table.hosted_by(person.id, there.gone) else _FOR_THE_HOST


_FOR_THE_HOST: Final = No("host", "That is for the host of the table to do.")


def exists(table: Table, seat: int) -> No | None:
    """Refuses a seat that there is not."""
    if seat < len(table.seats):
        return None
    return No("seat", f"There is no seat {seat}: seats are 0 to {len(table.seats) - 1}.")


def borne(table: Table, person: Person) -> str:
    """The name of a person at a table, told apart from those of others who sit there."""
    held = [seat.person for seat in table.seats if seat.person is not None]
    return names.apart(person.name, [other.name for other in held if other.id != person.id])


def sit(table: Table, person: Person, seat: int) -> Asked:
    """Sit down without asking anybody."""
    if (no := _open(table, person, seat)) is not None:
        return no
    if table.new(person.id) and table.joining == "ask":
        return No("joining", "The host lets people in at this table: ask for the seat.")
    if _a_hand(table, person, seat) and person.id != table.host.id:
        return No(
            "joining", "That hand has been dealt to somebody else: ask the host for the seat."
        )
    return (_sat(table, person, seat),)


def _sat(table: Table, person: Person, seat: int) -> log.Sat:
    return log.Sat(seat, Person(person.id, borne(table, person)))


def knock(table: Table, person: Person, seat: int, there: There) -> Asked:
    """Ask for a seat that one may not simply take."""
    if table.seat_of(person.id) is not None:
        return No("seat", "You hold a seat at this table.")
    if (no := _open(table, person, seat)) is not None:
        return no
    if not isinstance(sit(table, person, seat), No):
        return No("rule", "That seat is free: sit down.")
    if any(knock.person.id == person.id for knock in table.knocks):
        return No("rule", "You have asked already: the host has still to answer.")
    if person.id in table.turned:
        return No("joining", "The host did not let you in: you can ask again in the next deal.")
    if sum(one.person.id in there.present for one in table.knocks) >= _KNOCKS:
        return No("joining", "Too many are waiting already.")
    return (log.Knocked(seat, person),)


def admit(table: Table, person: Person, number: int, yes: bool, there: There) -> Asked:
    """What the host says to who has asked."""
    if (no := host_only(table, person, there)) is not None:
        return no
    knocker = next((one for one in table.knocks if one.seq == number), None)
    if knocker is None:
        return No("rule", "Nobody waits for that any more.")
    if not yes:
        return (log.Admitted(number, yes=False),)
    if knocker.person.id not in there.present:
        return No("rule", f"{knocker.person.name} has gone away.")
    if (no := _open(table, knocker.person, knocker.seat)) is not None:
        return no
    return log.Admitted(number, yes=True), _sat(table, knocker.person, knocker.seat)


def waited(table: Table, there: There) -> tuple[Entry, ...]:
    """Who asked for a hand at an open table sits down by himself when it is over."""
    found: list[Entry] = []
    for one in table.knocks:
        if one.person.id not in there.present:
            continue
        sits = sit(table, one.person, one.seat)
        if not isinstance(sits, No):
            found += sits
            table, _ = after(table, sits[0])
    return tuple(found)


def remove(table: Table, person: Person, seat: int, there: There) -> Asked:
    """Remove a person for good. Who comes after that, under whatever name, has to ask."""
    if (no := host_only(table, person, there) or exists(table, seat)) is not None:
        return no
    held = table.seats[seat].person
    if held is None:
        return No("seat", "Nobody holds that seat.")
    if held.id == person.id:
        return (log.Stood(seat),)
    if held.id == table.host.id:
        return No("host", "The host is only away: a bot can play until he is back.")
    shut = (log.JoiningSet("ask"),) if table.joining == "open" else ()
    return (log.Removed(seat), *shut)


def run(
    table: Table,
    person: Person,
    command: say.Forgive | say.Joining | say.GiveHost | say.Renew,
    there: There,
    rng: random.Random,
) -> Asked:
    """What else a host may do."""
    if (no := host_only(table, person, there)) is not None:
        return no
    match command:
        case say.Forgive(removal):
            for one in table.out:
                if one.seq == removal:
                    return (log.Forgiven(one.person.id),)
            return No("rule", "That person has not been removed.")
        case say.Joining(joining):
            if joining == table.joining:
                return No("rule", "That is so already.")
            return (log.JoiningSet(joining),)
        case say.GiveHost(seat):
            return _give(table, person, seat)
        case say.Renew(link):
            return (link_of(link, rng),)


def _give(table: Table, person: Person, seat: int) -> Asked:
    if (no := exists(table, seat)) is not None:
        return no
    if person.id != table.host.id:
        return No("host", "You only stand in for the host.")
    held = table.seats[seat].person
    if held is None or held.id == person.id:
        return No("seat", "Nobody else sits there.")
    return (log.HostGiven(seat),)


def link_of(kind: log.LinkKind, rng: random.Random) -> log.Linked:
    """A new link. `rng` draws its token, so it has to be one that nobody can guess."""
    return log.Linked(kind, "".join(rng.choice(_LETTERS) for _ in range(_LONG)))


def _a_hand(table: Table, person: Person, seat: int) -> bool:
    """Whether the seat has cards that this person has not held."""
    return table.dealt and (person.id, seat) not in table.looked


def _open(table: Table, person: Person, seat: int) -> No | None:
    """Refuses a seat that this person cannot have, whoever allows it."""
    if (no := exists(table, seat)) is not None:
        return no
    if table.seats[seat].person is not None:
        return No("seat", "Somebody holds that seat.")
    if any(one.person.id == person.id for one in table.out):
        return No("joining", "The host has removed you from this table.")
    if table.dealt and any(who == person.id and held != seat for who, held in table.looked):
        return No("rule", "You have seen another hand of this deal: wait until it is over.")
    if table.new(person.id) and table.joining == "locked":
        return No("joining", "Nobody new may sit at this table now.")
    if seat in table.closed and _a_hand(table, person, seat):
        return No("rule", "A bot plays that hand until the deal is over.")
    return None
