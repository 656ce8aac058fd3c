"""What a view shows of the play, laid out for kernels: everything but the cards that are not seen.

The view is all that this reads. Worlds put the unseen cards into it (see `cards`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from acesaround import laydown
from acesaround.cards import KINDS, Card, Rank, card_of, counts, members, pack
from acesaround.errors import PositionError
from acesaround.fast.playouts.flat import flat
from acesaround.fast.playouts.packed import (
    BEST,
    BROKEN,
    CARDS_IN_TRICK,
    CLASS_A,
    DECLARED,
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
from acesaround.laydown import ANEW, GROWN, Candidate, by_cards, whole
from acesaround.melds import PINOCHLE, Meld, marriage_cards
from acesaround.state import Kind
from acesaround.tricks import winner
from acesaround.view import View, tally

_Offered: TypeAlias = Mapping[tuple[Card, ...], Candidate]  # melds that may be laid, by their cards


def seen(view: View, *, may_meld: bool = False) -> Packed:
    """A deal in its play as a seat sees it: hands and stock are empty. Raises PositionError.

    What a declarer who buried cards reckons with follows from the hands, so that is empty too.

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
    if view.declarer is not None:
        place[DECLARED] = 1 + players.index(view.declarer)
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
    packed.counters[:] = tally(view).counter
    played = pack([*cards, *(card for trick in view.tricks for card in trick.cards)])
    packed.left[0] = sets(rules.deck.packed - played, copies)
    for shown in view.melds:
        packed.meld[players.index(shown.seat)] += shown.points or 0
    if stock:
        nine = card_of(trump, Rank.NINE)
        its = by_cards(rules.melds, trump)
        laid = [meld for shown in view.melds for meld in shown.melds]
        place[EXCHANGED] = any(meld.cards == (nine,) for meld in laid)
        for player, seat in enumerate(players):
            own = [meld for shown in view.melds if shown.seat == seat for meld in shown.melds]
            _lay_down(packed, player, own, pack(view.table[seat]), its)
    return packed


def _lay_down(packed: Packed, player: int, melds: list[Meld], lying: int, its: _Offered) -> None:
    """A seat's accounts, as far as a view tells: what lies, and in which class it has served."""
    down, grown, copies = packed.down[player], packed.grown[player], packed.hands.shape[1]
    trump, on_table = int(packed.place[TRUMP]), counts(lying)
    served = [Counter[int]() for _ in range(3)]
    growing = 0, 0, False
    for meld in melds:
        candidate = its[meld.cards]
        way = ANEW if meld == candidate.laid[ANEW] else GROWN
        new = meld.cards if way == ANEW else members(candidate.beside)
        served[candidate.group].update(new)
        growing = laydown.grown(candidate.number, way, trump, *growing)
    down[LYING] = sets(lying, copies)
    for row, cards in enumerate(served, CLASS_A):
        held = pack(k for k in range(KINDS) for _ in range(min(cards[k], on_table[k])))
        down[row] = sets(held, copies)
    royals, pinochles, doubled = growing
    grown[0] = whole(royals, *(on_table[card] for card in marriage_cards(trump)))
    grown[1] = whole(pinochles, *(on_table[card] for card in PINOCHLE))
    grown[2] = doubled
