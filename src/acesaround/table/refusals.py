"""Rejections of commands: a code for programs and a sentence for people.

All rejection sentences of a table are here; the sentences of the game's rules are in `errors`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import msgspec

from acesaround.errors import AcesAroundError
from acesaround.table.entries import EndKind, Entry
from acesaround.table.messages import RefusalCode

ENDED_SENTENCES: Final[Mapping[EndKind, str]] = {
    "closed": "This table has been closed by who runs the server.",
    "removed": "This table has been removed by who runs the server.",
    "cleared": "This table was cleared: nobody had played here for a long time.",
}
"""The sentences for a table that has ended; short enough for a WebSocket close reason."""


class Refused(AcesAroundError):  # noqa: N818 - it reads as what it is, like a refused action
    """A command was rejected; the table is unchanged. `code` is for programs."""

    def __init__(self, code: RefusalCode, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


class Rejection(msgspec.Struct, frozen=True):
    """Why a command is rejected.

    `handle_command` raises it as Refused; `is_allowed` only tests for it.
    """

    code: RefusalCode
    sentence: str


CommandResult: TypeAlias = tuple[Entry, ...] | Rejection
"""The entries that a command adds to the log, or why it is rejected."""

# Seats
NO_SEAT_HELD: Final = Rejection("seat", "You hold no seat at this table.")
ALREADY_SEATED: Final = Rejection("seat", "You hold a seat at this table.")
SEAT_HELD: Final = Rejection("seat", "Somebody holds that seat.")
ALREADY_IN_SEAT: Final = Rejection("stale", "You sit in that seat already.")
SEAT_EMPTY: Final = Rejection("seat", "Nobody holds that seat.")
NO_PERSON_PLAYS: Final = Rejection("seat", "No person plays in that seat.")
NOBODY_ELSE_IN_SEAT: Final = Rejection("seat", "Nobody else sits there.")
NOBODY_TO_SWAP: Final = Rejection("seat", "Nobody to change places with sits there.")
BETWEEN_DEALS: Final = Rejection(
    "rule", "Places are changed between deals: wait until this one is over."
)

# Joining a table
ASK_FOR_SEAT: Final = Rejection(
    "joining", "The host lets people in at this table: ask for the seat."
)
ANOTHERS_HAND: Final = Rejection(
    "joining", "That hand has been dealt to somebody else: ask the host for the seat."
)
SEAT_IS_FREE: Final = Rejection("rule", "That seat is free: sit down.")
ASKED_ALREADY: Final = Rejection("rule", "You have asked already: the host has still to answer.")
TURNED_AWAY: Final = Rejection(
    "joining", "The host did not let you in: you can ask again in the next deal."
)
TOO_MANY_WAIT: Final = Rejection("joining", "Too many are waiting already.")
NOBODY_KNOCKS: Final = Rejection("rule", "Nobody waits for that any more.")
REMOVED_BY_HOST: Final = Rejection("joining", "The host has removed you from this table.")
SEEN_ANOTHER_HAND: Final = Rejection(
    "rule", "You have seen another hand of this deal: wait until it is over."
)
JOINING_LOCKED: Final = Rejection("joining", "Nobody new may sit at this table now.")
BOT_HOLDS_HAND: Final = Rejection("rule", "A bot plays that hand until the deal is over.")

# The host
HOST_ONLY: Final = Rejection("host", "That is for the host of the table to do.")
HOST_IS_AWAY: Final = Rejection("host", "The host is only away: a bot can play meanwhile.")
ONLY_ACTING_HOST: Final = Rejection("host", "You only stand in for the host.")
NOT_REMOVED: Final = Rejection("rule", "That person has not been removed.")
UNCHANGED: Final = Rejection("rule", "That is so already.")

# The game
NOT_BEGUN: Final = Rejection("rule", "The game has not begun.")
ALREADY_BEGUN: Final = Rejection("rule", "The game has begun already.")
NOT_OVER: Final = Rejection("rule", "The game is not over.")
ALREADY_READY: Final = Rejection("rule", "You are ready already.")
NOT_PLAYING: Final = Rejection("rule", "There is no play to pause.")
NOT_PAUSED: Final = Rejection("rule", "The table is not paused.")
PAUSED: Final = Rejection("paused", "The table is paused.")
STALE_ACTION: Final = Rejection("stale", "The table has moved on since you chose that.")
BOT_SUBSTITUTES: Final = Rejection("covered", "A bot plays in your place: take over from it first.")
NO_BOT_SUBSTITUTES: Final = Rejection("rule", "No bot plays in your place.")
RESULT_READ: Final = Rejection("stale", "The result of that deal is read already.")
ALREADY_CONTINUED: Final = Rejection("rule", "You have gone on already.")

# Proposals
PROPOSAL_OPEN: Final = Rejection("rule", "Something else is being asked already.")
TOO_MANY_PROPOSALS: Final = Rejection("rule", "You have asked often enough in this deal: play on.")
NOT_ASKED: Final = Rejection("rule", "Nothing is being asked of you.")
CANNOT_UNDO: Final = Rejection("rule", "Your last action can no longer be taken back.")
CANNOT_CLAIM: Final = Rejection(
    "rule", "You can claim only when all tricks left, three or more, are sure to be yours."
)
HINTS_FORBIDDEN: Final = Rejection(
    "rule", "Hints are given where you play against bots alone, or where all allow them."
)
NOTHING_TO_DECIDE: Final = Rejection("turn", "There is nothing for you to decide now.")
HINTS_ON: Final = Rejection("rule", "Hints are allowed already.")
HINTS_OFF: Final = Rejection("rule", "Hints are off already.")

# Chat
PUBLIC_CHAT_FIXED: Final = Rejection(
    "rule", "At a table that anybody can find only phrases are said."
)
FREE_CHAT_FORBIDDEN: Final = Rejection(
    "rule", "Only phrases are said here, until the host allows more."
)
PHRASE_AND_TEXT: Final = Rejection("malformed", "Say a phrase or something of your own, not both.")


def no_seat(seat: int, seat_count: int) -> Rejection:
    """Return the rejection for a seat number that does not exist."""
    return Rejection("seat", f"There is no seat {seat}: seats are 0 to {seat_count - 1}.")


def person_gone(name: str) -> Rejection:
    """Return the rejection for admitting a person who has left."""
    return Rejection("rule", f"{name} has gone away.")


def person_present(name: str) -> Rejection:
    """Return the rejection for substituting a bot for a person who is present."""
    return Rejection("rule", f"{name} is here and plays.")


def no_phrase(phrase: str, phrases: Iterable[str]) -> Rejection:
    """Return the rejection for an unknown phrase."""
    return Rejection("malformed", f"{phrase!r} is no phrase: expected {', '.join(phrases)}.")
