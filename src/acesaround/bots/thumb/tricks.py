"""What a trick is worth to this side and who will win it: the arithmetic under card play.

Points are card points of the table. Rough on purpose: a player at the table does no better.
"""

from __future__ import annotations

from collections.abc import Sequence

from acesaround.bots.thumb.sight import Sight
from acesaround.cards import RANKS


def win_chance(sight: Sight, best: int, ours: bool, led: int, to_come: Sequence[int]) -> float:
    """How likely this side wins the trick that `best` now wins, with those seats still to play."""
    chance = 1.0 if ours else 0.0
    beaten = 0.0 if ours else 1.0  # how far the winning card of the other side is known
    for seat in to_come:
        takes = sight.beats(seat, best, led)
        if sight.friend(seat):
            chance += (1.0 - chance) * takes * (beaten if not ours else 0.4)
        else:
            chance *= 1.0 - takes
    return chance


def to_come_points(sight: Sight, to_come: Sequence[int], won: bool) -> float:
    """Roughly the points that seats still to play add to a trick this side wins or loses."""
    total = 0.0
    for seat in to_come:
        helps = sight.friend(seat) is won
        total += 0.6 if helps else 0.35
    return total * sight.unit


def keep(sight: Sight, card: int) -> float:
    """What a card is worth in hand for later tricks, beyond its own points."""
    suit, unit = card // RANKS, sight.unit
    higher = sight.higher(card)
    out = sight.out(suit)
    if suit == sight.trump:
        if not higher:
            return 1.3 * unit
        lower = (out - higher) / out
        return (0.45 + 0.5 * lower) * unit
    if not out:
        return 0.3 * unit if not sight.out(sight.trump) else 0.1 * unit
    if not higher:
        return unit * (1.0 if sight.out(sight.trump) == 0 else 0.7)
    if card % RANKS <= 2:
        return 0.12 * unit * (1.0 - higher / out)
    return 0.02 * unit * (1.0 - higher / out)
