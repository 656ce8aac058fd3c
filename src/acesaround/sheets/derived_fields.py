"""Fields whose values follow from the rest of a sheet, so that the sheet can leave them out.

All values are keyed by field path. `have` and `found` are the values of a whole game, and `said`
are the values that the sheet sets itself. A value in `said` always wins over a derived one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from acesaround.rules import Phase
from acesaround.rules.options import OPTIONS

Values = Mapping[str, Any]


def following(have: Values, said: Values, base: Values) -> dict[str, Any]:
    """Return `have` with the derived values, by path. `base`: the values of the base game."""
    found = dict(have)
    for path, value in _all(found, said, base):
        if path not in said:
            found[path] = value
    return found


def _all(found: Values, said: Values, base: Values) -> Iterator[tuple[str, Any]]:
    """Yield (path, value) of each derived field. Each may depend on the fields before it."""
    if "seats" in said and said["seats"] not in found.get("players", ()):
        yield "players", (said["seats"],)
    elif found.get("players") and ("players" in said or "seats" not in found):
        yield "seats", found["players"][0]
    yield from _hands(found, base)
    if "deal.kitty" in said:
        yield "exchange.bury", found["deal.kitty"]
    if "phases" not in base or base["phases"] == phases(base):
        yield "phases", phases(found)
    yield "deal.all_asked", Phase.UPCARD in found["phases"]
    yield "options", options(found, base)


def _hands(found: Values, base: Values) -> Iterator[tuple[str, Any]]:
    """Yield the hand sizes of the base for the numbers of players that are left."""
    if "players" in base and set(found["players"]) <= set(base["players"]):
        sizes = dict(zip(base["players"], base["deal.hand"], strict=False))
        yield "deal.hand", tuple(sizes[number] for number in found["players"] if number in sizes)


def phases(have: Values) -> tuple[Phase, ...]:
    """Return the phases of a deal, derived from the other values."""
    if have.get("auction.lowest_bid") is None:
        if have.get("deal.stock"):
            return (Phase.STOCK_PLAY, Phase.PLAY)
        takes = have.get("deal.nines", True) and have.get("melds.dix")
        return ((Phase.UPCARD,) if takes else ()) + (Phase.MELDING, Phase.PLAY)
    there = {
        Phase.KITTY: bool(have.get("deal.kitty")),
        Phase.EXCHANGE: have.get("side_size", 1) > 1,
        Phase.REDRAW: bool(have.get("deal.stock")),
        Phase.UPCARD: False,
        Phase.STOCK_PLAY: False,
    }
    return tuple(phase for phase in Phase if there.get(phase, True))


def options(have: Values, base: Values) -> tuple[str, ...]:
    """Return the base's options that still have an effect.

    Without a base, return all options that have an effect.
    """
    drawn_out = bool(have.get("deal.upcard") and have.get("deal.stock"))
    there = {
        "exchange": have.get("side_size", 1) > 1,
        "deck": have.get("deal.copies", 2) in (2, None) and drawn_out,
        "meld_from_hand": drawn_out,
        "meld_before_draw": drawn_out,
        "meld_after_stock": drawn_out,
        "nine_beside": drawn_out and have.get("deal.nines", True),
        "nine_must_take": Phase.UPCARD in have.get("phases", ()),
        "nine_turned_up": drawn_out and have.get("deal.nines", True),
        "duplicate_runs_extra": len(have.get("melds.run", ())) > 1,
    }
    bidding = have.get("auction.lowest_bid") is not None
    bids = ("concede", "set_pays_defenders")
    return tuple(
        name
        for name in base.get("options", OPTIONS)
        if bidding or (OPTIONS[name].part != "auction" and name not in bids)
        if "options" in base or there.get(name, True)
        if name != "card_points" or OPTIONS[name].can_be(have.get("scoring.card_points"))
    )
