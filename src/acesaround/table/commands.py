"""The commands that a client may send to a table, and their decoder."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from acesaround.errors import NotationError
from acesaround.table.entries import JoiningKind, LinkKind

SeatNumber = Annotated[int, Meta(ge=0, le=8)]
EntryNumber = Annotated[int, Meta(ge=0, le=2**31)]
Choice = Annotated[list[Any], Meta(title="Choice")]
"""An action as in a record. The game refuses invalid ones with a sentence."""


class Sit(msgspec.Struct, frozen=True, tag="sit"):
    """Take a seat that no person holds."""

    seat: SeatNumber


class Stand(msgspec.Struct, frozen=True, tag="stand"):
    """Leave one's seat to a bot."""


class SetBot(msgspec.Struct, frozen=True, tag="bot"):
    """Set the bot of a seat. Host only."""

    seat: SeatNumber
    name: Annotated[str, Meta(max_length=40)]


class Remove(msgspec.Struct, frozen=True, tag="remove"):
    """Remove the person from a seat permanently. Host only."""

    seat: SeatNumber


class Readmit(msgspec.Struct, frozen=True, tag="forgive"):
    """Let a person sit again whom entry `removal` removed. Host only."""

    removal: EntryNumber


class RequestSeat(msgspec.Struct, frozen=True, tag="knock"):
    """Ask the host for a seat that one may not take directly."""

    seat: SeatNumber


class AnswerSeatRequest(msgspec.Struct, frozen=True, tag="admit"):
    """Admit or turn away the person who asked for a seat by entry `request`. Host only."""

    request: EntryNumber = msgspec.field(name="knock")
    yes: bool


class SetJoining(msgspec.Struct, frozen=True, tag="joining"):
    """Set whether newcomers may sit. Host only."""

    joining: JoiningKind


class GiveHost(msgspec.Struct, frozen=True, tag="host"):
    """Make the person in a seat the host. Host only."""

    seat: SeatNumber


class ReplaceLink(msgspec.Struct, frozen=True, tag="renew"):
    """Replace a link of the table by a new one; the old one stops working. Host only."""

    link: LinkKind


class Start(msgspec.Struct, frozen=True, tag="start"):
    """Begin the game. Host only."""


class Act(msgspec.Struct, frozen=True, tag="act"):
    """Act in the game. `seq`: the entry after which the client chose the action."""

    seq: int
    action: Choice


class Pause(msgspec.Struct, frozen=True, tag="pause"):
    """Pause the game."""


class Resume(msgspec.Struct, frozen=True, tag="resume"):
    """Resume the game."""


class Undo(msgspec.Struct, frozen=True, tag="undo"):
    """Propose to undo one's last action."""


class AnswerProposal(msgspec.Struct, frozen=True, tag="answer"):
    """Agree to another seat's proposal or deny it."""

    agree: bool


class Continue(msgspec.Struct, frozen=True, tag="continue"):
    """Confirm that one has read the result of deal number `deal` of this game, counted from 1.

    The next deal waits only for clients that opened the socket with `?reads=1`.
    """

    deal: EntryNumber


class SendChat(msgspec.Struct, frozen=True, tag="talk"):
    """Say one of the phrases or pictures, or a free `text` where that is allowed."""

    phrase: Annotated[str, Meta(max_length=40)] = ""
    text: Annotated[str, Meta(max_length=400)] = ""


class AllowFreeChat(msgspec.Struct, frozen=True, tag="writing"):
    """Allow free text in the chat of this table, or only phrases. Host only."""

    on: bool


class Claim(msgspec.Struct, frozen=True, tag="claim"):
    """Claim all remaining tricks, where one's own cards are sure to win them."""


class Swap(msgspec.Struct, frozen=True, tag="swap"):
    """Propose to the person in another seat to swap seats."""

    seat: SeatNumber


class AllowHints(msgspec.Struct, frozen=True, tag="hints"):
    """Propose to allow hints at this table, or forbid them, which needs no agreement."""

    on: bool


class SubstituteBot(msgspec.Struct, frozen=True, tag="cover"):
    """Let the bot of a seat play until its absent person is back.

    The host may do this at once, other seated persons after waiting for long enough.
    """

    seat: SeatNumber


class TakeOverFromBot(msgspec.Struct, frozen=True, tag="back"):
    """Take one's seat back from the bot that substitutes."""


class Rematch(msgspec.Struct, frozen=True, tag="rematch"):
    """Be ready for another game."""


class RequestHint(msgspec.Struct, frozen=True, tag="hint"):
    """Ask what a good player would do."""


class ContinueLesson(msgspec.Struct, frozen=True, tag="lesson-continue"):
    """Go on to the next step of a lesson. `step`: the number of the step that was read, from 1."""

    step: EntryNumber


class RestartLesson(msgspec.Struct, frozen=True, tag="lesson-restart"):
    """Begin a lesson again."""


Command: TypeAlias = (
    Sit
    | Stand
    | SetBot
    | Remove
    | Readmit
    | RequestSeat
    | AnswerSeatRequest
    | SetJoining
    | GiveHost
    | ReplaceLink
    | Start
    | Act
    | Pause
    | Resume
    | Undo
    | AnswerProposal
    | Continue
    | SendChat
    | AllowFreeChat
    | Claim
    | Swap
    | AllowHints
    | SubstituteBot
    | TakeOverFromBot
    | Rematch
    | RequestHint
    | ContinueLesson
    | RestartLesson
)


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    """Ask whether the server still answers."""


_DECODER: Final = msgspec.json.Decoder(Command | Ping)


def decode_command(message: bytes | str) -> Command | Ping:
    """Decode a client's message. Raise NotationError with a sentence if it cannot be read."""
    try:
        command: Command | Ping = _DECODER.decode(message)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotationError(f"The message is invalid: {error}.") from None
    return command
