"""What a trick is worth to this side and who will win it: the arithmetic under card play.

In card points of the table. Rough on purpose: a player at the table reckons no better.
"""

from __future__ import annotations

from collections.abc import Sequence

from acesaround import weights
from acesaround.bots.thumb.sight import Sight
from acesaround.cards import RANKS, Rank
from acesaround.rules import KeepMeld
from acesaround.tricks import COUNTER
from acesaround.view import View


def win_chance(sight: Sight, best: int, ours: bool, led: int, to_come: Sequence[int]) -> float:
    """How likely this side wins the trick that `best` now wins, with those seats still to play."""
    chance = 1.0 if ours else 0.0
    again = weights.TWICE if ours else 1.0
    for seat in to_come:
        takes = sight.beats(seat, best, led)
        if sight.friend(seat):
            chance += (1.0 - chance) * takes * again
        else:
            chance *= 1.0 - takes
    return chance


def to_come_points(sight: Sight, to_come: Sequence[int], won: bool) -> float:
    """Roughly the points that seats still to play add to a trick this side wins or loses."""
    total = 0.0
    for seat in to_come:
        total += weights.FED if sight.friend(seat) is won else weights.GIVEN
    return total * sight.unit


def keep(sight: Sight, card: int) -> float:
    """What a card is worth in hand for later tricks, beyond its own points."""
    suit, unit = card // RANKS, sight.unit
    higher, out = sight.higher(card), sight.out(suit)
    if suit == sight.trump:
        if not higher:
            return weights.MASTER_TRUMP * unit
        return (weights.LOW_TRUMP + weights.HIGH_TRUMP * (out - higher) / out) * unit
    no_trump_out = not sight.out(sight.trump)
    if not out:
        return (weights.LAST_TRUMPS_GONE if no_trump_out else weights.LAST_OF_SUIT) * unit
    if not higher:
        return (weights.MASTER_TRUMPS_GONE if no_trump_out else weights.MASTER) * unit
    worth = weights.COUNTER if card % RANKS <= Rank.KING else weights.LOSER
    return worth * unit * (1.0 - higher / out)


def loss_weight(view: View) -> float:
    """How much a point for another side hurts: with several others each gains only a part."""
    return 1.0 if len(view.rules.sides) == 2 else weights.ONE_OF_MANY


class Stakes:
    """What a trick brings beside its points: meld that is saved by winning it."""

    def __init__(self, view: View, sight: Sight, extra: float = 0.0) -> None:
        law = view.rules.scoring
        side = view.rules.side_of(sight.seat)
        melded = 0
        for shown in view.melds:
            if view.rules.side_of(shown.seat) == side:
                melded += shown.points or 0
        self.any = extra
        """For any trick won."""
        self.counter = 0.0
        """For a trick won with a counter in it."""
        self.factor = 1.0
        """By how much more than their number points count while the side is short of the least."""
        if law.keep_meld is not KeepMeld.ALWAYS and melded:
            won = view.won[side] > 0
            if law.keep_meld is KeepMeld.COUNTER:
                won = any(
                    view.rules.side_of(trick.winner) == side
                    and any(COUNTER[c] for c in trick.cards)
                    for trick in view.tricks
                )
            if not won:
                self.counter = melded / min(weights.LAST_CHANCE, len(view.hand) + 1)
        if law.least_play and view.won[side] < law.least_play:
            self.factor += min(1.0, (melded if melded >= law.least_meld else 0) / weights.SHORT)

    @property
    def saving(self) -> bool:
        """Whether meld is still to be saved."""
        return self.counter > 0.0 or self.factor > 1.0

    def gain(self, points: float, counter: bool) -> float:
        """What winning a trick with those points in it brings."""
        return points * self.factor + self.any + (self.counter if counter else 0.5 * self.counter)
