"""A table as the fold of its log: immutable, and equal for everybody who reads the same entries.

Here an entry is taken as a fact; `command_handler` decides which commands are accepted. As in
`game.state`, `gc=False` keeps the garbage collector from tracking structs that cannot be in a
cycle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

import msgspec
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
from acesaround.game.state import Dealing, GameState
from acesaround.game.view import NOTHING_BESIDE, Claimed, TableHistory, Undone, View, view_for
from acesaround.record.model import from_json
from acesaround.rules import Rules
from acesaround.table import entries as log
from acesaround.table.entries import Config, EndKind, Entry, JoiningKind, Person, WishKind


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat: the person who holds it, or else the bot that plays it.

    `covered`: the bot plays although a person holds the seat.
    """

    person: Person | None
    bot: str
    covered: bool = False
    failed: bool = False

    @property
    def by_bot(self) -> bool:
        """Whether the bot plays."""
        return self.person is None or self.covered


class Proposal(msgspec.Struct, frozen=True, gc=False):
    """A seat's proposal, and the seats that have still to agree.

    `other`: the seat to swap with. `seq`: the entry of the proposal.
    """

    kind: WishKind
    seat: int
    waiting: tuple[int, ...]
    other: int | None = None
    seq: int = 0

    @property
    def holds_up(self) -> bool:
        """Whether play could make the proposal void, so that clock and bots wait for its end."""
        return self.kind != "hints"


class Undoable(msgspec.Struct, frozen=True, gc=False):
    """The last action of a person that can still be undone, and the game before it.

    An action can be undone while it and later events have revealed no other card. `events`: the
    events of the action and since then.
    """

    seat: int
    game: GameState
    sheet: tuple[DealScored, ...]
    events: tuple[Event, ...]


class Taken(msgspec.Struct, frozen=True, gc=False):
    """An action of a seat that entry `seq` undid, and its event."""

    seat: int
    event: Event
    seq: int


class Denied(msgspec.Struct, frozen=True, gc=False):
    """A seat's proposal that was denied, by entry `seq`.

    `by`: the seats that said no, or, if it expired (`late`), the seats that did not answer.
    """

    kind: WishKind
    seat: int
    by: tuple[int, ...]
    late: bool
    seq: int


class ChatLine(msgspec.Struct, frozen=True, gc=False):
    """A chat line, a phrase or a text, with the number of its entry."""

    seat: int
    phrase: str
    seq: int
    text: str = ""


class Knocker(msgspec.Struct, frozen=True, gc=False):
    """A person asking for a seat, since entry `seq`."""

    seq: int
    person: Person
    seat: int


class RemovedPerson(msgspec.Struct, frozen=True, gc=False):
    """A person whom entry `seq` removed."""

    seq: int
    person: Person


class Links(msgspec.Struct, frozen=True, gc=False):
    """The tokens of the table's links. `play` is None if the table's id is used instead."""

    play: str | None = None
    watch: str | None = None
    replay: str | None = None


class TablePresence(msgspec.Struct, frozen=True, gc=False):
    """The persons who are connected, by id, as the server knows it.

    `gone`: persons who have been away for so long that no one has to wait for them. `reads`:
    present persons whose page shows the result of a deal until they continue. `watching`: some of
    the spectators who have a name.
    """

    present: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    watching: tuple[Person, ...] = ()


NOBODY_GONE: Final = TablePresence()


class Table(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Everything about a table. `seq`: the number of its entries; `games`: of games begun.

    `moved`: `seq` after the last entry that changed the game, so that a chat line or a taken seat
    makes no choice stale. `deal`: the number of the entry that dealt the cards last. `hints`: hints
    are allowed although several persons play. `writing`: free text is allowed in the chat.
    `claimed`: the seat whose claim is being played out. `aside`: the claims and undone actions of
    this deal, which everybody has seen. `looked`: which person (by id) has held which seat since
    the cards were dealt. `known`: the ids of all who have ever sat here. `closed`: the seats whose
    hand only a bot may play until the deal is over. `turned`: the ids of persons who were turned
    away in this deal. `players`: the names of the seats in the current or last game, as of its last
    step. A seat has the person who held it last, and a bot's name only if no person held it.
    `ended`: why the table has ended.

    `taken`, `denied`: the action undone or the proposal denied since the last action. `noes`: the
    seats whose proposals were denied in this deal, once for each proposal. `scored`: `seq` after
    the action that ended the last deal, valid while nothing was played since. `read`: the seats
    that have continued after that result.
    """

    seq: int
    moved: int = 0
    deal: int = 0
    config: Config
    rules: Rules
    host: Person
    seats: tuple[Seat, ...]
    game: GameState | None = None
    games: int = 0
    paused: bool = False
    wish: Proposal | None = None
    undo: Undoable | None = None
    sheet: tuple[DealScored, ...] = ()
    ready: tuple[int, ...] = ()
    talk: tuple[ChatLine, ...] = ()
    writing: bool = False
    hints: bool = False
    claimed: int | None = None
    aside: TableHistory = NOTHING_BESIDE
    looked: frozenset[tuple[str, int]] = frozenset()
    known: frozenset[str] = frozenset()
    joining: JoiningKind = "open"
    knocks: tuple[Knocker, ...] = ()
    turned: frozenset[str] = frozenset()
    out: tuple[RemovedPerson, ...] = ()
    closed: frozenset[int] = frozenset()
    links: Links = Links()
    players: tuple[Person | str, ...] = ()
    ended: EndKind | None = None
    taken: Taken | None = None
    denied: Denied | None = None
    noes: tuple[int, ...] = ()
    scored: int = 0
    read: tuple[int, ...] = ()

    @property
    def dealt(self) -> bool:
        """Whether the cards are dealt, so that taking a seat reveals a hand."""
        return self.playing and not isinstance(self.game and self.game.phase, Dealing)

    def view(self, seat: int | None) -> View:
        """Return what a seat sees of the game, with the claims and undone actions of this deal."""
        assert self.game is not None
        return view_for(self.game, seat, self.aside)

    @property
    def playing(self) -> bool:
        """Whether a game is being played."""
        return self.game is not None and self.game.phase is not None

    @property
    def result(self) -> int | None:
        """The number of the deal whose result is to be read before the next deal; None if none."""
        return len(self.sheet) if self.playing and self.scored == self.moved != 0 else None

    def seat_of(self, person: str | None) -> int | None:
        """Return the seat that a person (by id) holds."""
        for number, seat in enumerate(self.seats):
            if person is not None and seat.person is not None and seat.person.id == person:
                return number
        return None

    def has_seen_hand(self, person: str) -> bool:
        """Return whether a person (by id) has held a hand of the deal that is being played."""
        return self.dealt and any(who == person for who, _ in self.looked)

    @property
    def occupied_seats(self) -> tuple[int, ...]:
        """The seats that persons hold."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.person is not None)

    def is_newcomer(self, person: str) -> bool:
        """Return whether a person (by id) has never sat here and is not the host."""
        return person not in self.known and person != self.host.id

    def may_enter(self, person: str | None) -> bool:
        """Return whether a person may come here even if the link they had was replaced.

        The person has sat here or is the host, and is not removed.
        """
        if person is None or self.is_newcomer(person):
            return False
        return all(one.person.id != person for one in self.out)

    def hosts(self, gone: Collection[str] = ()) -> tuple[str, ...]:
        """Return the ids of the persons who may give the host's commands.

        The host always may. While the host holds no seat or is `gone`, the first seated person who
        is not gone acts for the host.
        """
        acting: tuple[str, ...] = ()
        if self.seat_of(self.host.id) is None or self.host.id in gone:
            held = (self.seats[number].person for number in self.occupied_seats)
            others = (one.id for one in held if one is not None and one.id != self.host.id)
            acting = tuple([one for one in others if one not in gone][:1])
        return (self.host.id, *acting)

    def hosted_by(self, person: str | None, gone: Collection[str] = ()) -> bool:
        """Return whether a person is the host or acts for the host."""
        return person in self.hosts(gone)


def begin(config: Config, host: Person, rules: Rules | None = None) -> tuple[Entry, ...]:
    """Return the first entries of a table, with the host in seat 0. Raise RulesError.

    `rules`: the rules to play. Without them the preset that `config` names is used, as it is now.
    """
    if rules is None:
        rules = variants.get(config.variant, config.players, config.options)
    return log.Opened(config, host, rules), log.SeatTaken(0, host)


def fold(entries: Iterable[Entry]) -> Table:
    """Return the table that a whole log folds to."""
    rest = iter(entries)
    opened = next(rest)
    assert isinstance(opened, log.Opened)
    table = _opened(opened)
    for entry in rest:
        table, _ = apply_entry(table, entry)
    return table


def _opened(entry: log.Opened) -> Table:
    config = entry.config
    rules = _shared(entry.rules)
    seats = tuple(Seat(None, config.bots) for _ in range(rules.seats))
    return Table(seq=1, config=config, rules=rules, host=entry.host, seats=seats)


@lru_cache(maxsize=256)
def _shared(rules: Rules) -> Rules:
    """Return one object for equal rules, to save memory.

    A server holds thousands of tables and few different house rules.
    """
    return rules


def apply_entry(table: Table, entry: Entry) -> tuple[Table, tuple[Event, ...]]:
    """Return the table after one more entry, and the game events it caused."""
    table = replace(table, seq=table.seq + 1)
    match entry:
        case log.Dealt():
            return _act(table, *action_of(entry), by_person=False)
        case log.Acted(seat, bot=bot, failed=failed):
            if failed:
                table = _with_seat(table, seat, replace(table.seats[seat], failed=True))
            return _act(table, *action_of(entry), by_person=not bot)
        case log.Answered(seat, agree):
            return _answered(table, seat, agree), ()
        case log.ProposalExpired(agree):
            return _lapsed(table, agree), ()
        case log.Proposed():
            return _wanted(table, entry), ()
        case _:
            return _plain(table, entry), ()


def _plain(table: Table, entry: Entry) -> Table:
    """Apply an entry that does not touch the play of a game."""
    match entry:
        case log.SeatTaken(seat, person):
            left = table.seat_of(person.id)
            table = table if left is None else _seated(table, left, None)
            return _seated(table, seat, person)
        case log.SeatLeft(seat):
            return _seated(table, seat, None)
        case log.Removed(seat):
            return _removed(table, seat)
        case log.PersonDeleted(seat):
            return _gone(table, seat)
        case log.BotSubstituted(seat) | log.PlayerReturned(seat):
            covered = replace(table.seats[seat], covered=isinstance(entry, log.BotSubstituted))
            return _with_seat(replace(table, wish=None), seat, covered)
        case log.ProfileChanged(seat, name, avatar):
            return _named(table, seat, name, avatar)
        case log.HintsOff():
            return replace(table, hints=False)
        case log.BotSet(seat, name):
            return _with_seat(table, seat, replace(table.seats[seat], bot=name, failed=False))
        case log.Begun(dealer):
            started = game.start(table.rules, dealer)
            return replace(
                table,
                game=started,
                moved=table.seq,
                games=table.games + 1,
                sheet=(),
                ready=(),
                undo=None,
                wish=None,
                paused=False,
                claimed=None,
                aside=NOTHING_BESIDE,
                taken=None,
                denied=None,
                noes=(),
                read=(),
                players=tuple([seat.person or seat.bot for seat in table.seats]),
            )
        case log.Paused():
            return replace(table, paused=True)
        case log.Resumed():
            return replace(table, paused=False)
        case log.Said(seat, phrase, text):
            said = ChatLine(seat, phrase, table.seq, text)
            return replace(table, talk=(*table.talk, said)[-20:])
        case log.FreeChatSet(on):
            return replace(table, writing=on)
        case log.Continued(seat):
            return replace(table, read=tuple(sorted({*table.read, seat})))
        case log.RematchReady(seat):
            return replace(table, ready=tuple(sorted({*table.ready, seat})))
        case log.ChatRedacted() | log.LogRewritten():
            return table
        case log.Ended(why):
            return replace(table, ended=why)
        case _:
            return _about_joining(table, entry)


def _about_joining(table: Table, entry: Entry) -> Table:
    """Apply an entry about joining, the host or the links."""
    match entry:
        case log.Forgiven(person):
            return replace(table, out=tuple([one for one in table.out if one.person.id != person]))
        case log.JoiningSet(joining):
            knocks = () if joining == "locked" else table.knocks
            return replace(table, joining=joining, knocks=knocks, turned=frozenset())
        case log.Knocked(seat, person):
            return replace(
                table, knocks=(*table.knocks, Knocker(table.seq, person, seat))[-_KNOCKS:]
            )
        case log.Admitted(number, yes):
            asked = [one for one in table.knocks if one.seq == number]
            turned = frozenset() if yes else frozenset(one.person.id for one in asked)
            return replace(table, knocks=_less(table, asked), turned=table.turned | turned)
        case log.HostGiven(seat):
            held = table.seats[seat].person
            assert held is not None
            return replace(table, host=held)
        case log.LinkCreated(link, token):
            return replace(table, links=replace(table.links, **{link: token}))
        case _:
            raise AssertionError(f"{entry} cannot stand here")


_KNOCKS: Final = 30
"""The most people who can wait for a seat; the oldest ones, perhaps gone already, are dropped."""


def _less(table: Table, asked: Collection[Knocker]) -> tuple[Knocker, ...]:
    return tuple([one for one in table.knocks if one not in asked])


def _removed(table: Table, seat: int) -> Table:
    person = table.seats[seat].person
    assert person is not None
    return replace(_gone(table, seat), out=(*table.out, RemovedPerson(table.seq, person)))


def _gone(table: Table, seat: int) -> Table:
    """Remove a person permanently: their hand, if dealt, is closed to other persons."""
    closed = table.closed | {seat} if table.dealt else table.closed
    return replace(_seated(table, seat, None), closed=closed)


def _seated(table: Table, seat: int, person: Person | None) -> Table:
    """Change the person in a seat. This voids proposal, undo, hints, and the seat's readiness."""
    ready = tuple(other for other in table.ready if other != seat)
    read = tuple(other for other in table.read if other != seat)
    table = replace(table, wish=None, undo=None, ready=ready, read=read, hints=False)
    if person is not None:
        waited = [one for one in table.knocks if one.person.id == person.id]
        table = replace(
            table,
            looked=table.looked | {(person.id, seat)},
            known=table.known | {person.id},
            knocks=_less(table, waited),
        )
    return _with_seat(table, seat, replace(table.seats[seat], person=person, covered=False))


def _named(table: Table, seat: int, name: str, avatar: str) -> Table:
    held = table.seats[seat]
    assert held.person is not None
    person = replace(held.person, name=name, avatar=avatar)
    if person.id == table.host.id:
        table = replace(table, host=person)
    return _with_seat(table, seat, replace(held, person=person))


def _with_seat(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def action_of(entry: log.Dealt | log.Acted) -> tuple[int | None, Action]:
    """Return who acted by an entry (None for a deal) and the action. Raise NotationError."""
    if isinstance(entry, log.Acted):
        return from_json([entry.seat, *entry.action])
    return None, Deal(
        hands=tuple(parse_cards(hand) for hand in entry.hands),
        kitty=parse_cards(entry.kitty),
        stock=parse_cards(entry.stock),
        upcard=None if entry.upcard is None else Card(entry.upcard),
    )


_OWN = (BidMade, Passed, Declared, Buried, TrumpNamed, Played, TrickWon, MeldLaid)
"""Events that show or draw no card except the one that an undo takes back."""
_SILENT = (BidMade, Passed, Declared)
"""Events of other seats after which an action can still be undone."""


def _act(
    table: Table, seat: int | None, action: Action, *, by_person: bool
) -> tuple[Table, tuple[Event, ...]]:
    assert table.game is not None
    before = table.game
    state, events = game.apply(before, action, seat)
    sheet = (*table.sheet, *(event for event in events if isinstance(event, DealScored)))
    undo = table.undo
    if by_person and seat is not None and all(isinstance(event, _OWN) for event in events):
        undo = Undoable(seat, before, table.sheet, events)
    elif not all(isinstance(event, _SILENT) for event in events):
        undo = None
    elif undo is not None:
        undo = replace(undo, events=(*undo.events, *events))
    wish = None if table.wish is None or table.wish.kind in _ABOUT_PLAY else table.wish
    over = len(sheet) > len(table.sheet)
    table = replace(
        table,
        moved=table.seq,
        players=_players(table),
        game=state,
        sheet=sheet,
        undo=undo,
        wish=wish,
        taken=None,
        denied=None,
        scored=table.seq if over and state.winner is None else table.scored,
        read=(),
        claimed=None if over else table.claimed,
        aside=NOTHING_BESIDE if over and state.winner is None else table.aside,
    )
    if seat is None:
        held = ((s.person, n) for n, s in enumerate(table.seats))
        looked = frozenset((person.id, n) for person, n in held if person is not None)
        table = replace(
            table,
            deal=table.seq - 1,
            looked=looked,
            closed=frozenset(),
            turned=frozenset(),
            noes=(),
        )
    return table, events


def _players(table: Table) -> tuple[Person | str, ...]:
    """Return the names of the seats for a step made with the present seating."""
    found: list[Person | str] = []
    for number, seat in enumerate(table.seats):
        was = table.players[number] if table.players else None
        if seat.person is not None:
            found.append(seat.person)
        elif isinstance(was, Person) and table.seat_of(was.id) is None:
            found.append(was)
        else:
            found.append(seat.bot)
    return tuple(found)


_ABOUT_PLAY = ("undo", "claim")
"""The kinds of proposals that the next action makes void."""


def _wanted(table: Table, entry: log.Proposed) -> Table:
    """Open a proposal, and grant it at once if it needs no answers."""
    if entry.other is not None:
        waiting: tuple[int, ...] = (entry.other,)
    elif entry.of is not None:
        waiting = entry.of
    else:
        waiting = tuple(
            n for n in table.occupied_seats if n != entry.seat and not table.seats[n].covered
        )
    wish = Proposal(entry.kind, entry.seat, waiting, entry.other, table.seq)
    table = replace(table, wish=wish, denied=None)
    if entry.kind == "claim" and table.game is not None:
        claim = Claimed(entry.seat, len(table.game.deal.tricks))
        table = replace(table, aside=table.aside.with_claim(claim))
    return table if waiting else _granted(table)


def _answered(table: Table, seat: int, agree: bool) -> Table:
    if table.wish is None:
        return table
    if not agree:
        return _denied(table, table.wish, () if seat == table.wish.seat else (seat,))
    waiting = tuple(other for other in table.wish.waiting if other != seat)
    table = replace(table, wish=replace(table.wish, waiting=waiting))
    return table if waiting else _granted(table)


def _lapsed(table: Table, agree: bool) -> Table:
    if table.wish is None:
        return table
    return _granted(table) if agree else _denied(table, table.wish, table.wish.waiting, late=True)


def _denied(table: Table, wish: Proposal, by: tuple[int, ...], *, late: bool = False) -> Table:
    """Deny a proposal. `by` is empty if the proposer withdrew it."""
    denied = Denied(wish.kind, wish.seat, by, late, table.seq) if by else None
    counts = table.playing and wish.holds_up
    noes = (*table.noes, wish.seat) if counts else table.noes
    return replace(table, wish=None, denied=denied, noes=noes)


def _granted(table: Table) -> Table:
    """Carry out a proposal to which all have agreed."""
    wish, undo = table.wish, table.undo
    table = replace(table, wish=None)
    match wish:
        case Proposal("undo") if undo is not None:
            undone = Undone(len(undo.game.deal.tricks), undo.events)
            return replace(
                table,
                game=undo.game,
                moved=table.seq,
                sheet=undo.sheet,
                undo=None,
                taken=Taken(undo.seat, undo.events[0], table.seq),
                aside=table.aside.with_undone(undone),
            )
        case Proposal("claim", seat):
            return replace(table, claimed=seat)  # the plays are separate entries
        case Proposal("hints"):
            return replace(table, hints=True)
        case Proposal("swap", seat, _, int(other)):
            here, there = table.seats[seat].person, table.seats[other].person
            return _seated(_seated(table, seat, there), other, here)
        case _:
            return table
