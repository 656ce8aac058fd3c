"""The rules of a table as the referee knows them: a `House`, without the name of a variant.

`house_of_rules` reads it from the rules object of a record. `house_of_variant` builds it from
the referee's own tables, which were written from the published rules: for records without a
rules object, and for comparison with the rules objects of the presets.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.referee.cards import full_deck

EXTRAS = ("run and king", "run and queen", "run and marriage")
ROUNDS = {"A": "aces around", "K": "kings around", "Q": "queens around", "J": "jacks around"}
TIMES = ["", "double ", "triple ", "quadruple ", "quintuple ", "sextuple "]

# The values of one, two, three, four of a meld. Each one beyond a list counts as a single: [40] is
# 40 each.
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

# Options of every table, and of every table with an auction; a variant has its own defaults.
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
    "all_pass": ("redeal", "dealer", "dealer-bids", "first-bids"),
    "concede": ("never", "hopeless", "always"),
    "exchange": (0, 1, 2, 3, 4),
    "renege": ("refuse", "penalty"),
    "card_points": ("tens", "kings-fives", "traditional"),
    "deck": ("48", "24-each"),
}
NUMBERS = ("target", "lowest_bid", "double_roundhouse")

GRIDS: dict[str | None, list[list[int]]] = {
    None: [], "any": [[0, 1]], "ten": [[0, 10]], "ten or twenty more": [[0, 10]],
    "tournament": [[0, 1], [60, 5], [100, 10]], "fives": [[0, 1], [60, 5]],
}  # fmt: skip

CARD_POINTS: dict[str, dict[str, int]] = {
    "ones": {"A": 1, "T": 1, "K": 1, "Q": 0, "J": 0, "9": 0},
    "tens": {"A": 10, "T": 10, "K": 10, "Q": 0, "J": 0, "9": 0},
    "kings-fives": {"A": 10, "T": 10, "K": 5, "Q": 5, "J": 0, "9": 0},
    "traditional": {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0},
}


@dataclass(frozen=True)
class House:
    """The rules of one table; `steps` is empty without an auction."""

    seats: int
    side_size: int
    ranks: str
    copies: int
    hand_size: int
    kitty: int
    stock_game: bool  # with a stock, an upcard and melds laid between tricks
    redraw: bool
    upcard: bool  # turned up, and of the trump suit
    takes_upcard: bool  # a nine of trump may be given for the dealer's upcard
    all_asked: bool  # all seats are asked for a nine, not only those with one
    nine_given: bool  # a nine must be given
    melds: dict[str, list[int]]
    extras: dict[str, int]  # runs with a further king and queen
    runs_extra: bool
    double_roundhouse: int
    others: list[tuple[str, str, int]]  # house melds: name, cards, points
    defenders_meld: bool
    from_hand: bool
    grown_whole: bool  # a grown meld scores its whole value
    before_draw: bool  # a meld is laid before cards are drawn
    after_stock: bool  # one more meld after the trick that empties the stock
    nine_beside: bool  # a nine of trump leaves the turn to another meld
    nine_up: int  # the dealer's points for a nine as upcard
    card_points: dict[str, int]
    last: int
    target: int
    hands: int | None
    renege: str
    breaking: bool  # trump may be led only once it was played
    must_beat: str
    must_trump: bool  # even where it cannot win
    steps: list[list[int]] = field(default_factory=list)
    raises: list[int] = field(default_factory=list)
    lowest: int = 0
    once: bool = False
    all_pass: str = ""
    stuck: int = 0  # the dealer's bid when all pass
    marriage_needed: bool = False
    exchange: int = 0
    keep: str = "always"
    least_meld: int = 0
    least_play: int = 0
    least_hand: int = 0
    nines_apart: bool = False
    no_marriage_pays: bool = True
    concede: str = "never"
    set_pays: bool = False
    pays: tuple[tuple[int, int], ...] = ()  # a bid, and the payment from this bid on
    spades_pay: int = 1
    set_pays_times: int = 1
    declarer_first: bool = True
    tie: str = "another-deal"
    step: int = 250

    @property
    def sides(self) -> list[list[int]]:
        """Return the seats of each side, which are spaced evenly."""
        number = self.seats // self.side_size
        return [list(range(first, self.seats, number)) for first in range(number)]

    @property
    def deck(self) -> list[str]:
        """Return every card of the deck."""
        return full_deck(self.ranks, self.copies)

    def discard_limit(self, players: int) -> int:
        """Return how many cards each of so many players may exchange."""
        return min(self.hand_size, (len(self.deck) - players * self.hand_size) // players)


def _values(value: int | list[int]) -> list[int]:
    """Return the values of multiples; a number is the value of each one."""
    return value if isinstance(value, list) else [value]


def house_of_rules(rules: dict[str, Any]) -> House:
    """Return the house of a rules object. Raises ValueError and KeyError for invalid rules."""
    deal, table, law = rules["deal"], rules["melds"], rules["scoring"]
    auction, ending = rules["auction"], rules["ending"]
    seats = rules["seats"]
    if seats not in rules["players"]:
        raise ValueError(f"{rules['variant']} is not played by {seats}")
    own = deal["copies"] is None
    scale = law["card_points"]
    numbers = {} if isinstance(scale, str) else dict(zip("ATKQJ9", scale, strict=True))
    points = numbers or CARD_POINTS[scale]
    bids: dict[str, Any] = {}
    if auction is not None:
        bids = {
            "steps": auction["steps"], "raises": auction["raises"],
            "lowest": auction["lowest_bid"], "once": auction["one_round"],
            "all_pass": auction["all_pass"],
            "stuck": auction.get("stuck_bid") or auction["lowest_bid"],
            "marriage_needed": auction["marriage_needed"],
        }  # fmt: skip
    singles = {"royal marriage": "royal_marriage", "marriage": "marriage", "dix": "dix"}
    rounds = {name: name.split()[0] for name in ROUNDS.values()}
    lists = {"run": "run", "pinochle": "pinochle", **rounds}
    extras = {name: table[name.replace(" ", "_")] for name in EXTRAS}
    return House(
        seats=seats,
        side_size=rules["side_size"],
        ranks="ATKQJ9" if deal["nines"] else "ATKQJ",
        copies=seats if own else deal["copies"],
        hand_size=deal["hand_of_24_each"] if own else deal["hand"][rules["players"].index(seats)],
        kitty=deal["kitty"],
        stock_game="stock-play" in rules["phases"],
        redraw="redraw" in rules["phases"],
        upcard=deal["upcard"],
        takes_upcard="upcard" in rules["phases"],
        all_asked=deal.get("all_asked", False),
        nine_given=deal.get("nine_must_take", False),
        melds={
            **{name: list(table[key]) for name, key in lists.items()},
            **{name: _values(table[key]) for name, key in singles.items()},
        },
        extras={name: worth for name, worth in extras.items() if worth is not None},
        runs_extra=table["duplicate_runs_extra"],
        double_roundhouse=table["double_roundhouse"],
        others=[(name, cards, points) for name, cards, points in table.get("others", [])],
        defenders_meld=table.get("defenders_meld", True),
        from_hand=table["meld_from_hand"],
        grown_whole=table.get("grown_scores_whole", False),
        before_draw=table.get("meld_before_draw", False),
        after_stock=table.get("meld_after_stock", False),
        nine_beside=table.get("nine_beside", False),
        nine_up=table.get("nine_turned_up", 0),
        card_points=points,
        last=law["last_trick"],
        target=ending["target"],
        hands=ending["hands"],
        renege=rules["play"]["renege"],
        breaking=rules["play"]["trump_must_be_broken"],
        must_beat=rules["play"].get("must_beat", "always"),
        must_trump=rules["play"]["void_must_trump"],
        exchange=rules["exchange"]["exchange"] if "exchange" in rules["phases"] else 0,
        keep=law["keep_meld"],
        least_meld=law["least_meld"],
        least_play=law["least_play"],
        least_hand=law["least_hand"] if law["min_twenty"] else 0,
        nines_apart=law["nines_apart"],
        no_marriage_pays=law["no_marriage_pays"],
        concede=law["concede"],
        set_pays=law["set_pays_defenders"],
        pays=tuple((pair[0], pair[1]) for pair in law.get("pays", [])),
        spades_pay=law.get("spades_pay", 1),
        set_pays_times=law.get("set_pays", 1),
        declarer_first=ending["declarer_first"],
        tie=ending["tie"],
        step=ending["target_step"],
        **bids,
    )


def house_of_variant(
    variant: str, seats: int | None = None, options: dict[str, Any] | None = None
) -> House:
    """Return the house of a variant from the referee's own tables. Raises ValueError."""
    if variant not in VARIANTS:
        raise ValueError(f"there is no variant {variant!r}")
    row = VARIANTS[variant]
    seats = min(row["seats"]) if seats is None else seats
    if seats not in row["seats"]:
        raise ValueError(f"{variant} is not played by {seats}")
    chosen = _all_options(variant, row, options or {})
    own = chosen.get("deck") == "24-each"
    decks = "9" not in row["ranks"]
    few = variant in ("five-card", "seven-card")
    bids: dict[str, Any] = {}
    if row["grid"] is not None:
        bids = {
            "steps": GRIDS[row["grid"]],
            "raises": [10, 20] if row["grid"] == "ten or twenty more" else [],
            "lowest": chosen["lowest_bid"],
            "once": row["once"],
            "all_pass": chosen["all_pass"],
            "stuck": chosen["lowest_bid"],
            "marriage_needed": chosen["marriage_needed"],
        }
    keep = {"three-handed": "counter", "partnership": "point"}
    ties = {"two-handed": "raise-target"}
    return House(
        seats=seats,
        side_size=2 if row["partners"] else 1,
        ranks=row["ranks"],
        copies=seats if own else 4 if decks else 2,
        hand_size=12 if own else row["hand"][seats],
        kitty=row["kitty"],
        stock_game=variant == "two-handed",
        redraw=few,
        upcard=variant == "two-handed",
        takes_upcard=False,
        all_asked=False,
        nine_given=False,
        melds=row["melds"],
        extras=dict(zip(EXTRAS, (190, 190, 230), strict=True)) if variant == "partnership" else {},
        runs_extra=chosen.get("duplicate_runs_extra", True),
        double_roundhouse=chosen.get("double_roundhouse", 0),
        others=[],
        defenders_meld=True,
        from_hand=chosen.get("meld_from_hand", True),
        grown_whole=False,
        before_draw=False,
        after_stock=False,
        nine_beside=False,
        nine_up=0,
        card_points=CARD_POINTS["ones" if row["small"] else chosen["card_points"]],
        last=row["last"],
        target=chosen["target"],
        hands=chosen["hands"],
        renege=chosen["renege"],
        breaking=few,
        must_beat="always",
        must_trump=variant != "two-handed",
        exchange=chosen.get("exchange", 0),
        keep="point" if few else keep.get(variant, "always"),
        least_meld=20 if variant == "double-deck" else 0,
        least_play=20 if variant == "double-deck" else 0,
        least_hand=20 if chosen.get("min_twenty", False) else 0,
        nines_apart=few,
        no_marriage_pays=variant != "double-deck-classic",
        concede=chosen.get("concede", "never"),
        set_pays=chosen.get("set_pays_defenders", False),
        tie="tied-play-on" if few else ties.get(variant, "another-deal"),
        **bids,
    )


def _all_options(variant: str, row: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return the defaults of a variant with the given options."""
    result = dict(row["options"])
    for name, value in options.items():
        if name not in result:
            raise ValueError(f"{variant} has no option {name!r}")
        if name == "hands":
            is_valid = value is None or (type(value) is int and value >= 1)
        elif name in NUMBERS:
            is_valid = type(value) is int and value >= 0
        elif name in CHOICES:
            is_valid = type(value) is not bool and value in CHOICES[name]
        else:
            is_valid = type(value) is bool
        if not is_valid:
            raise ValueError(f"the option {name} cannot be {value!r}")
        result[name] = value
    return result
