"""Stock games with other rules for laid melds than the presets have."""

from __future__ import annotations

from msgspec.structs import replace

from acesaround import variants
from acesaround.rules import Rules


def stocked(players: int = 2, deck: str = "48", **changes: object) -> Rules:
    """Return the two-handed game with these fields of its melds changed."""
    rules = variants.get("two-handed", players, {"deck": deck})
    return replace(rules, melds=replace(rules.melds, **changes))


HOUSES: dict[str, Rules] = {
    "after the stock": stocked(meld_after_stock=True),
    "a nine turned up": stocked(4, nine_turned_up=10, nine_beside=True),
    "before the draw": stocked(meld_before_draw=True),
    "before the last draw": stocked(3, meld_before_draw=True, meld_after_stock=True),
    "all of it": stocked(
        meld_before_draw=True, meld_after_stock=True, nine_beside=True, nine_turned_up=10
    ),
    "nines beside": stocked(nine_beside=True),
    "after the stock, three": stocked(3, meld_after_stock=True, meld_from_hand=False),
    "after the stock, four": stocked(4, "24-each", meld_after_stock=True, nine_beside=True),
}
