"""A command that is refused: why, for people and for programs.

The sentences of all refusals of a table stand here; what the rules of the game refuse is said in
`errors`.
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
"""What is said of a table at which nothing happens any more; short enough to close a socket."""


class Refused(AcesAroundError):  # noqa: N818 - it reads as what it is, like a refused action
    """A command that is refused; the table is unchanged. `code` is for programs."""

    def __init__(self, code: RefusalCode, sentence: str) -> None:
        self.code = code
        super().__init__(sentence)


class No(msgspec.Struct, frozen=True):
    """Why a command is refused: `ask` raises it as Refused, `allowed` only looks whether it is."""

    code: RefusalCode
    sentence: str


Asked: TypeAlias = tuple[Entry, ...] | No
"""The entries that a command adds to the log, or why it adds none."""

# Seats
HOLDS_NONE: Final = No("seat", "You hold no seat at this table.")
HOLDS_ONE: Final = No("seat", "You hold a seat at this table.")
HELD: Final = No("seat", "Somebody holds that seat.")
SITS_THERE: Final = No("stale", "You sit in that seat already.")
EMPTY: Final = No("seat", "Nobody holds that seat.")
NO_PERSON: Final = No("seat", "No person plays in that seat.")
NOBODY_ELSE: Final = No("seat", "Nobody else sits there.")
NOBODY_TO_SWAP: Final = No("seat", "Nobody to change places with sits there.")
BETWEEN_DEALS: Final = No("rule", "Places are changed between deals: wait until this one is over.")

# Coming to a table
ASK_FOR_SEAT: Final = No("joining", "The host lets people in at this table: ask for the seat.")
ANOTHERS_HAND: Final = No(
    "joining", "That hand has been dealt to somebody else: ask the host for the seat."
)
SEAT_FREE: Final = No("rule", "That seat is free: sit down.")
ASKED_ALREADY: Final = No("rule", "You have asked already: the host has still to answer.")
NOT_LET_IN: Final = No(
    "joining", "The host did not let you in: you can ask again in the next deal."
)
TOO_MANY_WAIT: Final = No("joining", "Too many are waiting already.")
NOBODY_WAITS: Final = No("rule", "Nobody waits for that any more.")
REMOVED: Final = No("joining", "The host has removed you from this table.")
SEEN_ANOTHER_HAND: Final = No(
    "rule", "You have seen another hand of this deal: wait until it is over."
)
LOCKED: Final = No("joining", "Nobody new may sit at this table now.")
BOT_HOLDS_HAND: Final = No("rule", "A bot plays that hand until the deal is over.")

# The host
FOR_THE_HOST: Final = No("host", "That is for the host of the table to do.")
HOST_IS_AWAY: Final = No("host", "The host is only away: a bot can play meanwhile.")
STANDS_IN: Final = No("host", "You only stand in for the host.")
NOT_REMOVED: Final = No("rule", "That person has not been removed.")
SO_ALREADY: Final = No("rule", "That is so already.")

# The game
NOT_BEGUN: Final = No("rule", "The game has not begun.")
BEGUN: Final = No("rule", "The game has begun already.")
NOT_OVER: Final = No("rule", "The game is not over.")
READY: Final = No("rule", "You are ready already.")
NO_PLAY: Final = No("rule", "There is no play to pause.")
NOT_PAUSED: Final = No("rule", "The table is not paused.")
PAUSED: Final = No("paused", "The table is paused.")
STALE: Final = No("stale", "The table has moved on since you chose that.")
COVERED: Final = No("covered", "A bot plays in your place: take over from it first.")
NOT_COVERED: Final = No("rule", "No bot plays in your place.")
READ: Final = No("stale", "The result of that deal is read already.")
GONE_ON: Final = No("rule", "You have gone on already.")

# Questions to the others
BUSY: Final = No("rule", "Something else is being asked already.")
ASKED_ENOUGH: Final = No("rule", "You have asked often enough in this deal: play on.")
NOT_ASKED: Final = No("rule", "Nothing is being asked of you.")
NO_TAKING_BACK: Final = No("rule", "Your last action can no longer be taken back.")
NO_CLAIM: Final = No(
    "rule", "You can claim only when all tricks left, three or more, are sure to be yours."
)
NO_HINTS: Final = No(
    "rule", "Hints are given where you play against bots alone, or where all allow them."
)
NOTHING_TO_DECIDE: Final = No("turn", "There is nothing for you to decide now.")
HINTS_ON: Final = No("rule", "Hints are allowed already.")
HINTS_OFF: Final = No("rule", "Hints are off already.")

# Talk
PHRASES_ONLY: Final = No("rule", "At a table that anybody can find only phrases are said.")
NOT_ALLOWED: Final = No("rule", "Only phrases are said here, until the host allows more.")
BOTH: Final = No("malformed", "Say a phrase or something of your own, not both.")


def no_seat(seat: int, seats: int) -> No:
    """There is no such seat."""
    return No("seat", f"There is no seat {seat}: seats are 0 to {seats - 1}.")


def gone(name: str) -> No:
    """Who asked for a seat is no longer here."""
    return No("rule", f"{name} has gone away.")


def here(name: str) -> No:
    """Whose seat a bot was to play is here."""
    return No("rule", f"{name} is here and plays.")


def no_phrase(phrase: str, phrases: Iterable[str]) -> No:
    """There is no such phrase."""
    return No("malformed", f"{phrase!r} is no phrase: expected {', '.join(phrases)}.")
