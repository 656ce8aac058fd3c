"""What a view shows of the play, laid out for kernels: everything but the cards that are not seen.

The view is all that this reads. Worlds put the unseen cards into it (see `cards`).
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from acesaround.cards import KINDS, RANKS, Rank, card_of, counts, pack
from acesaround.errors import PositionError
from acesaround.fast.playouts.flat import flat
from acesaround.fast.playouts.packed import (
    BEST,
    BROKEN,
    CARDS_IN_TRICK,
    CLASS_A,
    CLASS_B,
    CLASS_C,
    EXCHANGED,
    LEADER,
    LYING,
    MELD,
    STOCK,
    TRICKS,
    TRUMP,
    TURN,
    WINNER,
    Packed,
    blank,
    sets,
)
from acesaround.melds import PINOCHLE, Meld
from acesaround.state import Kind
from acesaround.tricks import COUNTER, winner
from acesaround.view import View


def seen(view: View, *, may_meld: bool = False) -> Packed:
    """A deal in its play as a seat sees it: hands and stock are empty. Raises PositionError.

    `may_meld`: whether the seat on turn may lay a meld.
    """
    rules, players, trump = view.rules, view.players, view.trump
    if view.kind is not Kind.PLAY or view.leader is None or trump is None or view.turn is None:
        raise PositionError("Only the play of tricks can be laid out.")
    copies, cards = rules.deck.copies, view.trick
    packed = blank(flat(rules, players))
    place = packed.place
    stock = view.stock + 1 if view.upcard is not None else 0
    place[TRUMP] = trump
    place[LEADER], place[TURN] = players.index(view.leader), players.index(view.turn)
    place[CARDS_IN_TRICK] = len(cards)
    place[BEST] = place[WINNER] = -1
    if cards:
        best = winner(cards, trump)
        place[BEST] = cards[best]
        place[WINNER] = (place[LEADER] + best) % len(players)
    place[BROKEN] = view.broken or not rules.play.trump_must_be_broken
    place[TRICKS] = (sum(view.sizes) + len(cards) + stock) // len(players)
    place[STOCK] = stock
    place[MELD] = may_meld
    packed.trick[:] = -1
    packed.trick[: len(cards)] = cards
    packed.won[:] = view.won
    for trick in view.tricks:
        side = rules.side_of(trick.winner)
        packed.counters[side] |= any(COUNTER[card] for card in trick.cards)
    played = pack([*cards, *(card for trick in view.tricks for card in trick.cards)])
    packed.left[:] = sets(rules.deck.packed - played, copies)
    for shown in view.melds:
        packed.meld[players.index(shown.seat)] += shown.points or 0
    if stock:
        nine = card_of(trump, Rank.NINE)
        laid = [meld for shown in view.melds for meld in shown.melds]
        place[EXCHANGED] = any(meld.cards == (nine,) for meld in laid)
        for player, seat in enumerate(players):
            its = [meld for shown in view.melds if shown.seat == seat for meld in shown.melds]
            _lay_down(packed, player, its, pack(view.table[seat]), copies)
    return packed


def _lay_down(packed: Packed, player: int, melds: list[Meld], lying: int, copies: int) -> None:
    """A seat's accounts, as far as a view tells: what lies, and in which class it has served."""
    down, grown = packed.down[player], packed.grown[player]
    down[LYING] = sets(lying, copies)
    on_table = counts(lying)
    served: dict[int, Counter[int]] = {row: Counter() for row in (CLASS_A, CLASS_B, CLASS_C)}
    names = Counter(meld.name for meld in melds)
    for meld in melds:
        row = CLASS_A
        if set(meld.cards) == set(PINOCHLE):
            row = CLASS_C
        elif len({card % RANKS for card in meld.cards}) == 1 and len(meld.cards) > 1:
            row = CLASS_B
        served[row].update(meld.cards)
    for row, cards in served.items():
        held = pack(k for k in range(KINDS) for _ in range(min(cards[k], on_table[k])))
        down[row] = sets(held, copies)
    grown[:] = np.array([names["royal marriage"], names["pinochle"], 0])
    if names["double pinochle"]:
        grown[:] = grown[0], 0, 1
