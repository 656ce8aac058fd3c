"""Chat at a table: fixed phrases and pictures, and free text where the host allows it.

Free text is for people whom the host let in. At a public table only phrases and pictures can be
sent, and spectators without an identity see no free text. Invisible characters are removed.
"""

from __future__ import annotations

from typing import Final

from acesaround.errors import NotationError
from acesaround.table import entries as log
from acesaround.table import refusals
from acesaround.table.refusals import Asked, Rejection
from acesaround.table.table import ChatLine, Table
from acesaround.text_checks import has_stacked_marks, one_line

# Courtesies only: no phrase says anything about cards, so chat is no part of a seat's view.
PHRASES: Final = (
    "hello",
    "good-luck",
    "well-played",
    "thank-you",
    "oops",
    "one-moment",
    "good-game",
)
PICTURES: Final = (
    "👍",
    "👏",
    "🙂",
    "😀",
    "😂",
    "🎉",
    "😮",
    "😢",
    "🤔",
    "🙈",
    "🙏",
    "❤",
    "☕",
    "🍀",
)
LONGEST: Final = 80
"""The greatest length of a text, in characters."""


def written(text: str) -> str:
    """Return a text as it is shown, on one line. Raise NotationError if it is empty or too long.

    Also raise it if marks are stacked on one letter.
    """
    shown = one_line(text)
    if not shown:
        raise NotationError("There is nothing to read in that.")
    if len(shown) > LONGEST:
        raise NotationError(f"That is too long: at most {LONGEST} letters.")
    if has_stacked_marks(shown):
        raise NotationError("That has too many marks on one letter.")
    return shown


def talk(table: Table, seat: int, phrase: str, text: str) -> Asked:
    """Return the entry that says a phrase, a picture or a text, or the rejection."""
    if not text:
        if phrase not in PHRASES and phrase not in PICTURES:
            return refusals.no_phrase(phrase, PHRASES)
        return (log.Said(seat, phrase),)
    if phrase:
        return refusals.BOTH
    if table.config.public:
        return refusals.PHRASES_ONLY
    if not table.writing:
        return refusals.NOT_ALLOWED
    try:
        return (log.Said(seat, "", written(text)),)
    except NotationError as error:
        return Rejection("malformed", str(error))


def allow(table: Table, on: bool) -> Asked:
    """Return the entry that allows or forbids free text, or the rejection.

    The caller checks that the host asks.
    """
    if table.config.public:
        return refusals.PHRASES_ONLY
    if table.writing == on:
        return refusals.SO_ALREADY
    return (log.FreeChatSet(on),)


def visible_chat(table: Table, person: str | None) -> tuple[ChatLine, ...]:
    """Return the chat lines a person (by id) may see: without an id only phrases and pictures."""
    return table.talk if person is not None else tuple([one for one in table.talk if not one.text])
