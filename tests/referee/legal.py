"""The referee's legal plays and bids, and `perft` for comparing engines."""

from typing import Any

from tests.referee.cards import RANKS, SUITS, beats, in_order, winner_index
from tests.referee.options import House, house_of_variant


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
    """Return the legal plays in a variant; house options do not change them."""
    house = house_of_variant(variant)
    return allowed_plays(house, trump, hand, trick, broken=broken, stock=phase == "stock")


def allowed_plays(
    house: House,
    trump: str | None,
    hand: list[str],
    trick: list[str],
    *,
    broken: bool = True,
    stock: bool = False,
) -> list[str]:
    """Return the distinct cards that may be played next; `stock` if there is still one."""
    cards = in_order([rank + suit for suit in SUITS for rank in RANKS if rank + suit in hand])
    if house.stock_game and stock:
        return cards
    trumps = [card for card in cards if card[1] == trump]
    if not trick:
        others = [card for card in cards if card[1] != trump]
        if house.breaking and not broken and others:
            return others
        return cards
    best = trick[winner_index(trick, trump)]
    of_suit = [card for card in cards if card[1] == trick[0][1]]
    bound = house.must_beat == "always" or (house.must_beat == "trump" and trick[0][1] == trump)
    if not bound:
        return of_suit or (trumps if house.must_trump else []) or cards
    if of_suit:
        # On a ruffed plain suit no card wins, so all are legal.
        return [card for card in of_suit if beats(card, best, trump)] or of_suit
    if trumps and not house.must_trump:
        # "The player who doesn't lead must win if able": other trumps need not be played.
        return [card for card in trumps if beats(card, best, trump)] or cards
    if trumps:
        return [card for card in trumps if beats(card, best, trump)] or trumps
    return cards


def is_legal_bid(house: House, bid: object, standing: int | None) -> bool:
    """Return True if the bid is legal over the standing bid or none."""
    if type(bid) is not int:
        return False
    if house.raises:
        # The lowest first bid is one smallest raise over an assumed standing bid.
        before = house.lowest - house.raises[0] if standing is None else standing
        return bid - before in house.raises
    if bid < house.lowest or (standing is not None and bid <= standing):
        return False
    start, step = max(pair for pair in house.steps if pair[0] <= bid)
    return (bid - start) % step == 0


def perft(
    variant: str,
    trump: str,
    hands: list[list[str]],
    leader: int,
    depth: int,
    broken: bool = False,
) -> int:
    """Return the number of different sequences of `depth` plays by the kinds of their cards."""

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
                winner = (lead + winner_index(played, trump)) % len(held)
                total += count(after, winner, [], left - 1, now_open)
            else:
                total += count(after, lead, played, left - 1, now_open)
        return total

    return count(hands, leader, [], depth, broken)
