"""Refusals of commands: a code for programs and a sentence for people.

All refusal sentences of a table are here; the sentences of the game's rules are in `errors`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import msgspec

from acesaround.errors import AcesAroundError
from acesaround.table.entries import EndKind, Entry
from acesaround.table.messages import RefusalCode

ENDED_SENTENCES: Final[Mapping[EndKind, str]] = {
    "closed": "The operator of this server has closed this table.",
    "removed": "The operator of this server has removed this table.",
    "cleared": "This table was removed because nobody had played here for a long time.",
}
"""The sentences for a table that has ended; short enough for a WebSocket close reason."""


class CommandRefused(AcesAroundError):  # noqa: N818 - it reads as what it is, like a refused action
    """A command was refused; the table is unchanged. `code` is for programs."""

    def __init__(self, code: RefusalCode, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


class Refusal(msgspec.Struct, frozen=True):
    """Why a command is refused.

    `handle_command` raises it as CommandRefused; `is_allowed` only tests for it.
    """

    code: RefusalCode
    sentence: str


CommandResult: TypeAlias = tuple[Entry, ...] | Refusal
"""The entries that a command adds to the log, or why it is refused."""

# Lessons
LESSON_FOR_ONE: Final = Refusal("rule", "This table is a lesson for one person.")
LESSON_WATCH: Final = Refusal("stale", "Watch the others first.")
LESSON_GO_ON: Final = Refusal("rule", "Read on first: choose Go on.")
LESSON_MOVE: Final = Refusal("rule", "Make your move first.")
LESSON_OVER: Final = Refusal("rule", "This lesson is over.")
NO_LESSON: Final = Refusal("rule", "There is no lesson at this table.")
STALE_STEP: Final = Refusal("stale", "You have already gone on.")

# Seats
NO_SEAT_HELD: Final = Refusal("seat", "You have no seat at this table.")
ALREADY_SEATED: Final = Refusal("seat", "You already have a seat at this table.")
SEAT_HELD: Final = Refusal("seat", "Somebody sits there.")
ALREADY_IN_SEAT: Final = Refusal("stale", "You already sit there.")
SEAT_EMPTY: Final = Refusal("seat", "Nobody sits there.")
NO_PERSON_PLAYS: Final = Refusal("seat", "No person plays in that seat.")
NOBODY_ELSE_IN_SEAT: Final = Refusal("seat", "Nobody else sits there.")
NOBODY_TO_SWAP: Final = Refusal("seat", "Nobody sits there to change places with.")
BETWEEN_DEALS: Final = Refusal(
    "rule", "You can change places only between deals: wait until this deal is over."
)

# Joining a table
ASK_FOR_SEAT: Final = Refusal(
    "joining", "The host decides who sits at this table: ask for the seat."
)
ANOTHERS_HAND: Final = Refusal(
    "joining", "The cards of this seat are already dealt: ask the host for the seat."
)
SEAT_IS_FREE: Final = Refusal("rule", "That seat is free: sit down.")
ASKED_ALREADY: Final = Refusal("rule", "You have already asked: wait for the host's answer.")
TURNED_AWAY: Final = Refusal(
    "joining", "The host did not let you in: you can ask again in the next deal."
)
TOO_MANY_WAIT: Final = Refusal(
    "joining", "Too many people are waiting for a seat: try again later."
)
NO_SEAT_REQUEST: Final = Refusal("rule", "That person no longer waits for a seat.")
REMOVED_BY_HOST: Final = Refusal("joining", "The host has removed you from this table.")
SEEN_ANOTHER_HAND: Final = Refusal(
    "rule", "You have seen another hand of this deal: wait until it is over."
)
JOINING_LOCKED: Final = Refusal("joining", "The host lets no new players sit down now.")
BOT_HOLDS_HAND: Final = Refusal("rule", "A bot plays that hand until the deal is over.")

# The host
HOST_ONLY: Final = Refusal("host", "Only the host of the table can do that.")
ONLY_ACTING_HOST: Final = Refusal("host", "Only the host can do that; you are the acting host.")
NOT_REMOVED: Final = Refusal("rule", "That person has not been removed.")
UNCHANGED: Final = Refusal("rule", "It is already set that way.")

# The game
NOT_BEGUN: Final = Refusal("rule", "The game has not begun.")
ALREADY_BEGUN: Final = Refusal("rule", "The game has begun already.")
NOT_OVER: Final = Refusal("rule", "The game is not over.")
ALREADY_READY: Final = Refusal("rule", "You are ready already.")
NOT_PLAYING: Final = Refusal("rule", "There is nothing to pause now.")
NOT_PAUSED: Final = Refusal("rule", "The table is not paused.")
TOO_MANY_PAUSES: Final = Refusal("rule", "You have paused too often: wait for the next deal.")
PAUSED: Final = Refusal("paused", "The table is paused.")
STALE_ACTION: Final = Refusal("stale", "The game has changed since you chose that: choose again.")
BOT_SUBSTITUTES: Final = Refusal(
    "substituted", "A bot plays in your place: take over from it first."
)
NO_BOT_SUBSTITUTES: Final = Refusal("rule", "No bot plays in your place.")
TURN_OVERDUE: Final = Refusal(
    "rule", "Your time is up: a bot plays this turn, and you play the next one."
)
RESULT_READ: Final = Refusal("stale", "The result of that deal is no longer shown.")
ALREADY_CONTINUED: Final = Refusal("rule", "You have already continued.")

# Proposals
PROPOSAL_OPEN: Final = Refusal("rule", "Another request is open: wait until it is answered.")
TOO_MANY_PROPOSALS: Final = Refusal("rule", "You have asked too often: wait for the next deal.")
NOT_ASKED: Final = Refusal("rule", "There is no request for you to answer.")
CANNOT_UNDO: Final = Refusal(
    "rule", "You can take back a move only until another person acts or a card is shown."
)
CANNOT_CLAIM: Final = Refusal(
    "rule", "You can claim only if you are sure to win all tricks left, at least three."
)
HINTS_FORBIDDEN: Final = Refusal(
    "rule", "You get hints only if you play against bots alone or if all players allow hints."
)
NOTHING_TO_DECIDE: Final = Refusal("turn", "There is nothing for you to decide now.")
HINTS_ON: Final = Refusal("rule", "Hints are allowed already.")
HINTS_OFF: Final = Refusal("rule", "Hints are off already.")

# Chat
PUBLIC_CHAT_FIXED: Final = Refusal(
    "rule", "At a public table, you can send only ready-made phrases and pictures."
)
FREE_CHAT_FORBIDDEN: Final = Refusal(
    "rule", "You can send only phrases and pictures until the host allows free text."
)
PHRASE_AND_TEXT: Final = Refusal("malformed", "Say a phrase or a text of your own, not both.")


def no_seat(seat: int, seat_count: int) -> Refusal:
    """Return the refusal for a seat number that does not exist."""
    return Refusal("seat", f"There is no seat {seat}: seats are 0 to {seat_count - 1}.")


def too_many_seats(seat_count: int) -> Refusal:
    """Return the refusal of a person who holds seats at too many public tables."""
    return Refusal(
        "joining",
        f"You have seats at {seat_count} public tables that have not begun: leave one of them.",
    )


def person_gone(name: str) -> Refusal:
    """Return the refusal for admitting a person who has left."""
    return Refusal("rule", f"{name} has left.")


def person_present(name: str) -> Refusal:
    """Return the refusal for substituting a bot for a person who is present."""
    return Refusal("rule", f"{name} is here: a bot can play only for people who are away.")


def no_phrase(phrase: str, phrases: Iterable[str]) -> Refusal:
    """Return the refusal for an unknown phrase."""
    return Refusal("malformed", f"{phrase!r} is not a phrase: expected {', '.join(phrases)}.")
