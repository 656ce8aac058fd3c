"""Tricks: which card beats which, which cards are legal, who wins, and what cards score.

The functions take plain integers, so that the same code runs as Python and in compiled kernels with
another packing. A *set of kinds* is any integer with one bit for each kind; the packing decides
which bit. Sources: the `notes.md` of all variants; the rules common to all variants are on the
rules page.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from acesaround.cards import ALL_KINDS, KIND_COUNT, ONE_OF_KIND, RANK_COUNT, SUIT_KINDS
from acesaround.rules import CardPoints, KeepMeld, MustBeat, PerRank, PlayRules


def beats(card: int, other: int, trump: int) -> bool:
    """Return whether `card`, played later, beats `other`, which is winning the trick.

    A higher card of the same suit beats it, and any trump beats a plain card. An identical card
    does not beat its twin, and a plain card never beats a card of another suit.
    """
    if card // 6 == other // 6:
        return card < other
    return card // 6 == trump


def must_beat(rule: MustBeat, trump_led: bool) -> bool:
    """Return whether a follower who can beat the winning card must do so under this rule."""
    return rule is _ALWAYS or (trump_led and rule is _TRUMP)


_ALWAYS: Final = MustBeat.ALWAYS
_TRUMP: Final = MustBeat.TRUMP


def legal_kinds(held: int, led: int, trumps: int, beating: int, void_must_trump: bool) -> int:
    """Return the kinds that a follower may play, out of the set `held`.

    `led`: kinds of the suit led. `trumps`: kinds of trump. `beating`: kinds that beat the winning
    card; empty where beating is not required (`must_beat`).

    A hand that holds the suit led must follow, and must beat if able. After a ruff of a plain lead
    no card of that suit can beat, so any will do. A hand that is void in it must trump, and
    overtrump if able; unless `void_must_trump`, it must only beat if able. A hand void in both may
    play any card.
    """
    required = held & led
    if required == 0:
        required = (
            held & trumps & (beating | (trumps if void_must_trump else 0))
        )  # one expression without a branch, because this is a hot path
    if required == 0:
        return held
    winners = required & beating
    return winners if winners else required


def legal_leads(held: int, trumps: int, is_trump_broken: bool) -> int:
    """Return the kinds that may be led: trump only if it is broken or the hand is all trump."""
    plain = held & ~trumps
    return held if is_trump_broken or plain == 0 else plain


def winner(cards: tuple[int, ...], trump: int) -> int:
    """Return the position of the winning card in `cards`, which are in the order played."""
    best = 0
    for position in range(1, len(cards)):
        if beats(cards[position], cards[best], trump):
            best = position
    return best


CARD_POINT_SCALES: Final[Mapping[CardPoints, PerRank]] = {  # A T K Q J 9
    CardPoints.ONES: (1, 1, 1, 0, 0, 0),
    CardPoints.TENS: (10, 10, 10, 0, 0, 0),
    CardPoints.KINGS_FIVES: (10, 10, 5, 5, 0, 0),
    CardPoints.TRADITIONAL: (11, 10, 4, 3, 2, 0),
}


@cache
def points_of(scale: CardPoints | PerRank) -> tuple[int, ...]:
    """Return the points of each kind of card in tricks, from a scale or from a number per rank."""
    return (CARD_POINT_SCALES[scale] if isinstance(scale, CardPoints) else scale) * len(SUIT_KINDS)


IS_COUNTER: Final = (True, True, True, False, False, False) * 4
"""For each kind, whether it is a counter: an ace, ten or king, even if it scores nothing."""
_EVERY_KIND_SAVES: Final = (True,) * len(IS_COUNTER)


def meld_saving_kinds(keep: KeepMeld) -> tuple[bool, ...]:
    """Return for each kind whether winning it in a trick keeps the side's meld.

    With `KeepMeld.TRICK` every kind does. Otherwise the counters do; where meld is kept in another
    way the result is not used.
    """
    return _EVERY_KIND_SAVES if keep is KeepMeld.TRICK else IS_COUNTER


BEATING_KINDS: Final = tuple(
    tuple(
        sum(ONE_OF_KIND[c] for c in range(KIND_COUNT) if beats(c, other, trump))
        for other in range(KIND_COUNT)
    )
    for trump in range(4)
)
"""BEATING_KINDS[trump][card]: the set of kinds that beat `card`, in the engine's packing."""


def legal_cards(
    held: int,
    cards: tuple[int, ...],
    trump: int,
    play_rules: PlayRules,
    *,
    is_trump_broken: bool = True,
) -> int:
    """Return the kinds of the set `held` that may be played to the trick so far.

    Sets use the engine's packing. `is_trump_broken`: whether trump may be led freely.
    """
    if not cards:
        return legal_leads(held, SUIT_KINDS[trump], is_trump_broken)
    led, best = cards[0] // RANK_COUNT, cards[winner(cards, trump)]
    return legal_kinds(
        held,
        SUIT_KINDS[led],
        SUIT_KINDS[trump],
        BEATING_KINDS[trump][best] if must_beat(play_rules.must_beat, led == trump) else 0,
        play_rules.void_must_trump,
    )


assert all(mask & ~ALL_KINDS == 0 for row in BEATING_KINDS for mask in row)
