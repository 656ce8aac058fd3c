"""Card tracking: what a seat can infer about the cards that it does not see.

The tracker counts the unseen cards. It remembers voids, and cards that a seat must hold because
they were melded or passed. Everything comes from the `View`. This module decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from acesaround.bots.heuristic.ace_signals import SignalRules, uses_ace_signals
from acesaround.cards import CARDS, RANK_COUNT, Card, Rank
from acesaround.game.view import (
    View,
    is_strict_play,
    known_melded_cards,
    known_taken_cards,
    melded_cards,
)
from acesaround.heuristic_weights import (
    DECLARER_ROLE,
    DEFENDER_ROLE,
    HELPER_ROLE,
    RoleWeights,
    role_weights,
)
from acesaround.rules import Phase
from acesaround.rules.tricks import must_beat, points_of

VOID_RANK: Final = RANK_COUNT  # as the best rank that a seat may hold in a suit: it is void


class CardTracker:
    """A seat's knowledge of the cards, from the time when there is trump.

    `held` and `unseen`: how many cards of each kind are in hand, and how many are neither in hand
    nor gone. `certain[seat]`: kinds that the seat must hold, with their number.
    `best_rank[seat][suit]`: the highest rank that the seat may still hold in the suit, `VOID_RANK`
    if none. `card_share[seat]`: the seat's share of the unseen cards whose place is unknown.
    `ace_points`: card points of an ace. `weights`: the weights for this seat's role. `hand_size`:
    the number of cards in hand. `signals`: how cards under an ace are given and read as signals.
    `shown_aces[seat]`: the aces that the seat has shown by a signal; they count as certain.
    `denied_aces[seat]`: those that it has denied.
    """

    def __init__(
        self,
        view: View,
        weights: RoleWeights | None = None,
        signals: SignalRules = SignalRules.CURRENT,
    ) -> None:
        rules = view.rules
        assert view.seat is not None and view.trump is not None
        self.seat: int = view.seat
        self.partners = rules.partners_of(view.seat)
        self.trump: int = int(view.trump)
        self.hand_size = len(view.hand)
        weights = weights or role_weights(rules)
        self._declarer, self._side_of = view.declarer, rules.side_of
        self.weights = weights[self.role_of(self.seat)]
        self.players = view.players
        self.points = points_of(rules.scoring.card_points)
        self.ace_points = self.points[Rank.ACE]
        self.is_strict = is_strict_play(view)
        self.signals = signals if uses_ace_signals(rules) else SignalRules.NONE
        self.shown_aces: list[set[int]] = [set() for _ in range(rules.seats)]
        self.denied_aces: list[set[int]] = [set() for _ in range(rules.seats)]
        self._play_rules = rules.play
        deck = rules.deck
        self.held = [0] * len(CARDS)
        for card in view.hand:
            self.held[card] += 1
        self.unseen = [deck.copies if c % RANK_COUNT < deck.ranks else 0 for c in CARDS]
        self.certain: list[dict[int, int]] = [{} for _ in range(rules.seats)]
        self.best_rank = [[0] * 4 for _ in range(rules.seats)]
        self._count_unseen(view)
        self._record_melds(view)
        self._infer_from_tricks(view)
        self._compute_shares(view)

    def _count_unseen(self, view: View) -> None:
        unseen = self.unseen
        for card in view.hand:
            unseen[card] -= 1
        for trick in view.tricks:
            for card in trick.cards:
                unseen[card] -= 1
        for card in view.trick:
            unseen[card] -= 1
        for card in view.buried or ():
            unseen[card] -= 1
        for passing in view.passed:
            if passing.to is None:
                for known in passing.cards or ():
                    unseen[known] -= 1
        if view.upcard is not None:
            unseen[view.upcard] -= 1

    def _record_melds(self, view: View) -> None:
        """Record cards that were melded or passed, and are certain until they are played."""
        for seat in view.players:
            if seat == self.seat:
                continue
            certain = self.certain[seat]
            if Phase.STOCK_PLAY in view.rules.phases:
                continue  # for melds laid between tricks see `_record_open_cards`
            for shown_melds in view.melds:
                if shown_melds.seat == seat:
                    for meld in shown_melds.melds:
                        for card in set(meld.cards):
                            number = meld.cards.count(card)
                            certain[card] = max(certain.get(card, 0), number)
                    if view.taken:  # the nine given for the upcard may have been the only one
                        still_melded = melded_cards(view, shown_melds)
                        for lost_card in certain.keys() - set(still_melded):
                            del certain[lost_card]
        self._record_passes(view)

    def _record_passes(self, view: View) -> None:
        """Record cards given to a partner, less the cards that came back.

        The cards that the partner passed on unseen are subtracted too, because a declarer may
        return cards to another partner.
        """
        net_passed: dict[tuple[int, int], int] = {}
        for passing in view.passed:
            if passing.to is None or not passing.cards:
                continue
            if passing.seat == self.seat:
                for passed_card in passing.cards:
                    net_passed[passing.to, passed_card] = (
                        net_passed.get((passing.to, passed_card), 0) + 1
                    )
            elif self.seat != view.declarer:
                for returned_card in passing.cards:
                    net_passed[passing.seat, returned_card] = (
                        net_passed.get((passing.seat, returned_card), 0) - 1
                    )
        for (partner, card), number in net_passed.items():
            number -= count_unseen_passed_on(view, partner)
            if number > 0:
                certain = self.certain[partner]
                certain[card] = max(certain.get(card, 0), number)

    def _infer_from_tricks(self, view: View) -> None:
        """Infer from the play of each trick, in order."""
        strict_from = 0
        if Phase.STOCK_PLAY in view.rules.phases:  # no duty to follow before the stock was empty
            strict_from = len(view.tricks)
            if self.is_strict:
                strict_from -= view.rules.hand_size - len(view.hand)
        side_of = None if self.signals is SignalRules.NONE else view.rules.side_of
        for number, trick in enumerate(view.tricks):
            self._infer_from_trick(trick.leader, trick.cards, number >= strict_from, side_of)
        if view.trick and view.leader is not None:
            self._infer_from_trick(view.leader, view.trick, self.is_strict, side_of)
        if view.lying or view.taken or view.undone:
            self._record_open_cards(view)
        for seat in view.players:
            certain, best = self.certain[seat], self.best_rank[seat]
            for card in list(certain):
                number = min(certain[card], self.unseen[card])
                if number <= 0 or card % RANK_COUNT < best[card // RANK_COUNT]:
                    del certain[card]
                else:
                    certain[card] = number

    def _record_open_cards(self, view: View) -> None:
        """Record cards that were open and were not played since: they are still in that hand."""
        for seat in view.players:
            certain = self.certain[seat]
            if seat != self.seat:
                for card, number in (
                    known_melded_cards(view, seat) | known_taken_cards(view, seat)
                ).items():
                    certain[card] = max(certain.get(card, 0), number)

    def _infer_from_trick(
        self,
        leader: int,
        cards: tuple[Card, ...],
        is_strict: bool,
        side_of: Callable[[int], int] | None,
    ) -> None:
        """Infer from one trick.

        `side_of`: the function for the side of a seat, where cards under an ace are signals.
        """
        trump, players = self.trump, self.players
        start, player_count = players.index(leader), len(players)
        lead = cards[0]
        winning: int = lead
        led = lead // RANK_COUNT
        must_win = is_strict and must_beat(self._play_rules.must_beat, led == trump)
        for index, card in enumerate(cards):
            seat = players[(start + index) % player_count]
            certain = self.certain[seat]
            if card in certain:
                certain[card] -= 1
            if not index:
                continue
            suit = card // RANK_COUNT
            best = self.best_rank[seat]
            if suit == led:
                if winning // RANK_COUNT == led and card >= winning:
                    if must_win and best[led] < winning % RANK_COUNT:
                        best[led] = winning % RANK_COUNT  # it could not beat that card
                elif winning // RANK_COUNT == led:
                    winning = card
                if (
                    side_of is not None
                    and (winning == lead or self.signals is SignalRules.NOVEMBER_2026)
                    and lead % RANK_COUNT == Rank.ACE
                    and led != trump
                    and side_of(seat) != side_of(leader)
                ):
                    self._read_signal(seat, lead, card)
            else:
                if is_strict:
                    best[led] = VOID_RANK
                if suit == trump:
                    if winning // RANK_COUNT != trump or card < winning:
                        winning = card
                    elif must_win and best[trump] < winning % RANK_COUNT:
                        best[trump] = winning % RANK_COUNT
                elif is_strict and (
                    self._play_rules.void_must_trump
                    or (must_win and winning // RANK_COUNT != trump)
                ):
                    best[trump] = VOID_RANK
                elif must_win:  # it had no trump that would have won
                    best[trump] = max(best[trump], winning % RANK_COUNT)

    def _read_signal(self, seat: int, ace: Card, card: Card) -> None:
        """Record what a card under an opponent's ace says."""
        if card % RANK_COUNT == Rank.QUEEN and self.unseen[ace]:
            if ace not in self.certain[seat]:
                self.certain[seat][ace] = 1
                self.shown_aces[seat].add(ace)
            self.denied_aces[seat].discard(ace)
        elif (
            card % RANK_COUNT == Rank.JACK
            and ace not in self.certain[seat]
            and self.signals is SignalRules.CURRENT
        ):
            self.denied_aces[seat].add(ace)

    def _compute_shares(self, view: View) -> None:
        unknown_by_seat = {}
        for seat in view.players:
            if seat != self.seat:
                unknown_by_seat[seat] = max(view.sizes[seat] - sum(self.certain[seat].values()), 0)
        unknown_total = max(sum(self.unseen) - sum(sum(c.values()) for c in self.certain), 1)
        self.card_share = [0.0] * len(view.sizes)
        for seat, number in unknown_by_seat.items():
            self.card_share[seat] = min(number / unknown_total, 1.0)
        self._compute_trump_shares(unknown_by_seat)

    def _compute_trump_shares(self, seats: Iterable[int]) -> None:
        """Compute the odds of trumps alone, because bids and passes tell who has trumps."""
        weights = self.weights
        factors = {
            DECLARER_ROLE: weights.declarer_trump_factor,
            HELPER_ROLE: weights.helper_trump_factor,
            DEFENDER_ROLE: weights.other_trump_factor,
        }
        self._trump_share = list(self.card_share)
        for seat in seats:
            self._trump_share[seat] = min(self.card_share[seat] * factors[self.role_of(seat)], 1.0)

    def chance_of_higher(self, seat: int, suit: int, above: int = VOID_RANK) -> float:
        """Return the probability that a seat holds a card of the suit above the rank `above`.

        The default of `above` admits every card.
        """
        best_rank = self.best_rank[seat][suit]
        if best_rank >= above:
            return 0.0
        certain, unseen, unseen_count = self.certain[seat], self.unseen, 0
        denied = self.denied_aces[seat]
        first_kind = suit * RANK_COUNT
        for card in range(first_kind + best_rank, first_kind + above):
            if certain and card in certain:
                return 1.0
            if not denied or card not in denied:
                unseen_count += unseen[card]
        if not unseen_count:
            return 0.0
        shares = self._trump_share if suit == self.trump else self.card_share
        return 1.0 - float((1.0 - shares[seat]) ** unseen_count)

    def chance_to_beat(self, seat: int, card: int, led: int) -> float:
        """Return the probability that a seat beats `card`.

        `card` is winning a trick in which suit `led` was led.
        """
        suit, trump = card // RANK_COUNT, self.trump
        if not self.is_strict:
            higher_chance = self.chance_of_higher(seat, suit, card % RANK_COUNT)
            ruff_chance = (
                0.0
                if suit == trump
                else self.weights.voluntary_ruff_chance * self.chance_of_higher(seat, trump)
            )
            return 1.0 - (1.0 - higher_chance) * (1.0 - ruff_chance)
        if suit == led:
            higher_chance = self.chance_of_higher(seat, led, card % RANK_COUNT)
            if led == trump or higher_chance >= 1.0:
                return higher_chance
            void_chance = 1.0 - self.chance_of_higher(seat, led)
            return (
                higher_chance + void_chance * self.chance_of_higher(seat, trump)
                if void_chance > 0.0
                else higher_chance
            )
        return (1.0 - self.chance_of_higher(seat, led)) * self.chance_of_higher(
            seat, trump, card % RANK_COUNT
        )

    def unseen_above(self, card: int) -> int:
        """Return how many unseen cards of its suit rank above a card."""
        first_kind = card // RANK_COUNT * RANK_COUNT
        return sum(self.unseen[first_kind:card])

    def unseen_of_suit(self, suit: int) -> int:
        """Return how many cards of a suit are unseen."""
        return sum(self.unseen[suit * RANK_COUNT : suit * RANK_COUNT + RANK_COUNT])

    def suit_length(self, suit: int) -> int:
        """Return how many cards of a suit are in hand."""
        return sum(self.held[suit * RANK_COUNT : suit * RANK_COUNT + RANK_COUNT])

    def must_beat(self, led: int) -> bool:
        """Return whether a seat that can beat the winning card must do so, if that suit was led."""
        return self.is_strict and must_beat(self._play_rules.must_beat, led == self.trump)

    def role_of(self, seat: int) -> int:
        """Return the role of a seat, which is an index into `RoleWeights`."""
        declarer, side_of = self._declarer, self._side_of
        if declarer is None or side_of(declarer) != side_of(seat):
            return DEFENDER_ROLE
        return DECLARER_ROLE if declarer == seat else HELPER_ROLE

    def is_partner(self, seat: int) -> bool:
        """Return whether that seat scores with this one."""
        return seat == self.seat or seat in self.partners


def count_unseen_passed_on(view: View, seat: int) -> int:
    """Return how many cards a seat has passed on that this view does not show."""
    return sum(p.number for p in view.passed if p.seat == seat and p.to is not None and not p.cards)
