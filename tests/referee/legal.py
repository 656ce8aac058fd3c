"""What the referee lets a player do: which cards may be played, which bids may be made.

`perft` counts the sequences of plays from a position, the usual way to compare two engines.
"""

from typing import Any

from tests.referee.cards import RANKS, SUITS, beats, in_order, winning
from tests.referee.options import House, settle


def legal_plays(
    variant: str,
    trump: str | None,
    hand: list[str],
    trick: list[str],
    *,
    broken: bool = True,
    phase: str = "playoff",
    players: int | None = None,
    options: dict[str, Any] | None = None,
) -> list[str]:
    """The same by the name of a variant: no house option changes them."""
    house = settle(variant)
    return plays(house, trump, hand, trick, broken=broken, stock=phase == "stock")


def plays(
    house: House,
    trump: str | None,
    hand: list[str],
    trick: list[str],
    *,
    broken: bool = True,
    stock: bool = False,
) -> list[str]:
    """The distinct cards that may be played next. `stock`: while there is one."""
    cards = in_order([rank + suit for suit in SUITS for rank in RANKS if rank + suit in hand])
    if house.stock_game and stock:
        return cards
    trumps = [card for card in cards if card[1] == trump]
    if not trick:
        others = [card for card in cards if card[1] != trump]
        if house.breaking and not broken and others:
            return others
        return cards
    best = trick[winning(trick, trump)]
    bound = house.must_beat == "always" or (house.must_beat == "trump" and trick[0][1] == trump)
    if not bound:
        return (
            [card for card in cards if card[1] == trick[0][1]]
            or (trumps if house.must_trump else [])
            or cards
        )
    of_suit = [card for card in cards if card[1] == trick[0][1]]
    if of_suit:
        # Of a plain suit that has been ruffed no card beats the ruff, so this then leaves all.
        return [card for card in of_suit if beats(card, best, trump)] or of_suit
    if trumps and not house.must_trump:
        # "The player who doesn't lead must win if able": a trump that cannot win is no duty.
        return [card for card in trumps if beats(card, best, trump)] or cards
    if trumps:
        return [card for card in trumps if beats(card, best, trump)] or trumps
    return cards


def legal_bid(house: House, bid: object, standing: int | None) -> bool:
    """Whether somebody may bid that, given the standing bid or none."""
    if type(bid) is not int:
        return False
    if house.raises:
        # The first bid goes as if the lowest were the smallest raise over a standing one.
        before = house.lowest - house.raises[0] if standing is None else standing
        return bid - before in house.raises
    if bid < house.lowest or (standing is not None and bid <= standing):
        return False
    start, step = max(one for one in house.steps if one[0] <= bid)
    return (bid - start) % step == 0


def perft(
    variant: str,
    trump: str,
    hands: list[list[str]],
    leader: int,
    depth: int,
    broken: bool = False,
) -> int:
    """How many sequences of that many plays there are, told apart by the kinds of the cards."""

    def count(held: list[list[str]], lead: int, trick: list[str], left: int, open_: bool) -> int:
        if left == 0:
            return 1
        seat = (lead + len(trick)) % len(held)
        total = 0
        for card in legal_plays(variant, trump, held[seat], trick, broken=open_):
            after = [list(cards) for cards in held]
            after[seat].remove(card)
            now_open = open_ or card[1] == trump
            played = [*trick, card]
            if len(played) == len(held):
                winner = (lead + winning(played, trump)) % len(held)
                total += count(after, winner, [], left - 1, now_open)
            else:
                total += count(after, lead, played, left - 1, now_open)
        return total

    return count(hands, leader, [], depth, broken)
