"""Who may sit where, who has to ask first, and what the host of a table says to that.

A seat whose cards are dealt is a hand: nobody new looks at it unless the host says so. A hand whose
person was removed is looked at by nobody else until its deal is over, whatever the host says.
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

_KNOCKS: Final = 6  # persons who may wait at once
_LETTERS: Final = string.ascii_letters + string.digits
_SECRET: Final = 16  # letters of a token that nobody can guess: 95 bits
_KEY: Final = 6  # letters before them, which all tokens of a table share


def host_only(table: Table, person: Person, there: TablePresence) -> Rejection | None:
    """Refuses anybody but the host, or who acts for him."""
    return None if table.hosted_by(person.id, there.gone) else refusals.FOR_THE_HOST


def require_seat(table: Table, seat: int) -> Rejection | None:
    """Refuses a seat that there is not."""
    if seat < len(table.seats):
        return None
    return refusals.no_seat(seat, len(table.seats))


def display_name(table: Table, person: Person) -> str:
    """The name of a person at a table, told apart from those of others who sit there."""
    held = [seat.person for seat in table.seats if seat.person is not None]
    return names.make_distinct(person.name, [other.name for other in held if other.id != person.id])


def sit(table: Table, person: Person, seat: int) -> Asked:
    """Sit down without asking anybody.

    Who sits there already is refused as stale: the client has not yet seen that it sits, as after
    a connection that broke before the answer came.
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
    """Ask for a seat that one may not simply take."""
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
    """What the host says to who has asked."""
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
    """Who asked for a hand at an open table sits down by himself when it is over."""
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
    """Remove a person for good. Who comes after that, under whatever name, has to ask."""
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
    """What else a host may do."""
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
    """The letters with which every link of a table begins; new ones where it has no link yet.

    By them a proxy finds the server of a table, whichever link people come by. They are no secret.
    """
    links = () if table is None else (table.links.watch, table.links.replay)
    known = next((token for token in links if token is not None), None)
    return _drawn(_KEY, rng) if known is None else known[:_KEY]


def token_of(key: str, rng: random.Random) -> str:
    """A new token with the key of its table: the id of a new table, or what leads to it by a link.

    `rng` draws what stands behind the key, so nobody may be able to guess what it draws.
    """
    return key + _drawn(_SECRET, rng)


def new_link(kind: log.LinkKind, key: str, rng: random.Random) -> log.LinkCreated:
    """A new link to the table with that key."""
    return log.LinkCreated(kind, token_of(key, rng))


def _drawn(letters: int, rng: random.Random) -> str:
    return "".join(rng.choice(_LETTERS) for _ in range(letters))


def _a_hand(table: Table, person: Person, seat: int) -> bool:
    """Whether the seat has cards that this person has not held."""
    return table.dealt and (person.id, seat) not in table.looked


def _open(table: Table, person: Person, seat: int) -> Rejection | None:
    """Refuses a seat that this person cannot have, whoever allows it."""
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
