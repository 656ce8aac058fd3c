"""Melds laid between tricks: which to lay, and what the cards in hand are worth for later ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from acesaround.actions import Action, LayMeld
from acesaround.bots.thumb.sight import Sight
from acesaround.cards import CARDS, RANKS, SUITS, Card, Rank
from acesaround.melds import AROUNDS, PINOCHLE, arounds_cards, marriage_cards, run_cards
from acesaround.rules import MeldTable
from acesaround.view import View


class Shape(NamedTuple):
    """A meld that can be laid: its name, its points, and how many of each kind it takes."""

    name: str
    points: int
    takes: tuple[tuple[int, int], ...]


@lru_cache(maxsize=64)
def shapes(table: MeldTable, trump: int) -> tuple[Shape, ...]:
    """Every meld of the table for that trump, the highest first."""
    found = [
        Shape("run", table.run[0], _singly(run_cards(trump))),
        Shape("royal marriage", table.royal_marriage, _singly(marriage_cards(trump))),
        Shape("dix", table.dix, ((trump * RANKS + Rank.NINE, 1),)),
        Shape("pinochle", table.pinochle[0], _singly(PINOCHLE)),
    ]
    if len(table.pinochle) > 1:
        pairs = tuple((card, 2) for card in PINOCHLE)
        found.append(Shape("double pinochle", table.pinochle[1], pairs))
    for suit in SUITS:
        if suit != trump:
            found.append(Shape("marriage", table.marriage, _singly(marriage_cards(suit))))
    for rank, name in AROUNDS:
        points = getattr(table, name.split()[0])[0]
        found.append(Shape(name, points, _singly(arounds_cards(rank))))
    return tuple(sorted(found, key=lambda shape: -shape.points))


def _singly(cards: Sequence[Card]) -> tuple[tuple[int, int], ...]:
    return tuple((int(card), 1) for card in cards)


class Prospects:
    """The melds a seat may still lay: `keep` is what each kind in hand is worth for them.

    `ready`: points of the melds that are complete in hand. `total`: points to be hoped for.
    """

    def __init__(self, view: View, sight: Sight, held: Sequence[int]) -> None:
        self.keep = [0.0] * len(CARDS)
        self.ready: list[int] = []
        self.total = 0.0
        unseen = sight.unseen
        draws = (view.stock + (view.upcard is not None)) / len(view.players)
        drawn = min(draws / max(sum(unseen), 1), 1.0)
        laid: dict[tuple[tuple[int, int], ...], int] = {}
        names: set[str] = set()
        for shown in view.melds:
            if shown.seat == sight.seat:
                for meld in shown.melds:
                    names.add(meld.name)
                    key = tuple((int(card), 1) for card in meld.cards)
                    laid[key] = laid.get(key, 0) + 1
        for shape in shapes(view.rules.melds, sight.trump):
            points = shape.points
            before = laid.get(shape.takes, 0)
            if shape.name == "double pinochle":
                if shape.name in names:
                    continue
                before, points = 0, points - view.rules.melds.pinochle[0] * ("pinochle" in names)
            elif shape.name == "pinochle" and "double pinochle" in names:
                continue
            elif shape.name == "royal marriage" and "run" in names:
                before += 1
            elif shape.name == "run" and "royal marriage" in names:
                points -= view.rules.melds.royal_marriage
            chance = 1.0
            for card, number in shape.takes:
                missing = number + before - held[card]
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
                if 0 < held[card] <= number + before:
                    self.keep[card] += 0.8 * hope


def prize(view: View, prospects: Prospects) -> float:
    """What winning the trick is worth for melding: more when there are few tricks left to meld."""
    tricks = (view.stock + 1) / len(view.players)
    if tricks <= 1:
        return 0.0  # no meld after the trick that empties the stock
    deny = 6.0
    if not prospects.ready:
        return deny
    best = max(prospects.ready)
    hurry = min(1.0, 0.25 + len(prospects.ready) / tricks)
    return deny + best * hurry


def lay(view: View, sight: Sight, melds: Sequence[LayMeld]) -> tuple[Action, str]:
    """The meld to lay, and why: the one worth most, a nine counting the upcard it fetches."""
    worths = {shape.takes: shape for shape in shapes(view.rules.melds, sight.trump)}
    top, chosen, why = -1.0, melds[0], ""
    for action in melds:
        takes: dict[int, int] = {}
        for card in action.cards:
            takes[card] = takes.get(card, 0) + 1
        shape = worths.get(tuple(takes.items()))
        if shape is None:
            continue
        value, reason = (
            float(shape.points),
            f"Nothing you can lay now is worth more than {_a(shape.name)}.",
        )
        if shape.name == "dix":
            more, reason = _upcard(view, sight)
            value += more
        if value > top:
            top, chosen, why = value, action, reason
    return chosen, why


def _a(name: str) -> str:
    return name if name.endswith("around") else f"a {name}"


def _upcard(view: View, sight: Sight) -> tuple[float, str]:
    """What the upcard adds to the hand, if the nine would fetch it."""
    if view.upcard is None or any(m.name == "dix" for s in view.melds for m in s.melds):
        return 0.0, "The nine of trump is a meld by itself."
    held = list(sight.held)
    before = Prospects(view, sight, held).total
    held[sight.trump * RANKS + Rank.NINE] -= 1
    held[view.upcard] += 1
    gain = Prospects(view, sight, held).total - before
    better = sight.points[view.upcard] + (Rank.NINE - view.upcard.rank)
    return max(gain, 0.0) + better, f"The nine of trump fetches the {view.upcard.pretty}."
