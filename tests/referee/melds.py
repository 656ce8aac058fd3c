"""The referee's melds: what a hand lays by itself, and the lay-downs of the two-handed game.

In the two-handed game every copy of a card is followed on its own: whether it lies on the table,
and in which meld of each class (A runs, marriages, dix; B arounds; C pinochles) it has served.
"""

from collections import Counter
from typing import Any, NamedTuple

from tests.referee.cards import SUITS, in_order
from tests.referee.house import ROUNDS, SINGLES, TIMES, House, settle

Item = dict[str, Any]


def item(name: str, cards: list[str], points: int) -> Item:
    """One meld, as a record writes it."""
    return {"name": name, "cards": in_order(cards), "points": points}


def meld(
    variant: str,
    trump: str | None,
    hand: list[str],
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Everything the hand melds; in the two-handed game the most it could lay down in time."""
    house = settle(variant, players, options)
    found = most_laid(house, trump, hand) if house.stock_game else automatic(house, trump, hand)
    return {"points": sum(one["points"] for one in found), "melds": found}


def counted(worth: list[int], number: int, name: str, cards: list[str]) -> list[Item]:
    """So many of one meld: as multiples as far as the table of values goes, then again from one."""
    found = []
    while number > 0:
        times = min(number, len(worth))
        found.append(item(TIMES[times - 1] + name, cards * times, worth[times - 1]))
        number -= times
    return found


def automatic(house: House, trump: str | None, hand: list[str]) -> list[Item]:
    """Everything a hand melds where melds are laid once, before the first lead."""
    values: dict[str, list[int]] = house.row["melds"]
    held = Counter(hand)
    found: list[Item] = []
    runs = 0
    if trump is not None:
        run = [rank + trump for rank in "ATKQJ"]
        runs = min(held[card] for card in run)
        extra_king, extra_queen = held["K" + trump] > runs, held["Q" + trump] > runs
        royals = min(held["K" + trump], held["Q" + trump]) - runs
        if house.variant == "partnership" and runs == 1 and (extra_king or extra_queen):
            if extra_king and extra_queen:
                found.append(item("run and marriage", [*run, "K" + trump, "Q" + trump], 230))
                royals -= 1
            elif extra_king:
                found.append(item("run and king", [*run, "K" + trump], 190))
            else:
                found.append(item("run and queen", [*run, "Q" + trump], 190))
        elif house.options.get("duplicate_runs_extra", True):
            found += counted(values["run"], runs, "run", run)
        else:
            found += counted(values["run"][:1], runs, "run", run)
        pair = ["K" + trump, "Q" + trump]
        found += counted(values["royal marriage"], royals, "royal marriage", pair)
        found += counted(values["dix"], held["9" + trump], "dix", ["9" + trump])
    for suit in SUITS:
        if suit != trump:
            pair = ["K" + suit, "Q" + suit]
            found += counted(values["marriage"], min(held[c] for c in pair), "marriage", pair)
    for rank, name in ROUNDS.items():
        four = [rank + suit for suit in SUITS]
        found += counted(values[name], min(held[card] for card in four), name, four)
    pinochle = ["QS", "JD"]
    number = min(held[card] for card in pinochle)
    found += counted(values["pinochle"], number, "pinochle", pinochle)
    bonus = house.options.get("double_roundhouse", 0)
    twice = [rank + suit for suit in SUITS for rank in "KQ"] * 2
    if bonus and Counter(twice) <= held:
        found.append(item("double roundhouse", twice, bonus))
    return found


class Copy(NamedTuple):
    """One physical card of a seat: `used` names the meld it served in, for classes A, B, C."""

    kind: str
    down: bool = False
    used: tuple[str, str, str] = ("", "", "")


class Holding(NamedTuple):
    """All cards of a seat in the two-handed game, and whether it ever laid a double pinochle."""

    copies: tuple[Copy, ...]
    doubled: bool = False


class Laid(NamedTuple):
    """A lay-down: its meld, the points it scores and what the seat holds afterwards."""

    name: str
    points: int
    worth: int
    holding: Holding


def holding(cards: list[str]) -> Holding:
    """A hand of which nothing lies on the table yet."""
    return Holding(tuple(Copy(card) for card in in_order(cards)))


def took(seat: Holding, card: str) -> Holding:
    """A card comes into the hand."""
    return Holding((*seat.copies, Copy(card)), seat.doubled)


def lost(seat: Holding, card: str) -> Holding:
    """A card leaves: the copy in the hand before one on the table, the least melded before others.

    Between two that are equal the one in a run goes before the one in a royal marriage.
    """

    def stays(copy: Copy) -> tuple[bool, int, bool]:
        return (copy.down, sum(1 for name in copy.used if name), copy.used[0] == "royal marriage")

    leaving = min((copy for copy in seat.copies if copy.kind == card), key=stays)
    copies = list(seat.copies)
    copies.remove(leaving)
    return Holding(tuple(copies), seat.doubled)


Needs = list[tuple[str, str]]  # a kind, and the meld in which its copy must so far have served


def readings(
    seat: Holding, trump: str | None, cards: list[str]
) -> list[tuple[str, int, int, int, Needs]]:
    """What a lay-down can be: name, class (0 A, 1 B, 2 C), points, worth, needs; best first."""
    cards = in_order(cards)
    new: Needs = [(card, "") for card in cards]
    ranks = {card[0] for card in cards}
    suits = {card[1] for card in cards}
    if trump is not None and cards == ["9" + trump]:
        return [("dix", 0, 10, 10, new)]
    if len(cards) == 2 and ranks == {"K", "Q"} and len(suits) == 1:
        name = "royal marriage" if suits == {trump} else "marriage"
        worth = SINGLES[name][0]
        return [(name, 0, worth, worth, new)]
    if cards == [f"{rank}{trump}" for rank in "ATKQJ"]:
        grown = [(card, "royal marriage" if card[0] in "KQ" else "") for card in cards]
        return [("run", 0, 150, 150, new), ("run", 0, 110, 150, grown)]
    if len(cards) == 4 and len(ranks) == 1 and len(suits) == 4 and cards[0][0] in ROUNDS:
        name = ROUNDS[cards[0][0]]
        return [(name, 1, SINGLES[name][0], SINGLES[name][0], new)]
    if cards == ["QS", "JD"]:
        return [("pinochle", 2, 40, 40, new)]
    if cards == ["QS", "QS", "JD", "JD"] and not seat.doubled:
        grown = [("QS", "pinochle"), ("JD", "pinochle"), ("QS", ""), ("JD", "")]
        name = "double pinochle"
        return [(name, 2, 300, 300, new), (name, 2, 260, 300, grown)]
    return []


def lay_down(seat: Holding, trump: str | None, cards: list[str], from_hand: bool) -> list[Laid]:
    """The ways to lay these cards, best first; none if they are no legal meld now.

    A copy on the table that has not served in the class serves before one from the hand. Only
    where a card has to come from the hand and none would, one twin from the hand takes its place.
    """
    for name, grade, points, worth, needs in readings(seat, trump, cards):
        picks: list[int] = []
        for kind, role in needs:
            fit = [
                place
                for place, copy in enumerate(seat.copies)
                if copy.kind == kind and copy.used[grade] == role and place not in picks
            ]
            fit.sort(key=lambda at: (not seat.copies[at].down, -len("".join(seat.copies[at].used))))
            picks += fit[:1]
        if len(picks) < len(needs):
            continue
        ways = [picks]
        if from_hand and all(seat.copies[place].down for place in picks):
            ways = []
            for slot, (kind, role) in enumerate(needs):
                twin = Copy(kind)
                if role == "" and twin in seat.copies:
                    ways.append([*picks[:slot], seat.copies.index(twin), *picks[slot + 1 :]])
        found = []
        for way in ways:
            copies = list(seat.copies)
            for place in way:
                used = list(copies[place].used)
                used[grade] = name
                copies[place] = Copy(copies[place].kind, True, (used[0], used[1], used[2]))
            doubled = seat.doubled or name == "double pinochle"
            found.append(Laid(name, points, worth, Holding(tuple(sorted(copies)), doubled)))
        if found:
            return found
    return []


def most_laid(house: House, trump: str | None, hand: list[str]) -> list[Item]:
    """The most a hand can lay down, one meld after the other: every order is tried."""
    from_hand: bool = house.options["meld_from_hand"]
    every = [["K" + suit, "Q" + suit] for suit in SUITS]
    every += [[rank + suit for suit in SUITS] for rank in ROUNDS]
    every += [["QS", "JD"], ["QS", "QS", "JD", "JD"]]
    if trump is not None:
        every += [["9" + trump], [rank + trump for rank in "ATKQJ"]]
    every = [cards for cards in every if Counter(cards) <= Counter(hand)]
    known: dict[Holding, tuple[int, list[Item]]] = {}

    def best(seat: Holding) -> tuple[int, list[Item]]:
        if seat not in known:
            top: tuple[int, list[Item]] = (0, [])
            for cards in every:
                for laid in lay_down(seat, trump, cards, from_hand):
                    points, rest = best(laid.holding)
                    if points + laid.points > top[0]:
                        top = (points + laid.points, [item(laid.name, cards, laid.points), *rest])
            known[seat] = top
        return known[seat]

    found = best(Holding(tuple(sorted(holding(hand).copies))))[1]
    # A meld that grew is written once, at its full value.
    for small, large, growth in (
        ("royal marriage", "run", 110),
        ("pinochle", "double pinochle", 260),
    ):
        for one in [it for it in found if it["name"] == large and it["points"] == growth]:
            grown = next(it for it in found if it["name"] == small)
            found = [it for it in found if it is not grown and it is not one]
            found.append(item(large, one["cards"], growth + grown["points"]))
    return found
