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

ENDED: Final[Mapping[EndKind, str]] = {
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


Asked: TypeAlias = tuple[Entry, ...] | Rejection
"""The entries that a command adds to the log, or why it is rejected."""

# Seats
HOLDS_NONE: Final = Rejection("seat", "You hold no seat at this table.")
HOLDS_ONE: Final = Rejection("seat", "You hold a seat at this table.")
HELD: Final = Rejection("seat", "Somebody holds that seat.")
SITS_THERE: Final = Rejection("stale", "You sit in that seat already.")
EMPTY: Final = Rejection("seat", "Nobody holds that seat.")
NO_PERSON: Final = Rejection("seat", "No person plays in that seat.")
NOBODY_ELSE: Final = Rejection("seat", "Nobody else sits there.")
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
SEAT_FREE: Final = Rejection("rule", "That seat is free: sit down.")
ASKED_ALREADY: Final = Rejection("rule", "You have asked already: the host has still to answer.")
NOT_LET_IN: Final = Rejection(
    "joining", "The host did not let you in: you can ask again in the next deal."
)
TOO_MANY_WAIT: Final = Rejection("joining", "Too many are waiting already.")
NOBODY_WAITS: Final = Rejection("rule", "Nobody waits for that any more.")
REMOVED: Final = Rejection("joining", "The host has removed you from this table.")
SEEN_ANOTHER_HAND: Final = Rejection(
    "rule", "You have seen another hand of this deal: wait until it is over."
)
LOCKED: Final = Rejection("joining", "Nobody new may sit at this table now.")
BOT_HOLDS_HAND: Final = Rejection("rule", "A bot plays that hand until the deal is over.")

# The host
FOR_THE_HOST: Final = Rejection("host", "That is for the host of the table to do.")
HOST_IS_AWAY: Final = Rejection("host", "The host is only away: a bot can play meanwhile.")
STANDS_IN: Final = Rejection("host", "You only stand in for the host.")
NOT_REMOVED: Final = Rejection("rule", "That person has not been removed.")
SO_ALREADY: Final = Rejection("rule", "That is so already.")

# The game
NOT_BEGUN: Final = Rejection("rule", "The game has not begun.")
BEGUN: Final = Rejection("rule", "The game has begun already.")
NOT_OVER: Final = Rejection("rule", "The game is not over.")
READY: Final = Rejection("rule", "You are ready already.")
NO_PLAY: Final = Rejection("rule", "There is no play to pause.")
NOT_PAUSED: Final = Rejection("rule", "The table is not paused.")
PAUSED: Final = Rejection("paused", "The table is paused.")
STALE: Final = Rejection("stale", "The table has moved on since you chose that.")
COVERED: Final = Rejection("covered", "A bot plays in your place: take over from it first.")
NOT_COVERED: Final = Rejection("rule", "No bot plays in your place.")
READ: Final = Rejection("stale", "The result of that deal is read already.")
GONE_ON: Final = Rejection("rule", "You have gone on already.")

# Proposals
BUSY: Final = Rejection("rule", "Something else is being asked already.")
ASKED_ENOUGH: Final = Rejection("rule", "You have asked often enough in this deal: play on.")
NOT_ASKED: Final = Rejection("rule", "Nothing is being asked of you.")
NO_TAKING_BACK: Final = Rejection("rule", "Your last action can no longer be taken back.")
NO_CLAIM: Final = Rejection(
    "rule", "You can claim only when all tricks left, three or more, are sure to be yours."
)
NO_HINTS: Final = Rejection(
    "rule", "Hints are given where you play against bots alone, or where all allow them."
)
NOTHING_TO_DECIDE: Final = Rejection("turn", "There is nothing for you to decide now.")
HINTS_ON: Final = Rejection("rule", "Hints are allowed already.")
HINTS_OFF: Final = Rejection("rule", "Hints are off already.")

# Chat
PHRASES_ONLY: Final = Rejection("rule", "At a table that anybody can find only phrases are said.")
NOT_ALLOWED: Final = Rejection("rule", "Only phrases are said here, until the host allows more.")
BOTH: Final = Rejection("malformed", "Say a phrase or something of your own, not both.")


def no_seat(seat: int, seats: int) -> Rejection:
    """Return the rejection for a seat number that does not exist."""
    return Rejection("seat", f"There is no seat {seat}: seats are 0 to {seats - 1}.")


def gone(name: str) -> Rejection:
    """Return the rejection for admitting a person who has left."""
    return Rejection("rule", f"{name} has gone away.")


def here(name: str) -> Rejection:
    """Return the rejection for substituting a bot for a person who is present."""
    return Rejection("rule", f"{name} is here and plays.")


def no_phrase(phrase: str, phrases: Iterable[str]) -> Rejection:
    """Return the rejection for an unknown phrase."""
    return Rejection("malformed", f"{phrase!r} is no phrase: expected {', '.join(phrases)}.")
