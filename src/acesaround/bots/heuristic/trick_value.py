"""What a trick is worth to this side and who will win it: the arithmetic under card play.

In card points of the table. Rough on purpose: a player at the table reckons no better.
"""

from __future__ import annotations

from collections.abc import Sequence

from acesaround import heuristic_weights
from acesaround.bots.heuristic.card_tracking import CardTracker
from acesaround.cards import RANKS, Rank
from acesaround.game.view import View
from acesaround.rules import KeepMeld
from acesaround.rules.tricks import saving


def win_chance(
    sight: CardTracker, best: int, ours: bool, led: int, to_come: Sequence[int]
) -> float:
    """How likely this side wins the trick that `best` now wins, with those seats still to play."""
    chance = 1.0 if ours else 0.0
    again = sight.play.twice if ours else 1.0
    for seat in to_come:
        takes = sight.beats(seat, best, led)
        if sight.is_partner(seat):
            chance += (1.0 - chance) * takes * again
        else:
            chance *= 1.0 - takes
    return chance


def to_come_points(sight: CardTracker, to_come: Sequence[int], won: bool) -> float:
    """Roughly the points that seats still to play add to a trick this side wins or loses."""
    total = 0.0
    for seat in to_come:
        total += sight.play.fed if sight.is_partner(seat) is won else sight.play.given
    return total * sight.unit * _richness(sight)


def _richness(sight: CardTracker) -> float:
    """How much more than usual the others can add: usual is half an ace for each unseen card."""
    if not sight.play.rich:
        return 1.0
    points = sum(number * its for number, its in zip(sight.unseen, sight.points, strict=True))
    mean = points / max(sum(sight.unseen), 1)
    return 1.0 + sight.play.rich * (2.0 * mean / sight.unit - 1.0)


def value_of_keeping(sight: CardTracker, card: int) -> float:
    """What a card is worth in hand for later tricks, beyond its own points."""
    return _in_hand(sight, card) * sight.unit * (1.0 - sight.play.fade / sight.size)


def _in_hand(sight: CardTracker, card: int) -> float:
    """The same in parts of an ace's points, with many cards in hand."""
    suit, play, counts = card // RANKS, sight.play, card % RANKS <= Rank.KING
    higher, out = sight.unseen_above(card), sight.unseen_of_suit(suit)
    lone = sight.length(suit) == 1
    if suit == sight.trump:
        worth = play.master_trump
        if higher:
            worth = play.low_trump + play.high_trump * (out - higher) / out
            worth += play.trump_counter if counts else 0.0
        return worth + play.lone if lone else worth
    trumps_out = sight.unseen_of_suit(sight.trump) > 0
    if not out:
        return play.last_of_suit if trumps_out else play.last_trumps_gone
    if not higher:
        return play.master if trumps_out else play.master_trumps_gone
    worth = (play.counter if counts else play.loser) * (1.0 - higher / out)
    return worth - play.voids if lone and sight.length(sight.trump) else worth


def loss_weight(view: View, sight: CardTracker) -> float:
    """How much a point for another side hurts: with several others each gains only a part."""
    return 1.0 if len(view.rules.sides) == 2 else sight.play.one_of_many


class Stakes:
    """What a trick brings beside its points: meld that is saved by winning it."""

    def __init__(self, view: View, sight: CardTracker, extra: float = 0.0) -> None:
        law = view.rules.scoring
        side = view.rules.side_of(sight.seat)
        self.saves = saves = saving(law.keep_meld)
        """The kinds one of which has to be in a trick that saves meld."""
        melded = 0
        for shown in view.melds:
            if view.rules.side_of(shown.seat) == side:
                melded += shown.points or 0
        if melded < law.least_meld:
            melded = 0  # it is lost already, unless more can be laid
        self.any = extra
        """For any trick won."""
        self.counter = 0.0
        """For a trick won with a counter in it, or with anything where that saves meld."""
        self.factor = 1.0
        """By how much more than their number points count while the side is short of the least."""
        if law.keep_meld is not KeepMeld.ALWAYS and melded:
            won = view.won[side] > 0
            if law.keep_meld is not KeepMeld.POINT:
                won = any(
                    view.rules.side_of(trick.winner) == side and any(saves[c] for c in trick.cards)
                    for trick in view.tricks
                )
            if not won:
                self.counter = melded / min(heuristic_weights.LAST_CHANCE, len(view.hand) + 1)
        if law.least_play and view.won[side] < law.least_play:
            self.factor += min(1.0, melded / heuristic_weights.SHORT)

    @property
    def saving(self) -> bool:
        """Whether meld is still to be saved."""
        return self.counter > 0.0 or self.factor > 1.0

    def gain(self, points: float, counter: bool) -> float:
        """What winning a trick with those points in it brings."""
        return points * self.factor + self.any + (self.counter if counter else 0.5 * self.counter)
