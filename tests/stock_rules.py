"""Stock games with other rules for laid melds than the presets have."""

from __future__ import annotations

from msgspec.structs import replace

from acesaround import variants
from acesaround.rules import Rules


def make_rules(players: int = 2, deck: str = "48", **changes: object) -> Rules:
    """Return the two-handed game with these fields of its melds changed."""
    rules = variants.get("two-handed", players, {"deck": deck})
    return replace(rules, melds=replace(rules.melds, **changes))


STOCK_RULES: dict[str, Rules] = {
    "after the stock": make_rules(meld_after_stock=True),
    "a nine turned up": make_rules(4, nine_turned_up=10, nine_beside=True),
    "before the draw": make_rules(meld_before_draw=True),
    "before the last draw": make_rules(3, meld_before_draw=True, meld_after_stock=True),
    "all of it": make_rules(
        meld_before_draw=True, meld_after_stock=True, nine_beside=True, nine_turned_up=10
    ),
    "nines beside": make_rules(nine_beside=True),
    "after the stock, three": make_rules(3, meld_after_stock=True, meld_from_hand=False),
    "after the stock, four": make_rules(4, "24-each", meld_after_stock=True, nine_beside=True),
}
