"""The picture of a link, drawn with Pillow: a headline, with a table or a hand of cards.

Text uses Pillow's own font, or DejaVu if it is installed and has more of the letters. Letters that
the chosen font lacks are left out. Suit signs are drawn as shapes.
"""

from __future__ import annotations

import io
import math
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from acesaround import extras
from acesaround.cards import Card, Suit
from acesaround.errors import NotationError
from acesaround.server.previews.content import NAME, About

if TYPE_CHECKING:
    from PIL import Image as Images
    from PIL import ImageDraw, ImageFont

    Image = Images.Image
    Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
    Draw = ImageDraw.ImageDraw

WIDTH, HEIGHT = 1200, 630
_FINE: Final = 2  # factor of supersampling: the picture is drawn larger, for smooth edges
_EDGE: Final = 72
_FELT, _DEEP, _RIM = (29, 107, 79), (16, 66, 49), (110, 74, 42)
_WHITE, _SOFT, _GOLD = (255, 255, 255), (205, 228, 217), (240, 205, 110)
_RED, _BLACK, _PAPER = (196, 32, 48), (24, 28, 32), (253, 252, 247)
_CARD: Final = (150, 216)
_MOST: Final = 20  # maximum number of cards in a fan
_ELSE: Final = "DejaVuSans.ttf"


def render_png(about: About) -> bytes:
    """Return the picture as PNG. Raises RulesError if Pillow is not installed."""
    with extras.require_extra("A picture of a link", "server"):
        from PIL import Image, ImageDraw
    big = Image.new("RGB", (WIDTH * _FINE, HEIGHT * _FINE), _DEEP)
    draw = ImageDraw.Draw(big)
    _felt(draw)
    wide = WIDTH - 2 * _EDGE if about.cards or not about.seats else 560
    _suit(draw, Suit("S"), (_EDGE + 15, 64), 32, _GOLD)
    _line(draw, NAME, 32, _GOLD, (_EDGE + 44, 46))
    y = _written(draw, about.headline, 58, _WHITE, (_EDGE, 104), wide, 3 if about.seats else 2)
    for line in about.lines:
        y = _written(draw, line, 34, _SOFT, (_EDGE, y + 14), wide, 3 if about.seats else 1)
    if about.seats and not about.cards:
        _table(draw, about.seats)
    else:
        _fan(big, about.cards)
    out = io.BytesIO()
    small = big.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    small.quantize(256, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _felt(draw: Draw) -> None:
    """Draw felt with a lighter middle, in few steps: a smooth one takes ten times the bytes."""
    steps = 24
    for at in range(steps):
        part = at / (steps - 1)
        colour = tuple(round(d + (f - d) * part) for d, f in zip(_DEEP, _FELT, strict=True))
        reach_x, reach_y = (1 - part * 0.62) * 1000, (1 - part * 0.62) * 620
        _ellipse(draw, (WIDTH / 2, HEIGHT / 2), reach_x, reach_y, colour)


# Letters


@cache
def _font(size: int) -> Font:
    from PIL import ImageFont

    return ImageFont.load_default(size * _FINE)


@cache
def _other(size: int) -> Font | None:
    from PIL import ImageFont

    try:
        return ImageFont.truetype(_ELSE, size * _FINE)
    except OSError:
        return None


@lru_cache(4096)
def _has(other: bool, letter: str) -> bool:
    """Return whether a font has a letter. A missing one looks like a code point no font has."""
    font = _other(32) if other else _font(32)
    if font is None:
        return False
    return letter == " " or bytes(font.getmask(letter)) != bytes(font.getmask("\U0010fffd"))


def _for(text: str, size: int) -> tuple[str, Font]:
    """Return the part of a text that can be drawn, and the font that can draw most of it."""
    text = text.replace("\N{MINUS SIGN}", "\N{EN DASH}")  # the first font has this dash
    here = [letter for letter in text if _has(False, letter)]
    there = [letter for letter in text if _has(True, letter)]
    other = _other(size)
    if other is not None and len(there) > len(here):
        return "".join(there).strip(), other
    return "".join(here).strip(), _font(size)


def _length(text: str, size: int) -> float:
    shown, font = _for(text, size)
    return font.getlength(shown) / _FINE


def _line(
    draw: Draw, text: str, size: int, fill: tuple[int, ...], at: tuple[float, float],
    *, middle: bool = False, bold: bool = False,
) -> None:  # fmt: skip
    """Draw a line of text with its top left corner at a point, or its `middle`."""
    shown, font = _for(text, size)
    draw.text(
        (at[0] * _FINE, at[1] * _FINE), shown, fill, font, "mm" if middle else "la",
        stroke_width=_FINE // 2 if bold else 0, stroke_fill=fill,
    )  # fmt: skip


def _written(
    draw: Draw, text: str, size: int, fill: tuple[int, ...], at: tuple[float, float],
    wide: float, most: int,
) -> float:  # fmt: skip
    """Draw text in at most `most` lines, in a smaller size if needed. Return the y below it."""
    while size > 26 and len(_broken(text, size, wide)) > most:
        size -= 2
    lines = _broken(text, size, wide)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1] + " …"]
    y = at[1]
    for line in lines:
        _line(draw, _short(line, size, wide), size, fill, (at[0], y), bold=size > 40)
        y += size * 1.25
    return y


def _broken(text: str, size: int, wide: float) -> list[str]:
    """Return a text as lines, broken between words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _length(longer, size) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _short(text: str, size: int, wide: float) -> str:
    """Return a text that fits the width, cut with an ellipsis if needed."""
    if _length(text, size) <= wide:
        return text
    while text and _length(text + "…", size) > wide:
        text = text[:-1]
    return text + "…"


# Seats


def _table(draw: Draw, seats: tuple[str | None, ...]) -> None:
    """Draw a table from above, on the right, with names around it; the first seat is nearest."""
    middle, reach_x, reach_y = (910.0, 315.0), 150.0, 118.0
    _ellipse(draw, middle, reach_x + 14, reach_y + 14, _RIM)
    _ellipse(draw, middle, reach_x, reach_y, _FELT)
    for at, suit in enumerate("SHCD"):
        spot = (middle[0] - 72 + at * 48, middle[1])
        _suit(draw, Suit(suit), spot, 34, _DEEP)
    size = 28 if len(seats) <= 6 else 23
    for at, name in enumerate(seats):
        turn = math.tau * at / len(seats) + math.pi / 2
        x, y = middle[0] + 200 * math.cos(turn), middle[1] + 190 * math.sin(turn)
        said = {None: "free", "": "bot"}.get(name, name or "")
        shown = _short(_for(said, size)[0] or "Guest", size, 190)
        half = max(46.0, _length(shown, size) / 2 + 20)
        x = min(max(x, middle[0] - 350 + half), WIDTH - 24 - half)
        fill = _PAPER if name else _DEEP
        box = (x - half, y - size * 0.9, x + half, y + size * 0.9)
        _rounded(draw, box, size * 0.9, fill, _SOFT if name is None else fill)
        _line(draw, shown, size, _BLACK if name else _SOFT, (x, y), middle=True)


# Cards


def _fan(big: Image, cards: tuple[str, ...]) -> None:
    """Draw cards in a fan that rises from the lower edge, sorted by suit and rank."""
    from PIL import Image

    known = []
    for name in cards[:_MOST]:
        try:
            known.append(Card(name))
        except NotationError:
            continue
    known.sort(key=lambda card: ("SHCD".index(card.suit.name), card))
    many = len(known)
    if not many:
        return
    reach = min(34.0, 5.5 * (many - 1))  # degrees to either side
    across = min(390.0, 74.0 * (many - 1))
    for at, card in enumerate(known):
        part = 0.0 if many == 1 else at / (many - 1) * 2 - 1
        turned = _face(card).rotate(-part * reach * 0.62, Image.Resampling.BICUBIC, expand=True)
        x = WIDTH / 2 + part * across
        y = 484 + 62 * part * part
        spot = (round(x * _FINE - turned.width / 2), round(y * _FINE - turned.height / 2))
        big.paste(turned, spot, turned)


@lru_cache(64)
def _face(card: Card) -> Image:
    """Return the picture of an upright card with a thin edge, transparent outside."""
    from PIL import Image, ImageDraw

    wide, high = _CARD
    face = Image.new("RGBA", (wide * _FINE, high * _FINE), (0, 0, 0, 0))
    draw = ImageDraw.Draw(face)
    _rounded(draw, (0, 0, wide - 1, high - 1), 14, _PAPER, (120, 130, 125))
    colour = _RED if card.suit.name in "HD" else _BLACK
    rank = str(card)[0].replace("T", "10")
    _line(draw, rank, 42 if rank != "10" else 36, colour, (24, 30), middle=True, bold=True)
    _suit(draw, card.suit, (24, 68), 30, colour)
    _suit(draw, card.suit, (wide / 2 + 14, high / 2 + 22), 84, colour)
    return face


# Shapes


def _ellipse(
    draw: Draw, middle: tuple[float, float], reach_x: float, reach_y: float, fill: tuple[int, ...]
) -> None:
    x, y = middle
    box = [(x - reach_x), (y - reach_y), (x + reach_x), (y + reach_y)]
    draw.ellipse([number * _FINE for number in box], fill)


def _rounded(
    draw: Draw, box: tuple[float, float, float, float], radius: float,
    fill: tuple[int, ...], outline: tuple[int, ...],
) -> None:  # fmt: skip
    draw.rounded_rectangle(
        [number * _FINE for number in box], radius * _FINE, fill, outline, width=_FINE
    )


def _suit(
    draw: Draw, suit: Suit, at: tuple[float, float], size: float, fill: tuple[int, ...]
) -> None:
    """Draw the sign of a suit centered on a point, `size` high."""
    x, y, s = at[0], at[1], size / 2

    def shape(*points: tuple[float, float]) -> None:
        draw.polygon([((x + a * s) * _FINE, (y + b * s) * _FINE) for a, b in points], fill)

    def dot(a: float, b: float, r: float) -> None:
        _ellipse(draw, (x + a * s, y + b * s), r * s, r * s, fill)

    if suit.name == "D":
        shape((0, -1), (0.72, 0), (0, 1), (-0.72, 0))
    elif suit.name == "H":
        dot(-0.42, -0.42, 0.46)
        dot(0.42, -0.42, 0.46)
        shape((-0.84, -0.24), (0.84, -0.24), (0.6, 0.18), (0, 0.95), (-0.6, 0.18))
    elif suit.name == "S":
        dot(-0.42, 0.2, 0.44)
        dot(0.42, 0.2, 0.44)
        shape((0, -1), (0.58, -0.36), (0.85, 0.08), (-0.85, 0.08), (-0.58, -0.36))
        shape((0, 0.1), (0.36, 1), (-0.36, 1))
    else:
        dot(0, -0.52, 0.44)
        dot(-0.46, 0.18, 0.44)
        dot(0.46, 0.18, 0.44)
        shape((0, -0.3), (0.3, 0.4), (0.36, 1), (-0.36, 1), (-0.3, 0.4))
