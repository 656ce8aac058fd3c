"""Card tracking: what a seat can infer about the cards that it does not see.

The tracker counts the unseen cards. It remembers voids, and cards that a seat must hold because
they were melded or passed. Everything comes from the `View`. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from acesaround.cards import CARDS, RANKS, Card, Rank
from acesaround.game.view import View, known_melded_cards, known_taken_cards, melded, strict
from acesaround.heuristic_weights import DECLARING, DEFENDING, HELPING, Manner, manner
from acesaround.rules import Phase, Rules
from acesaround.rules.tricks import must_beat, points_of

VOID: Final = RANKS  # as the best rank that a seat may hold in a suit: it is void


class CardTracker:
    """A seat's knowledge of the cards, from the time when there is trump.

    `held` and `unseen`: how many cards of each kind are in hand, and how many are neither in hand
    nor gone. `certain[seat]`: kinds that the seat must hold, with their number. `best[seat][suit]`:
    the highest rank that the seat may still hold in the suit, `VOID` if none. `odds[seat]`: the
    seat's share of the unseen cards whose place is unknown. `unit`: card points of an ace. `play`:
    the weights for this seat's role. `size`: the number of cards in hand.
    """

    def __init__(self, view: View, its: Manner | None = None) -> None:
        rules = view.rules
        assert view.seat is not None and view.trump is not None
        self.seat: int = view.seat
        self.partners = rules.partners_of(view.seat)
        self.trump: int = int(view.trump)
        self.size = len(view.hand)
        its = its or manner(rules)
        self._declarer, self._side_of = view.declarer, rules.side_of
        self.play = its[self.part(self.seat)]
        self.players = view.players
        self.points = points_of(rules.scoring.card_points)
        self.unit = self.points[Rank.ACE]
        self.strict = strict(view)
        self._law = rules.play
        deck = rules.deck
        self.held = [0] * len(CARDS)
        for card in view.hand:
            self.held[card] += 1
        self.unseen = [deck.copies if c % RANKS < deck.ranks else 0 for c in CARDS]
        self.certain: list[dict[int, int]] = [{} for _ in range(rules.seats)]
        self.best = [[0] * 4 for _ in range(rules.seats)]
        self._gone(view)
        self._shown(view)
        self._read(view)
        self._share(view)

    def _gone(self, view: View) -> None:
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

    def _shown(self, view: View) -> None:
        """Record cards that were melded or passed, and are certain until they are played."""
        for seat in view.players:
            if seat == self.seat:
                continue
            certain = self.certain[seat]
            if Phase.STOCK_PLAY in view.rules.phases:
                continue  # for melds laid between tricks see `_open`
            for shown in view.melds:
                if shown.seat == seat:
                    for meld in shown.melds:
                        for card in set(meld.cards):
                            number = meld.cards.count(card)
                            certain[card] = max(certain.get(card, 0), number)
                    if view.taken:  # the nine given for the upcard may have been the only one
                        left = melded(view, shown)
                        for gone in certain.keys() - set(left):
                            del certain[gone]
        self._passed(view)

    def _passed(self, view: View) -> None:
        """Record cards given to a partner, less the cards that came back.

        The cards that the partner passed on unseen are subtracted too, because a declarer may
        return cards to another partner.
        """
        net: dict[tuple[int, int], int] = {}
        for passing in view.passed:
            if passing.to is None or not passing.cards:
                continue
            if passing.seat == self.seat:
                for given in passing.cards:
                    net[passing.to, given] = net.get((passing.to, given), 0) + 1
            elif self.seat != view.declarer:
                for back in passing.cards:
                    net[passing.seat, back] = net.get((passing.seat, back), 0) - 1
        for (partner, card), number in net.items():
            number -= unseen_passed_on(view, partner)
            if number > 0:
                certain = self.certain[partner]
                certain[card] = max(certain.get(card, 0), number)

    def _read(self, view: View) -> None:
        """Infer from the play of each trick, in order."""
        strict_from = 0
        if Phase.STOCK_PLAY in view.rules.phases:  # no duty to follow before the stock was empty
            strict_from = len(view.tricks)
            if self.strict:
                strict_from -= view.rules.hand_size - len(view.hand)
        convention = view.rules.side_of if shows_aces(view.rules) else None
        for number, trick in enumerate(view.tricks):
            self._one(trick.leader, trick.cards, number >= strict_from, convention)
        if view.trick and view.leader is not None:
            self._one(view.leader, view.trick, self.strict, convention)
        if view.lying or view.taken or view.undone:
            self._open(view)
        for seat in view.players:
            certain, best = self.certain[seat], self.best[seat]
            for card in list(certain):
                number = min(certain[card], self.unseen[card])
                if number <= 0 or card % RANKS < best[card // RANKS]:
                    del certain[card]
                else:
                    certain[card] = number

    def _open(self, view: View) -> None:
        """Record cards that were open and were not played since: they are still in that hand."""
        for seat in view.players:
            certain = self.certain[seat]
            if seat != self.seat:
                for card, number in (
                    known_melded_cards(view, seat) | known_taken_cards(view, seat)
                ).items():
                    certain[card] = max(certain.get(card, 0), number)

    def _one(
        self,
        leader: int,
        cards: tuple[Card, ...],
        strict: bool,
        shows: Callable[[int], int] | None,
    ) -> None:
        """Infer from one trick.

        `shows`: the function for the side of a seat, where a queen under an ace shows an ace.
        """
        trump, players = self.trump, self.players
        at, around = players.index(leader), len(players)
        lead = cards[0]
        top: int = lead
        led = lead // RANKS
        bound = strict and must_beat(self._law.must_beat, led == trump)
        for place, card in enumerate(cards):
            seat = players[(at + place) % around]
            certain = self.certain[seat]
            if card in certain:
                certain[card] -= 1
            if not place:
                continue
            suit = card // RANKS
            best = self.best[seat]
            if suit == led:
                if top // RANKS == led and card >= top:
                    if bound and best[led] < top % RANKS:
                        best[led] = top % RANKS  # it could not beat that card
                elif top // RANKS == led:
                    top = card
                if (
                    shows is not None
                    and lead % RANKS == Rank.ACE
                    and card % RANKS == Rank.QUEEN
                    and led != trump
                    and shows(seat) != shows(leader)
                    and self.unseen[lead]
                ):
                    certain.setdefault(lead, 1)
            else:
                if strict:
                    best[led] = VOID
                if suit == trump:
                    if top // RANKS != trump or card < top:
                        top = card
                    elif bound and best[trump] < top % RANKS:
                        best[trump] = top % RANKS
                elif strict and (self._law.void_must_trump or (bound and top // RANKS != trump)):
                    best[trump] = VOID
                elif bound:  # it had no trump that would have won
                    best[trump] = max(best[trump], top % RANKS)

    def _share(self, view: View) -> None:
        free = {}
        for seat in view.players:
            if seat != self.seat:
                free[seat] = max(view.sizes[seat] - sum(self.certain[seat].values()), 0)
        loose = max(sum(self.unseen) - sum(sum(c.values()) for c in self.certain), 1)
        self.odds = [0.0] * len(view.sizes)
        for seat, number in free.items():
            self.odds[seat] = min(number / loose, 1.0)
        self._uneven(free)

    def _uneven(self, seats: Iterable[int]) -> None:
        """Compute the odds of trumps alone, because bids and passes tell who has trumps."""
        play = self.play
        trumps = {
            DECLARING: play.trumps_declarer,
            HELPING: play.trumps_helper,
            DEFENDING: play.trumps_other,
        }
        self._trump_odds = list(self.odds)
        for seat in seats:
            self._trump_odds[seat] = min(self.odds[seat] * trumps[self.part(seat)], 1.0)

    def chance(self, seat: int, suit: int, above: int = VOID) -> float:
        """Return the probability that a seat holds a card of the suit above the rank `above`.

        The default of `above` admits every card.
        """
        first = self.best[seat][suit]
        if first >= above:
            return 0.0
        certain, unseen, out = self.certain[seat], self.unseen, 0
        at = suit * RANKS
        for card in range(at + first, at + above):
            if certain and card in certain:
                return 1.0
            out += unseen[card]
        if not out:
            return 0.0
        odds = self._trump_odds if suit == self.trump else self.odds
        return 1.0 - float((1.0 - odds[seat]) ** out)

    def beats(self, seat: int, card: int, led: int) -> float:
        """Return the probability that a seat beats `card`.

        `card` is winning a trick in which suit `led` was led.
        """
        suit, trump = card // RANKS, self.trump
        if not self.strict:
            higher = self.chance(seat, suit, card % RANKS)
            ruff = 0.0 if suit == trump else self.play.ruffs * self.chance(seat, trump)
            return 1.0 - (1.0 - higher) * (1.0 - ruff)
        if suit == led:
            higher = self.chance(seat, led, card % RANKS)
            if led == trump or higher >= 1.0:
                return higher
            lacks = 1.0 - self.chance(seat, led)
            return higher + lacks * self.chance(seat, trump) if lacks > 0.0 else higher
        return (1.0 - self.chance(seat, led)) * self.chance(seat, trump, card % RANKS)

    def unseen_above(self, card: int) -> int:
        """Return how many unseen cards of its suit rank above a card."""
        at = card // RANKS * RANKS
        return sum(self.unseen[at:card])

    def unseen_of_suit(self, suit: int) -> int:
        """Return how many cards of a suit are unseen."""
        return sum(self.unseen[suit * RANKS : suit * RANKS + RANKS])

    def length(self, suit: int) -> int:
        """Return how many cards of a suit are in hand."""
        return sum(self.held[suit * RANKS : suit * RANKS + RANKS])

    def must_beat(self, led: int) -> bool:
        """Return whether a seat that can beat the winning card must do so, if that suit was led."""
        return self.strict and must_beat(self._law.must_beat, led == self.trump)

    def part(self, seat: int) -> int:
        """Return the role of a seat, as an index into a manner: DECLARING, HELPING or DEFENDING."""
        declarer, side_of = self._declarer, self._side_of
        if declarer is None or side_of(declarer) != side_of(seat):
            return DEFENDING
        return DECLARING if declarer == seat else HELPING

    def is_partner(self, seat: int) -> bool:
        """Return whether that seat scores with this one."""
        return seat == self.seat or seat in self.partners


def unseen_passed_on(view: View, seat: int) -> int:
    """Return how many cards a seat has passed on that this view does not show."""
    return sum(p.number for p in view.passed if p.seat == seat and p.to is not None and not p.cards)


def shows_aces(rules: Rules) -> bool:
    """Return whether a queen under an opponent's ace shows an ace.

    The signal is used between partners, with decks that have no nines.
    """
    return rules.partners and not rules.deck.nines
