"""What the referee lets a player do: which cards may be played, which bids may be made.

`perft` counts the sequences of plays from a position, the usual way to compare two engines.
"""

from typing import Any

from tests.referee.cards import RANKS, SUITS, beats, in_order, winning
from tests.referee.house import House


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
    """The distinct cards that may be played next; no house option changes them."""
    cards = in_order([rank + suit for suit in SUITS for rank in RANKS if rank + suit in hand])
    if variant == "two-handed" and phase == "stock":
        return cards
    trumps = [card for card in cards if card[1] == trump]
    if not trick:
        others = [card for card in cards if card[1] != trump]
        if variant in ("five-card", "seven-card") and not broken and others:
            return others
        return cards
    best = trick[winning(trick, trump)]
    of_suit = [card for card in cards if card[1] == trick[0][1]]
    if of_suit:
        # Of a plain suit that has been ruffed no card beats the ruff, so this then leaves all.
        return [card for card in of_suit if beats(card, best, trump)] or of_suit
    if trumps and variant == "two-handed":
        # "The player who doesn't lead must win if able": a trump that cannot win is no duty.
        return [card for card in trumps if beats(card, best, trump)] or cards
    if trumps:
        return [card for card in trumps if beats(card, best, trump)] or trumps
    return cards


def legal_bid(house: House, bid: object, standing: int | None) -> bool:
    """Whether somebody may bid that, given the standing bid or none."""
    if type(bid) is not int:
        return False
    lowest: int = house.options["lowest_bid"]
    grid = house.row["grid"]
    if grid == "ten or twenty more":
        if standing is None:
            return bid in (lowest, lowest + 10)
        return bid in (standing + 10, standing + 20)
    if bid < lowest or (standing is not None and bid <= standing):
        return False
    if grid == "ten":
        return bid % 10 == 0
    if grid in ("tournament", "fives"):
        if bid <= 60:
            return True
        if grid == "tournament" and bid > 100:
            return bid % 10 == 0
        return bid % 5 == 0
    return True


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
