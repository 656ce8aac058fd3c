"""What a person may ask of a table: messages from a client, decoded and nothing more."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from acesaround.errors import NotationError
from acesaround.table.entries import JoiningKind, LinkKind

Seat = Annotated[int, Meta(ge=0, le=8)]
Seq = Annotated[int, Meta(ge=0, le=2**31)]
Choice = Annotated[list[Any], Meta(extra_json_schema={"$ref": "#/$defs/Choice"})]
"""An action as in a record; what is none is refused by the game, with a sentence."""


class Sit(msgspec.Struct, frozen=True, tag="sit"):
    """Take a seat that no person holds."""

    seat: Seat


class Stand(msgspec.Struct, frozen=True, tag="stand"):
    """Leave one's seat to a bot."""


class SetBot(msgspec.Struct, frozen=True, tag="bot"):
    """Name the bot of a seat; the host's to do."""

    seat: Seat
    name: Annotated[str, Meta(max_length=40)]


class Remove(msgspec.Struct, frozen=True, tag="remove"):
    """Remove the person from a seat for good; the host's to do."""

    seat: Seat


class Readmit(msgspec.Struct, frozen=True, tag="forgive"):
    """Let somebody sit again who was removed by entry `removal`; the host's to do."""

    removal: Seq


class Knock(msgspec.Struct, frozen=True, tag="knock"):
    """Ask the host for a seat that one may not simply take."""

    seat: Seat


class Admit(msgspec.Struct, frozen=True, tag="admit"):
    """Let in who knocked by entry `knock`, or not; the host's to do."""

    knock: Seq
    yes: bool


class Joining(msgspec.Struct, frozen=True, tag="joining"):
    """Say who may sit that has not sat here before; the host's to do."""

    joining: JoiningKind


class GiveHost(msgspec.Struct, frozen=True, tag="host"):
    """Make the person in a seat the host; the host's to do."""

    seat: Seat


class ReplaceLink(msgspec.Struct, frozen=True, tag="renew"):
    """Make a new link of a kind, by which the old one leads nowhere; the host's to do."""

    link: LinkKind


class Start(msgspec.Struct, frozen=True, tag="start"):
    """Begin the game; the host's to do."""


class Act(msgspec.Struct, frozen=True, tag="act"):
    """An action in the game, chosen while looking at the table as it was at `seq`."""

    seq: int
    action: Choice


class Pause(msgspec.Struct, frozen=True, tag="pause"):
    """Stop play."""


class Resume(msgspec.Struct, frozen=True, tag="resume"):
    """Go on."""


class Undo(msgspec.Struct, frozen=True, tag="undo"):
    """Ask to take one's last action back."""


class Answer(msgspec.Struct, frozen=True, tag="answer"):
    """Agree to what another seat asks, or not."""

    agree: bool


class Continue(msgspec.Struct, frozen=True, tag="continue"):
    """Have read the result of deal number `deal` of this game, counted from 1.

    Only who opened the socket with `?reads=1` is waited for with the next deal.
    """

    deal: Seq


class Talk(msgspec.Struct, frozen=True, tag="talk"):
    """Say one of the phrases or pictures, or else a `text` of one's own where that is allowed."""

    phrase: Annotated[str, Meta(max_length=40)] = ""
    text: Annotated[str, Meta(max_length=400)] = ""


class AllowFreeChat(msgspec.Struct, frozen=True, tag="writing"):
    """Let people say what they like at this table, or phrases alone; the host's to do."""

    on: bool


class Claim(msgspec.Struct, frozen=True, tag="claim"):
    """Claim every trick that is left, where one's own cards are sure to win them all."""


class Swap(msgspec.Struct, frozen=True, tag="swap"):
    """Ask the person in another seat to change places."""

    seat: Seat


class Hints(msgspec.Struct, frozen=True, tag="hints"):
    """Ask the others to allow hints at this table, or forbid them again (which needs nobody)."""

    on: bool


class SubstituteBot(msgspec.Struct, frozen=True, tag="cover"):
    """Let the bot of a seat play until its person, who is away, is back.

    The host's to do at once, and anybody's at the table who has waited for long enough.
    """

    seat: Seat


class TakeOverFromBot(msgspec.Struct, frozen=True, tag="back"):
    """Take one's seat back from the bot that has played in one's place."""


class Rematch(msgspec.Struct, frozen=True, tag="rematch"):
    """Be ready for another game."""


class Hint(msgspec.Struct, frozen=True, tag="hint"):
    """Ask what a good player would do."""


Command: TypeAlias = (
    Sit
    | Stand
    | SetBot
    | Remove
    | Readmit
    | Knock
    | Admit
    | Joining
    | GiveHost
    | ReplaceLink
    | Start
    | Act
    | Pause
    | Resume
    | Undo
    | Answer
    | Continue
    | Talk
    | AllowFreeChat
    | Claim
    | Swap
    | Hints
    | SubstituteBot
    | TakeOverFromBot
    | Rematch
    | Hint
)

_DECODER: Final = msgspec.json.Decoder(Command)


def decode_command(message: bytes | str) -> Command:
    """A client's message. Raises NotationError with a sentence."""
    try:
        command: Command = _DECODER.decode(message)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotationError(f"That message cannot be read: {error}.") from None
    return command
