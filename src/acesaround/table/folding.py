"""The fold of a table's log: what each entry changes.

Here an entry is taken as a fact; `command_handler` decides which commands are accepted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Action, Deal
from acesaround.cards import Card, parse_cards
from acesaround.game.events import (
    BidMade,
    Buried,
    DealScored,
    Declared,
    Event,
    MeldLaid,
    Passed,
    Played,
    TrickWon,
    TrumpNamed,
)
from acesaround.game.view import EMPTY_HISTORY, Claimed, Undone
from acesaround.record.model import action_from_json
from acesaround.rules import Rules
from acesaround.table import entries
from acesaround.table.entries import Config, Entry, Person
from acesaround.table.table import (
    ChatLine,
    DeniedProposal,
    LessonPlace,
    Proposal,
    RemovedPerson,
    Seat,
    SeatRequest,
    Table,
    Undoable,
    UndoneAction,
)

_MAX_SEAT_REQUESTS: Final = 30
"""The most people who can wait for a seat; the oldest ones, perhaps gone already, are dropped."""
_UNDOABLE_EVENTS = (BidMade, Passed, Declared, Buried, TrumpNamed, Played, TrickWon, MeldLaid)
"""Events that show or draw no card except the one that an undo takes back."""
_UNDO_KEEPING_EVENTS = (BidMade, Passed, Declared)
"""Events of other seats after which an action can still be undone."""
_VOIDED_BY_ACTION = ("undo", "claim")
"""The kinds of proposals that the next action makes void."""


def begin(config: Config, host: Person, rules: Rules | None = None) -> tuple[Entry, ...]:
    """Return the first entries of a table, with the host in seat 0. Raise RulesError.

    `rules`: the rules to play. Without them the preset that `config` names is used, as it is now.
    """
    if rules is None:
        rules = variants.get(config.variant, config.players, config.options)
    return entries.Opened(config, host, rules), entries.SeatTaken(0, host)


def fold(log_entries: Iterable[Entry]) -> Table:
    """Return the table that a whole log folds to."""
    remaining = iter(log_entries)
    first_entry = next(remaining)
    assert isinstance(first_entry, entries.Opened)
    table = _open_table(first_entry)
    for entry in remaining:
        table, _ = apply_entry(table, entry)
    return table


def _open_table(entry: entries.Opened) -> Table:
    config = entry.config
    rules = _intern_rules(entry.rules)
    seats = tuple(Seat(None, config.bots) for _ in range(rules.seats))
    return Table(seq=1, config=config, rules=rules, host=entry.host, seats=seats)


@lru_cache(maxsize=256)
def _intern_rules(rules: Rules) -> Rules:
    """Return one object for equal rules, to save memory.

    A server holds thousands of tables and few different house rules.
    """
    return rules


def apply_entry(table: Table, entry: Entry) -> tuple[Table, tuple[Event, ...]]:
    """Return the table after one more entry, and the game events it caused."""
    table = replace(table, seq=table.seq + 1)
    match entry:
        case entries.Dealt():
            return _apply_action(table, *action_of(entry), by_person=False)
        case entries.Acted(seat, bot=bot, failed=failed):
            if failed:
                table = _with_seat(table, seat, replace(table.seats[seat], bot_failed=True))
            if table.lesson is not None:
                place = table.lesson_place
                table = replace(table, lesson_place=place.after_action if bot else place.next_step)
            return _apply_action(table, *action_of(entry), by_person=not bot)
        case entries.Answered(seat, agree):
            return _apply_answer(table, seat, agree), ()
        case entries.ProposalExpired(agree):
            return _expire_proposal(table, agree), ()
        case entries.Proposed():
            return _open_proposal(table, entry), ()
        case _:
            return _apply_table_entry(table, entry), ()


def _apply_table_entry(table: Table, entry: Entry) -> Table:
    """Apply an entry that does not touch the play of a game."""
    match entry:
        case entries.SeatTaken(seat, person):
            previous_seat = table.seat_of(person.id)
            table = table if previous_seat is None else _change_seat(table, previous_seat, None)
            return _change_seat(table, seat, person)
        case entries.SeatLeft(seat, away):
            holder = table.seats[seat].person
            if away and holder is not None:
                unseated = (*table.unseated_people, holder)[-len(table.seats) :]
                table = replace(table, unseated_people=unseated)
            return _change_seat(table, seat, None)
        case entries.Removed(seat):
            return _remove_person(table, seat)
        case entries.PersonDeleted(seat):
            return _vacate_permanently(table, seat)
        case entries.BotSubstituted(seat) | entries.PlayerReturned(seat):
            if isinstance(entry, entries.BotSubstituted) and entry.late:
                table = replace(table, overdue_seq=table.moved_seq)
            new_seat = replace(
                table.seats[seat], has_substitute=isinstance(entry, entries.BotSubstituted)
            )
            return _with_seat(_void_proposal(table, seat), seat, new_seat)
        case entries.ProfileChanged(seat, name, avatar):
            return _change_profile(table, seat, name, avatar)
        case entries.HintsOff():
            return replace(table, hints_allowed=False)
        case entries.BotSet(seat, name):
            return _with_seat(table, seat, replace(table.seats[seat], bot=name, bot_failed=False))
        case entries.Begun(dealer):
            started = game.start(table.rules, dealer)
            return replace(
                table,
                game=started,
                moved_seq=table.seq,
                game_count=table.game_count + 1,
                sheet=(),
                ready_seats=(),
                undoable=None,
                proposal=None,
                is_paused=False,
                claiming_seat=None,
                history=EMPTY_HISTORY,
                undone=None,
                denied=None,
                denied_seats=(),
                pausing_seats=(),
                continued_seats=(),
                unseated_people=(),
                players=tuple([seat.person or seat.bot for seat in table.seats]),
            )
        case entries.Paused(pausing):
            new = () if pausing is None else (pausing,)
            return replace(table, is_paused=True, pausing_seats=(*table.pausing_seats, *new))
        case entries.Resumed():
            return replace(table, is_paused=False)
        case entries.ChatSent(seat, phrase, text):
            line = ChatLine(seat, phrase, table.seq, text)
            return replace(table, chat=(*table.chat, line)[-20:])
        case entries.FreeChatSet(on):
            return replace(table, free_chat_allowed=on)
        case entries.Continued(seat):
            return replace(table, continued_seats=tuple(sorted({*table.continued_seats, seat})))
        case entries.RematchReady(seat):
            return replace(table, ready_seats=tuple(sorted({*table.ready_seats, seat})))
        case entries.LessonSet(lesson):
            return replace(table, lesson=lesson)
        case entries.LessonPartBegun(part):
            return replace(table, lesson_place=LessonPlace(part))
        case entries.LessonContinued():
            return replace(table, lesson_place=table.lesson_place.next_step)
        case entries.ChatRedacted() | entries.LogRewritten():
            return table
        case entries.Ended(why):
            return replace(table, ended=why)
        case _:
            return _apply_joining_entry(table, entry)


def _apply_joining_entry(table: Table, entry: Entry) -> Table:
    """Apply an entry about joining, the host or the links."""
    match entry:
        case entries.Readmitted(person):
            return replace(
                table,
                removed_people=tuple(
                    [
                        candidate
                        for candidate in table.removed_people
                        if candidate.person.id != person
                    ]
                ),
            )
        case entries.JoiningSet(joining):
            requests = () if joining == "locked" else table.seat_requests
            return replace(table, joining=joining, seat_requests=requests, turned_away=frozenset())
        case entries.SeatRequested(seat, person):
            return replace(
                table,
                seat_requests=(*table.seat_requests, SeatRequest(table.seq, person, seat))[
                    -_MAX_SEAT_REQUESTS:
                ],
            )
        case entries.SeatRequestAnswered(number, is_admitted):
            answered = [candidate for candidate in table.seat_requests if candidate.seq == number]
            turned = (
                frozenset()
                if is_admitted
                else frozenset(candidate.person.id for candidate in answered)
            )
            return replace(
                table,
                seat_requests=_without_seat_requests(table, answered),
                turned_away=table.turned_away | turned,
            )
        case entries.HostGiven(seat):
            new_host = table.seats[seat].person
            assert new_host is not None
            return replace(table, host=new_host)
        case entries.LinkCreated(link, token):
            return replace(table, links=replace(table.links, **{link: token}))
        case _:
            raise AssertionError(f"{entry} cannot stand here")


def _without_seat_requests(
    table: Table, seat_requests: Collection[SeatRequest]
) -> tuple[SeatRequest, ...]:
    return tuple([request for request in table.seat_requests if request not in seat_requests])


def _remove_person(table: Table, seat: int) -> Table:
    person = table.seats[seat].person
    assert person is not None
    return replace(
        _vacate_permanently(table, seat),
        removed_people=(*table.removed_people, RemovedPerson(table.seq, person)),
    )


def _vacate_permanently(table: Table, seat: int) -> Table:
    """Remove a person permanently: their hand, if dealt, is closed to other persons."""
    closed = table.closed_seats | {seat} if table.is_dealt else table.closed_seats
    return replace(_change_seat(table, seat, None), closed_seats=closed)


def _change_seat(table: Table, seat: int, person: Person | None) -> Table:
    """Change the person in a seat. This voids proposal, undo, hints, and the seat's readiness."""
    ready = tuple(other for other in table.ready_seats if other != seat)
    read = tuple(other for other in table.continued_seats if other != seat)
    table = replace(
        _void_proposal(table, seat),
        undoable=None,
        ready_seats=ready,
        continued_seats=read,
        hints_allowed=False,
    )
    if person is not None:
        own_requests = [
            request for request in table.seat_requests if request.person.id == person.id
        ]
        table = replace(
            table,
            seen_hands=table.seen_hands | {(person.id, seat)},
            known_people=table.known_people | {person.id},
            unseated_people=tuple([one for one in table.unseated_people if one.id != person.id]),
            seat_requests=_without_seat_requests(table, own_requests),
        )
    return _with_seat(table, seat, replace(table.seats[seat], person=person, has_substitute=False))


def _void_proposal(table: Table, seat: int) -> Table:
    """Void the open proposal because a seat changes. It counts as denied if it is of that seat."""
    proposal = table.proposal
    if proposal is None:
        return table
    own = (seat,) if proposal.seat == seat else ()
    return replace(table, proposal=None, denied_seats=(*table.denied_seats, *own))


def _change_profile(table: Table, seat: int, name: str, avatar: str) -> Table:
    old_seat = table.seats[seat]
    assert old_seat.person is not None
    person = replace(old_seat.person, name=name, avatar=avatar)
    if person.id == table.host.id:
        table = replace(table, host=person)
    return _with_seat(table, seat, replace(old_seat, person=person))


def _with_seat(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def action_of(entry: entries.Dealt | entries.Acted) -> tuple[int | None, Action]:
    """Return who acted by an entry (None for a deal) and the action. Raise NotationError."""
    if isinstance(entry, entries.Acted):
        return action_from_json([entry.seat, *entry.action])
    return None, Deal(
        hands=tuple(parse_cards(hand) for hand in entry.hands),
        kitty=parse_cards(entry.kitty),
        stock=parse_cards(entry.stock),
        upcard=None if entry.upcard is None else Card(entry.upcard),
    )


def _apply_action(
    table: Table, seat: int | None, action: Action, *, by_person: bool
) -> tuple[Table, tuple[Event, ...]]:
    assert table.game is not None
    before = table.game
    state, events = game.apply(before, action, seat)
    sheet = (*table.sheet, *(event for event in events if isinstance(event, DealScored)))
    undo = table.undoable
    if (
        by_person
        and seat is not None
        and all(isinstance(event, _UNDOABLE_EVENTS) for event in events)
    ):
        undo = Undoable(seat, before, table.sheet, events)
    elif not all(isinstance(event, _UNDO_KEEPING_EVENTS) for event in events):
        undo = None
    elif undo is not None:
        undo = replace(undo, events=(*undo.events, *events))
    proposal = (
        None
        if table.proposal is None or table.proposal.kind in _VOIDED_BY_ACTION
        else table.proposal
    )
    deal_is_over = len(sheet) > len(table.sheet)
    table = replace(
        table,
        moved_seq=table.seq,
        players=_current_players(table),
        game=state,
        sheet=sheet,
        undoable=undo,
        proposal=proposal,
        undone=None,
        denied=None,
        scored_seq=table.seq if deal_is_over and state.winner is None else table.scored_seq,
        continued_seats=(),
        claiming_seat=None if deal_is_over else table.claiming_seat,
        history=EMPTY_HISTORY if deal_is_over and state.winner is None else table.history,
    )
    if seat is None:
        holders = ((s.person, n) for n, s in enumerate(table.seats))
        looked = frozenset((person.id, n) for person, n in holders if person is not None)
        table = replace(
            table,
            deal_seq=table.seq - 1,
            seen_hands=looked,
            closed_seats=frozenset(),
            turned_away=frozenset(),
            denied_seats=(),
            pausing_seats=(),
        )
    return table, events


def _current_players(table: Table) -> tuple[Person | str, ...]:
    """Return the names of the seats for a step made with the present seating."""
    players: list[Person | str] = []
    for number, seat in enumerate(table.seats):
        previous = table.players[number] if table.players else None
        if seat.person is not None:
            players.append(seat.person)
        elif isinstance(previous, Person) and table.seat_of(previous.id) is None:
            players.append(previous)
        else:
            players.append(seat.bot)
    return tuple(players)


def _open_proposal(table: Table, entry: entries.Proposed) -> Table:
    """Open a proposal, and grant it at once if it needs no answers."""
    if entry.other is not None:
        waiting: tuple[int, ...] = (entry.other,)
    elif entry.of is not None:
        waiting = entry.of
    else:
        waiting = tuple(
            n for n in table.occupied_seats if n != entry.seat and not table.seats[n].has_substitute
        )
    proposal = Proposal(entry.kind, entry.seat, waiting, entry.other, table.seq)
    table = replace(table, proposal=proposal, denied=None)
    if entry.kind == "claim" and table.game is not None:
        claim = Claimed(entry.seat, len(table.game.deal.tricks))
        table = replace(table, history=table.history.with_claim(claim))
    return table if waiting else _grant_proposal(table)


def _apply_answer(table: Table, seat: int, agrees: bool) -> Table:
    if table.proposal is None:
        return table
    if not agrees:
        return _deny_proposal(table, table.proposal, () if seat == table.proposal.seat else (seat,))
    waiting = tuple(other for other in table.proposal.waiting if other != seat)
    table = replace(table, proposal=replace(table.proposal, waiting=waiting))
    return table if waiting else _grant_proposal(table)


def _expire_proposal(table: Table, is_granted: bool) -> Table:
    if table.proposal is None:
        return table
    return (
        _grant_proposal(table)
        if is_granted
        else _deny_proposal(table, table.proposal, table.proposal.waiting, has_expired=True)
    )


def _deny_proposal(
    table: Table, proposal: Proposal, deniers: tuple[int, ...], *, has_expired: bool = False
) -> Table:
    """Deny a proposal. `deniers` is empty if the proposer withdrew it."""
    denied = (
        DeniedProposal(proposal.kind, proposal.seat, deniers, has_expired, table.seq)
        if deniers
        else None
    )
    denied_seats = (*table.denied_seats, proposal.seat)
    return replace(table, proposal=None, denied=denied, denied_seats=denied_seats)


def _grant_proposal(table: Table) -> Table:
    """Carry out a proposal to which all have agreed."""
    proposal, undo = table.proposal, table.undoable
    table = replace(table, proposal=None)
    match proposal:
        case Proposal("undo") if undo is not None:
            undone = Undone(len(undo.game_before.deal.tricks), undo.events)
            return replace(
                table,
                game=undo.game_before,
                moved_seq=table.seq,
                sheet=undo.sheet_before,
                undoable=None,
                undone=UndoneAction(undo.seat, undo.events[0], table.seq),
                history=table.history.with_undone(undone),
            )
        case Proposal("claim", seat):
            return replace(table, claiming_seat=seat)  # the plays are separate entries
        case Proposal("hints"):
            return replace(table, hints_allowed=True)
        case Proposal("swap", seat, _, int(other)):
            first_person, second_person = table.seats[seat].person, table.seats[other].person
            return _change_seat(_change_seat(table, seat, second_person), other, first_person)
        case _:
            return table
