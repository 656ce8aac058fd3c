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
from acesaround.bots.heuristic.hand_value import best_hand_value, meld_points
from acesaround.cards import (
    ONE_OF_KIND,
    RANK_COUNT,
    Card,
    Rank,
    counts,
    kinds,
    kinds_in_set,
    pack,
)
from acesaround.game.view import View
from acesaround.rules.melds import PINOCHLE

CardPrice = Callable[[Card, Sequence[int]], float]


class PickedCards(NamedTuple):
    """Cards taken from a hand, and the meld points lost with them."""

    cards: tuple[Card, ...]
    lost_points: int


def give(view: View) -> tuple[Action, Explanation]:
    """Choose cards for the partner, with the reason.

    A partner gives what the declarer needs most. The declarer returns the cards that it needs
    least.
    """
    number, trump = view.rules.exchange.exchange, view.trump
    assert trump is not None
    if view.seat == view.declarer:
        picked = _pick_cheapest(
            view, trump, number, lambda card, held: _keep_cost(card, held, trump)
        )
    else:
        picked = _pick_cheapest(
            view,
            trump,
            number,
            lambda card, held: -_gift_value(card, trump),
            meld_weight=heuristic_weights.GIVER_MELD_FACTOR,
        )
    assert view.declarer is not None
    return Give(picked.cards), hand_reasons.pass_reason(view, picked.cards, view.declarer)


def bury(
    view: View, weights: heuristic_weights.HandWeights | None = None
) -> tuple[Action, Explanation]:
    """Choose cards to bury before trump is named, with the reason."""
    trump = best_hand_value(view, pack(view.hand), weights=weights).trump
    picked = cards_to_bury(view, trump)
    return Bury(picked.cards), hand_reasons.bury_reason(view, picked.cards, trump)


def cards_to_bury(view: View, trump: int) -> PickedCards:
    """Return the cards to bury for a declarer who will name that trump."""

    def price(card: Card, held: Sequence[int]) -> float:
        counter = card.rank in (Rank.TEN, Rank.KING)
        return _keep_cost(card, held, trump) - heuristic_weights.BURIED_COUNTER_BONUS * counter

    return _pick_cheapest(view, trump, view.rules.exchange.bury, price)


def discard(view: View, max_cards: int) -> tuple[Action, Explanation]:
    """Choose cards to exchange, with the reason: those worth less than a card from the stock."""
    trump = view.trump
    assert trump is not None

    def price(card: Card, held: Sequence[int]) -> float:
        rank = card.rank
        if card.suit is trump:
            return heuristic_weights.TRUMP_KEEP_VALUES[rank]
        return max(
            heuristic_weights.PLAIN_KEEP_VALUES[rank],
            heuristic_weights.PINOCHLE_KEEP_VALUE * (card in PINOCHLE),
        )

    picked = _pick_cheapest(
        view, trump, max_cards, price, max_price=heuristic_weights.DRAWN_CARD_VALUE
    )
    return Discard(picked.cards), hand_reasons.discard_reason(view, picked.cards)


def _gift_value(card: Card, trump: int) -> float:
    if card.suit == trump:
        return heuristic_weights.TRUMP_GIFT_VALUES[card.rank]
    return max(
        heuristic_weights.PLAIN_GIFT_VALUES[card.rank],
        heuristic_weights.PINOCHLE_GIFT_VALUE * (card in PINOCHLE),
    )


def _keep_cost(card: Card, held: Sequence[int], trump: int) -> float:
    """Return what a card is worth to a declarer besides meld. Cards of short suits are cheaper."""
    if card.suit == trump:
        return heuristic_weights.TRUMP_GIVING_COSTS[card.rank]
    first_kind = card.suit * RANK_COUNT
    length = heuristic_weights.SUIT_LENGTH_BONUS * sum(held[first_kind : first_kind + RANK_COUNT])
    return heuristic_weights.PLAIN_GIVING_COSTS[card.rank] + length * (card.rank is not Rank.ACE)


def _pick_cheapest(
    view: View,
    trump: int,
    max_cards: int,
    price: CardPrice,
    max_price: float | None = None,
    meld_weight: float = 1.0,
) -> PickedCards:
    """Pick up to `max_cards` cards, the cheapest first, as long as they cost less than `max_price`.

    The price of a card is its own price, plus `meld_weight` times the meld that is lost with it.
    The lost meld is computed again after each card.
    """
    table = view.rules.melds
    scale = heuristic_weights.run_points(view.rules) / heuristic_weights.REFERENCE_RUN_POINTS
    hand = pack(view.hand)
    initial_meld = current_meld = meld_points(table, hand, trump)
    chosen: list[Card] = []
    while len(chosen) < max_cards:
        held = counts(hand)
        best: tuple[float, Card, int] | None = None
        for card in kinds_in_set(kinds(hand)):
            meld = meld_points(table, hand - ONE_OF_KIND[card], trump)
            # Rounded, so that equal prices do not differ in the last binary digit.
            cost = round(price(card, held) * scale + meld_weight * (current_meld - meld), 9)
            if best is None or cost < best[0]:
                best = (cost, card, meld)
        assert best is not None  # the hand has at least as many cards as are asked for
        if max_price is not None and best[0] >= max_price * scale:
            break
        chosen.append(best[1])
        hand -= ONE_OF_KIND[best[1]]
        current_meld = best[2]
    return PickedCards(tuple(sorted(chosen)), initial_meld - current_meld)
