"""The state of a table: immutable, and equal for everybody who reads the same entries of its log.

As in `game.state`, `gc=False` keeps the garbage collector from tracking structs that cannot be in a
cycle.
"""

from __future__ import annotations

from typing import Final

import msgspec

from acesaround.game.events import (
    DealScored,
    Event,
)
from acesaround.game.state import Dealing, GameState
from acesaround.game.view import EMPTY_HISTORY, TableHistory, View, turn_of, view_for
from acesaround.lessons import Lesson
from acesaround.rules import Rules
from acesaround.table.entries import Config, EndKind, JoiningKind, Person, ProposalKind


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat: the person who holds it, or else the bot that plays it.

    `has_substitute`: the bot plays although a person holds the seat.
    """

    person: Person | None
    bot: str
    has_substitute: bool = False
    bot_failed: bool = False

    @property
    def is_played_by_bot(self) -> bool:
        """Whether the bot plays."""
        return self.person is None or self.has_substitute


class Proposal(msgspec.Struct, frozen=True, gc=False):
    """A seat's proposal, and the seats that have still to agree.

    `swap_seat`: the seat to swap with. `seq`: the entry of the proposal.
    """

    kind: ProposalKind
    seat: int
    waiting: tuple[int, ...]
    swap_seat: int | None = None
    seq: int = 0

    @property
    def holds_up_play(self) -> bool:
        """Whether play could make the proposal void, so that clock and bots wait for its end."""
        return self.kind != "hints"


class Undoable(msgspec.Struct, frozen=True, gc=False):
    """The last action of a person that can still be undone, and the game before it.

    An action can be undone while it and later events have revealed no other card. `events`: the
    events of the action and since then.
    """

    seat: int
    game_before: GameState
    sheet_before: tuple[DealScored, ...]
    events: tuple[Event, ...]


class UndoneAction(msgspec.Struct, frozen=True, gc=False):
    """An action of a seat that entry `undone_seq` undid, and its event."""

    seat: int
    event: Event
    undone_seq: int


class DeniedProposal(msgspec.Struct, frozen=True, gc=False):
    """A seat's proposal that was denied, by entry `seq`.

    `denying_seats`: the seats that said no, or, if it expired (`has_expired`), the seats that did
    not answer.
    """

    kind: ProposalKind
    seat: int
    denying_seats: tuple[int, ...]
    has_expired: bool
    seq: int


class ChatLine(msgspec.Struct, frozen=True, gc=False):
    """A chat line, a phrase or a text, with the number of its entry."""

    seat: int
    phrase: str
    seq: int
    text: str = ""


class SeatRequest(msgspec.Struct, frozen=True, gc=False):
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

    `gone`: persons who have been away for so long that no one has to wait for them.
    `readers`: present persons whose page shows the result of a deal until they continue.
    `spectators`: some of the spectators who have a name. `silent`: the person on turn, if connected
    but without an answer to the server's pings while others wait.
    """

    present: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    readers: frozenset[str] = frozenset()
    spectators: tuple[Person, ...] = ()
    silent: frozenset[str] = frozenset()


NOBODY_PRESENT: Final = TablePresence()


class LessonPlace(msgspec.Struct, frozen=True, gc=False):
    """Where the person stands in a lesson: a part and a step, both counted from 0.

    `watched`: how many actions of the step the script has played. At the end of a part the step is
    the number of its steps.
    """

    part: int = 0
    step: int = 0
    watched: int = 0

    @property
    def after_action(self) -> LessonPlace:
        """The place after one more action of the script."""
        return LessonPlace(self.part, self.step, self.watched + 1)

    @property
    def next_step(self) -> LessonPlace:
        """The place at the next step."""
        return LessonPlace(self.part, self.step + 1)


class Table(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Everything about a table.

    `seq`: the number of its entries; `game_count`: of games begun.

    `overdue_seq`: `moved_seq` when the time of a turn ran out last; -1 if it never did.

    `moved_seq`: `seq` after the last entry that changed the game, so that a chat line or a
    taken seat makes no choice stale. `deal_seq`: the number of the entry that dealt the cards last.
    `hints_allowed`: hints are allowed although several persons play. `free_chat_allowed`: free text
    is allowed in the chat. `claiming_seat`: the seat whose claim is being played out. `history`:
    the claims and undone actions of this deal, which everybody has seen. `seen_hands`: which person
    (by id) has held which seat since the cards were dealt. `known_people`: the ids of all who have
    ever sat here. `closed_seats`: the seats whose hand only a bot may play until the deal is over.
    `turned_away`: the ids of persons who were turned away in this deal. `unseated_people`: persons
    who lost their seats because they were away, before the first game. `players`: the names of the
    seats in the current or last game, as of its last step. A seat has the person who held it last,
    and a bot's name only if no person held it. `ended`: why the table has ended.

    `undone`, `denied`: the action undone or the proposal denied since the last action.
    `denied_seats`: the seats whose proposals were denied since the cards were dealt or the game
    began, once for each proposal. So count proposals whose person withdrew them or left the seat.
    `pausing_seats`: the seats that have paused since then, once for each pause.
    `lesson`: the script of the lesson that is taken here. `lesson_place`: the place in it.

    `scored_seq`: `seq` after the action that ended the last deal, valid while nothing was
    played since. `continued_seats`: the seats that have continued after that result.
    """

    seq: int
    moved_seq: int = 0
    overdue_seq: int = -1
    deal_seq: int = 0
    config: Config
    rules: Rules
    host: Person
    seats: tuple[Seat, ...]
    game: GameState | None = None
    game_count: int = 0
    is_paused: bool = False
    proposal: Proposal | None = None
    undoable: Undoable | None = None
    sheet: tuple[DealScored, ...] = ()
    ready_seats: tuple[int, ...] = ()
    chat: tuple[ChatLine, ...] = ()
    free_chat_allowed: bool = False
    hints_allowed: bool = False
    claiming_seat: int | None = None
    history: TableHistory = EMPTY_HISTORY
    seen_hands: frozenset[tuple[str, int]] = frozenset()
    known_people: frozenset[str] = frozenset()
    joining: JoiningKind = "open"
    seat_requests: tuple[SeatRequest, ...] = ()
    turned_away: frozenset[str] = frozenset()
    unseated_people: tuple[Person, ...] = ()
    removed_people: tuple[RemovedPerson, ...] = ()
    closed_seats: frozenset[int] = frozenset()
    links: Links = Links()
    players: tuple[Person | str, ...] = ()
    ended: EndKind | None = None
    undone: UndoneAction | None = None
    denied: DeniedProposal | None = None
    denied_seats: tuple[int, ...] = ()
    pausing_seats: tuple[int, ...] = ()
    scored_seq: int = 0
    continued_seats: tuple[int, ...] = ()
    lesson: Lesson | None = None
    lesson_place: LessonPlace = LessonPlace()

    @property
    def is_lesson_over(self) -> bool:
        """Whether a lesson is taken here, and its last step is done."""
        if self.lesson is None:
            return False
        place, parts = self.lesson_place, self.lesson.parts
        return place.part + 1 == len(parts) and place.step >= len(parts[place.part].steps)

    @property
    def is_dealt(self) -> bool:
        """Whether the cards are dealt, so that taking a seat reveals a hand."""
        return self.is_playing and not isinstance(self.game and self.game.phase, Dealing)

    def view(self, seat: int | None) -> View:
        """Return what a seat sees of the game, with the claims and undone actions of this deal."""
        assert self.game is not None
        return view_for(self.game, seat, self.history)

    @property
    def is_playing(self) -> bool:
        """Whether a game is being played."""
        return self.game is not None and self.game.phase is not None

    def is_overdue(self, seat: int) -> bool:
        """Return whether a seat is on turn, its time is over, and its bot is about to act.

        The bot does not act if bots play for all persons.
        """
        if self.game is None or self.overdue_seq != self.moved_seq or turn_of(self.game) != seat:
            return False
        people = self.occupied_seats
        return not people or not all(self.seats[one].has_substitute for one in people)

    @property
    def unread_result(self) -> int | None:
        """The number of the deal whose result is to be read before the next deal; None if none."""
        return (
            len(self.sheet) if self.is_playing and self.scored_seq == self.moved_seq != 0 else None
        )

    def seat_of(self, person_id: str | None) -> int | None:
        """Return the seat that a person (by id) holds."""
        for number, seat in enumerate(self.seats):
            if person_id is not None and seat.person is not None and seat.person.id == person_id:
                return number
        return None

    def has_seen_hand(self, person: str) -> bool:
        """Return whether a person (by id) has held a hand of the deal that is being played."""
        return self.is_dealt and any(who == person for who, _ in self.seen_hands)

    @property
    def occupied_seats(self) -> tuple[int, ...]:
        """The seats that persons hold."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.person is not None)

    @property
    def is_public_lobby(self) -> bool:
        """Whether this is a public table before its first game."""
        return self.config.public and self.game is None and self.ended is None

    def is_newcomer(self, person_id: str) -> bool:
        """Return whether a person (by id) has never sat here and is not the host."""
        return person_id not in self.known_people and person_id != self.host.id

    def may_enter(self, person_id: str | None) -> bool:
        """Return whether a person may come here even if the link they had was replaced.

        The person has sat here or is the host, and is not removed.
        """
        if person_id is None or self.is_newcomer(person_id):
            return False
        return all(removed.person.id != person_id for removed in self.removed_people)
