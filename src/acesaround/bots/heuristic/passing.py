"""Cards that leave the hand before play: passed to the partner, returned, buried or discarded.

The prices are in `heuristic_weights`, and are scaled to the table's value of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from acesaround import heuristic_weights
from acesaround.actions import Action, Bury, Discard, Give
from acesaround.bots.explanations import Explanation
from acesaround.bots.heuristic import hand_reasons
from acesaround.bots.heuristic.hand_value import best_worth, meld_points
from acesaround.cards import (
    ONE,
    RANKS,
    Card,
    Rank,
    counts,
    kinds,
    members,
    pack,
)
from acesaround.game.view import View
from acesaround.rules.melds import PINOCHLE

Price = Callable[[Card, Sequence[int]], float]


class PickedCards(NamedTuple):
    """Cards taken from a hand, and the meld points lost with them."""

    cards: tuple[Card, ...]
    lost: int


def give(view: View) -> tuple[Action, Explanation]:
    """Choose cards for the partner, with the reason.

    A partner gives what the declarer needs most. The declarer returns the cards that it needs
    least.
    """
    number, trump = view.rules.exchange.exchange, view.trump
    assert trump is not None
    if view.seat == view.declarer:
        picked = _cheapest(view, trump, number, lambda card, held: _kept(card, held, trump))
    else:
        picked = _cheapest(
            view,
            trump,
            number,
            lambda card, held: -_given(card, trump),
            care=heuristic_weights.GIFT,
        )
    assert view.declarer is not None
    return Give(picked.cards), hand_reasons.pass_reason(view, picked.cards, view.declarer)


def bury(
    view: View, its: heuristic_weights.HandWeights | None = None
) -> tuple[Action, Explanation]:
    """Choose cards to bury before trump is named, with the reason."""
    trump = best_worth(view, pack(view.hand), its=its).trump
    picked = buried(view, trump)
    return Bury(picked.cards), hand_reasons.bury_reason(view, picked.cards, trump)


def buried(view: View, trump: int) -> PickedCards:
    """Return the cards to bury for a declarer who will name that trump."""

    def price(card: Card, held: Sequence[int]) -> float:
        counter = card.rank in (Rank.TEN, Rank.KING)
        return _kept(card, held, trump) - heuristic_weights.BURIED_COUNTER * counter

    return _cheapest(view, trump, view.rules.exchange.bury, price)


def discard(view: View, most: int) -> tuple[Action, Explanation]:
    """Choose cards to exchange, with the reason: those worth less than a card from the stock."""
    trump = view.trump
    assert trump is not None

    def price(card: Card, held: Sequence[int]) -> float:
        rank = card.rank
        if card.suit is trump:
            return heuristic_weights.TRUMP_STAYS[rank]
        return max(
            heuristic_weights.PLAIN_STAYS[rank],
            heuristic_weights.PINOCHLE_STAYS * (card in PINOCHLE),
        )

    picked = _cheapest(view, trump, most, price, ceiling=heuristic_weights.DRAWN)
    return Discard(picked.cards), hand_reasons.discard_reason(view, picked.cards)


def _given(card: Card, trump: int) -> float:
    if card.suit == trump:
        return heuristic_weights.TRUMP_GIVEN[card.rank]
    return max(
        heuristic_weights.PLAIN_GIVEN[card.rank],
        heuristic_weights.PINOCHLE_GIVEN * (card in PINOCHLE),
    )


def _kept(card: Card, held: Sequence[int], trump: int) -> float:
    """Return what a card is worth to a declarer besides meld. Cards of short suits are cheaper."""
    if card.suit == trump:
        return heuristic_weights.TRUMP_KEPT[card.rank]
    at = card.suit * RANKS
    length = heuristic_weights.LENGTH * sum(held[at : at + RANKS])
    return heuristic_weights.PLAIN_KEPT[card.rank] + length * (card.rank is not Rank.ACE)


def _cheapest(
    view: View,
    trump: int,
    most: int,
    price: Price,
    ceiling: float | None = None,
    care: float = 1.0,
) -> PickedCards:
    """Pick up to `most` cards, the cheapest first, as long as they cost less than `ceiling`.

    The price of a card is its own price, plus `care` times the meld that is lost with it. The lost
    meld is computed again after each card.
    """
    table = view.rules.melds
    scale = heuristic_weights.run_worth(view.rules) / heuristic_weights.RUN
    hand = pack(view.hand)
    before = now = meld_points(table, hand, trump)
    chosen: list[Card] = []
    while len(chosen) < most:
        held = counts(hand)
        best: tuple[float, Card, int] | None = None
        for card in members(kinds(hand)):
            meld = meld_points(table, hand - ONE[card], trump)
            # Rounded, so that equal prices do not differ in the last binary digit.
            cost = round(price(card, held) * scale + care * (now - meld), 9)
            if best is None or cost < best[0]:
                best = (cost, card, meld)
        assert best is not None  # the hand has at least as many cards as are asked for
        if ceiling is not None and best[0] >= ceiling * scale:
            break
        chosen.append(best[1])
        hand -= ONE[best[1]]
        now = best[2]
    return PickedCards(tuple(sorted(chosen)), before - now)
