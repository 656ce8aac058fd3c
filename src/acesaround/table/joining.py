"""Taking seats: who may sit where, who has to ask first, and the host's answers.

A dealt seat is a hand: a newcomer may see it only if the host agrees. The hand of a removed person
stays closed to everybody until the deal is over, even if the host agrees.
"""

from __future__ import annotations

import random
import string
from typing import Final

from msgspec.structs import replace

from acesaround.table import commands as say
from acesaround.table import entries as log
from acesaround.table import names, refusals
from acesaround.table.entries import Entry, Person
from acesaround.table.refusals import Asked, Rejection
from acesaround.table.table import Table, TablePresence, apply_entry

_KNOCKS: Final = 6  # people who may wait at the same time
_LETTERS: Final = string.ascii_letters + string.digits
_SECRET: Final = 16  # random characters of a token: 95 bits
_KEY: Final = 6  # characters before them, shared by all tokens of a table


def host_only(table: Table, person: Person, there: TablePresence) -> Rejection | None:
    """Return a rejection unless the person is the host or acts for the host."""
    return None if table.hosted_by(person.id, there.gone) else refusals.FOR_THE_HOST


def require_seat(table: Table, seat: int) -> Rejection | None:
    """Return a rejection if there is no such seat."""
    if seat < len(table.seats):
        return None
    return refusals.no_seat(seat, len(table.seats))


def display_name(table: Table, person: Person) -> str:
    """Return a person's name at a table, made distinct from the names of the others seated."""
    held = [seat.person for seat in table.seats if seat.person is not None]
    return names.make_distinct(person.name, [other.name for other in held if other.id != person.id])


def sit(table: Table, person: Person, seat: int) -> Asked:
    """Return the entry by which a person takes a seat without asking, or the rejection.

    If the person already sits there, the rejection is "stale". The client has not yet seen that it
    sits, for example because its connection broke before the answer came.
    """
    if table.seat_of(person.id) == seat:
        return refusals.SITS_THERE
    if (no := _open(table, person, seat)) is not None:
        return no
    if table.is_newcomer(person.id) and table.joining == "ask":
        return refusals.ASK_FOR_SEAT
    if _a_hand(table, person, seat) and person.id != table.host.id:
        return refusals.ANOTHERS_HAND
    return (_sat(table, person, seat),)


def _sat(table: Table, person: Person, seat: int) -> log.SeatTaken:
    return log.SeatTaken(seat, replace(person, name=display_name(table, person)))


def knock(table: Table, person: Person, seat: int, there: TablePresence) -> Asked:
    """Return the entry that asks the host for a seat, or the rejection.

    A person may only ask for a seat that they may not take directly.
    """
    if table.seat_of(person.id) is not None:
        return refusals.HOLDS_ONE
    if (no := _open(table, person, seat)) is not None:
        return no
    if not isinstance(sit(table, person, seat), Rejection):
        return refusals.SEAT_FREE
    if any(knock.person.id == person.id for knock in table.knocks):
        return refusals.ASKED_ALREADY
    if person.id in table.turned:
        return refusals.NOT_LET_IN
    if sum(one.person.id in there.present for one in table.knocks) >= _KNOCKS:
        return refusals.TOO_MANY_WAIT
    return (log.Knocked(seat, person),)


def admit(table: Table, person: Person, number: int, yes: bool, there: TablePresence) -> Asked:
    """Return the entries by which the host admits or turns away a person who knocked."""
    if (no := host_only(table, person, there)) is not None:
        return no
    knocker = next((one for one in table.knocks if one.seq == number), None)
    if knocker is None:
        return refusals.NOBODY_WAITS
    if not yes:
        return (log.Admitted(number, yes=False),)
    if knocker.person.id not in there.present:
        return refusals.gone(knocker.person.name)
    if (no := _open(table, knocker.person, knocker.seat)) is not None:
        return no
    return log.Admitted(number, yes=True), _sat(table, knocker.person, knocker.seat)


def seat_waiting_people(table: Table, there: TablePresence) -> tuple[Entry, ...]:
    """Return the entries that seat waiting people who may now sit without asking.

    For example, a hand they asked for at an open table has ended.
    """
    found: list[Entry] = []
    for one in table.knocks:
        if one.person.id not in there.present:
            continue
        sits = sit(table, one.person, one.seat)
        if not isinstance(sits, Rejection):
            found += sits
            table, _ = apply_entry(table, sits[0])
    return tuple(found)


def remove(table: Table, person: Person, seat: int, there: TablePresence) -> Asked:
    """Return the entries by which the host removes a person permanently.

    An open table changes to `ask`, so that the removed person cannot return under another name.
    """
    if (no := host_only(table, person, there) or require_seat(table, seat)) is not None:
        return no
    held = table.seats[seat].person
    if held is None:
        return refusals.EMPTY
    if held.id == person.id:
        return (log.SeatLeft(seat),)
    if held.id == table.host.id:
        return refusals.HOST_IS_AWAY
    shut = (log.JoiningSet("ask"),) if table.joining == "open" else ()
    return (log.Removed(seat), *shut)


def host_command(
    table: Table,
    person: Person,
    command: say.Readmit | say.Joining | say.GiveHost | say.ReplaceLink,
    there: TablePresence,
    rng: random.Random,
) -> Asked:
    """Return the entries of the other commands that only the host may give."""
    if (no := host_only(table, person, there)) is not None:
        return no
    match command:
        case say.Readmit(removal):
            for one in table.out:
                if one.seq == removal:
                    return (log.Forgiven(one.person.id),)
            return refusals.NOT_REMOVED
        case say.Joining(joining):
            if joining == table.joining:
                return refusals.SO_ALREADY
            return (log.JoiningSet(joining),)
        case say.GiveHost(seat):
            return _give(table, person, seat)
        case say.ReplaceLink(link):
            return (new_link(link, key_of(table, rng), rng),)


def _give(table: Table, person: Person, seat: int) -> Asked:
    if (no := require_seat(table, seat)) is not None:
        return no
    if person.id != table.host.id:
        return refusals.STANDS_IN
    held = table.seats[seat].person
    if held is None or held.id == person.id:
        return refusals.NOBODY_ELSE
    return (log.HostGiven(seat),)


def key_of(table: Table | None, rng: random.Random) -> str:
    """Return the characters with which all links of a table begin; new ones if it has no link yet.

    A proxy finds the server of a table by them, for every kind of link. They are not secret.
    """
    links = () if table is None else (table.links.watch, table.links.replay)
    known = next((token for token in links if token is not None), None)
    return _drawn(_KEY, rng) if known is None else known[:_KEY]


def token_of(key: str, rng: random.Random) -> str:
    """Return a new token with the key of its table: a new table's id, or a link's token.

    `rng` draws the characters after the key, so its output must not be predictable.
    """
    return key + _drawn(_SECRET, rng)


def new_link(kind: log.LinkKind, key: str, rng: random.Random) -> log.LinkCreated:
    """Return the entry of a new link to the table with that key."""
    return log.LinkCreated(kind, token_of(key, rng))


def _drawn(letters: int, rng: random.Random) -> str:
    return "".join(rng.choice(_LETTERS) for _ in range(letters))


def _a_hand(table: Table, person: Person, seat: int) -> bool:
    """Return whether the seat has cards that this person has not held."""
    return table.dealt and (person.id, seat) not in table.looked


def _open(table: Table, person: Person, seat: int) -> Rejection | None:
    """Return a rejection if this person cannot have the seat, even with the host's consent."""
    if (no := require_seat(table, seat)) is not None:
        return no
    if table.seats[seat].person is not None:
        return refusals.HELD
    if any(one.person.id == person.id for one in table.out):
        return refusals.REMOVED
    if table.dealt and any(who == person.id and held != seat for who, held in table.looked):
        return refusals.SEEN_ANOTHER_HAND
    if table.is_newcomer(person.id) and table.joining == "locked":
        return refusals.LOCKED
    if seat in table.closed and _a_hand(table, person, seat):
        return refusals.BOT_HOLDS_HAND
    return None
