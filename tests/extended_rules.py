"""Rules beyond the presets: other decks, other sides, longer meld tables."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from acesaround.rules import HouseMeld, MeldTable, Phase, Rules
from acesaround.variants import DOUBLE_DECK, FIVE_CARD, PARTNERSHIP, TWO_HANDED

MULTIPLES: Final = {
    "run": (15, 150, 300, 600, 1200, 2400),
    "pinochle": (4, 30, 90, 270, 500, 900),
    "aces": (10, 100, 200, 400, 800, 1600),
    "kings": (8, 80, 160, 320, 640, 1280),
    "queens": (6, 60, 120, 240, 480, 960),
    "jacks": (4, 40, 80, 160, 320, 640),
}
"""The values of one to six of a meld, continued for bigger decks."""


def table_of(table: MeldTable, number: int) -> MeldTable:
    """Return a meld table with so many values for each meld of `MULTIPLES`."""
    return replace(
        table, royal_marriage=4, **{name: values[:number] for name, values in MULTIPLES.items()}
    )


def table(
    rules: Rules,
    copies: int,
    *,
    nines: bool | None = None,
    seats: int | None = None,
    side: int | None = None,
    values: int | None = None,
    **parts: object,
) -> Rules:
    """Return rules with so many copies of each card, all dealt unless there is a stock.

    `side`: seats in a side. `values`: how many multiples of a meld have their own value.
    """
    seats = rules.seats if seats is None else seats
    nines = rules.deal.nines if nines is None else nines
    size = 4 * (6 if nines else 5) * copies
    hand = size // seats - 1 if rules.deal.kitty else size // seats
    if rules.deal.stock:
        hand = rules.hand_size // 2 if copies == 1 else rules.hand_size
    kitty = size - hand * seats if rules.deal.kitty else 0
    if kitty:
        parts["exchange"] = replace(rules.exchange, bury=kitty)
    return replace(
        rules,
        players=(seats,),
        seats=seats,
        side_size=rules.side_size if side is None else side,
        deal=replace(rules.deal, copies=copies, nines=nines, hand=(hand,), kitty=kitty, packet=1),
        melds=rules.melds if values is None else table_of(rules.melds, values),
        **parts,
    )


TRIPLE_TWO_SIDES: Final = table(DOUBLE_DECK, 6, seats=6, side=3, values=6)
"""A triple deck (six of each card, no nines) for six in two sides of three."""
TRIPLE_THREE_SIDES: Final = table(DOUBLE_DECK, 6, seats=6, side=2, values=5)
"""A triple deck for six in three sides of two."""
TRIPLE_EXCHANGE: Final = replace(
    TRIPLE_TWO_SIDES, exchange=replace(TRIPLE_TWO_SIDES.exchange, exchange=3)
)
"""Two sides of three who pass cards to the declarer."""
SIX_COPIES: Final = table(DOUBLE_DECK, 6, values=6)
NINES_SIX: Final = table(DOUBLE_DECK, 6, nines=True, values=4)
PARTNERS: Final = tuple(table(PARTNERSHIP, copies) for copies in (1, 3, 5, 6))
"""Partnership with 12 cards a copy shared by four, exchange and all."""
STOCKED: Final = tuple(table(TWO_HANDED, copies, seats=3) for copies in (1, 3, 6))
STOCK_ONE_PINOCHLE: Final = replace(STOCKED[1], melds=replace(STOCKED[1].melds, pinochle=(40,)))
OWN_POINTS: Final = replace(
    PARTNERSHIP, scoring=replace(PARTNERSHIP.scoring, card_points=(7, 5, 3, 2, 1, 0))
)
"""Card points that no scale has, one number for each rank."""
STOCK_BROKEN: Final = replace(TWO_HANDED, play=replace(TWO_HANDED.play, trump_must_be_broken=True))
"""With a stock trump must be broken again in the play-off."""
OWN_MELDS: Final = replace(
    PARTNERSHIP,
    melds=replace(
        PARTNERSHIP.melds,
        others=(HouseMeld("grand pinochle", "QS QS JD JD", 80), HouseMeld("two aces", "A* A*", 9)),
    ),
)
RUNLESS: Final = replace(
    PARTNERSHIP,
    melds=replace(
        PARTNERSHIP.melds, run=(0,), run_and_king=None, run_and_queen=None, run_and_marriage=None
    ),
)
"""Without runs, so their kings and queens are marriages."""
NINE_DRAW: Final = table(FIVE_CARD, 6, seats=9)

WIDE: Final = {
    "triple, two sides of three": TRIPLE_TWO_SIDES,
    "triple, three sides of two": TRIPLE_THREE_SIDES,
    "triple, exchange of three": TRIPLE_EXCHANGE,
    "double deck, six copies": SIX_COPIES,
    "double deck, six copies with nines": NINES_SIX,
    **{f"partnership, {rules.deck.copies} copies": rules for rules in PARTNERS},
    **{f"two-handed, {rules.deck.copies} copies": rules for rules in STOCKED},
    "two-handed, one value of pinochle": STOCK_ONE_PINOCHLE,
    "two-handed, trump to be broken": STOCK_BROKEN,
    "nine at five-card, six copies": NINE_DRAW,
    "partnership, card points of its own": OWN_POINTS,
    "partnership, melds of its own": OWN_MELDS,
    "partnership, without runs": RUNLESS,
}
"""All of these rules by name."""

assert all(Phase.PLAY in rules.phases for rules in WIDE.values())
