"""Laying melds between tricks: which to lay, and what cards in hand are worth for later melds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from acesaround.actions import Action, LayMeld
from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.bots.heuristic.card_tracking import CardTracker
from acesaround.cards import CARDS, RANK_COUNT, SUITS, Card, Rank, card_of
from acesaround.game.view import View
from acesaround.heuristic_weights import (
    DENIED_MELD_POINTS,
    LOST_MELD_FRACTION,
    TRICK_WIN_MELD_FRACTION,
)
from acesaround.rules import MeldTable, as_values
from acesaround.rules.melds import (
    AROUND_KINDS,
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
    card_counts: tuple[tuple[int, int], ...]

    @property
    def is_double_pinochle(self) -> bool:
        """Whether the meld is a double pinochle."""
        return self.kind is MeldKind.PINOCHLE and self.card_counts[0][1] > 1


@lru_cache(maxsize=64)
def meld_patterns(table: MeldTable, trump: int) -> tuple[MeldPattern, ...]:
    """Return every meld of the table for that trump, the highest first."""
    royal, marriage = as_values(table.royal_marriage)[0], as_values(table.marriage)[0]
    patterns = [
        MeldPattern(MeldKind.RUN, table.run[0], _one_of_each(run_cards(trump))),
        MeldPattern(MeldKind.ROYAL_MARRIAGE, royal, _one_of_each(marriage_cards(trump))),
        MeldPattern(MeldKind.DIX, as_values(table.dix)[0], ((trump * RANK_COUNT + Rank.NINE, 1),)),
        MeldPattern(MeldKind.PINOCHLE, table.pinochle[0], _one_of_each(PINOCHLE)),
    ]
    if len(table.pinochle) > 1:
        pairs = tuple((card, 2) for card in PINOCHLE)
        patterns.append(MeldPattern(MeldKind.PINOCHLE, table.pinochle[1], pairs))
    for suit in SUITS:
        if suit != trump:
            patterns.append(
                MeldPattern(MeldKind.MARRIAGE, marriage, _one_of_each(marriage_cards(suit)))
            )
    for rank, kind in AROUND_KINDS:
        points = around_values(table, rank)[0]
        patterns.append(MeldPattern(kind, points, _one_of_each(arounds_cards(rank))))
    for house_meld in table.others:
        card_counts = Counter(house_meld.cards_in_trump(trump)).items()
        patterns.append(
            MeldPattern(
                MeldKind.OTHER, house_meld.points, tuple((int(c), n) for c, n in card_counts)
            )
        )
    return tuple(sorted(patterns, key=lambda shape: -shape.points))


def _one_of_each(cards: Sequence[Card]) -> tuple[tuple[int, int], ...]:
    return tuple((int(card), 1) for card in cards)


class MeldProspects:
    """The melds that a seat may still lay. `keep_values`: the value of each kind in hand for them.

    `complete_points`: the points of the melds that are complete in hand. `expected_points`: the
    points to hope for.
    """

    def __init__(self, view: View, tracker: CardTracker, held: Sequence[int]) -> None:
        self.keep_values = [0.0] * len(CARDS)
        self.complete_points: list[int] = []
        self.expected_points = 0.0
        unseen = tracker.unseen
        draws = (view.stock + (view.upcard is not None)) / len(view.players)
        draw_chance = min(draws / max(sum(unseen), 1), 1.0)
        laid: dict[tuple[tuple[int, int], ...], int] = {}
        kinds: set[MeldKind] = set()
        is_double_laid = False
        for shown in view.melds:
            if shown.seat == tracker.seat and shown.after:  # a nine that was turned up was not laid
                for meld in shown.melds:
                    if meld.kind is MeldKind.PINOCHLE and len(meld.cards) > len(PINOCHLE):
                        is_double_laid = True
                    else:
                        kinds.add(meld.kind)
                    key = tuple((int(card), n) for card, n in Counter(meld.cards).items())
                    laid[key] = laid.get(key, 0) + 1
        scores_difference = not view.rules.melds.grown_scores_whole
        for pattern in meld_patterns(view.rules.melds, tracker.trump):
            points = pattern.points
            laid_count = laid.get(pattern.card_counts, 0)
            if pattern.kind is MeldKind.PINOCHLE and is_double_laid:
                continue
            if pattern.is_double_pinochle:
                can_grow = MeldKind.PINOCHLE in kinds
                laid_count, points = (
                    0,
                    points - scores_difference * view.rules.melds.pinochle[0] * can_grow,
                )
            elif pattern.kind is MeldKind.ROYAL_MARRIAGE and MeldKind.RUN in kinds:
                laid_count += 1
            elif pattern.kind is MeldKind.RUN and MeldKind.ROYAL_MARRIAGE in kinds:
                points -= scores_difference * as_values(view.rules.melds.royal_marriage)[0]
            chance = 1.0
            for card, number in pattern.card_counts:
                missing = number * (1 + laid_count) - held[card]
                if missing > 0:
                    if unseen[card] < missing:
                        chance = 0.0
                        break
                    chance *= (1.0 - (1.0 - draw_chance) ** unseen[card]) ** missing
            if not chance:
                continue
            expected = chance * points
            if expected < 1.0:
                continue
            self.expected_points += expected
            if chance == 1.0:
                self.complete_points.append(points)
            for card, number in pattern.card_counts:
                if 0 < held[card] <= number * (1 + laid_count):
                    self.keep_values[card] += LOST_MELD_FRACTION * expected


def trick_prize(view: View, prospects: MeldProspects) -> float:
    """Return what winning the trick is worth for melding: more if few tricks are left for that."""
    tricks = (view.stock + 1) / len(view.players)
    if tricks <= 1 and not view.rules.melds.meld_after_stock:
        return 0.0
    if not prospects.complete_points:
        return DENIED_MELD_POINTS
    best = max(prospects.complete_points)
    urgency = min(1.0, TRICK_WIN_MELD_FRACTION + len(prospects.complete_points) / tricks)
    return DENIED_MELD_POINTS + best * urgency


def choose_meld(
    view: View, tracker: CardTracker, melds: Sequence[LayMeld]
) -> tuple[Action, Explanation]:
    """Choose the meld to lay, with the reason: the most valuable one.

    A nine counts the upcard that it fetches. A nine that leaves the turn to another meld is laid
    first.
    """
    nine = (card_of(tracker.trump, Rank.NINE),)
    if view.rules.melds.nine_beside and (
        nine_melds := [candidate for candidate in melds if candidate.cards == nine]
    ):
        return nine_melds[0], _upcard_gain(view, tracker)[1]
    pattern_of_cards = {
        pattern.card_counts: pattern for pattern in meld_patterns(view.rules.melds, tracker.trump)
    }
    best_value, chosen, why = -1.0, melds[0], Explanation(ReasonTemplate.LAY_IN_TIME)
    for action in melds:
        card_counts: dict[int, int] = {}
        for card in action.cards:
            card_counts[card] = card_counts.get(card, 0) + 1
        pattern = pattern_of_cards.get(tuple(card_counts.items()))
        if pattern is None:
            continue
        value, reason = float(pattern.points), Explanation(ReasonTemplate.LAY_WORTH_MOST)
        if pattern.kind is MeldKind.DIX:
            gain, reason = _upcard_gain(view, tracker)
            value += gain
        if value > best_value:
            best_value, chosen, why = value, action, reason
    return chosen, why


def _upcard_gain(view: View, tracker: CardTracker) -> tuple[float, Explanation]:
    """Return what the upcard adds to the hand if the nine fetches it, with the reason."""
    reason = nine_reason(view)
    if view.upcard is None or reason.template is ReasonTemplate.NINE_OF_TRUMP_MELDS:
        return 0.0, reason
    held = list(tracker.held)
    points_before = MeldProspects(view, tracker, held).expected_points
    held[tracker.trump * RANK_COUNT + Rank.NINE] -= 1
    held[view.upcard] += 1
    gain = MeldProspects(view, tracker, held).expected_points - points_before
    card_gain = tracker.points[view.upcard] + (Rank.NINE - view.upcard.rank)
    return max(gain, 0.0) + card_gain, reason


def nine_reason(view: View) -> Explanation:
    """Return why to lay a nine of trump: the first one that is laid fetches the upcard."""
    laid = [meld for shown in view.melds if shown.after for meld in shown.melds]
    if view.upcard is None or any(meld.kind is MeldKind.DIX for meld in laid):
        return Explanation(ReasonTemplate.NINE_OF_TRUMP_MELDS)
    return Explanation(ReasonTemplate.LAY_BRINGS_UPCARD, card=view.upcard)
