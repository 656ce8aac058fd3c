"""What a house-rules form shows: each option of a variant, made from its rules object."""

from __future__ import annotations

import enum
from typing import Any

from acesaround.options import OPTIONS
from acesaround.rules import Phase, Rules


def described(rules: Rules) -> dict[str, Any]:
    """A variant as the browser needs it. `usual`: the number of players if none is chosen.

    By the rest a picture is drawn and people tell the games apart: `cards` in the deck and in a
    `hand`, how many in the `kitty`, how many `passed` between partners, whether hands are
    `redrawn` after the auction, and whether cards are drawn from a `stock` with each trick.
    """
    return {
        "variant": rules.variant,
        "title": rules.title,
        "players": sorted(rules.players),
        "usual": rules.seats,
        "partners": rules.partners,
        "cards": len(rules.deck.cards),
        "hand": rules.hand_size,
        "kitty": rules.deal.kitty,
        "passed": rules.exchange.exchange,
        "redrawn": Phase.REDRAW in rules.phases,
        "stock": Phase.STOCK_PLAY in rules.phases,
        "options": [_option(rules, name) for name in rules.options],
    }


def _option(rules: Rules, name: str) -> dict[str, Any]:
    """An option; `choices` is null for numbers and for yes or no."""
    option, preset = OPTIONS[name], rules.option(name)
    choices = list(option.choices)
    if not choices and isinstance(preset, enum.Enum):
        choices = [member.value for member in type(preset)]
    return {
        "name": name,
        "values": option.values,
        "summary": option.summary,
        "choices": choices or None,
        "preset": preset,
    }
