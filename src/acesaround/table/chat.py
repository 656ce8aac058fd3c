"""Talk at a table: phrases and pictures that everybody may say, and words where they are allowed.

Words are for people who were let in: a table that anybody can find has phrases and pictures alone,
and who only has the link to watch reads no words. What cannot be seen in them is left out.
"""

from __future__ import annotations

from typing import Final

from acesaround.errors import NotationError
from acesaround.table import entries as log
from acesaround.table import refusals
from acesaround.table.refusals import Asked, Rejection
from acesaround.table.table import ChatLine, Table
from acesaround.text_checks import has_stacked_marks, one_line

# Courtesies, none of which says anything of cards: they are no part of what a seat knows.
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
"""Letters of what somebody writes."""


def written(text: str) -> str:
    """Words as they will be shown, on one line and short. Raises NotationError."""
    shown = one_line(text)
    if not shown:
        raise NotationError("There is nothing to read in that.")
    if len(shown) > LONGEST:
        raise NotationError(f"That is too long: at most {LONGEST} letters.")
    if has_stacked_marks(shown):
        raise NotationError("That has too many marks on one letter.")
    return shown


def talk(table: Table, seat: int, phrase: str, text: str) -> Asked:
    """Say a phrase or a picture, or else something of one's own."""
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
    """Let people write, or have them say phrases again; the host's to do."""
    if table.config.public:
        return refusals.PHRASES_ONLY
    if table.writing == on:
        return refusals.SO_ALREADY
    return (log.FreeChatSet(on),)


def visible_chat(table: Table, person: str | None) -> tuple[ChatLine, ...]:
    """What somebody, by id, may hear: who has no identity here hears no words."""
    return table.talk if person is not None else tuple([one for one in table.talk if not one.text])
