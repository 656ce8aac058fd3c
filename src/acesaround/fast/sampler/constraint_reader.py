"""Reading of constraints: the bounds and conditions on hidden hands that follow from a `View`.

What shown melds say about a hand is in `meld_constraints`.
"""

from __future__ import annotations

from collections import Counter

from acesaround.cards import KIND_COUNT, RANK_COUNT, SUITS, Card, Rank, card_of, counts, pack
from acesaround.errors import PositionError
from acesaround.fast.sampler.constraints import (
    ALL_SOURCES,
    Constraints,
    JointMinimum,
    MarriageCondition,
    MeldCeiling,
    Source,
)
from acesaround.fast.sampler.meld_constraints import (
    MeldsShownAtPlace,
    ScarceKindCondition,
    bounds_from_hidden_meld,
    bounds_from_meld,
)
from acesaround.game.state import DecisionKind, players_clockwise
from acesaround.game.view import View, known_melded_cards, known_taken_cards, played_since
from acesaround.rules import Phase
from acesaround.rules.melds import marriage_cards
from acesaround.rules.tricks import beats, must_beat


def read_constraints(view: View, sources: frozenset[Source] = ALL_SOURCES) -> Constraints:
    """Return what the seat of a view knows. Raise PositionError if that seat holds no hand.

    `sources`: the sources to use. With fewer than all of them the sampler also draws impossible
    worlds.
    """
    if view.seat is None:
        raise PositionError("A spectator holds no hand from which other hands could be judged.")
    if view.seat not in view.players or view.kind in (None, DecisionKind.DEAL):
        raise PositionError("Unseen cards can be judged only by a player during a deal.")
    return _ConstraintReader(view, view.seat, sources).read()


class _ConstraintReader:
    """The bounds and counts while a view is read; lists are by place as in `Constraints`."""

    def __init__(self, view: View, seat: int, sources: frozenset[Source]) -> None:
        self.view, self.seat, self.sources = view, seat, sources
        rules, players = view.rules, view.players
        self.hidden_players = tuple(p for p, other in enumerate(players) if other != seat)
        self.place_of_seat = {
            players[player]: place for place, player in enumerate(self.hidden_players)
        }
        self.rest_place = len(self.hidden_players)
        places = range(self.rest_place + 1)
        deck = rules.deck
        self.unseen = list(counts(deck.packed))
        self.played_since_meld = [[0] * KIND_COUNT for _ in places]
        self.former_cards = [[0] * KIND_COUNT for _ in places]
        self.low = [[0] * KIND_COUNT for _ in places]
        self.high = [[deck.copies] * KIND_COUNT for _ in places]
        self.marriage_condition: MarriageCondition | None = None
        self.conditions: list[ScarceKindCondition] = []
        self.shown_melds: list[MeldsShownAtPlace] = []
        self.meld_ceilings: list[MeldCeiling] = []
        self.joint_minimums: list[JointMinimum] = []

    def read(self) -> Constraints:
        """Read the view and return the constraints."""
        view = self.view
        self._remove_known_cards()
        self._read_tricks()
        self._read_passes()
        kitty_counts, declarer_place = [0] * KIND_COUNT, -1
        if view.kitty and view.declarer in self.place_of_seat and Source.KITTY in self.sources:
            declarer_place = self.place_of_seat[view.declarer]
            for card in view.kitty:
                kitty_counts[card] += 1
        sizes = [view.sizes[view.players[player]] for player in self.hidden_players]
        sizes.append(sum(self.unseen) - sum(sizes))
        if Source.TRUMP_NAMED in self.sources:
            self._require_marriage()
        self._read_upcard_exchange()
        if Source.MELDS in self.sources:
            if Phase.MELDING in view.rules.phases:
                self._read_melds()
            else:
                self._read_laid_melds()
        if Source.CARDS_TAKEN in self.sources:
            self._read_taken_cards()
        for place in range(self.rest_place + 1):
            low, high, unseen = self.low[place], self.high[place], self.unseen
            self.high[place] = [min(high[k], unseen[k], sizes[place]) for k in range(KIND_COUNT)]
            self.low[place] = [
                max(low[k], -self.former_cards[place][k], 0) for k in range(KIND_COUNT)
            ]
        if Source.IDENTICAL_CARDS not in self.sources:
            if declarer_place >= 0:
                parted = self.former_cards[declarer_place]
                kitty_counts = [
                    max(0, k - gone) for k, gone in zip(kitty_counts, parted, strict=True)
                ]
            self.former_cards = [[0] * KIND_COUNT for _ in sizes]
        return Constraints(
            rules=view.rules,
            seat=self.seat,
            players=view.players,
            trump=-1 if view.trump is None else int(view.trump),
            own_hand=pack(view.hand),
            hidden_players=self.hidden_players,
            place_sizes=tuple(sizes),
            unseen=tuple(self.unseen),
            low=_as_tuples(self.low),
            high=_as_tuples(self.high),
            played_since_meld=_as_tuples(self.played_since_meld),
            former_cards=_as_tuples(self.former_cards),
            kitty_counts=tuple(kitty_counts),
            declarer_place=declarer_place,
            conditions=tuple(self.conditions),
            shown_melds=tuple(self.shown_melds),
            meld_ceilings=tuple(self.meld_ceilings),
            joint_minimums=tuple(self.joint_minimums),
            marriage_condition=self.marriage_condition,
        )

    def _remove_known_cards(self) -> None:
        """Remove the cards with a known place from `unseen`."""
        view, unseen = self.view, self.unseen
        for card in view.hand:
            unseen[card] -= 1
        for card in view.buried or ():
            unseen[card] -= 1
        if view.upcard is not None:
            unseen[view.upcard] -= 1
        for transfer in view.passed:
            if transfer.to is None:
                for card in transfer.cards or ():
                    unseen[card] -= 1

    def _read_tricks(self) -> None:
        """Remove the played cards from `unseen`, and read what each play reveals."""
        view, rules = self.view, self.view.rules
        first_strict_trick = 0
        if Phase.STOCK_PLAY in rules.phases:  # no obligations while there is a stock
            draw_count = rules.deck.size - len(view.players) * rules.hand_size
            first_strict_trick = draw_count // len(view.players)
        is_trump_broken = not rules.play.trump_must_be_broken
        seats_from = {seat: players_clockwise(view.players, seat) for seat in view.players}
        tricks = [(trick.leader, trick.cards) for trick in view.tricks]
        if view.leader is not None and view.trick:
            tricks.append((view.leader, view.trick))
        for trick_number, (leader, cards) in enumerate(tricks):
            is_strict, best, led = trick_number >= first_strict_trick, cards[0], cards[0].suit
            for turn, (seat, card) in enumerate(zip(seats_from[leader], cards, strict=False)):
                self.unseen[card] -= 1
                place = self.place_of_seat.get(seat)
                if place is not None:
                    self.played_since_meld[place][card] += 1
                    self.former_cards[place][card] += 1
                    if is_strict and turn:
                        self._read_follow(place, card, best, led)
                    elif is_strict and not is_trump_broken and card.suit == view.trump:
                        self._rule_out_suits(place, *(s for s in range(4) if s != view.trump))
                is_trump_broken = is_trump_broken or (is_strict and card.suit == view.trump)
                if turn and beats(card, best, int(view.trump or 0)):
                    best = card

    def _read_follow(self, place: int, card: Card, best: Card, led: int) -> None:
        """Apply what `card` reveals, played while `best` was winning and suit `led` was led."""
        trump, play_rules = int(self.view.trump or 0), self.view.rules.play
        has_to_beat = must_beat(play_rules.must_beat, led == trump)
        cannot_beat = (
            card.suit == best.suit and card >= best
        )  # the hand has no card that beats `best`
        if card.suit != led:
            self._rule_out_suits(place, led)
            if card.suit != trump:
                if play_rules.void_must_trump or (has_to_beat and best.suit != trump):
                    self._rule_out_suits(place, trump)
                else:
                    cannot_beat = True
        if has_to_beat and Source.NOT_BEATEN in self.sources and cannot_beat:
            for higher in range(card_of(best.suit, 0), best):
                self.high[place][higher] = 0

    def _rule_out_suits(self, place: int, *suits: int) -> None:
        if Source.VOIDS in self.sources:
            for suit in suits:
                self.high[place][suit * RANK_COUNT : suit * RANK_COUNT + RANK_COUNT] = [
                    0
                ] * RANK_COUNT

    def _read_passes(self) -> None:
        """Apply the cards passed between this seat and its partners; the declarer passes last."""
        if Source.PASSED_CARDS not in self.sources:
            return
        for partner in self.view.rules.partners_of(self.seat):
            self._read_passes_with(partner)

    def _read_passes_with(self, partner: int) -> None:
        """Apply the cards passed between this seat and one partner."""
        passed_by_us, passed_to_us = Counter[int](), Counter[int]()
        next_holders = []  # the seats to which the partner passed cards that we did not see
        for transfer in self.view.passed:
            if transfer.to is None:
                continue
            if transfer.cards is None:
                next_holders += [transfer.to] if transfer.seat == partner else []
            elif partner in (transfer.seat, transfer.to):
                (passed_to_us if transfer.to == self.seat else passed_by_us).update(
                    map(int, transfer.cards)
                )
        place = self.place_of_seat[partner]
        for kind in range(KIND_COUNT):
            net_passed = passed_to_us[kind] - passed_by_us[kind]
            self.former_cards[place][kind] += max(net_passed, 0) if next_holders else net_passed
        kept_cards = (
            passed_by_us if self.seat == self.view.declarer else passed_by_us - passed_to_us
        )
        holders = (place, *(self.place_of_seat[seat] for seat in next_holders))
        for kind, number in kept_cards.items():
            number -= sum(self.played_since_meld[holder][kind] for holder in holders)
            if not next_holders:
                self.low[place][kind] = number
            elif number > 0:
                self.joint_minimums.append(JointMinimum(holders, kind, number))

    def _require_marriage(self) -> None:
        """Require a marriage of a declarer who needs one to name trump.

        The declarer had a marriage in trump when naming it. Before that, a marriage in some suit.
        """
        view, auction = self.view, self.view.rules.auction
        if (
            auction is None
            or not auction.marriage_needed
            or view.declarer not in self.place_of_seat
        ):
            return
        assert view.declarer is not None
        declarer = self.place_of_seat[view.declarer]
        if view.trump is None:
            if view.kind is DecisionKind.TRUMP:
                all_marriages = tuple(marriage_cards(suit) for suit in SUITS)
                self.marriage_condition = MarriageCondition(
                    declarer, (self.rest_place,), all_marriages, 0, len(SUITS)
                )
            return
        marriage = marriage_cards(view.trump)
        passed_count, others, is_seen_by_us = 0, [], False
        seen_since = Counter(dict(enumerate(self.played_since_meld[declarer])))
        for transfer in view.passed:
            if transfer.cards is not None and transfer.to == self.seat:
                seen_since.update(map(int, transfer.cards))
                is_seen_by_us = True
            elif transfer.cards is not None and transfer.to == view.declarer:
                seen_since.subtract(map(int, transfer.cards))
                is_seen_by_us = True
            elif transfer.seat == view.declarer:
                passed_count += transfer.number
                others.append(
                    self.rest_place if transfer.to is None else self.place_of_seat[transfer.to]
                )
        if passed_count and not is_seen_by_us:
            kept_count = view.rules.hand_size - passed_count
            self.marriage_condition = MarriageCondition(
                declarer, tuple(others), (marriage,), passed_count, kept_count
            )
            return
        minimum = self.low[declarer]
        for card in marriage:
            number = (
                1 - seen_since[card] - sum(self.played_since_meld[other][card] for other in others)
            )
            if others and number > 0:  # the card may have been passed on unseen
                self.joint_minimums.append(JointMinimum((declarer, *others), card, number))
            elif not others:
                minimum[card] = max(minimum[card], number)

    def _read_melds(self) -> None:
        """Apply automatic melds. They bind both ways: the hand held these melds and no others."""
        view, meld_table = self.view, self.view.rules.melds
        trump = None if view.trump is None else int(view.trump)
        least_meld = view.rules.scoring.least_meld
        hidden_places: dict[int, list[int]] = {}
        for meld_event in view.melds:
            side = view.rules.side_of(meld_event.seat)
            place = self.place_of_seat.get(meld_event.seat)
            if place is None:
                continue
            shown = MeldsShownAtPlace(place, meld_event.melds, meld_event.points is not None)
            self.shown_melds.append(shown)
            low, high, conditions = bounds_from_meld(meld_table, shown, trump)
            if not shown.shows_all:
                hidden_places.setdefault(side, []).append(place)
            self._apply_bounds(place, low, high, conditions)
        for side, places in hidden_places.items():
            limit = least_meld - sum(
                meld_event.points or 0
                for meld_event in view.melds
                if meld_event.seat == self.seat and view.rules.side_of(self.seat) == side
            )
            self.meld_ceilings.append(MeldCeiling(tuple(places), limit))
            for place in places:
                copies = view.rules.deck.copies
                self._apply_bounds(
                    place, {}, {}, bounds_from_hidden_meld(meld_table, place, limit, trump, copies)
                )

    def _apply_bounds(
        self,
        place: int,
        low: dict[int, int],
        high: dict[int, int],
        conditions: list[ScarceKindCondition],
    ) -> None:
        """Apply bounds on what a hand had when it melded."""
        played = self.played_since_meld[place]
        for kind, number in low.items():
            self.low[place][kind] = max(self.low[place][kind], number - played[kind])
        for kind, number in high.items():
            self.high[place][kind] = min(self.high[place][kind], number - played[kind])
        self.conditions += conditions

    def _read_laid_melds(self) -> None:
        """Apply melds laid between tricks: they show what a hand holds, but little else.

        A player plays the copy in the hand before its laid twin. So when a laid card was played, no
        copy was in the hand. A copy in the hand now was drawn since.
        """
        view = self.view
        for seat, place in self.place_of_seat.items():
            self._require_cards(place, known_melded_cards(view, seat))
            on_table = [laid_card for laid_card in view.lying if laid_card.seat == seat]
            for played_card in on_table:
                if played_card.until is None:
                    continue
                still_on_table = [
                    laid_card
                    for laid_card in on_table
                    if laid_card.card == played_card.card
                    and laid_card.since <= played_card.until
                    and (laid_card.until is None or laid_card.until > played_card.until)
                ]
                maximum = len(still_on_table) + self._max_cards_gained(
                    seat, played_card.card, played_card.until
                )
                maximum -= played_since(view, seat, played_card.until + 1)[played_card.card]
                self.high[place][played_card.card] = min(
                    self.high[place][played_card.card], maximum
                )

    def _max_cards_gained(self, seat: int, card: Card, trick: int) -> int:
        """Return the most cards of a kind that a seat may have got since it played to `trick`."""
        view, players = self.view, len(self.view.players)
        draws_per_player = (
            view.rules.deck.size // players - view.rules.hand_size
        )  # cards each player draws
        maximum = max(0, draws_per_player - -(-view.stock // players) - trick)
        for taken in view.taken:
            if taken.seat == seat and taken.after > trick:
                maximum += (taken.card == card) - (taken.left is None)
        return maximum

    def _read_upcard_exchange(self) -> None:
        """Apply the exchange of a nine for the upcard: the nine melds for the player who held it.

        `played_since_meld` is what a hand melded with beyond its present cards, so the nine is
        added to it. The dealer has the nine now but does not meld it, so it is subtracted from the
        dealer's `played_since_meld`.
        """
        view = self.view
        if Phase.UPCARD not in view.rules.phases:
            return
        upcard = view.taken[0].card
        nine = card_of(upcard.suit, Rank.NINE)
        taker = view.taken[0].seat if len(view.taken) > 1 else None
        for taken, change in zip(view.taken, (1, -1), strict=False) if taker is not None else ():
            if taken.seat in self.place_of_seat:
                self.played_since_meld[self.place_of_seat[taken.seat]][nine] += change
        if upcard == nine or Source.CARDS_TAKEN not in self.sources:
            return
        if not view.rules.deal.all_asked:
            self._locate_nines(nine, taker)
        elif view.rules.deal.nine_must_take:
            self._rule_out_nines(nine)

    def _rule_out_nines(self, nine: Card) -> None:
        """Rule out a nine for the players who left the upcard, because a nine must be exchanged."""
        for call in self.view.auction:
            if call.seat in self.place_of_seat:
                self._apply_bounds(self.place_of_seat[call.seat], {}, {nine: 0}, [])

    def _locate_nines(self, nine: Card, taker: int | None) -> None:
        """Locate nines if only holders of a nine are asked: then asking shows who has one."""
        view = self.view
        refusing_seats = {call.seat for call in view.auction}
        for seat in players_clockwise(view.players, view.dealer)[1:]:
            place = self.place_of_seat.get(seat)
            is_asked = seat in (taker, view.turn if view.kind is DecisionKind.UPCARD else None)
            if place is not None and (seat in refusing_seats or is_asked):
                self._apply_bounds(place, {nine: 1}, {}, [])
            elif place is not None:
                self._apply_bounds(place, {}, {nine: 0}, [])
            if is_asked:
                break

    def _read_taken_cards(self) -> None:
        """Apply cards taken openly: the taker still holds such a card or has played it."""
        for taken in self.view.taken:
            place = self.place_of_seat.get(taken.seat)
            if place is not None:
                self.former_cards[place][taken.card] -= 1
                if taken.left is not None:
                    self.former_cards[place][taken.left] += 1
        for seat, place in self.place_of_seat.items():
            self._require_cards(place, known_taken_cards(self.view, seat))

    def _require_cards(self, place: int, cards: Counter[Card]) -> None:
        for card, number in cards.items():
            self.low[place][card] = max(self.low[place][card], number)


def _as_tuples(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple([tuple(row) for row in rows])
