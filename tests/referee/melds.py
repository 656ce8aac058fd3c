"""The referee's melds: automatic ones, and those laid one at a time in the two-handed game.

In the two-handed game each copy of a card is tracked: whether it lies on the table, and in which
meld of each class it has counted (A runs, marriages, dix; B arounds; C pinochles; then one class
for each house meld).
"""

from collections import Counter
from typing import Any, NamedTuple

from tests.referee.cards import SUITS, in_order
from tests.referee.options import ROUNDS, TIMES, House, house_of_variant

Item = dict[str, Any]
MAX_HOUSE_MELDS = 8


def item(name: str, cards: list[str], points: int) -> Item:
    """Return a meld as written in a record."""
    return {"name": name, "cards": in_order(cards), "points": points}


def meld(
    variant: str,
    trump: str | None,
    hand: list[str],
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the melds of a hand in a variant."""
    return of_hand(house_of_variant(variant, players, options), trump, hand)


def of_hand(house: House, trump: str | None, hand: list[str]) -> dict[str, Any]:
    """Return all melds of the hand; in a stock game those that score most when laid in turn."""
    found = best_laid(house, trump, hand) if house.stock_game else automatic(house, trump, hand)
    return {"points": sum(meld["points"] for meld in found), "melds": found}


def multiples(values: list[int], number: int, name: str, cards: list[str]) -> list[Item]:
    """Return so many of a meld: one multiple as far as values exist, the further ones singly."""
    times = min(number, len(values))
    found = [item(TIMES[times - 1] + name, cards * times, values[times - 1])] if times else []
    found += [item(name, cards, values[0]) for _ in range(number - times)]
    return [meld for meld in found if meld["points"]]


def house_melds(house: House, trump: str | None) -> list[tuple[str, list[str], int]]:
    """Return names, sorted cards and points of the house melds."""
    found = []
    for name, written, points in house.others:
        if trump is not None or "*" not in written:
            found.append((name, in_order(written.replace("*", trump or "").split()), points))
    return found


def automatic(house: House, trump: str | None, hand: list[str]) -> list[Item]:
    """Return all melds of a hand where melds are laid once, before the first lead."""
    values = house.melds
    held = Counter(hand)
    found: list[Item] = []
    runs = 0
    if trump is not None:
        run = [rank + trump for rank in "ATKQJ"]
        runs = min(held[card] for card in run) if any(values["run"]) else 0
        extra_king, extra_queen = held["K" + trump] > runs, held["Q" + trump] > runs
        royals = min(held["K" + trump], held["Q" + trump]) - runs
        more = [rank + trump for rank, there in (("K", extra_king), ("Q", extra_queen)) if there]
        name = {"K": "run and king", "Q": "run and queen", "KQ": "run and marriage"}.get(
            "".join(card[0] for card in more), ""
        )
        if runs == 1 and name in house.extras:
            found.append(item(name, [*run, *more], house.extras[name]))
            royals -= len(more) == 2
        elif house.runs_extra:
            found += multiples(values["run"], runs, "run", run)
        else:
            found += multiples(values["run"][:1], runs, "run", run)
        pair = ["K" + trump, "Q" + trump]
        found += multiples(values["royal marriage"], royals, "royal marriage", pair)
        nines = held["9" + trump] if values["dix"] != [0] else 0
        found += multiples(values["dix"], nines, "dix", ["9" + trump])
    for suit in SUITS:
        if suit != trump:
            pair = ["K" + suit, "Q" + suit]
            found += multiples(values["marriage"], min(held[c] for c in pair), "marriage", pair)
    for rank, name in ROUNDS.items():
        four = [rank + suit for suit in SUITS]
        found += multiples(values[name], min(held[card] for card in four), name, four)
    pinochle = ["QS", "JD"]
    number = min(held[card] for card in pinochle)
    found += multiples(values["pinochle"], number, "pinochle", pinochle)
    bonus = house.double_roundhouse
    twice = [rank + suit for suit in SUITS for rank in "KQ"] * 2
    if bonus and Counter(twice) <= held:
        found.append(item("double roundhouse", twice, bonus))
    for name, cards, points in house_melds(house, trump):
        needed = Counter(cards)
        number = min(held[card] // needed[card] for card in needed)
        found += [item(name, cards, points)] * number
    return found


class Copy(NamedTuple):
    """One physical card of a seat; `used` names the meld of each class in which it counted."""

    kind: str
    down: bool = False
    used: tuple[str, ...] = ("",) * (3 + MAX_HOUSE_MELDS)


class Holding(NamedTuple):
    """All cards of a seat in the two-handed game; `doubled` after a double pinochle."""

    copies: tuple[Copy, ...]
    doubled: bool = False


class Laid(NamedTuple):
    """A laid meld: its points, the points of the whole meld, and the holding afterwards."""

    name: str
    points: int
    worth: int
    holding: Holding


def holding(cards: list[str]) -> Holding:
    """Return a holding with no card on the table."""
    return Holding(tuple(Copy(card) for card in in_order(cards)))


def with_card(seat: Holding, card: str) -> Holding:
    """Return the holding with another card in the hand."""
    return Holding((*seat.copies, Copy(card)), seat.doubled)


def without_card(seat: Holding, card: str) -> Holding:
    """Return the holding without a card: the copy in the hand first, then the least melded one.

    Of two equal copies the one in a run goes before the one in a royal marriage.
    """

    def keep_rank(copy: Copy) -> tuple[bool, int, bool]:
        return (copy.down, sum(1 for name in copy.used if name), copy.used[0] == "royal marriage")

    leaving = min((copy for copy in seat.copies if copy.kind == card), key=keep_rank)
    copies = list(seat.copies)
    copies.remove(leaving)
    return Holding(tuple(copies), seat.doubled)


Needs = list[tuple[str, str]]  # a kind, and the meld in which its copy must have counted before


def possible_melds(
    house: House, seat: Holding, trump: str | None, cards: list[str]
) -> list[tuple[str, int, int, int, Needs]]:
    """Return the melds that these cards can be, best first: name, class, points, worth, needs.

    Melds without points are left out.
    """
    found = list(_possible_melds(house, seat, trump, cards))
    return found if found and found[0][3] else []


def _possible_melds(
    house: House, seat: Holding, trump: str | None, cards: list[str]
) -> list[tuple[str, int, int, int, Needs]]:
    cards = in_order(cards)
    new: Needs = [(card, "") for card in cards]
    ranks = {card[0] for card in cards}
    suits = {card[1] for card in cards}
    if trump is not None and cards == ["9" + trump]:
        dix = house.melds["dix"][0]
        return [("dix", 0, dix, dix, new)]
    if len(cards) == 2 and ranks == {"K", "Q"} and len(suits) == 1:
        name = "royal marriage" if suits == {trump} else "marriage"
        worth = house.melds[name][0]
        return [(name, 0, worth, worth, new)]
    if cards == [f"{rank}{trump}" for rank in "ATKQJ"]:
        grown = [(card, "royal marriage" if card[0] in "KQ" else "") for card in cards]
        run = house.melds["run"][0]
        growth = run if house.grown_whole else run - house.melds["royal marriage"][0]
        return [("run", 0, run, run, new), ("run", 0, growth, run, grown)]
    if len(cards) == 4 and len(ranks) == 1 and len(suits) == 4 and cards[0][0] in ROUNDS:
        name = ROUNDS[cards[0][0]]
        worth = house.melds[name][0]
        return [(name, 1, worth, worth, new)]
    one, *two = house.melds["pinochle"]
    if cards == ["QS", "JD"]:
        return [("pinochle", 2, one, one, new)]
    if cards == ["QS", "QS", "JD", "JD"] and not seat.doubled and two:
        grown = [("QS", "pinochle"), ("JD", "pinochle"), ("QS", ""), ("JD", "")]
        name = "double pinochle"
        growth = two[0] if house.grown_whole else two[0] - one
        return [(name, 2, two[0], two[0], new), (name, 2, growth, two[0], grown)]
    for index, (name, needed, points) in enumerate(house_melds(house, trump)):
        if cards == needed:
            return [(name, 3 + index, points, points, new)]
    return []


def _use_rank(copy: Copy) -> tuple[int, int]:
    """Return a sort key by which copies that counted more often are used first."""
    return -sum(1 for name in copy.used if name), -len("".join(copy.used))


def lay_down(house: House, seat: Holding, trump: str | None, cards: list[str]) -> list[Laid]:
    """Return the ways to lay these cards, best first; none if they are no legal meld now.

    Copies on the table that have not counted in the class are used first. If a card from the hand
    is required and none would be used, one twin from the hand replaces its copy.
    """
    for name, grade, points, worth, needs in possible_melds(house, seat, trump, cards):
        picks: list[int] = []
        for kind, role in needs:
            fit = [
                place
                for place, copy in enumerate(seat.copies)
                if copy.kind == kind and copy.used[grade] == role and place not in picks
            ]
            fit.sort(key=lambda at: (not seat.copies[at].down, *_use_rank(seat.copies[at])))
            picks += fit[:1]
        if len(picks) < len(needs):
            continue
        ways = [picks]
        if house.from_hand and all(seat.copies[place].down for place in picks):
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
                copies[place] = Copy(copies[place].kind, True, tuple(used))
            doubled = seat.doubled or name == "double pinochle"
            found.append(Laid(name, points, worth, Holding(tuple(sorted(copies)), doubled)))
        if found:
            return found
    return []


def best_laid(house: House, trump: str | None, hand: list[str]) -> list[Item]:
    """Return the melds that score most when laid one after the other in the best order."""
    every = [["K" + suit, "Q" + suit] for suit in SUITS]
    every += [[rank + suit for suit in SUITS] for rank in ROUNDS]
    every += [["QS", "JD"], ["QS", "QS", "JD", "JD"]]
    if trump is not None:
        every += [["9" + trump], [rank + trump for rank in "ATKQJ"]]
    every += [cards for _, cards, _ in house_melds(house, trump)]
    every = [cards for cards in every if Counter(cards) <= Counter(hand)]
    known: dict[Holding, tuple[int, list[Item]]] = {}

    def best(seat: Holding) -> tuple[int, list[Item]]:
        if seat not in known:
            top: tuple[int, list[Item]] = (0, [])
            for cards in every:
                for laid in lay_down(house, seat, trump, cards):
                    points, rest = best(laid.holding)
                    if points + laid.points > top[0]:
                        top = (points + laid.points, [item(laid.name, cards, laid.points), *rest])
            known[seat] = top
        return known[seat]

    found = best(Holding(tuple(sorted(holding(hand).copies))))[1]
    if house.grown_whole:
        return found
    # A meld that grew is written once, at its full value.
    single, *double = house.melds["pinochle"]
    for small, large, growth in (
        ("royal marriage", "run", house.melds["run"][0] - house.melds["royal marriage"][0]),
        ("pinochle", "double pinochle", (double[0] if double else 0) - single),
    ):
        for meld in [it for it in found if it["name"] == large and it["points"] == growth]:
            part = next(it for it in found if it["name"] == small)
            found = [it for it in found if it is not part and it is not meld]
            found.append(item(large, meld["cards"], growth + part["points"]))
    return found
