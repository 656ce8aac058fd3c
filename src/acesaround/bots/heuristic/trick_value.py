"""The value of a trick to this side, and who will win it: the arithmetic of card play.

Values are in card points of the table. They are rough on purpose, because a player at the table
computes no better.
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
    """Return the probability that this side wins a trick, with some seats still to play.

    `best`: the card that is winning. `ours`: whether it is this side's. `led`: the suit led.
    """
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
    """Return roughly the points that the seats still to play add to a trick.

    `won`: whether this side wins the trick.
    """
    total = 0.0
    for seat in to_come:
        total += sight.play.fed if sight.is_partner(seat) is won else sight.play.given
    return total * sight.unit * _richness(sight)


def _richness(sight: CardTracker) -> float:
    """Return the factor by which rich unseen cards change what the others can add.

    The factor is 1 at half an ace per unseen card, which is usual.
    """
    if not sight.play.rich:
        return 1.0
    points = sum(number * its for number, its in zip(sight.unseen, sight.points, strict=True))
    mean = points / max(sum(sight.unseen), 1)
    return 1.0 + sight.play.rich * (2.0 * mean / sight.unit - 1.0)


def value_of_keeping(sight: CardTracker, card: int) -> float:
    """Return the value of keeping a card for later tricks, beyond its own points."""
    return _in_hand(sight, card) * sight.unit * (1.0 - sight.play.fade / sight.size)


def _in_hand(sight: CardTracker, card: int) -> float:
    """Return the value of keeping a card, in units of an ace's points.

    `value_of_keeping` corrects this value for the size of the hand.
    """
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
    """Return the weight of a point for another side.

    The weight is below 1 with several other sides, because each of them gains only a part.
    """
    return 1.0 if len(view.rules.sides) == 2 else sight.play.one_of_many


class Stakes:
    """The gains from winning a trick besides its points: the meld that it saves."""

    def __init__(self, view: View, sight: CardTracker, extra: float = 0.0) -> None:
        law = view.rules.scoring
        side = view.rules.side_of(sight.seat)
        self.saves = saves = saving(law.keep_meld)
        """For each kind, whether a trick that contains it saves meld."""
        melded = 0
        for shown in view.melds:
            if view.rules.side_of(shown.seat) == side:
                melded += shown.points or 0
        if melded < law.least_meld:
            melded = 0  # it is already lost, unless more can be laid
        self.any = extra
        """The value of winning any trick."""
        self.counter = 0.0
        """The value of winning a trick with a counter, or any trick where that saves meld."""
        self.factor = 1.0
        """The factor on points while the side is short of the least play points."""
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
        """Return what winning a trick with those points is worth.

        `counter`: whether the trick contains a counter, or any card where any trick saves meld.
        """
        return points * self.factor + self.any + (self.counter if counter else 0.5 * self.counter)
