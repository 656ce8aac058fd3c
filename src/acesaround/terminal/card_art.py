"""How cards look: suit colours, card faces as small boxes, and coloured text.

The suits have four colours, but colour is never the only signal. A suit also has its symbol, a
legal card has a frame, and the card under the cursor a heavy frame. Marks are part of the frame.
"""

from __future__ import annotations

import enum
import re
from typing import Final

from rich.text import Text

from acesaround.cards import Card, Suit

TABLE_SUIT_COLOURS: Final = {
    Suit.S: "#b4c7e0",
    Suit.H: "#ff7d78",
    Suit.D: "#f0bd4f",
    Suit.C: "#79cf8c",
}
"""Suit colours on the dark table."""
CARD_SUIT_COLOURS: Final = {
    Suit.S: "#2c3e5c",
    Suit.H: "#bf2430",
    Suit.D: "#9a5b00",
    Suit.C: "#1a7338",
}
"""Suit colours on a card."""

DIM_STYLE: Final = "#8fa39a"
TEXT_STYLE: Final = "#dfe7e2"
HIGHLIGHT_STYLE: Final = "#ffd866"
WARNING_STYLE: Final = "#ff9e80"
_CARD_COLOUR: Final = "#f2ede0"
_CURSOR_CARD_COLOUR: Final = "#ffffff"
_MARKED_CARD_COLOUR: Final = "#bfe3ff"
_FRAME_COLOUR: Final = "#8c8570"
_UNPLAYABLE_COLOUR: Final = "#24332d"
_CURSOR_COLOUR: Final = "#d9480f"

_CARD_PATTERN: Final = re.compile("(?:10|[AKQJ9])?[♠♥♦♣]")
_LETTER_CARD_PATTERN: Final = re.compile(r"\b[ATKQJ9][SHDC]\b")
_SUIT_WORDS: Final = "(spades|hearts|diamonds|clubs)"
_NAMED_SUIT_PATTERN: Final = re.compile(f"[♠♥♦♣] {_SUIT_WORDS}|{_SUIT_WORDS} [♠♥♦♣]")
_is_ascii = False


def use_ascii(is_enabled: bool) -> None:
    """Switch to cards as AS and TH, for a terminal without suit symbols, or back."""
    global _is_ascii
    _is_ascii = is_enabled


def with_terminal_cards(text: str) -> str:
    """Return the text with its cards as this terminal can show them."""
    if not _is_ascii:
        return text
    text = _NAMED_SUIT_PATTERN.sub(lambda found: found[1] or found[2], text)
    return _CARD_PATTERN.sub(lambda found: _card_letters(found[0]), text)


def _card_letters(card: str) -> str:
    return card[:-1].replace("10", "T") + "SHDC"["♠♥♦♣".index(card[-1])]


class CardLook(enum.Enum):
    """The look of a card in the hand: normal, not playable, or marked."""

    NORMAL = "normal"
    UNPLAYABLE = "unplayable"
    MARKED = "marked"


def colour_cards(text: str, style: str = TEXT_STYLE) -> Text:
    """Return the text with cards and suit symbols in their colours."""
    text = with_terminal_cards(text)
    result = Text(text, style=style, no_wrap=False)
    for card_match in (_LETTER_CARD_PATTERN if _is_ascii else _CARD_PATTERN).finditer(text):
        suit = Suit(card_match.group()[-1])
        result.stylize(f"bold {TABLE_SUIT_COLOURS[suit]}", card_match.start(), card_match.end())
    return result


def card_tile(card: Card) -> Text:
    """Draw a card in one line, five columns wide."""
    return Text(
        f"{with_terminal_cards(card.pretty):^5}",
        style=f"bold {CARD_SUIT_COLOURS[card.suit]} on {_CARD_COLOUR}",
    )


def card_box(
    card: Card,
    *,
    is_big: bool = False,
    look: CardLook = CardLook.NORMAL,
    has_cursor: bool = False,
    top_mark: str = "",
    bottom_mark: str = "",
) -> list[Text]:
    """Draw a card face, 5 by 3 or 7 by 5, with short marks in the top and bottom frame."""
    inner_width = 5 if is_big else 3
    if look is CardLook.UNPLAYABLE:
        frame_style, ink_style = (
            f"#5d6f66 on {_UNPLAYABLE_COLOUR}",
            f"{TABLE_SUIT_COLOURS[card.suit]} dim on {_UNPLAYABLE_COLOUR}",
        )
    else:
        paper = (
            _MARKED_CARD_COLOUR
            if look is CardLook.MARKED
            else _CURSOR_CARD_COLOUR
            if has_cursor
            else _CARD_COLOUR
        )
        frame_style, ink_style = (
            f"{_FRAME_COLOUR} on {paper}",
            f"bold {CARD_SUIT_COLOURS[card.suit]} on {paper}",
        )
    if has_cursor:
        frame_style = f"bold {_CURSOR_COLOUR} on {frame_style.rpartition(' ')[2]}"
    lines, side_line = ("┏━┓┗┛", "┃") if has_cursor else ("╭─╮╰╯", "│")
    if look is CardLook.UNPLAYABLE and not has_cursor:
        lines, side_line = "     ", " "
    top_line = lines[1]
    name, suit_symbol = with_terminal_cards(card.pretty), with_terminal_cards(card.suit.symbol)
    middle = (
        [f"{name:<{inner_width}}", f"{suit_symbol:^{inner_width}}", f"{name:>{inner_width}}"]
        if is_big
        else [f"{name:^{inner_width}}" if len(name) == 3 else f" {name}"]
    )
    rows = [Text(lines[0] + f"{top_mark:{top_line}^{inner_width}}" + lines[2], style=frame_style)]
    rows += [
        Text.assemble(
            (side_line, frame_style),
            (f"{line:<{inner_width}}", ink_style),
            (side_line, frame_style),
        )
        for line in middle
    ]
    rows.append(
        Text(lines[3] + f"{bottom_mark:{top_line}^{inner_width}}" + lines[4], style=frame_style)
    )
    return rows
