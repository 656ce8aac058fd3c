"""Encoding of a view of the play for kernels, without the unseen cards.

Only the view is read. The worlds add the unseen cards (see `card_play`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from acesaround.cards import Card, kinds_in_set, pack
from acesaround.errors import PositionError
from acesaround.fast.playouts.packed_deal import (
    BEST_KIND,
    CARDS_IN_TRICK,
    CLASS_A,
    DECLARER_NUMBER,
    LEADER,
    MAY_MELD,
    MELD_THEN_DRAW,
    ON_TABLE,
    STOCK_LEFT,
    TRICKS_LEFT,
    TRUMP,
    TRUMP_BROKEN,
    TURN,
    UPCARD_EXCHANGED,
    WINNER,
    PackedDeal,
    empty_deal,
    sets_from_hand,
)
from acesaround.fast.playouts.rule_arrays import build_rule_arrays
from acesaround.game.state import DecisionKind, MeldedCard
from acesaround.game.view import ShownMelds, View, must_draw_first, tally
from acesaround.rules import laid_melds
from acesaround.rules.laid_melds import (
    LAID_GROWN,
    LAID_NEW,
    Candidate,
    candidates_by_cards,
    complete_pairs,
)
from acesaround.rules.melds import PINOCHLE, marriage_cards
from acesaround.rules.tricks import winner

_Offered: TypeAlias = Mapping[tuple[Card, ...], Candidate]  # melds that may be laid, by their cards


def encode_view(view: View, *, may_meld: bool = False) -> PackedDeal:
    """Return a deal in its play as a seat sees it, with empty hands and stock.

    What a declarer knows of buried cards depends on the hands, so it is not set either.

    `may_meld`: whether the seat on turn may lay a meld. Raises PositionError outside the play of
    tricks.
    """
    rules, players, trump = view.rules, view.players, view.trump
    if (
        view.kind is not DecisionKind.PLAY
        or view.leader is None
        or trump is None
        or view.turn is None
    ):
        raise PositionError("Only the play of tricks can be laid out.")
    copies, cards = rules.deck.copies, view.trick
    packed = empty_deal(build_rule_arrays(rules, players))
    place = packed.status
    stock = view.stock + 1 if view.upcard is not None else 0
    place[TRUMP] = trump
    if view.declarer is not None:
        place[DECLARER_NUMBER] = 1 + players.index(view.declarer)
    place[LEADER], place[TURN] = players.index(view.leader), players.index(view.turn)
    place[CARDS_IN_TRICK] = len(cards)
    place[BEST_KIND] = place[WINNER] = -1
    if cards:
        best = winner(cards, trump)
        place[BEST_KIND] = cards[best]
        place[WINNER] = (place[LEADER] + best) % len(players)
    # While there is a stock, trump may be led freely. Only later does `broken` count.
    place[TRUMP_BROKEN] = not rules.play.trump_must_be_broken if stock else view.broken
    place[TRICKS_LEFT] = (sum(view.sizes) + len(cards) + stock) // len(players)
    place[STOCK_LEFT] = stock
    place[MAY_MELD] = MELD_THEN_DRAW if must_draw_first(view) else may_meld
    packed.trick[:] = -1
    packed.trick[: len(cards)] = cards
    packed.points_won[:] = view.won
    packed.won_counter[:] = tally(view).has_counter
    played = pack([*cards, *(card for trick in view.tricks for card in trick.cards)])
    packed.unplayed[0] = sets_from_hand(rules.deck.packed - played, copies)
    for shown in view.melds:
        packed.meld_points[players.index(shown.seat)] += shown.points or 0
    if stock or may_meld:
        offered = candidates_by_cards(rules.melds, trump)
        place[UPCARD_EXCHANGED] = not stock or any(taken.left is not None for taken in view.taken)
        for player, seat in enumerate(players):
            own = [shown for shown in view.melds if shown.seat == seat and shown.after]
            rows = [row for row in view.lying if row.seat == seat]
            _lay_down(packed, player, own, rows, offered)
    return packed


def _lay_down(
    packed: PackedDeal,
    player: int,
    laid: list[ShownMelds],
    rows: list[MeldedCard],
    offered: _Offered,
) -> None:
    """Rebuild a seat's meld accounts from its laid melds and the times its cards were on the table.

    A meld was laid as a new one if all its cards on the table had not yet served in its class.
    """
    down, grown, copies = (
        packed.laid_melds[player],
        packed.growth_state[player],
        packed.hands.shape[1],
    )
    trump, on_table = int(packed.status[TRUMP]), Counter[int]()
    served = [Counter[int]() for _ in range(3)]
    growing = 0, 0, False
    lifted = (row.until for row in rows if row.until is not None)
    for at in sorted({*(shown.after for shown in laid), *lifted}):
        on_table.update(row.card for row in rows if row.since == at)
        for meld in (meld for shown in laid if shown.after == at for meld in shown.melds):
            candidate = offered[meld.cards]
            before = served[candidate.meld_class]
            takes = Counter(meld.cards)
            anew = all(on_table[card] - before[card] >= takes[card] for card in takes)
            way = LAID_NEW if anew else LAID_GROWN
            before.update(meld.cards if anew else kinds_in_set(candidate.pattern.added_kinds))
            growing = laid_melds.meld_extensions(candidate.pattern.number, way, trump, *growing)
        for row in rows:
            if row.until == at:
                on_table[row.card] -= 1
        for cards in served:
            for card in cards:
                cards[card] = min(cards[card], on_table[card])
        royals, pinochles, doubled = growing
        growing = (
            complete_pairs(royals, *(on_table[card] for card in marriage_cards(trump))),
            complete_pairs(pinochles, *(on_table[card] for card in PINOCHLE)),
            doubled,
        )
    down[ON_TABLE] = sets_from_hand(pack(on_table.elements()), copies)
    for number, cards in enumerate(served, CLASS_A):
        down[number] = sets_from_hand(pack(cards.elements()), copies)
    grown[:] = growing
