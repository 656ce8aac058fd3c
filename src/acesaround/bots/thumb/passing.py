"""Cards that leave the hand before play: passed to the partner, returned, buried or discarded.

Prices stand in `weights`, and are scaled to the table's own run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from acesaround import weights
from acesaround.actions import Action, Bury, Discard, Give
from acesaround.bots.thumb.worth import best_worth, meld_points
from acesaround.cards import (
    ONE,
    RANKS,
    SUITS,
    Card,
    Rank,
    counts,
    kinds,
    members,
    pack,
)
from acesaround.melds import PINOCHLE
from acesaround.view import View

Price = Callable[[Card, Sequence[int]], float]


class Picked(NamedTuple):
    """Cards taken from a hand, and the meld that is lost with them."""

    cards: tuple[Card, ...]
    lost: int


def give(view: View) -> tuple[Action, str]:
    """Cards for the partner, and why: first what the declarer needs, then what he does not."""
    number, trump = view.rules.exchange.exchange, view.trump
    assert trump is not None
    if view.seat == view.declarer:
        picked = _cheapest(view, trump, number, lambda card, held: _kept(card, held, trump))
        if picked.lost:
            return Give(
                picked.cards
            ), "Some meld must be broken, and giving these back costs least."
        return Give(picked.cards), "Your meld stays whole without these, and they win least."
    picked = _cheapest(
        view, trump, number, lambda card, held: -_given(card, trump), care=weights.GIFT
    )
    trumps = sum(card.suit is trump for card in picked.cards)
    aces = sum(card.rank is Rank.ACE and card.suit is not trump for card in picked.cards)
    sent = " and ".join(filter(None, (_number(trumps, "trump"), _number(aces, "ace"))))
    if not sent:
        return Give(picked.cards), "There is no trump or ace to pass that would not break meld."
    return Give(picked.cards), f"The declarer gets {sent} to fill the run and win tricks."


def bury(view: View) -> tuple[Action, str]:
    """Cards to lay aside before trump is named, and why."""
    trump = best_worth(view, pack(view.hand)).trump
    picked = buried(view, trump)
    left = [card for card in view.hand if card not in picked.cards]
    void = [s for s in SUITS if s != trump and all(card.suit is not s for card in left)]
    gone = [suit.word for suit in void if any(card.suit is suit for card in picked.cards)]
    if gone:
        return Bury(picked.cards), f"Burying these leaves you void in {' and '.join(gone)}."
    if any(card.rank in (Rank.TEN, Rank.KING) for card in picked.cards):
        return Bury(picked.cards), "Buried counters count for you, and no meld is broken for them."
    return Bury(picked.cards), "These cards neither meld nor win tricks."


def buried(view: View, trump: int) -> Picked:
    """Cards to lay aside by one who will name that trump."""

    def price(card: Card, held: Sequence[int]) -> float:
        counter = card.rank in (Rank.TEN, Rank.KING)
        return _kept(card, held, trump) - weights.BURIED_COUNTER * counter

    return _cheapest(view, trump, view.rules.exchange.bury, price)


def discard(view: View, most: int) -> tuple[Action, str]:
    """Cards to exchange for new ones, and why: all that are worth less than a card off the pile."""
    trump = view.trump
    assert trump is not None

    def price(card: Card, held: Sequence[int]) -> float:
        rank = card.rank
        if card.suit is trump:
            return weights.TRUMP_STAYS[rank]
        return max(weights.PLAIN_STAYS[rank], weights.PINOCHLE_STAYS * (card in PINOCHLE))

    picked = _cheapest(view, trump, most, price, ceiling=weights.DRAWN)
    if not picked.cards:
        return Discard(()), "Every card is worth more than one off the pile."
    return Discard(picked.cards), "Trumps, aces and meld stay, and the rest is exchanged."


def _given(card: Card, trump: int) -> float:
    if card.suit == trump:
        return weights.TRUMP_GIVEN[card.rank]
    return max(weights.PLAIN_GIVEN[card.rank], weights.PINOCHLE_GIVEN * (card in PINOCHLE))


def _kept(card: Card, held: Sequence[int], trump: int) -> float:
    """What a card is worth to a declarer beside meld; the shorter its suit, the sooner it goes."""
    if card.suit == trump:
        return weights.TRUMP_KEPT[card.rank]
    at = card.suit * RANKS
    length = weights.LENGTH * sum(held[at : at + RANKS])
    return weights.PLAIN_KEPT[card.rank] + length * (card.rank is not Rank.ACE)


def _cheapest(
    view: View,
    trump: int,
    most: int,
    price: Price,
    ceiling: float | None = None,
    care: float = 1.0,
) -> Picked:
    """Up to `most` cards, the cheapest first, those that cost less than `ceiling`.

    The price of a card is its own and, times `care`, the meld that goes with it, seen afresh after
    each card.
    """
    table = view.rules.melds
    scale = table.run[0] / weights.RUN
    hand = pack(view.hand)
    before = now = meld_points(table, hand, trump)
    chosen: list[Card] = []
    while len(chosen) < most:
        held = counts(hand)
        best: tuple[float, Card, int] | None = None
        for card in members(kinds(hand)):
            meld = meld_points(table, hand - ONE[card], trump)
            cost = price(card, held) * scale + care * (now - meld)
            if best is None or cost < best[0]:
                best = (cost, card, meld)
        assert best is not None  # no more cards are asked for than there are
        if ceiling is not None and best[0] >= ceiling * scale:
            break
        chosen.append(best[1])
        hand -= ONE[best[1]]
        now = best[2]
    return Picked(tuple(sorted(chosen)), before - now)


def _number(count: int, word: str) -> str:
    return "" if not count else f"{count} {word}{'s' * (count > 1)}"
