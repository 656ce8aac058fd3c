"""What a house-rules form shows: each option of a variant, made from its rules object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from acesaround.rules import Phase, Rules
from acesaround.rules.options import OPTIONS
from acesaround.sheets.form import may
from acesaround.sheets.schema import plain
from acesaround.variants import USUAL, Preset, called


def variant_form(rules: Rules, presets: Mapping[str, Preset]) -> dict[str, Any]:
    """A variant as the browser needs it.

    `about`: a line on it. `first`: whether who has chosen none yet is offered this one. `usual`:
    the number of players if none is chosen. By the rest a picture is drawn and people tell the
    games apart: how many `sides` there are, `cards` in the deck and in a `hand`, how many in the
    `kitty`, how many `passed` between partners, whether hands are `redrawn` after the auction, and
    whether cards are drawn from a `stock` with each trick. `presets`: house options by names.
    """
    return {
        "variant": rules.variant,
        "title": called(rules),
        "about": rules.description,
        "first": rules.variant == USUAL,
        "players": sorted(rules.players),
        "usual": rules.seats,
        "partners": rules.partners,
        "sides": len(rules.sides),
        "cards": len(rules.deck.cards),
        "hand": rules.hand_size,
        "kitty": rules.deal.kitty,
        "passed": rules.exchange.exchange,
        "redrawn": Phase.REDRAW in rules.phases,
        "stock": Phase.STOCK_PLAY in rules.phases,
        "options": [_option(rules, name) for name in rules.options],
        "presets": presets,
    }


def _option(rules: Rules, name: str) -> dict[str, Any]:
    """An option. `may`: what can be chosen or written, as a JSON Schema."""
    option = OPTIONS[name]
    path = f"{option.part}.{option.field or name}"
    return {
        "name": name,
        "summary": option.summary,
        "may": {"enum": option.choices} if option.choices else may(path),
        "preset": plain(rules.option(name)),
    }
