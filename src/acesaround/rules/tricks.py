"""Tricks: what beats what, what must be played, who wins, what cards are worth.

Flat functions on plain integers, so that the same bodies run here as Python and, compiled, in
fast kernels with another packing. A *set of kinds* is any integer with one bit a kind; which bit
is the packing's affair. Sources: all five seeds; the common law stands in the rules page.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from acesaround.cards import ALL_KINDS, KINDS, ONE, RANKS, SUIT_KINDS
from acesaround.rules import CardPoints, KeepMeld, MustBeat, PerRank, PlayLaw


def beats(card: int, other: int, trump: int) -> bool:
    """Whether `card`, played later, beats `other`, which now wins the trick.

    A higher card of the same suit does, and any trump beats a plain card; an identical card does
    not beat its twin, and a plain card of another suit beats nothing.
    """
    if card // 6 == other // 6:
        return card < other
    return card // 6 == trump


def must_beat(law: MustBeat, trump_led: bool) -> bool:
    """Whether a follower who can beat the card now winning has to, by that law."""
    return law is _ALWAYS or (trump_led and law is _TRUMP)


_ALWAYS: Final = MustBeat.ALWAYS
_TRUMP: Final = MustBeat.TRUMP


def legal_kinds(held: int, led: int, trumps: int, beating: int, void_must_trump: bool) -> int:
    """The kinds a follower may play, out of the set `held`.

    `led`: kinds of the suit led. `trumps`: kinds of trump. `beating`: kinds that beat the card now
    winning, or none where one need not (`must_beat`). Holding the suit led one must follow, and
    beat if able (after a ruff of a plain lead no card of the suit can, so any will do). Void in it
    one must trump, and overtrump if able; unless `void_must_trump`, one must only beat if able.
    Void in both, any card.
    """
    must = held & led
    if must == 0:
        must = (
            held & trumps & (beating | (trumps if void_must_trump else 0))
        )  # no branch: it is hot
    if must == 0:
        return held
    winners = must & beating
    return winners if winners else must


def leads(held: int, trumps: int, broken: bool) -> int:
    """The kinds that may be led: any, but no trump before it is broken unless all are trump."""
    plain = held & ~trumps
    return held if broken or plain == 0 else plain


def winner(cards: tuple[int, ...], trump: int) -> int:
    """The position in `cards` (in the order played) of the card that wins the trick."""
    best = 0
    for position in range(1, len(cards)):
        if beats(cards[position], cards[best], trump):
            best = position
    return best


SCALES: Final[Mapping[CardPoints, PerRank]] = {  # A T K Q J 9
    CardPoints.ONES: (1, 1, 1, 0, 0, 0),
    CardPoints.TENS: (10, 10, 10, 0, 0, 0),
    CardPoints.KINGS_FIVES: (10, 10, 5, 5, 0, 0),
    CardPoints.TRADITIONAL: (11, 10, 4, 3, 2, 0),
}


@cache
def points_of(scale: CardPoints | PerRank) -> tuple[int, ...]:
    """What each kind of card counts in tricks, by a scale or by numbers for the ranks."""
    return (SCALES[scale] if isinstance(scale, CardPoints) else scale) * len(SUIT_KINDS)


COUNTER: Final = (True, True, True, False, False, False) * 4
"""Whether each kind is a counter: ace, ten or king, whatever it is worth."""
_EVERY: Final = (True,) * len(COUNTER)


def saving(keep: KeepMeld) -> tuple[bool, ...]:
    """Whether each kind, won in a trick, saves meld that a trick must save: a counter, or any.

    Where meld is kept in another way these are the counters, and nobody asks for them.
    """
    return _EVERY if keep is KeepMeld.TRICK else COUNTER


BEATING: Final = tuple(
    tuple(sum(ONE[c] for c in range(KINDS) if beats(c, other, trump)) for other in range(KINDS))
    for trump in range(4)
)
"""BEATING[trump][card]: the set of kinds that beat `card`, in the engine's packing."""


def legal_cards(
    held: int, cards: tuple[int, ...], trump: int, law: PlayLaw, *, broken: bool = True
) -> int:
    """The kinds of the set `held` that may be played to the trick so far, in the engine's packing.

    `broken`: whether trump may be led freely.
    """
    if not cards:
        return leads(held, SUIT_KINDS[trump], broken)
    led, best = cards[0] // RANKS, cards[winner(cards, trump)]
    return legal_kinds(
        held,
        SUIT_KINDS[led],
        SUIT_KINDS[trump],
        BEATING[trump][best] if must_beat(law.must_beat, led == trump) else 0,
        law.void_must_trump,
    )


assert all(mask & ~ALL_KINDS == 0 for row in BEATING for mask in row)
