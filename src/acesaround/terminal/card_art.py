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

INK: Final = {Suit.S: "#b4c7e0", Suit.H: "#ff7d78", Suit.D: "#f0bd4f", Suit.C: "#79cf8c"}
"""Suit colours on the dark table."""
PRINT: Final = {Suit.S: "#2c3e5c", Suit.H: "#bf2430", Suit.D: "#9a5b00", Suit.C: "#1a7338"}
"""Suit colours on a card."""

QUIET: Final = "#8fa39a"
PLAIN: Final = "#dfe7e2"
BRIGHT: Final = "#ffd866"
WARN: Final = "#ff9e80"
_CARD: Final = "#f2ede0"
_LIT: Final = "#ffffff"
_MARKED: Final = "#bfe3ff"
_FRAME: Final = "#8c8570"
_SUNK: Final = "#24332d"
_CURSOR: Final = "#d9480f"

_CARDS: Final = re.compile("(?:10|[AKQJ9])?[♠♥♦♣]")
_LETTERS: Final = re.compile(r"\b[ATKQJ9][SHDC]\b")
_WORDS: Final = "(spades|hearts|diamonds|clubs)"
_NAMED: Final = re.compile(f"[♠♥♦♣] {_WORDS}|{_WORDS} [♠♥♦♣]")
_ascii = False


def use_ascii(on: bool) -> None:
    """Switch to cards as AS and TH, for a terminal without suit symbols, or back."""
    global _ascii
    _ascii = on


def with_terminal_cards(text: str) -> str:
    """Return the text with its cards as this terminal can show them."""
    if not _ascii:
        return text
    text = _NAMED.sub(lambda found: found[1] or found[2], text)
    return _CARDS.sub(lambda found: _letters(found[0]), text)


def _letters(card: str) -> str:
    return card[:-1].replace("10", "T") + "SHDC"["♠♥♦♣".index(card[-1])]


class Look(enum.Enum):
    """The look of a card in the hand: normal, not playable, or marked."""

    PLAIN = "plain"
    SUNK = "sunk"
    MARKED = "marked"


def coloured(text: str, style: str = PLAIN) -> Text:
    """Return the text with cards and suit symbols in their colours."""
    text = with_terminal_cards(text)
    made = Text(text, style=style, no_wrap=False)
    for found in (_LETTERS if _ascii else _CARDS).finditer(text):
        suit = Suit(found.group()[-1])
        made.stylize(f"bold {INK[suit]}", found.start(), found.end())
    return made


def tile(card: Card) -> Text:
    """Draw a card in one line, five columns wide."""
    return Text(
        f"{with_terminal_cards(card.pretty):^5}", style=f"bold {PRINT[card.suit]} on {_CARD}"
    )


def box(
    card: Card,
    *,
    big: bool = False,
    look: Look = Look.PLAIN,
    cursor: bool = False,
    top: str = "",
    bottom: str = "",
) -> list[Text]:
    """Draw a card face, 5 by 3 or 7 by 5, with short marks in the top and bottom frame."""
    inside = 5 if big else 3
    if look is Look.SUNK:
        frame, ink = f"#5d6f66 on {_SUNK}", f"{INK[card.suit]} dim on {_SUNK}"
    else:
        paper = _MARKED if look is Look.MARKED else _LIT if cursor else _CARD
        frame, ink = f"{_FRAME} on {paper}", f"bold {PRINT[card.suit]} on {paper}"
    if cursor:
        frame = f"bold {_CURSOR} on {frame.rpartition(' ')[2]}"
    lines, upright = ("┏━┓┗┛", "┃") if cursor else ("╭─╮╰╯", "│")
    if look is Look.SUNK and not cursor:
        lines, upright = "     ", " "
    rule = lines[1]
    name, sign = with_terminal_cards(card.pretty), with_terminal_cards(card.suit.symbol)
    middle = (
        [f"{name:<{inside}}", f"{sign:^{inside}}", f"{name:>{inside}}"]
        if big
        else [f"{name:^{inside}}" if len(name) == 3 else f" {name}"]
    )
    rows = [Text(lines[0] + f"{top:{rule}^{inside}}" + lines[2], style=frame)]
    rows += [
        Text.assemble((upright, frame), (f"{line:<{inside}}", ink), (upright, frame))
        for line in middle
    ]
    rows.append(Text(lines[3] + f"{bottom:{rule}^{inside}}" + lines[4], style=frame))
    return rows
