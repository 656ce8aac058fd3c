"""Fields whose values follow from the rest of a sheet, so that the sheet can leave them out.

All values are keyed by field path. `values` and `base` are the values of a whole game, and
`set_values` are the values that the sheet sets itself. A value in `set_values` always wins over a
derived one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from acesaround.rules import Phase
from acesaround.rules.options import OPTIONS

Values = Mapping[str, Any]


def with_derived_fields(values: Values, set_values: Values, base: Values) -> dict[str, Any]:
    """Return `values` with the derived values, by path. `base`: the values of the base game."""
    derived = dict(values)
    for path, value in _derived_fields(derived, set_values, base):
        if path not in set_values:
            derived[path] = value
    return derived


def _derived_fields(values: Values, set_values: Values, base: Values) -> Iterator[tuple[str, Any]]:
    """Yield (path, value) of each derived field. Each may depend on the fields before it."""
    if "seats" in set_values and set_values["seats"] not in values.get("players", ()):
        yield "players", (set_values["seats"],)
    elif values.get("players") and ("players" in set_values or "seats" not in values):
        yield "seats", values["players"][0]
    yield from _derived_hands(values, base)
    if "deal.kitty" in set_values:
        yield "exchange.bury", values["deal.kitty"]
    if "phases" not in base or base["phases"] == derive_phases(base):
        yield "phases", derive_phases(values)
    yield "deal.all_asked", Phase.UPCARD in values["phases"]
    yield "options", derive_options(values, base)


def _derived_hands(values: Values, base: Values) -> Iterator[tuple[str, Any]]:
    """Yield the hand sizes of the base for the numbers of players that are left."""
    if "players" in base and set(values["players"]) <= set(base["players"]):
        sizes = dict(zip(base["players"], base["deal.hand"], strict=False))
        yield "deal.hand", tuple(sizes[number] for number in values["players"] if number in sizes)


def derive_phases(values: Values) -> tuple[Phase, ...]:
    """Return the phases of a deal, derived from the other values."""
    if values.get("auction.lowest_bid") is None:
        if values.get("deal.stock"):
            return (Phase.STOCK_PLAY, Phase.PLAY)
        nine_takes_upcard = values.get("deal.nines", True) and values.get("melds.dix")
        return ((Phase.UPCARD,) if nine_takes_upcard else ()) + (Phase.MELDING, Phase.PLAY)
    is_included = {
        Phase.KITTY: bool(values.get("deal.kitty")),
        Phase.EXCHANGE: values.get("side_size", 1) > 1,
        Phase.REDRAW: bool(values.get("deal.stock")),
        Phase.UPCARD: False,
        Phase.STOCK_PLAY: False,
    }
    return tuple(phase for phase in Phase if is_included.get(phase, True))


def derive_options(values: Values, base: Values) -> tuple[str, ...]:
    """Return the base's options that still have an effect.

    Without a base, return all options that have an effect.
    """
    plays_out_stock = bool(values.get("deal.upcard") and values.get("deal.stock"))
    has_effect = {
        "exchange": values.get("side_size", 1) > 1,
        "deck": values.get("deal.copies", 2) in (2, None) and plays_out_stock,
        "meld_from_hand": plays_out_stock,
        "meld_before_draw": plays_out_stock,
        "meld_after_stock": plays_out_stock,
        "nine_beside": plays_out_stock and values.get("deal.nines", True),
        "nine_must_take": Phase.UPCARD in values.get("phases", ()),
        "nine_turned_up": plays_out_stock and values.get("deal.nines", True),
        "duplicate_runs_extra": len(values.get("melds.run", ())) > 1,
    }
    has_auction = values.get("auction.lowest_bid") is not None
    bid_options = ("concede", "set_pays_defenders")
    return tuple(
        name
        for name in base.get("options", OPTIONS)
        if has_auction or (OPTIONS[name].part != "auction" and name not in bid_options)
        if "options" in base or has_effect.get(name, True)
        if name != "card_points" or OPTIONS[name].can_be(values.get("scoring.card_points"))
    )
