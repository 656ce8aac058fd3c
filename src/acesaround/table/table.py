"""A table as the fold of its log: frozen, and the same for everybody who reads the same entries.

Who may ask for what is decided in `asking`; here an entry is taken as a fact.
As in `state`, the collector does not walk what cannot be in a cycle.
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
from acesaround.variants.legacy_presets import legacy_rules


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat: the person who holds it, or else the bot that does.

    `covered`: the bot plays although a person holds it.
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
    """What a seat asks of the others, and which of them have still to agree.

    `other`: the seat with which to change places; `seq`: the entry with which it was asked.
    """

    kind: WishKind
    seat: int
    waiting: tuple[int, ...]
    other: int | None = None
    seq: int = 0

    @property
    def holds_up(self) -> bool:
        """Whether play could make it void, so that clock and bots wait meanwhile."""
        return self.kind != "hints"


class Undoable(msgspec.Struct, frozen=True, gc=False):
    """The last action of a person that nobody has seen a card since, and the game before it.

    `events`: what happened by it and since.
    """

    seat: int
    game: GameState
    sheet: tuple[DealScored, ...]
    events: tuple[Event, ...]


class Taken(msgspec.Struct, frozen=True, gc=False):
    """An action of a seat that was taken back by entry `seq`; `event`: what it was."""

    seat: int
    event: Event
    seq: int


class Denied(msgspec.Struct, frozen=True, gc=False):
    """A question of a seat that was not granted, by entry `seq`.

    `by`: the seats that said no, or, where its time was over (`late`), those that said nothing.
    """

    kind: WishKind
    seat: int
    by: tuple[int, ...]
    late: bool
    seq: int


class ChatLine(msgspec.Struct, frozen=True, gc=False):
    """Table talk, a phrase or a text, with the entry that said it."""

    seat: int
    phrase: str
    seq: int
    text: str = ""


class Knocker(msgspec.Struct, frozen=True, gc=False):
    """Somebody who asks for a seat, since entry `seq`."""

    seq: int
    person: Person
    seat: int


class RemovedPerson(msgspec.Struct, frozen=True, gc=False):
    """Somebody who was removed, by entry `seq`."""

    seq: int
    person: Person


class Links(msgspec.Struct, frozen=True, gc=False):
    """The tokens of the table's links. `play` is None where the table's id has to do."""

    play: str | None = None
    watch: str | None = None
    replay: str | None = None


class TablePresence(msgspec.Struct, frozen=True, gc=False):
    """Who is connected, by id, as the server knows it.

    `gone`: those who have been away for so long that nobody has to wait for them. `reads`: those
    present whose page shows the result of a deal until they go on. `watching`: some of those who
    look on and have said who they are.
    """

    present: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    watching: tuple[Person, ...] = ()


NOBODY_GONE: Final = TablePresence()


class Table(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Everything about a table. `seq`: how many entries it has; `games`: how many were begun.

    `moved`: `seq` after the last entry that changed the game, so that talk or a taken seat makes
    nobody's choice stale. `deal`: the number of the entry that dealt the cards last. `hints`:
    allowed although several persons play. `writing`: people may say what they like. `claimed`: the
    seat whose claim is being played out. `aside`: the claims and undone actions of this deal, which
    everybody has seen. `looked`: which person (by id) has held which seat since the cards were
    dealt. `known`: the ids of all who have
    ever sat here. `closed`: the seats whose hand is for a bot until the deal is over. `turned`: the
    ids of who was not let in in this deal. `players`: by whom the seats are called in the game that
    is played or was played last, as of its last step: by the person who held it last, and by the
    name of a bot only if no person did. `ended`: why nothing happens here any more.

    `taken`, `denied`: what was taken back or not granted since the last action. `noes`: the seats
    whose questions of this deal were not granted, once for each. `scored`: `seq` after the action
    that ended the last deal, while its result is all that has happened since; `read`: the seats
    that have gone on from it.
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
        """Whether hands are out, so that a seat is more than a place."""
        return self.playing and not isinstance(self.game and self.game.phase, Dealing)

    def view(self, seat: int | None) -> View:
        """What a seat sees of the game, and of what happened beside it."""
        assert self.game is not None
        return view_for(self.game, seat, self.aside)

    @property
    def playing(self) -> bool:
        """Whether a game is on."""
        return self.game is not None and self.game.phase is not None

    @property
    def result(self) -> int | None:
        """The number of the deal whose result is to be read before the next one is dealt."""
        return len(self.sheet) if self.playing and self.scored == self.moved != 0 else None

    def seat_of(self, person: str | None) -> int | None:
        """The seat a person holds, by id."""
        for number, seat in enumerate(self.seats):
            if person is not None and seat.person is not None and seat.person.id == person:
                return number
        return None

    @property
    def occupied_seats(self) -> tuple[int, ...]:
        """The seats that persons hold."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.person is not None)

    def is_newcomer(self, person: str) -> bool:
        """Whether somebody, by id, has never sat here. The host is at home."""
        return person not in self.known and person != self.host.id

    def may_enter(self, person: str | None) -> bool:
        """Whether somebody belongs here whatever became of the link: has sat, and may again."""
        if person is None or self.is_newcomer(person):
            return False
        return all(one.person.id != person for one in self.out)

    def hosts(self, gone: Collection[str] = ()) -> tuple[str, ...]:
        """The ids of who may do what is the host's to do.

        The host may. While he holds no seat, or is `gone`, the first seated person who is there
        does it for him.
        """
        acting: tuple[str, ...] = ()
        if self.seat_of(self.host.id) is None or self.host.id in gone:
            held = (self.seats[number].person for number in self.occupied_seats)
            others = (one.id for one in held if one is not None and one.id != self.host.id)
            acting = tuple([one for one in others if one not in gone][:1])
        return (self.host.id, *acting)

    def hosted_by(self, person: str | None, gone: Collection[str] = ()) -> bool:
        """Whether a person is the host, or acts for him."""
        return person in self.hosts(gone)


def begin(config: Config, host: Person, rules: Rules | None = None) -> tuple[Entry, ...]:
    """The first entries of a table, the host in seat 0. Raises RulesError.

    `rules`: what is played; without them the preset that `config` names, as it is now.
    """
    if rules is None:
        rules = variants.get(config.variant, config.players, config.options)
    return log.Opened(config, host, rules), log.SeatTaken(0, host)


def fold(entries: Iterable[Entry]) -> Table:
    """The table that a whole log makes."""
    rest = iter(entries)
    opened = next(rest)
    assert isinstance(opened, log.Opened)
    table = _opened(opened)
    for entry in rest:
        table, _ = apply_entry(table, entry)
    return table


def _opened(entry: log.Opened) -> Table:
    config = entry.config
    rules = entry.rules
    if rules is None:
        rules = legacy_rules(config.variant, config.players, config.options)
    rules = _shared(rules)
    seats = tuple(Seat(None, config.bots) for _ in range(rules.seats))
    return Table(seq=1, config=config, rules=rules, host=entry.host, seats=seats)


@lru_cache(maxsize=256)
def _shared(rules: Rules) -> Rules:
    """One object for equal rules: a server holds thousands of tables and few house rules."""
    return rules


def apply_entry(table: Table, entry: Entry) -> tuple[Table, tuple[Event, ...]]:
    """The table after one more entry, and what happened in the game by it."""
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
    """Entries that do not touch the play of a game."""
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
    """Entries about who is let in, who is the host, and by which links people come."""
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
"""Who asked before so many others, and has perhaps gone away again, is forgotten."""


def _less(table: Table, asked: Collection[Knocker]) -> tuple[Knocker, ...]:
    return tuple([one for one in table.knocks if one not in asked])


def _removed(table: Table, seat: int) -> Table:
    person = table.seats[seat].person
    assert person is not None
    return replace(_gone(table, seat), out=(*table.out, RemovedPerson(table.seq, person)))


def _gone(table: Table, seat: int) -> Table:
    """A person leaves a seat and does not come back: the hand, if any, is nobody else's."""
    closed = table.closed | {seat} if table.dealt else table.closed
    return replace(_seated(table, seat, None), closed=closed)


def _seated(table: Table, seat: int, person: Person | None) -> Table:
    """A seat changes hands: what was asked, allowed or could be undone is void, readiness too."""
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
    """Who acted by an entry, None for chance, and what was done. Raises NotationError."""
    if isinstance(entry, log.Acted):
        return from_json([entry.seat, *entry.action])
    return None, Deal(
        hands=tuple(parse_cards(hand) for hand in entry.hands),
        kitty=parse_cards(entry.kitty),
        stock=parse_cards(entry.stock),
        upcard=None if entry.upcard is None else Card(entry.upcard),
    )


_OWN = (BidMade, Passed, Declared, Buried, TrumpNamed, Played, TrickWon, MeldLaid)
"""Events by which nobody has seen or drawn another card than the one that is taken back."""
_SILENT = (BidMade, Passed, Declared)
"""Events of others after which an action can still be taken back."""


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
    """By whom the seats are called when a step is made as they sit now."""
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
"""Wishes that the next action makes void."""


def _wanted(table: Table, entry: log.Proposed) -> Table:
    """Others are asked, or nobody has to be."""
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
    """Not everybody agrees; `by` nobody where it was withdrawn."""
    denied = Denied(wish.kind, wish.seat, by, late, table.seq) if by else None
    counts = table.playing and wish.holds_up
    noes = (*table.noes, wish.seat) if counts else table.noes
    return replace(table, wish=None, denied=denied, noes=noes)


def _granted(table: Table) -> Table:
    """Everybody agrees."""
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
            return replace(table, claimed=seat)  # the plays are entries of their own
        case Proposal("hints"):
            return replace(table, hints=True)
        case Proposal("swap", seat, _, int(other)):
            here, there = table.seats[seat].person, table.seats[other].person
            return _seated(_seated(table, seat, there), other, here)
        case _:
            return table
