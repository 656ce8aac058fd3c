"""The referee's rule tables: the seven variants as plain data, and a table's house options.

`settle` turns a variant, a number of seats and the options of a record into a `House`; nothing
else here decides anything.
"""

from dataclasses import dataclass
from typing import Any

from tests.referee.cards import full_deck

ROUNDS = {"A": "aces around", "K": "kings around", "Q": "queens around", "J": "jacks around"}
TIMES = ["", "double ", "triple ", "quadruple "]

# What one, two, three, four of a meld are worth. A list that is too short for what is held means
# that the rest is counted again from one: [40] is 40 each.
BIG: dict[str, list[int]] = {
    "run": [150, 1500], "royal marriage": [40], "marriage": [20], "dix": [10],
    "pinochle": [40, 300], "aces around": [100, 1000], "kings around": [80, 800],
    "queens around": [60, 600], "jacks around": [40, 400],
}  # fmt: skip
SINGLES: dict[str, list[int]] = {
    "run": [150], "royal marriage": [40], "marriage": [20], "dix": [10],
    "pinochle": [40, 300], "aces around": [100], "kings around": [80],
    "queens around": [60], "jacks around": [40],
}  # fmt: skip
SMALL: dict[str, list[int]] = {
    "run": [15], "royal marriage": [4], "marriage": [2], "dix": [1],
    "pinochle": [4, 30], "aces around": [10], "kings around": [8],
    "queens around": [6], "jacks around": [4],
}  # fmt: skip
DOUBLE_DECK: dict[str, list[int]] = {
    "run": [15, 150, 300, 600], "royal marriage": [4], "marriage": [2], "dix": [0],
    "pinochle": [4, 30, 90, 270], "aces around": [10, 100, 200, 400],
    "kings around": [8, 80, 160, 320], "queens around": [6, 60, 120, 240],
    "jacks around": [4, 40, 80, 160],
}  # fmt: skip
CLASSIC: dict[str, list[int]] = {
    "run": [15, 150, 225, 300], "royal marriage": [4], "marriage": [2], "dix": [0],
    "pinochle": [4, 30, 60, 90], "aces around": [10, 100, 150, 200],
    "kings around": [8, 80, 120, 160], "queens around": [6, 60, 90, 120],
    "jacks around": [4, 40, 60, 80],
}  # fmt: skip

# Options of every table, and of every table with an auction; a variant names its own presets.
ALL: dict[str, Any] = {"hands": None, "renege": "refuse"}
AUCTION: dict[str, Any] = {**ALL, "marriage_needed": False, "concede": "never"}

FIVE: dict[str, Any] = {
    "seats": range(2, 10), "hand": dict.fromkeys(range(2, 10), 5), "kitty": 0, "partners": False,
    "ranks": "ATKQJ9", "melds": SMALL, "small": True, "last": 1, "grid": "any", "once": True,
    "options": {**AUCTION, "target": 50, "lowest_bid": 1, "all_pass": "dealer"},
}  # fmt: skip
DECKS: dict[str, Any] = {
    "seats": [4], "hand": {4: 20}, "kitty": 0, "partners": True, "ranks": "ATKQJ",
    "melds": DOUBLE_DECK, "small": True, "last": 2, "grid": "tournament", "once": False,
    "options": {
        **AUCTION, "target": 350, "lowest_bid": 50, "all_pass": "dealer", "exchange": 0,
        "marriage_needed": True, "set_pays_defenders": False, "duplicate_runs_extra": True,
        "double_roundhouse": 0,
    },
}  # fmt: skip

VARIANTS: dict[str, dict[str, Any]] = {
    "three-handed": {
        "seats": [3], "hand": {3: 15}, "kitty": 3, "partners": False, "ranks": "ATKQJ9",
        "melds": BIG, "small": False, "last": 10, "grid": "ten", "once": False,
        "options": {
            **AUCTION, "target": 1500, "lowest_bid": 250, "all_pass": "redeal",
            "concede": "always", "card_points": "tens",
        },
    },
    "five-card": FIVE,
    "seven-card": {**FIVE, "seats": range(2, 7), "hand": dict.fromkeys(range(2, 7), 7)},
    "partnership": {
        "seats": [4], "hand": {4: 12}, "kitty": 0, "partners": True, "ranks": "ATKQJ9",
        "melds": BIG, "small": False, "last": 10, "grid": "ten or twenty more", "once": False,
        "options": {
            **AUCTION, "target": 1500, "lowest_bid": 250, "all_pass": "dealer",
            "concede": "hopeless", "exchange": 4, "set_pays_defenders": False,
            "card_points": "tens",
        },
    },
    "two-handed": {
        "seats": [2, 3, 4], "hand": {2: 12, 3: 8, 4: 6}, "kitty": 0, "partners": False,
        "ranks": "ATKQJ9", "melds": SINGLES, "small": False, "last": 10, "grid": None,
        "once": False,
        "options": {
            **ALL, "target": 1000, "card_points": "kings-fives", "meld_from_hand": True,
            "deck": "48",
        },
    },
    "double-deck": DECKS,
    "double-deck-classic": {
        **DECKS, "melds": CLASSIC, "grid": "fives",
        "options": {
            **DECKS["options"], "target": 500, "all_pass": "dealer-bids", "min_twenty": False,
        },
    },
}  # fmt: skip

CHOICES: dict[str, tuple[Any, ...]] = {
    "all_pass": ("redeal", "dealer", "dealer-bids"),
    "concede": ("never", "hopeless", "always"),
    "exchange": (0, 1, 2, 3, 4),
    "renege": ("refuse", "penalty"),
    "card_points": ("tens", "kings-fives", "traditional"),
    "deck": ("48", "24-each"),
}
NUMBERS = ("target", "lowest_bid", "double_roundhouse")

CARD_POINTS: dict[str, dict[str, int]] = {
    "small": {"A": 1, "T": 1, "K": 1, "Q": 0, "J": 0, "9": 0},
    "tens": {"A": 10, "T": 10, "K": 10, "Q": 0, "J": 0, "9": 0},
    "kings-fives": {"A": 10, "T": 10, "K": 5, "Q": 5, "J": 0, "9": 0},
    "traditional": {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0},
}


@dataclass(frozen=True)
class House:
    """One table: its variant, its number of seats, the variant's row and the options in force."""

    variant: str
    seats: int
    row: dict[str, Any]
    options: dict[str, Any]

    @property
    def few(self) -> bool:
        """Whether this is one of Bruce's games, five-card or seven-card."""
        return self.variant in ("five-card", "seven-card")

    @property
    def stock_game(self) -> bool:
        """Whether this is the game with a stock, an upcard and no auction."""
        return self.variant == "two-handed"

    @property
    def sides(self) -> list[list[int]]:
        """The seats of each side: partners sit opposite each other."""
        if self.row["partners"]:
            return [[0, 2], [1, 3]]
        return [[seat] for seat in range(self.seats)]

    @property
    def hand_size(self) -> int:
        """How many cards each player is dealt."""
        if self.stock_game and self.options["deck"] == "24-each":
            return 12
        size: int = self.row["hand"][self.seats]
        return size

    @property
    def deck(self) -> list[str]:
        """Every card of the pack."""
        ranks: str = self.row["ranks"]
        if "9" not in ranks:
            return full_deck(ranks, 4)
        if self.stock_game and self.options["deck"] == "24-each":
            return full_deck(ranks, self.seats)
        return full_deck(ranks, 2)

    @property
    def card_points(self) -> dict[str, int]:
        """What a card of each rank is worth in a trick."""
        return CARD_POINTS["small" if self.row["small"] else self.options["card_points"]]

    def discard_limit(self, players: int) -> int:
        """How many cards each of so many players may exchange: there are 48 cards in all."""
        return min(self.hand_size, (48 - players * self.hand_size) // players)


def settle(variant: str, seats: int | None = None, options: dict[str, Any] | None = None) -> House:
    """The table a record describes; `ValueError` says what no table can be."""
    if variant not in VARIANTS:
        raise ValueError(f"there is no variant {variant!r}")
    row = VARIANTS[variant]
    seats = min(row["seats"]) if seats is None else seats
    if seats not in row["seats"]:
        raise ValueError(f"{variant} is not played by {seats}")
    in_force = dict(row["options"])
    for name, value in (options or {}).items():
        if name not in in_force:
            raise ValueError(f"{variant} has no option {name!r}")
        if name == "hands":
            fine = value is None or (type(value) is int and value >= 1)
        elif name in NUMBERS:
            fine = type(value) is int and value >= 0
        elif name in CHOICES:
            fine = type(value) is not bool and value in CHOICES[name]
        else:
            fine = type(value) is bool
        if not fine:
            raise ValueError(f"the option {name} cannot be {value!r}")
        in_force[name] = value
    return House(variant, seats, row, in_force)
