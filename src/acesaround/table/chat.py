"""Chat at a table: fixed phrases and pictures, and free text where the host allows it.

Free text is for people whom the host let in. At a public table only phrases and pictures can be
sent, and spectators without an identity see no free text. Invisible characters are removed.
"""

from __future__ import annotations

from typing import Final

from acesaround.errors import NotationError
from acesaround.table import command_refusals, entries
from acesaround.table.command_refusals import CommandResult, Refusal
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
MAX_TEXT_LENGTH: Final = 80
"""The greatest length of a text, in characters."""


def require_valid_text(text: str) -> str:
    """Return a text as it is shown, on one line. Raise NotationError if it is empty or too long.

    Also raise it if marks are stacked on one letter.
    """
    line = one_line(text)
    if not line:
        raise NotationError("That message is empty.")
    if len(line) > MAX_TEXT_LENGTH:
        raise NotationError(f"That is too long: at most {MAX_TEXT_LENGTH} letters.")
    if has_stacked_marks(line):
        raise NotationError("That has too many marks on one letter.")
    return line


def chat_entry(table: Table, seat: int, phrase: str, text: str) -> CommandResult:
    """Return the entry that says a phrase, a picture or a text, or the refusal."""
    if not text:
        if phrase not in PHRASES and phrase not in PICTURES:
            return command_refusals.no_phrase(phrase, PHRASES)
        return (entries.ChatSent(seat, phrase),)
    if phrase:
        return command_refusals.PHRASE_AND_TEXT
    if table.config.public:
        return command_refusals.PUBLIC_CHAT_FIXED
    if not table.free_chat_allowed:
        return command_refusals.FREE_CHAT_FORBIDDEN
    try:
        return (entries.ChatSent(seat, "", require_valid_text(text)),)
    except NotationError as error:
        return Refusal("malformed", str(error))


def set_free_chat(table: Table, is_allowed: bool) -> CommandResult:
    """Return the entry that allows or forbids free text, or the refusal.

    The caller checks that the host asks.
    """
    if table.config.public:
        return command_refusals.PUBLIC_CHAT_FIXED
    if table.free_chat_allowed == is_allowed:
        return command_refusals.UNCHANGED
    return (entries.FreeChatSet(is_allowed),)


def visible_chat(table: Table, person_id: str | None) -> tuple[ChatLine, ...]:
    """Return the chat lines a person (by id) may see: without an id only phrases and pictures."""
    return (
        table.chat
        if person_id is not None
        else tuple([line for line in table.chat if not line.text])
    )
