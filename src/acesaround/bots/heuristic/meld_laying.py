"""Laying melds between tricks: which to lay, and what cards in hand are worth for later melds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from acesaround.actions import Action, LayMeld
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic.card_tracking import CardTracker
from acesaround.cards import CARDS, RANKS, SUITS, Card, Rank, card_of
from acesaround.game.view import View
from acesaround.heuristic_weights import DENIED, EAGER, LOST
from acesaround.rules import MeldTable, each
from acesaround.rules.melds import (
    AROUNDS,
    PINOCHLE,
    MeldKind,
    around_values,
    arounds_cards,
    marriage_cards,
    run_cards,
)


class MeldPattern(NamedTuple):
    """A meld that can be laid: its kind, its points, and how many of each kind of card it takes."""

    kind: MeldKind
    points: int
    takes: tuple[tuple[int, int], ...]

    @property
    def doubled(self) -> bool:
        """Whether the meld is a double pinochle."""
        return self.kind is MeldKind.PINOCHLE and self.takes[0][1] > 1


@lru_cache(maxsize=64)
def shapes(table: MeldTable, trump: int) -> tuple[MeldPattern, ...]:
    """Return every meld of the table for that trump, the highest first."""
    royal, marriage = each(table.royal_marriage)[0], each(table.marriage)[0]
    found = [
        MeldPattern(MeldKind.RUN, table.run[0], _singly(run_cards(trump))),
        MeldPattern(MeldKind.ROYAL_MARRIAGE, royal, _singly(marriage_cards(trump))),
        MeldPattern(MeldKind.DIX, each(table.dix)[0], ((trump * RANKS + Rank.NINE, 1),)),
        MeldPattern(MeldKind.PINOCHLE, table.pinochle[0], _singly(PINOCHLE)),
    ]
    if len(table.pinochle) > 1:
        pairs = tuple((card, 2) for card in PINOCHLE)
        found.append(MeldPattern(MeldKind.PINOCHLE, table.pinochle[1], pairs))
    for suit in SUITS:
        if suit != trump:
            found.append(MeldPattern(MeldKind.MARRIAGE, marriage, _singly(marriage_cards(suit))))
    for rank, kind in AROUNDS:
        points = around_values(table, rank)[0]
        found.append(MeldPattern(kind, points, _singly(arounds_cards(rank))))
    for its in table.others:
        takes = Counter(its.in_trump(trump)).items()
        found.append(MeldPattern(MeldKind.OTHER, its.points, tuple((int(c), n) for c, n in takes)))
    return tuple(sorted(found, key=lambda shape: -shape.points))


def _singly(cards: Sequence[Card]) -> tuple[tuple[int, int], ...]:
    return tuple((int(card), 1) for card in cards)


class Prospects:
    """The melds that a seat may still lay. `keep`: the value of each kind in hand for them.

    `ready`: the points of the melds that are complete in hand. `total`: the points to hope for.
    """

    def __init__(self, view: View, sight: CardTracker, held: Sequence[int]) -> None:
        self.keep = [0.0] * len(CARDS)
        self.ready: list[int] = []
        self.total = 0.0
        unseen = sight.unseen
        draws = (view.stock + (view.upcard is not None)) / len(view.players)
        drawn = min(draws / max(sum(unseen), 1), 1.0)
        laid: dict[tuple[tuple[int, int], ...], int] = {}
        kinds: set[MeldKind] = set()
        doubled = False
        for shown in view.melds:
            if shown.seat == sight.seat and shown.after:  # a nine that was turned up was not laid
                for meld in shown.melds:
                    if meld.kind is MeldKind.PINOCHLE and len(meld.cards) > len(PINOCHLE):
                        doubled = True
                    else:
                        kinds.add(meld.kind)
                    key = tuple((int(card), n) for card, n in Counter(meld.cards).items())
                    laid[key] = laid.get(key, 0) + 1
        less = not view.rules.melds.grown_scores_whole
        for shape in shapes(view.rules.melds, sight.trump):
            points = shape.points
            before = laid.get(shape.takes, 0)
            if shape.kind is MeldKind.PINOCHLE and doubled:
                continue
            if shape.doubled:
                growing = MeldKind.PINOCHLE in kinds
                before, points = 0, points - less * view.rules.melds.pinochle[0] * growing
            elif shape.kind is MeldKind.ROYAL_MARRIAGE and MeldKind.RUN in kinds:
                before += 1
            elif shape.kind is MeldKind.RUN and MeldKind.ROYAL_MARRIAGE in kinds:
                points -= less * each(view.rules.melds.royal_marriage)[0]
            chance = 1.0
            for card, number in shape.takes:
                missing = number * (1 + before) - held[card]
                if missing > 0:
                    if unseen[card] < missing:
                        chance = 0.0
                        break
                    chance *= (1.0 - (1.0 - drawn) ** unseen[card]) ** missing
            if not chance:
                continue
            hope = chance * points
            if hope < 1.0:
                continue
            self.total += hope
            if chance == 1.0:
                self.ready.append(points)
            for card, number in shape.takes:
                if 0 < held[card] <= number * (1 + before):
                    self.keep[card] += LOST * hope


def prize(view: View, prospects: Prospects) -> float:
    """Return what winning the trick is worth for melding: more if few tricks are left for that."""
    tricks = (view.stock + 1) / len(view.players)
    if tricks <= 1 and not view.rules.melds.meld_after_stock:
        return 0.0
    if not prospects.ready:
        return DENIED
    best = max(prospects.ready)
    hurry = min(1.0, EAGER + len(prospects.ready) / tricks)
    return DENIED + best * hurry


def lay(view: View, sight: CardTracker, melds: Sequence[LayMeld]) -> tuple[Action, Explanation]:
    """Choose the meld to lay, with the reason: the most valuable one.

    A nine counts the upcard that it fetches. A nine that leaves the turn to another meld is laid
    first.
    """
    nine = (card_of(sight.trump, Rank.NINE),)
    if view.rules.melds.nine_beside and (first := [its for its in melds if its.cards == nine]):
        return first[0], _upcard(view, sight)[1]
    worths = {shape.takes: shape for shape in shapes(view.rules.melds, sight.trump)}
    top, chosen, why = -1.0, melds[0], Explanation(ReasonTemplate.LAY_IN_TIME)
    for action in melds:
        takes: dict[int, int] = {}
        for card in action.cards:
            takes[card] = takes.get(card, 0) + 1
        shape = worths.get(tuple(takes.items()))
        if shape is None:
            continue
        value, reason = float(shape.points), Explanation(ReasonTemplate.LAY_HIGHEST)
        if shape.kind is MeldKind.DIX:
            more, reason = _upcard(view, sight)
            value += more
        if value > top:
            top, chosen, why = value, action, reason
    return chosen, why


def _upcard(view: View, sight: CardTracker) -> tuple[float, Explanation]:
    """Return what the upcard adds to the hand if the nine fetches it, with the reason."""
    laid = [meld for shown in view.melds if shown.after for meld in shown.melds]
    if view.upcard is None or any(meld.kind is MeldKind.DIX for meld in laid):
        return 0.0, Explanation(ReasonTemplate.LAY_NINE)
    held = list(sight.held)
    before = Prospects(view, sight, held).total
    held[sight.trump * RANKS + Rank.NINE] -= 1
    held[view.upcard] += 1
    gain = Prospects(view, sight, held).total - before
    better = sight.points[view.upcard] + (Rank.NINE - view.upcard.rank)
    return max(gain, 0.0) + better, Explanation(ReasonTemplate.LAY_FETCHES, card=view.upcard)
