"""Taking seats: who may sit where, who has to ask first, and the host's answers.

A dealt seat is a hand: a newcomer may see it only if the host agrees. The hand of a removed person
stays closed to everybody until the deal is over, even if the host agrees.
"""

from __future__ import annotations

import random
import string
from typing import Final

from msgspec.structs import replace

from acesaround.table import command_refusals, commands, entries, names
from acesaround.table.acting_host import acts_as_host
from acesaround.table.command_refusals import CommandResult, Refusal
from acesaround.table.entries import Entry, Person
from acesaround.table.folding import apply_entry
from acesaround.table.table import Table, TablePresence

_MAX_WAITING: Final = 6  # people who may wait at the same time
_LETTERS: Final = string.ascii_letters + string.digits
_SECRET_LENGTH: Final = 16  # random characters of a token: 95 bits
_KEY_LENGTH: Final = 6  # characters before them, shared by all tokens of a table


def require_host(table: Table, person: Person, presence: TablePresence) -> Refusal | None:
    """Return a refusal unless the person is the host."""
    if person.id == table.host.id:
        return None
    return require_acting_host(table, person, presence) or command_refusals.ONLY_ACTING_HOST


def require_acting_host(table: Table, person: Person, presence: TablePresence) -> Refusal | None:
    """Return a refusal unless the person is the host or acts for the host.

    An acting host may only let the game go on: begin it, and answer people who ask for a seat.
    """
    return None if acts_as_host(table, person.id, presence.gone) else command_refusals.HOST_ONLY


def require_seat(table: Table, seat: int) -> Refusal | None:
    """Return a refusal if there is no such seat."""
    if seat < len(table.seats):
        return None
    return command_refusals.no_seat(seat, len(table.seats))


def display_name(table: Table, person: Person) -> str:
    """Return a person's name at a table, made distinct from the names of the others seated."""
    seated = [seat.person for seat in table.seats if seat.person is not None]
    return names.make_distinct(
        person.name,
        [seated_person.name for seated_person in seated if seated_person.id != person.id],
    )


def sit(table: Table, person: Person, seat: int) -> CommandResult:
    """Return the entry by which a person takes a seat without asking, or the refusal.

    If the person already sits there, the refusal is "stale". The client has not yet seen that it
    sits, for example because its connection broke before the answer came.
    """
    if table.seat_of(person.id) == seat:
        return command_refusals.ALREADY_IN_SEAT
    if (refusal := _check_seat_open(table, person, seat)) is not None:
        return refusal
    if table.is_overdue(seat):
        return command_refusals.TURN_OVERDUE
    if table.is_newcomer(person.id) and table.joining == "ask":
        return command_refusals.ASK_FOR_SEAT
    if _would_see_new_hand(table, person, seat) and person.id != table.host.id:
        return command_refusals.ANOTHERS_HAND
    return (_seat_taken(table, person, seat),)


def _seat_taken(table: Table, person: Person, seat: int) -> entries.SeatTaken:
    return entries.SeatTaken(seat, replace(person, name=display_name(table, person)))


def request_seat(table: Table, person: Person, seat: int, presence: TablePresence) -> CommandResult:
    """Return the entry that asks the host for a seat, or the refusal.

    A person may only ask for a seat that they may not take directly.
    """
    if table.seat_of(person.id) is not None:
        return command_refusals.ALREADY_SEATED
    if (refusal := _check_seat_open(table, person, seat)) is not None:
        return refusal
    if not isinstance(sit(table, person, seat), Refusal):
        return command_refusals.SEAT_IS_FREE
    if any(request.person.id == person.id for request in table.seat_requests):
        return command_refusals.ASKED_ALREADY
    if person.id in table.turned_away:
        return command_refusals.TURNED_AWAY
    if (
        sum(request.person.id in presence.present for request in table.seat_requests)
        >= _MAX_WAITING
    ):
        return command_refusals.TOO_MANY_WAIT
    return (entries.SeatRequested(seat, person),)


def can_get_seat(table: Table, person: Person, presence: TablePresence) -> bool:
    """Return whether a person can take a seat, can ask for one, or waits for the host's answer."""
    if any(request.person.id == person.id for request in table.seat_requests):
        return True
    return any(
        not isinstance(result, Refusal)
        for seat in range(len(table.seats))
        for result in (sit(table, person, seat), request_seat(table, person, seat, presence))
    )


def answer_seat_request(
    table: Table, person: Person, number: int, is_admitted: bool, presence: TablePresence
) -> CommandResult:
    """Return the entries by which the host admits or turns away a person who asked for a seat."""
    if (refusal := require_acting_host(table, person, presence)) is not None:
        return refusal
    request = next(
        (candidate for candidate in table.seat_requests if candidate.seq == number), None
    )
    if request is None:
        return command_refusals.NO_SEAT_REQUEST
    if not is_admitted:
        return (entries.SeatRequestAnswered(number, yes=False),)
    if request.person.id not in presence.present:
        return command_refusals.person_gone(request.person.name)
    if (refusal := _check_seat_open(table, request.person, request.seat)) is not None:
        return refusal
    seat_taken = _seat_taken(table, request.person, request.seat)
    return entries.SeatRequestAnswered(number, yes=True), seat_taken


def seat_waiting_people(table: Table, presence: TablePresence) -> tuple[Entry, ...]:
    """Return the entries that seat waiting people who may now sit without asking.

    For example, a hand they asked for at an open table has ended.
    """
    new_entries: list[Entry] = []
    for request in table.seat_requests:
        if request.person.id not in presence.present:
            continue
        result = sit(table, request.person, request.seat)
        if not isinstance(result, Refusal):
            new_entries += result
            table, _ = apply_entry(table, result[0])
    return tuple(new_entries)


def remove(table: Table, person: Person, seat: int, presence: TablePresence) -> CommandResult:
    """Return the entries by which the host removes a person permanently.

    An open table changes to `ask`, so that the removed person cannot return under another name.
    """
    refusal = require_host(table, person, presence) or require_seat(table, seat)
    if refusal is not None:
        return refusal
    holder = table.seats[seat].person
    if holder is None:
        return command_refusals.SEAT_EMPTY
    if holder.id == person.id:
        return (entries.SeatLeft(seat),)
    joining_entries = (entries.JoiningSet("ask"),) if table.joining == "open" else ()
    return (entries.Removed(seat), *joining_entries)


def handle_host_command(
    table: Table,
    person: Person,
    command: commands.Readmit | commands.SetJoining | commands.GiveHost | commands.ReplaceLink,
    presence: TablePresence,
    rng: random.Random,
) -> CommandResult:
    """Return the entries of the other commands that only the host may give."""
    if (refusal := require_host(table, person, presence)) is not None:
        return refusal
    match command:
        case commands.Readmit(removal):
            for removed_person in table.removed_people:
                if removed_person.seq == removal:
                    return (entries.Readmitted(removed_person.person.id),)
            return command_refusals.NOT_REMOVED
        case commands.SetJoining(joining):
            if joining == table.joining:
                return command_refusals.UNCHANGED
            return (entries.JoiningSet(joining),)
        case commands.GiveHost(seat):
            return _give_host(table, person, seat)
        case commands.ReplaceLink(link):
            return (new_link(link, find_or_draw_key(table, rng), rng),)


def _give_host(table: Table, person: Person, seat: int) -> CommandResult:
    if (refusal := require_seat(table, seat)) is not None:
        return refusal
    holder = table.seats[seat].person
    if holder is None or holder.id == person.id:
        return command_refusals.NOBODY_ELSE_IN_SEAT
    return (entries.HostGiven(seat),)


def find_or_draw_key(table: Table | None, rng: random.Random) -> str:
    """Return the characters with which all links of a table begin; new ones if it has no link yet.

    A proxy finds the server of a table by them, for every kind of link. They are not secret.
    """
    links = () if table is None else (table.links.watch, table.links.replay)
    known = next((token for token in links if token is not None), None)
    return _random_letters(_KEY_LENGTH, rng) if known is None else known[:_KEY_LENGTH]


def draw_token(key: str, rng: random.Random) -> str:
    """Return a new token with the key of its table: a new table's id, or a link's token.

    `rng` draws the characters after the key, so its output must not be predictable.
    """
    return key + _random_letters(_SECRET_LENGTH, rng)


def new_link(kind: entries.LinkKind, key: str, rng: random.Random) -> entries.LinkCreated:
    """Return the entry of a new link to the table with that key."""
    return entries.LinkCreated(kind, draw_token(key, rng))


def _random_letters(length: int, rng: random.Random) -> str:
    return "".join(rng.choice(_LETTERS) for _ in range(length))


def _would_see_new_hand(table: Table, person: Person, seat: int) -> bool:
    """Return whether the seat has cards that this person has not held."""
    return table.is_dealt and (person.id, seat) not in table.seen_hands


def _check_seat_open(table: Table, person: Person, seat: int) -> Refusal | None:
    """Return a refusal if this person cannot have the seat, even with the host's consent."""
    if (refusal := require_seat(table, seat)) is not None:
        return refusal
    if table.seats[seat].person is not None:
        return command_refusals.SEAT_HELD
    if any(removed_person.person.id == person.id for removed_person in table.removed_people):
        return command_refusals.REMOVED_BY_HOST
    if table.is_dealt and any(
        person_id == person.id and held_seat != seat for person_id, held_seat in table.seen_hands
    ):
        return command_refusals.SEEN_ANOTHER_HAND
    if table.is_newcomer(person.id) and table.joining == "locked":
        return command_refusals.JOINING_LOCKED
    if seat in table.closed_seats and _would_see_new_hand(table, person, seat):
        return command_refusals.BOT_HOLDS_HAND
    return None
