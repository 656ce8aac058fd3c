"""The log of a table: facts, in the order in which they were accepted, as plain JSON values.

An entry says what happened and nothing that follows from it. Entries hold secrets (the cards of a
deal) and never leave the server.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

import msgspec

from acesaround.rules import Rules


class Config(msgspec.Struct, frozen=True):
    """What a table plays: fixed when it is opened. `clock`: seconds a turn, None for none.

    Variant and options are labels for people: the rules themselves stand in `Opened`.
    """

    variant: str
    players: int
    options: dict[str, Any] = {}
    public: bool = False
    clock: int | None = None
    bots: str = "thumb"


class Person(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Somebody at a table. `id` is secret: it is never shown to others.

    `avatar`: the sign chosen to be drawn by, "" for none.
    """

    id: str
    name: str
    avatar: str = ""


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """The table was opened by its host, to play by those rules whatever becomes of presets.

    `rules` is None in logs older than that: their presets are those of record format 1.
    """

    config: Config
    host: Person
    rules: Rules | None = None


class SeatTaken(msgspec.Struct, frozen=True, tag="sat"):
    """A person took a seat, leaving the one held before."""

    seat: int
    person: Person


class SeatLeft(msgspec.Struct, frozen=True, tag="stood"):
    """A person left a seat (in older logs: or was removed from it); a bot holds it."""

    seat: int


class Removed(msgspec.Struct, frozen=True, tag="removed"):
    """The host removed a person from a seat: until it is forgiven, that person sits no more.

    A bot holds the seat, and nobody else looks at a hand that was dealt to it.
    """

    seat: int


class Forgiven(msgspec.Struct, frozen=True, tag="forgiven"):
    """Somebody who was removed, by id, may sit again."""

    person: str


JoiningKind: TypeAlias = Literal["open", "ask", "locked"]


class JoiningSet(msgspec.Struct, frozen=True, tag="joining"):
    """Who may sit that has not sat here before.

    Everybody with the play link (`open`), who knocks and is let in (`ask`), nobody (`locked`).
    """

    joining: JoiningKind


class Knocked(msgspec.Struct, frozen=True, tag="knocked"):
    """A person asks the host for a seat."""

    seat: int
    person: Person


class Admitted(msgspec.Struct, frozen=True, tag="admitted"):
    """The host answers who knocked by entry `knock`; who is let in sits down by a `Sat`."""

    knock: int
    yes: bool


class HostGiven(msgspec.Struct, frozen=True, tag="host"):
    """The person in a seat is the host from now on."""

    seat: int


LinkKind: TypeAlias = Literal["play", "watch", "replay"]


class LinkCreated(msgspec.Struct, frozen=True, tag="linked"):
    """A link of its own kind leads to the table by that token, and the one before it no more.

    A table that has never had one for play is reached for it by its id.
    """

    link: LinkKind
    token: str


class BotSet(msgspec.Struct, frozen=True, tag="bot"):
    """Which bot holds a seat when no person does."""

    seat: int
    name: str


class Begun(msgspec.Struct, frozen=True, tag="begun"):
    """A game began, that seat to deal first."""

    dealer: int


class Dealt(msgspec.Struct, frozen=True, tag="dealt"):
    """The cards of a deal."""

    hands: list[list[str]]
    kitty: list[str] = []
    stock: list[str] = []
    upcard: str | None = None


class Acted(msgspec.Struct, frozen=True, tag="acted", omit_defaults=True):
    """An action of a seat, as in a record without the seat. `bot`: whether a bot chose it.

    `failed`: the bot could not, and the safest action was done for it.
    """

    seat: int
    action: list[Any]
    bot: bool
    failed: bool = False


class Paused(msgspec.Struct, frozen=True, tag="paused"):
    """Play stopped, until it is resumed."""


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """Play goes on."""


class BotSubstituted(msgspec.Struct, frozen=True, tag="covered"):
    """The bot of a seat plays in its person's place. `late`: because the clock ran out."""

    seat: int
    late: bool = False


class PlayerReturned(msgspec.Struct, frozen=True, tag="returned"):
    """A person plays again after being covered."""

    seat: int


class ProfileChanged(msgspec.Struct, frozen=True, tag="named", omit_defaults=True):
    """The person in a seat goes by another name, or is drawn by another sign."""

    seat: int
    name: str
    avatar: str = ""


class HintsOff(msgspec.Struct, frozen=True, tag="hints-off"):
    """Hints are no longer given where several persons play."""


WishKind: TypeAlias = Literal["undo", "claim", "hints", "swap"]


class Proposed(msgspec.Struct, frozen=True, tag="wanted"):
    """A seat asks the others for something.

    To take its last action back (`undo`), to grant it the rest of the tricks (`claim`), to allow
    hints, or seat `other` to change places with it (`swap`). `of`: the seats that are asked; None
    in older logs, where everybody was whose bot did not play.
    """

    seat: int
    kind: WishKind
    other: int | None = None
    of: tuple[int, ...] | None = None


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    """A seat agrees to what was asked, or not."""

    seat: int
    agree: bool


class ProposalExpired(msgspec.Struct, frozen=True, tag="lapsed"):
    """What was asked has been asked for long enough: who has not answered is asked no more.

    `agree`: all of them were away, so that it is granted by those who agreed.
    """

    agree: bool


class Continued(msgspec.Struct, frozen=True, tag="continued"):
    """The person in a seat has read the result of the deal that is over."""

    seat: int


class Said(msgspec.Struct, frozen=True, tag="said", omit_defaults=True):
    """Table talk: a phrase or a picture, or else a `text` of the person's own."""

    seat: int
    phrase: str
    text: str = ""


class FreeChatSet(msgspec.Struct, frozen=True, tag="writing"):
    """Whether people may say something of their own here."""

    on: bool


class RematchReady(msgspec.Struct, frozen=True, tag="again"):
    """A seat is ready for another game."""

    seat: int


class ChatRedacted(msgspec.Struct, frozen=True, tag="cleared"):
    """Something was said here that is kept no longer. Nothing follows from it."""


class PersonDeleted(msgspec.Struct, frozen=True, tag="gone"):
    """The person in a seat is known to this server no more.

    A bot holds the seat, and nobody else looks at a hand that was dealt to it.
    """

    seat: int


class LogRewritten(msgspec.Struct, frozen=True, tag="rewritten"):
    """What stands before this entry was written anew: whoever has folded it does so again.

    It is appended in the transaction that does so. Who has not heard of it finds its number taken.
    """


EndKind: TypeAlias = Literal["closed", "removed", "cleared"]


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """Nobody asks for anything at this table any more, and no bot acts.

    The operator has closed or removed it, or it was cleared after nobody had come for long.
    """

    why: EndKind


Entry: TypeAlias = (
    Opened
    | SeatTaken
    | SeatLeft
    | Removed
    | Forgiven
    | JoiningSet
    | Knocked
    | Admitted
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
    | Said
    | FreeChatSet
    | RematchReady
    | ChatRedacted
    | PersonDeleted
    | LogRewritten
    | Ended
)

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Entry)


def encode(entry: Entry) -> bytes:
    """An entry as JSON, for the store."""
    return _ENCODER.encode(entry)


def decode(body: bytes | str) -> Entry:
    """An entry from the store."""
    entry: Entry = _DECODER.decode(body)
    return entry
