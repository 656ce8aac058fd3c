"""Constraints on unseen cards: bounds and conditions on each hidden hand.

`constraint_reader` reads them from a `View`. This module does not sample or count; see `draw` and
`counting_tables`.

Unseen cards are in *places*. The first places are the hands of the other players, in turn order.
The last place is the *rest*: a kitty that is not shown, cards that another player buried or
discarded, cards that were not dealt, and the stock. Known cards, such as the own hand and the
upcard, are in no place.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final

import msgspec

from acesaround.cards import CARDS, KIND_COUNT, Card, counts, pack
from acesaround.fast.sampler.meld_constraints import (
    MeldsShownAtPlace,
    ScarceKindCondition,
)
from acesaround.rules import Rules
from acesaround.rules.melds import find_melds, total_points


class Source(enum.StrEnum):
    """Sources of knowledge, in addition to the own cards, the cards played and the hand sizes."""

    MELDS = "melds"
    """What was melded, and what would have been melded but was not."""
    VOIDS = "voids"
    """Players who did not follow suit, did not trump when they had to, or had only trump to
    lead."""
    NOT_BEATEN = "beaten"
    """Players who did not beat the card that was winning the trick."""
    KITTY = "kitty"
    """The kitty that was shown: the declarer holds, buried or played its cards."""
    PASSED_CARDS = "given"
    """Cards passed between this seat and its partners."""
    TRUMP_NAMED = "named"
    """The marriage of a declarer who needs one to name trump."""
    CARDS_TAKEN = "taken"
    """Cards taken openly: the upcard for a nine of trump or as the last draw, or a play taken
    back."""
    IDENTICAL_CARDS = "twins"
    """A player who parted with a card holds its twin less often (`Constraints.former_cards`)."""


ALL_SOURCES: Final = frozenset(Source)


class MeldCeiling(msgspec.Struct, frozen=True):
    """The melds of these places together are worth less than `limit`."""

    places: tuple[int, ...]
    limit: int


class JointMinimum(msgspec.Struct, frozen=True):
    """These places together hold at least `minimum` cards of `kind`."""

    places: tuple[int, ...]
    kind: int
    minimum: int


class MarriageCondition(msgspec.Struct, frozen=True):
    """The hand at `place` had one of `marriages` when it had to name trump.

    Since then the hand has passed on `passed_count` cards unseen, which are now at `other_places`,
    and has kept `kept_count` cards.
    """

    place: int
    other_places: tuple[int, ...]
    marriages: tuple[tuple[Card, Card], ...]
    passed_count: int
    kept_count: int

    def is_met(self, counts_at_naming: bytes, counts_elsewhere: Sequence[bytes]) -> bool:
        """Return whether these counts by kind, including cards played, meet the condition."""
        for marriage in self.marriages:
            must_be_passed = [card for card in marriage if not counts_at_naming[card]]
            must_be_kept = [
                card for card in marriage if not any(other[card] for other in counts_elsewhere)
            ]
            is_enough = (
                len(must_be_passed) <= self.passed_count and len(must_be_kept) <= self.kept_count
            )
            if is_enough and not set(must_be_passed) & set(must_be_kept):
                return True
        return False


class Constraints(msgspec.Struct, frozen=True):
    """All that a seat knows of the unseen cards. Lists are by place, and inner lists by kind.

    `hidden_players`: the players at the places, as indices into `players`; the rest is the place
    after them. `place_sizes`: how many cards are at each place. `unseen`: how many cards of each
    kind are unseen. `low`, `high`: bounds on the number of cards of each kind at each place.
    `played_since_meld`: the cards each place has played since it melded. `former_cards`: the cards
    each place was dealt or drew and no longer has, minus cards that it got from known places. So
    the cards at a place plus `former_cards` are the cards that shuffling brought there.
    `kitty_counts`: how many cards of each kind the shown kitty had; the declarer took them.
    `declarer_place`: the place of that declarer, or -1.
    """

    rules: Rules
    seat: int
    players: tuple[int, ...]
    trump: int
    own_hand: int
    hidden_players: tuple[int, ...]
    place_sizes: tuple[int, ...]
    unseen: tuple[int, ...]
    low: tuple[tuple[int, ...], ...]
    high: tuple[tuple[int, ...], ...]
    played_since_meld: tuple[tuple[int, ...], ...]
    former_cards: tuple[tuple[int, ...], ...]
    kitty_counts: tuple[int, ...]
    declarer_place: int
    conditions: tuple[ScarceKindCondition, ...]
    shown_melds: tuple[MeldsShownAtPlace, ...]
    meld_ceilings: tuple[MeldCeiling, ...]
    joint_minimums: tuple[JointMinimum, ...]
    marriage_condition: MarriageCondition | None

    def allows(self, hands: tuple[int, ...], rest: tuple[Card, ...]) -> bool:
        """Return whether these packed hands, by player in turn order, and this rest are possible.

        This method defines a valid world. It ignores `conditions` and checks the melds themselves.
        """
        places = [counts(hands[player]) for player in self.hidden_players] + [counts(pack(rest))]
        if hands[self.players.index(self.seat)] != self.own_hand:
            return False
        if tuple(map(sum, places)) != self.place_sizes:
            return False
        if tuple(map(sum, zip(*places, strict=True))) != self.unseen:
            return False
        for place, counts_at_place in enumerate(places):
            for kind in range(KIND_COUNT):
                if not self.low[place][kind] <= counts_at_place[kind] <= self.high[place][kind]:
                    return False
        hands_at_meld = [
            pack(
                k
                for k in CARDS
                for _ in range(counts_at_place[k] + self.played_since_meld[place][k])
            )
            for place, counts_at_place in enumerate(places)
        ]
        trump = None if self.trump < 0 else self.trump
        meld_table = self.rules.melds
        for meld_shown in self.shown_melds:
            if not meld_shown.matches(
                find_melds(meld_table, hands_at_meld[meld_shown.place], trump)
            ):
                return False
        for ceiling in self.meld_ceilings:
            if (
                sum(
                    total_points(find_melds(meld_table, hands_at_meld[p], trump))
                    for p in ceiling.places
                )
                >= ceiling.limit
            ):
                return False
        for joint_minimum in self.joint_minimums:
            if (
                sum(places[place][joint_minimum.kind] for place in joint_minimum.places)
                < joint_minimum.minimum
            ):
                return False
        if self.marriage_condition is not None:
            counts_elsewhere = [
                counts(hands_at_meld[other]) for other in self.marriage_condition.other_places
            ]
            if not self.marriage_condition.is_met(
                counts(hands_at_meld[self.marriage_condition.place]), counts_elsewhere
            ):
                return False
        return self.declarer_place < 0 or all(
            counts_at_place + parted + buried >= shown
            for counts_at_place, parted, buried, shown in zip(
                places[self.declarer_place],
                self.former_cards[self.declarer_place],
                places[-1],
                self.kitty_counts,
                strict=True,
            )
        )
