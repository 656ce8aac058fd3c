"""The data of the form for house rules: each option of a variant, made from its rules object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from acesaround.rules import Phase, Rules
from acesaround.rules.options import OPTIONS
from acesaround.sheets.form import may
from acesaround.sheets.schema import plain
from acesaround.variants import USUAL, Preset, called


def variant_form(rules: Rules, presets: Mapping[str, Preset]) -> dict[str, Any]:
    """Return a variant as the browser needs it.

    `about`: a line that describes it; `first`: this variant is offered before a choice is made;
    `usual`: the number of players if none is chosen; `presets`: named sets of house options.

    The page draws a picture from the other values, by which people tell the games apart: the number
    of `sides`, of `cards` in the deck, in a `hand` and in the `kitty`, and of cards `passed`
    between partners. `redrawn`: hands are redrawn after the auction; `stock`: cards are drawn from
    a stock with each trick.
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
    """Return an option for the form. `may`: the allowed values, as a JSON Schema."""
    option = OPTIONS[name]
    path = f"{option.part}.{option.field or name}"
    return {
        "name": name,
        "summary": option.summary,
        "may": {"enum": option.choices} if option.choices else may(path),
        "preset": plain(rules.option(name)),
    }
