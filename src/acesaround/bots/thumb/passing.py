"""Cards that change hands before play: what the partner needs, what goes back, what is laid aside."""

from __future__ import annotations

from acesaround.actions import Bury, Discard, Give
from acesaround.bots.thumb.worth import meld_points
from acesaround.cards import ONE, RANKS, Card, Rank, counts, pack, unpack
from acesaround.tricks import POINTS
from acesaround.view import View

def give(view: View) -> tuple[Give, str]:
    number = view.rules.exchange.exchange
    if view.seat == view.declarer:
        return Give(_least(view, number)), "x."
    table, trump = view.rules.melds, view.trump
    hand = pack(view.hand)
    unit = _scale(view)
    chosen: list[Card] = []
    for _ in range(number):
        now = meld_points(table, hand, trump)
        best = None
        for card in sorted(set(unpack(hand))):
            value = _gift(card, trump) * unit
            value -= 0.8 * (now - meld_points(table, hand - ONE[card], trump))
            if best is None or value > best[0]:
                best = (value, card)
        chosen.append(best[1])
        hand -= ONE[best[1]]
    return Give(tuple(chosen)), "x."

def _scale(view):
    return view.rules.melds.run[0] / 150

def _gift(card, trump):
    rank = card.rank
    if card.suit == trump:
        return (60, 52, 46, 45, 44, 20)[rank]
    if rank == Rank.ACE:
        return 38
    if card in (3, 16):
        return 22
    return (0, 6, 4, 3, 1, 0)[rank]

def _cost(card, trump, held, unit):
    rank = card % RANKS
    if card // RANKS == trump:
        return (60, 40, 30, 25, 22, 20)[rank] 
    at = card // RANKS * RANKS
    length = sum(held[at:at+RANKS])
    if rank == 0: return 24
    return (0, 5, 2, 1, .5, 0)[rank] + length * 1.0

def _least(view, number) -> tuple[Card, ...]:
    table, trump = view.rules.melds, view.trump
    hand = pack(view.hand)
    unit = _scale(view)
    chosen = []
    for _ in range(number):
        now = meld_points(table, hand, trump)
        held = counts(hand)
        best = None
        for card in sorted(set(unpack(hand))):
            value = _cost(card, trump, held, unit) * unit + (now - meld_points(table, hand - ONE[card], trump))
            if best is None or value < best[0]:
                best = (value, card)
        chosen.append(best[1]); hand -= ONE[best[1]]
    return tuple(chosen)

def bury(view: View) -> tuple[Bury, str]:
    from acesaround.bots.thumb.worth import best_worth
    table = view.rules.melds
    hand = pack(view.hand)
    trump = best_worth(view, pack(view.hand)).trump
    unit = _scale(view)
    chosen = []
    for _ in range(view.rules.exchange.bury):
        now = meld_points(table, hand, trump)
        held = counts(hand)
        best = None
        for card in sorted(set(unpack(hand))):
            value = _cost(card, trump, held, unit) * unit + (now - meld_points(table, hand - ONE[card], trump))
            if card % RANKS in (1,2): value -= 8
            if best is None or value < best[0]:
                best = (value, card)
        chosen.append(best[1]); hand -= ONE[best[1]]
    return Bury(tuple(chosen)), "x."

def discard(view: View, most: int) -> tuple[Discard, str]:
    table, trump = view.rules.melds, view.trump
    hand = pack(view.hand)
    chosen = []
    while len(chosen) < most:
        now = meld_points(table, hand, trump)
        held = counts(hand)
        best = None
        for card in sorted(set(unpack(hand))):
            value = _stay(card, trump) + (now - meld_points(table, hand - ONE[card], trump))
            if best is None or value < best[0]:
                best = (value, card)
        if best is None or best[0] >= 0.6: break
        chosen.append(best[1]); hand -= ONE[best[1]]
    return Discard(tuple(chosen)), "x."

def _stay(card, trump):
    rank = card % RANKS
    if card // RANKS == trump: return (2, 1.6, 1.2, 1, .9, 1.2)[rank]
    if card in (3,16): return .65
    return (1.0, .4, .3, .1, 0, 0)[rank]
