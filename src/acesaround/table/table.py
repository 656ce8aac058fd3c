"""A table as the fold of its log: frozen, and the same for everybody who reads the same entries.

Who may ask for what is decided in `asking`; here an entry is taken as a fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Action, Deal
from acesaround.cards import Card, parse_cards
from acesaround.events import (
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
from acesaround.record.model import GameRecord, from_json
from acesaround.record.recorder import Recorder
from acesaround.rules import Rules
from acesaround.state import GameState
from acesaround.table import entries as log
from acesaround.table.entries import Config, Entry, Person


class Seat(msgspec.Struct, frozen=True):
    """A seat: the person who holds it, or else the bot that does."""

    person: Person | None
    bot: str


class Wish(msgspec.Struct, frozen=True):
    """What a seat asks of the others, and which of them have still to agree."""

    kind: str
    seat: int
    waiting: tuple[int, ...]


class Undoable(msgspec.Struct, frozen=True):
    """The last action of a person that nobody has seen a card since, and the game before it."""

    seat: int
    game: GameState
    sheet: tuple[DealScored, ...]


class Spoken(msgspec.Struct, frozen=True):
    """A phrase of table talk, with the entry that said it."""

    seat: int
    phrase: str
    seq: int


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a table. `seq`: how many entries it has; `games`: how many were begun.

    `moved`: `seq` after the last entry that changed the game, so that talk or a taken seat makes
    nobody's choice stale.
    """

    seq: int
    moved: int = 0
    config: Config
    rules: Rules
    host: Person
    seats: tuple[Seat, ...]
    game: GameState | None = None
    games: int = 0
    paused: bool = False
    wish: Wish | None = None
    undo: Undoable | None = None
    sheet: tuple[DealScored, ...] = ()
    ready: tuple[int, ...] = ()
    talk: tuple[Spoken, ...] = ()

    @property
    def playing(self) -> bool:
        """Whether a game is on."""
        return self.game is not None and self.game.phase is not None

    def seat_of(self, person: str | None) -> int | None:
        """The seat a person holds, by id."""
        for number, seat in enumerate(self.seats):
            if person is not None and seat.person is not None and seat.person.id == person:
                return number
        return None

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that persons hold."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.person is not None)


def begin(config: Config, host: Person) -> tuple[Entry, ...]:
    """The first entries of a table, the host in seat 0. Raises RulesError."""
    variants.get(config.variant, config.players, config.options)
    return log.Opened(config, host), log.Sat(0, host)


def fold(entries: Iterable[Entry]) -> Table:
    """The table that a whole log makes."""
    rest = iter(entries)
    opened = next(rest)
    assert isinstance(opened, log.Opened)
    table = _opened(opened)
    for entry in rest:
        table, _ = after(table, entry)
    return table


def _opened(entry: log.Opened) -> Table:
    config = entry.config
    rules = variants.get(config.variant, config.players, config.options)
    seats = tuple(Seat(None, config.bots) for _ in range(rules.seats))
    return Table(seq=1, config=config, rules=rules, host=entry.host, seats=seats)


def after(table: Table, entry: Entry) -> tuple[Table, tuple[Event, ...]]:
    """The table after one more entry, and what happened in the game by it."""
    table = replace(table, seq=table.seq + 1)
    match entry:
        case log.Dealt():
            return _act(table, None, _deal(entry), by_person=False)
        case log.Acted(seat, action, bot):
            return _act(table, seat, from_json([seat, *action])[1], by_person=not bot)
        case log.Answered(seat, agree):
            return _answered(table, seat, agree), ()
        case log.Wanted(seat, kind):
            waiting = tuple(other for other in table.people if other != seat)
            table = replace(table, wish=Wish(kind, seat, waiting))
            return _granted(table) if not waiting else table, ()
        case _:
            return _plain(table, entry), ()


def _plain(table: Table, entry: Entry) -> Table:
    """Entries that do not touch the play of a game."""
    match entry:
        case log.Sat(seat, person):
            left = table.seat_of(person.id)
            table = table if left is None else _seated(table, left, None)
            return _seated(table, seat, person)
        case log.Stood(seat):
            return _seated(table, seat, None)
        case log.BotSet(seat, name):
            return _with_seat(table, seat, replace(table.seats[seat], bot=name))
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
            )
        case log.Paused():
            return replace(table, paused=True)
        case log.Resumed():
            return replace(table, paused=False)
        case log.Said(seat, phrase):
            said = Spoken(seat, phrase, table.seq)
            return replace(table, talk=(*table.talk, said)[-20:])
        case log.Again(seat):
            return replace(table, ready=tuple(sorted({*table.ready, seat})))
        case _:
            raise AssertionError(f"{entry} cannot stand here")


def _seated(table: Table, seat: int, person: Person | None) -> Table:
    """A seat changes hands: what was asked or could be undone is void, readiness too."""
    ready = tuple(other for other in table.ready if other != seat)
    table = replace(table, wish=None, undo=None, ready=ready)
    return _with_seat(table, seat, replace(table.seats[seat], person=person))


def _with_seat(table: Table, number: int, seat: Seat) -> Table:
    return replace(table, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))


def _deal(entry: log.Dealt) -> Deal:
    return Deal(
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
        undo = Undoable(seat, before, table.sheet)
    elif not all(isinstance(event, _SILENT) for event in events):
        undo = None
    table = replace(table, moved=table.seq)
    return replace(table, game=state, sheet=sheet, undo=undo, wish=None), events


def _answered(table: Table, seat: int, agree: bool) -> Table:
    if table.wish is None:
        return table
    if not agree:
        return replace(table, wish=None)
    waiting = tuple(other for other in table.wish.waiting if other != seat)
    table = replace(table, wish=replace(table.wish, waiting=waiting))
    return table if waiting else _granted(table)


def _granted(table: Table) -> Table:
    """Everybody agrees: the action is taken back."""
    if table.undo is None:
        return replace(table, wish=None)
    before, sheet = table.undo.game, table.undo.sheet
    return replace(table, game=before, moved=table.seq, sheet=sheet, undo=None, wish=None)


def records(entries: Sequence[Entry]) -> list[GameRecord]:
    """The records of the games of a whole log, undone actions left out, names as they are now."""
    table = fold(entries)
    names = [f"bot:{seat.bot}" if seat.person is None else seat.person.name for seat in table.seats]
    games: list[list[tuple[GameState, int | None, Action]]] = []
    table = _opened(entries[0])  # type: ignore[arg-type]  # a log begins with `Opened`
    for entry in entries[1:]:
        was = table
        table, _ = after(table, entry)
        if isinstance(entry, log.Begun):
            games.append([])
        elif isinstance(entry, log.Dealt | log.Acted):
            assert was.game is not None
            seat = entry.seat if isinstance(entry, log.Acted) else None
            action = (
                _deal(entry)
                if isinstance(entry, log.Dealt)
                else from_json([entry.seat, *entry.action])[1]
            )
            games[-1].append((was.game, seat, action))
        elif was.undo is not None and table.undo is None and table.game == was.undo.game:
            while games[-1] and games[-1][-1][0] != table.game:
                games[-1].pop()
            games[-1].pop()
    return [_record(table.rules, names, steps) for steps in games]


def _record(
    rules: Rules, names: list[str], steps: list[tuple[GameState, int | None, Action]]
) -> GameRecord:
    recorder = Recorder(rules, names)
    for before, seat, action in steps:
        recorder.add(before, seat, action, game.apply(before, action)[1])
    return recorder.record
