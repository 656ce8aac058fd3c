"""The log of a table: facts in the order in which they were accepted, as plain JSON values.

An entry says what happened, not what follows from it. Entries hold secrets (the cards of a deal)
and never leave the server.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

import msgspec

from acesaround.lessons import Lesson
from acesaround.rules import Rules


class Config(msgspec.Struct, frozen=True):
    """The game of a table, fixed when it is opened. `clock`: seconds a turn, None for no clock.

    `natural`: whether the bots play without conventions.

    Variant and options are labels for people; the rules themselves are in `Opened`.
    """

    variant: str
    players: int
    options: dict[str, Any] = {}
    public: bool = False
    clock: int | None = None
    bots: str = "thumb"
    natural: bool = False


class Person(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A person at a table. `id` is secret: it is never shown to others.

    `avatar`: the chosen avatar, "" for none.
    """

    id: str
    name: str
    avatar: str = ""


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """The host opened the table, to play by these rules even if presets change later."""

    config: Config
    host: Person
    rules: Rules


class SeatTaken(msgspec.Struct, frozen=True, tag="sat"):
    """A person took a seat and left the seat held before, if any."""

    seat: int
    person: Person


class SeatLeft(msgspec.Struct, frozen=True, tag="stood", omit_defaults=True):
    """A person left a seat; a bot plays it now.

    `away`: the person lost the seat, because they were away for too long before the first game.
    """

    seat: int
    away: bool = False


class Removed(msgspec.Struct, frozen=True, tag="removed"):
    """The host removed a person from a seat. The person may not sit until `Readmitted`.

    A bot plays the seat, and no other person may see a hand that was dealt to it.
    """

    seat: int


class Readmitted(msgspec.Struct, frozen=True, tag="forgiven"):
    """A removed person (by id) may sit again."""

    person: str


JoiningKind: TypeAlias = Literal["open", "ask", "locked"]


class JoiningSet(msgspec.Struct, frozen=True, tag="joining"):
    """The host set whether newcomers may sit.

    Everybody with the play link (`open`), people whom the host admits (`ask`), or none (`locked`).
    """

    joining: JoiningKind


class SeatRequested(msgspec.Struct, frozen=True, tag="knocked"):
    """A person asks the host for a seat."""

    seat: int
    person: Person


class SeatRequestAnswered(msgspec.Struct, frozen=True, tag="admitted"):
    """The host answers entry `request`, by which a person asked; `SeatTaken` follows a yes."""

    request: int = msgspec.field(name="knock")
    yes: bool


class HostGiven(msgspec.Struct, frozen=True, tag="host"):
    """The person in a seat is the host from now on."""

    seat: int


LinkKind: TypeAlias = Literal["play", "watch", "replay"]


class LinkCreated(msgspec.Struct, frozen=True, tag="linked"):
    """The table has a new link of a kind, with that token; the previous one stops working.

    The play link of a table that never got one uses the table's id.
    """

    link: LinkKind
    token: str


class BotSet(msgspec.Struct, frozen=True, tag="bot"):
    """The bot that plays a seat when no person holds it."""

    seat: int
    name: str


class Begun(msgspec.Struct, frozen=True, tag="begun"):
    """A game began; seat `dealer` deals first."""

    dealer: int


class Dealt(msgspec.Struct, frozen=True, tag="dealt"):
    """The cards of a deal."""

    hands: list[list[str]]
    kitty: list[str] = []
    stock: list[str] = []
    upcard: str | None = None


class Acted(msgspec.Struct, frozen=True, tag="acted", omit_defaults=True):
    """An action of a seat, as in a record without the seat. `bot`: whether a bot chose it.

    `failed`: the bot failed, and the safest action was done for it.
    """

    seat: int
    action: list[Any]
    bot: bool
    failed: bool = False


class Paused(msgspec.Struct, frozen=True, tag="paused"):
    """Play was paused, by a seat; older entries do not name it."""

    seat: int | None = None


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """Play was resumed."""


class BotSubstituted(msgspec.Struct, frozen=True, tag="covered"):
    """The bot of a seat plays for its person. `late`: because the clock ran out."""

    seat: int
    late: bool = False


class PlayerReturned(msgspec.Struct, frozen=True, tag="returned"):
    """A person plays again after a bot substituted."""

    seat: int


class ProfileChanged(msgspec.Struct, frozen=True, tag="named", omit_defaults=True):
    """The person in a seat changed the name or the avatar."""

    seat: int
    name: str
    avatar: str = ""


class HintsOff(msgspec.Struct, frozen=True, tag="hints-off"):
    """Hints are no longer given where several persons play."""


ProposalKind: TypeAlias = Literal["undo", "claim", "hints", "swap"]


class Proposed(msgspec.Struct, frozen=True, tag="wanted"):
    """A seat proposes something to the others.

    The kinds: undo its last action (`undo`), be granted the remaining tricks (`claim`), allow hints
    (`hints`), or swap seats with seat `other` (`swap`). `of`: the seats that are asked. None in
    older logs, where all persons without a substitute were asked.
    """

    seat: int
    kind: ProposalKind
    other: int | None = None
    of: tuple[int, ...] | None = None


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    """A seat agrees to a proposal or denies it."""

    seat: int
    agree: bool


class ProposalExpired(msgspec.Struct, frozen=True, tag="lapsed"):
    """A proposal reached its timeout; missing answers are no longer awaited.

    `agree`: it is granted, because all who had not answered were absent.
    """

    agree: bool


class Continued(msgspec.Struct, frozen=True, tag="continued"):
    """The person in a seat has read the result of the last deal."""

    seat: int


class ChatSent(msgspec.Struct, frozen=True, tag="said", omit_defaults=True):
    """A chat line: a phrase or a picture, or else a free `text`."""

    seat: int
    phrase: str
    text: str = ""


class FreeChatSet(msgspec.Struct, frozen=True, tag="writing"):
    """Whether free text is allowed in the chat."""

    on: bool


class RematchReady(msgspec.Struct, frozen=True, tag="again"):
    """A seat is ready for another game."""

    seat: int


class ChatRedacted(msgspec.Struct, frozen=True, tag="cleared"):
    """A chat line that was removed from the log. The fold ignores it."""


class PersonDeleted(msgspec.Struct, frozen=True, tag="gone"):
    """The person in a seat was deleted from this server.

    A bot plays the seat, and no other person may see a hand that was dealt to it.
    """

    seat: int


class LogRewritten(msgspec.Struct, frozen=True, tag="rewritten"):
    """Earlier entries were rewritten: fold the log from the start.

    It is appended in the transaction that rewrites them. A writer that missed it gets a sequence
    conflict.
    """


class LessonSet(msgspec.Struct, frozen=True, tag="lesson"):
    """A lesson is taken at this table, by this script even if it is changed later."""

    lesson: Lesson


class LessonPartBegun(msgspec.Struct, frozen=True, tag="lesson-part"):
    """A part of the lesson began, counted from 0; a game and its cards follow."""

    part: int


class LessonContinued(msgspec.Struct, frozen=True, tag="lesson-continued"):
    """The person has read a step of the lesson and went on."""


EndKind: TypeAlias = Literal["closed", "removed", "cleared"]


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The table has ended: it accepts no commands, and no bot acts.

    The operator closed or removed it, or cleanup cleared it after a long time without visitors.
    """

    why: EndKind


Entry: TypeAlias = (
    Opened
    | SeatTaken
    | SeatLeft
    | Removed
    | Readmitted
    | JoiningSet
    | SeatRequested
    | SeatRequestAnswered
    | HostGiven
    | LinkCreated
    | BotSet
    | Begun
    | Dealt
    | Acted
    | Paused
    | Resumed
    | BotSubstituted
    | PlayerReturned
    | ProfileChanged
    | HintsOff
    | Proposed
    | Answered
    | ProposalExpired
    | Continued
    | ChatSent
    | FreeChatSet
    | RematchReady
    | ChatRedacted
    | PersonDeleted
    | LogRewritten
    | LessonSet
    | LessonPartBegun
    | LessonContinued
    | Ended
)

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Entry)


def encode(entry: Entry) -> bytes:
    """Return an entry as JSON, for the store."""
    return _ENCODER.encode(entry)


def decode(body: bytes | str) -> Entry:
    """Return an entry from the store's JSON."""
    entry: Entry = _DECODER.decode(body)
    return entry
