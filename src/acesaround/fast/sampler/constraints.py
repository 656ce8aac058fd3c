"""Constraints on unseen cards: bounds and conditions on each hidden hand, read from a `View`.

Nothing is sampled or counted here; see `draw` and `counting_tables`. What shown melds say about a
hand is in `meld_constraints`.

Unseen cards are in *places*. The first places are the hands of the other players, in turn order.
The last place is the *rest*: a kitty that is not shown, cards that another player buried or
discarded, cards that were not dealt, and the stock. Known cards, such as the own hand and the
upcard, are in no place.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Sequence
from typing import Final

import msgspec

from acesaround.cards import CARDS, KINDS, RANKS, SUITS, Card, Rank, card_of, counts, pack
from acesaround.errors import PositionError
from acesaround.fast.sampler.meld_constraints import (
    Condition,
    Melded,
    bounds_from_hidden_meld,
    bounds_from_meld,
)
from acesaround.game.state import Kind, clockwise
from acesaround.game.view import View, known_melded_cards, known_taken_cards, played_since
from acesaround.rules import Phase, Rules
from acesaround.rules.melds import find, marriage_cards, points
from acesaround.rules.tricks import beats, must_beat


class Source(enum.StrEnum):
    """Sources of knowledge, in addition to the own cards, the cards played and the hand sizes."""

    MELDS = "melds"
    """What was melded, and what would have been melded but was not."""
    VOIDS = "voids"
    """Players who did not follow suit, did not trump when they had to, or had only trump to
    lead."""
    BEATEN = "beaten"
    """Players who did not beat the card that was winning the trick."""
    KITTY = "kitty"
    """The kitty that was shown: the declarer holds, buried or played its cards."""
    GIVEN = "given"
    """Cards passed between this seat and its partners."""
    NAMED = "named"
    """The marriage of a declarer who needs one to name trump."""
    TAKEN = "taken"
    """Cards taken openly: the upcard for a nine of trump or as the last draw, or a play taken
    back."""
    TWINS = "twins"
    """A player who has parted with a card is less likely to hold its twin: `Constraints.parted`."""


ALL: Final = frozenset(Source)


class MeldCeiling(msgspec.Struct, frozen=True):
    """The melds of these places together are worth less than `less`."""

    places: tuple[int, ...]
    less: int


class JointMinimum(msgspec.Struct, frozen=True):
    """These places together hold at least `number` cards of `kind`."""

    places: tuple[int, ...]
    kind: int
    number: int


class MarriageCondition(msgspec.Struct, frozen=True):
    """The hand at `place` had one of `marriages` when it had to name trump.

    Since then the hand has passed on `gone` cards unseen, which are now at `others`, and has kept
    `kept` cards.
    """

    place: int
    others: tuple[int, ...]
    marriages: tuple[tuple[Card, Card], ...]
    gone: int
    kept: int

    def met(self, had: bytes, others: Sequence[bytes]) -> bool:
        """Return whether these counts by kind, including cards played, meet the condition."""
        for marriage in self.marriages:
            passed_on = [card for card in marriage if not had[card]]
            held_on = [card for card in marriage if not any(other[card] for other in others)]
            enough = len(passed_on) <= self.gone and len(held_on) <= self.kept
            if enough and not set(passed_on) & set(held_on):
                return True
        return False


class Constraints(msgspec.Struct, frozen=True):
    """All that a seat knows of the unseen cards. Lists are by place, and inner lists by kind.

    `hidden`: the players at the places, as indices into `players`; the rest is the place after
    them. `sizes`: how many cards are at each place. `unseen`: how many cards of each kind are
    unseen. `low`, `high`: bounds on the number of cards of each kind at each place. `played`: the
    cards each place has played since it melded. `parted`: the cards each place was dealt or drew
    and no longer has, minus cards that it got from known places. So the cards at a place plus
    `parted` are the cards that shuffling brought there. `kitty`: how many cards of each kind the
    shown kitty had; the declarer took them. `declarer`: the place of that declarer, or -1.
    """

    rules: Rules
    seat: int
    players: tuple[int, ...]
    trump: int
    own: int
    hidden: tuple[int, ...]
    sizes: tuple[int, ...]
    unseen: tuple[int, ...]
    low: tuple[tuple[int, ...], ...]
    high: tuple[tuple[int, ...], ...]
    played: tuple[tuple[int, ...], ...]
    parted: tuple[tuple[int, ...], ...]
    kitty: tuple[int, ...]
    declarer: int
    conditions: tuple[Condition, ...]
    melded: tuple[Melded, ...]
    floors: tuple[MeldCeiling, ...]
    joints: tuple[JointMinimum, ...]
    naming: MarriageCondition | None

    def allows(self, hands: tuple[int, ...], rest: tuple[Card, ...]) -> bool:
        """Return whether these packed hands, by player in turn order, and this rest are possible.

        This method defines a valid world. It ignores `conditions` and checks the melds themselves.
        """
        places = [counts(hands[player]) for player in self.hidden] + [counts(pack(rest))]
        if hands[self.players.index(self.seat)] != self.own:
            return False
        if tuple(map(sum, places)) != self.sizes:
            return False
        if tuple(map(sum, zip(*places, strict=True))) != self.unseen:
            return False
        for place, held in enumerate(places):
            for kind in range(KINDS):
                if not self.low[place][kind] <= held[kind] <= self.high[place][kind]:
                    return False
        had = [
            pack(k for k in CARDS for _ in range(held[k] + self.played[place][k]))
            for place, held in enumerate(places)
        ]
        trump = None if self.trump < 0 else self.trump
        table = self.rules.melds
        for its in self.melded:
            if not its.agrees(find(table, had[its.place], trump)):
                return False
        for floor in self.floors:
            if sum(points(find(table, had[p], trump)) for p in floor.places) >= floor.less:
                return False
        for joint in self.joints:
            if sum(places[place][joint.kind] for place in joint.places) < joint.number:
                return False
        if self.naming is not None:
            others = [counts(had[other]) for other in self.naming.others]
            if not self.naming.met(counts(had[self.naming.place]), others):
                return False
        return self.declarer < 0 or all(
            held + gone + buried >= shown
            for held, gone, buried, shown in zip(
                places[self.declarer],
                self.parted[self.declarer],
                places[-1],
                self.kitty,
                strict=True,
            )
        )


def constraints(view: View, sources: frozenset[Source] = ALL) -> Constraints:
    """Return what the seat of a view knows. Raise PositionError if that seat holds no hand.

    `sources`: the sources to use. With fewer than all of them the sampler also draws impossible
    worlds.
    """
    if view.seat is None:
        raise PositionError("A spectator holds no hand from which other hands could be judged.")
    if view.seat not in view.players or view.kind in (None, Kind.DEAL):
        raise PositionError("Unseen cards can be judged only by a player during a deal.")
    return _Reading(view, view.seat, sources).known()


class _Reading:
    """The bounds and counts while a view is read; lists are by place as in `Constraints`."""

    def __init__(self, view: View, seat: int, sources: frozenset[Source]) -> None:
        self.view, self.seat, self.sources = view, seat, sources
        rules, players = view.rules, view.players
        self.hidden = tuple(p for p, other in enumerate(players) if other != seat)
        self.place = {players[player]: at for at, player in enumerate(self.hidden)}
        self.rest = len(self.hidden)
        places = range(self.rest + 1)
        deck = rules.deck
        self.unseen = list(counts(deck.packed))
        self.played = [[0] * KINDS for _ in places]
        self.parted = [[0] * KINDS for _ in places]
        self.low = [[0] * KINDS for _ in places]
        self.high = [[deck.copies] * KINDS for _ in places]
        self.naming: MarriageCondition | None = None
        self.conditions: list[Condition] = []
        self.melded: list[Melded] = []
        self.floors: list[MeldCeiling] = []
        self.joints: list[JointMinimum] = []

    def known(self) -> Constraints:
        """Read the view and return the constraints."""
        view = self.view
        self._cards()
        self._tricks()
        self._passed()
        kitty, declarer = [0] * KINDS, -1
        if view.kitty and view.declarer in self.place and Source.KITTY in self.sources:
            declarer = self.place[view.declarer]
            for card in view.kitty:
                kitty[card] += 1
        sizes = [view.sizes[view.players[player]] for player in self.hidden]
        sizes.append(sum(self.unseen) - sum(sizes))
        if Source.NAMED in self.sources:
            self._named()
        self._exchanged()
        if Source.MELDS in self.sources:
            if Phase.MELDING in view.rules.phases:
                self._melds()
            else:
                self._laid()
        if Source.TAKEN in self.sources:
            self._taken()
        for place in range(self.rest + 1):
            low, high, unseen = self.low[place], self.high[place], self.unseen
            self.high[place] = [min(high[k], unseen[k], sizes[place]) for k in range(KINDS)]
            self.low[place] = [max(low[k], -self.parted[place][k], 0) for k in range(KINDS)]
        if Source.TWINS not in self.sources:
            if declarer >= 0:
                went = self.parted[declarer]
                kitty = [max(0, k - gone) for k, gone in zip(kitty, went, strict=True)]
            self.parted = [[0] * KINDS for _ in sizes]
        return Constraints(
            rules=view.rules,
            seat=self.seat,
            players=view.players,
            trump=-1 if view.trump is None else int(view.trump),
            own=pack(view.hand),
            hidden=self.hidden,
            sizes=tuple(sizes),
            unseen=tuple(self.unseen),
            low=_frozen(self.low),
            high=_frozen(self.high),
            played=_frozen(self.played),
            parted=_frozen(self.parted),
            kitty=tuple(kitty),
            declarer=declarer,
            conditions=tuple(self.conditions),
            melded=tuple(self.melded),
            floors=tuple(self.floors),
            joints=tuple(self.joints),
            naming=self.naming,
        )

    def _cards(self) -> None:
        """Remove the cards with a known place from `unseen`."""
        view, unseen = self.view, self.unseen
        for card in view.hand:
            unseen[card] -= 1
        for card in view.buried or ():
            unseen[card] -= 1
        if view.upcard is not None:
            unseen[view.upcard] -= 1
        for passing in view.passed:
            if passing.to is None:
                for card in passing.cards or ():
                    unseen[card] -= 1

    def _tricks(self) -> None:
        """Remove the played cards from `unseen`, and read what each play reveals."""
        view, rules = self.view, self.view.rules
        strict_from = 0
        if Phase.STOCK_PLAY in rules.phases:  # no obligations while there is a stock
            drawn = rules.deck.size - len(view.players) * rules.hand_size
            strict_from = drawn // len(view.players)
        broken = not rules.play.trump_must_be_broken
        around = {seat: clockwise(view.players, seat) for seat in view.players}
        tricks = [(trick.leader, trick.cards) for trick in view.tricks]
        if view.leader is not None and view.trick:
            tricks.append((view.leader, view.trick))
        for number, (leader, cards) in enumerate(tricks):
            strict, best, led = number >= strict_from, cards[0], cards[0].suit
            for turn, (seat, card) in enumerate(zip(around[leader], cards, strict=False)):
                self.unseen[card] -= 1
                place = self.place.get(seat)
                if place is not None:
                    self.played[place][card] += 1
                    self.parted[place][card] += 1
                    if strict and turn:
                        self._followed(place, card, best, led)
                    elif strict and not broken and card.suit == view.trump:
                        self._lacks(place, *(s for s in range(4) if s != view.trump))
                broken = broken or (strict and card.suit == view.trump)
                if turn and beats(card, best, int(view.trump or 0)):
                    best = card

    def _followed(self, place: int, card: Card, best: Card, led: int) -> None:
        """Apply what `card` reveals, played while `best` was winning and suit `led` was led."""
        trump, law = int(self.view.trump or 0), self.view.rules.play
        bound = must_beat(law.must_beat, led == trump)
        gave_up = card.suit == best.suit and card >= best  # the hand has no card that beats `best`
        if card.suit != led:
            self._lacks(place, led)
            if card.suit != trump:
                if law.void_must_trump or (bound and best.suit != trump):
                    self._lacks(place, trump)
                else:
                    gave_up = True
        if bound and Source.BEATEN in self.sources and gave_up:
            for higher in range(card_of(best.suit, 0), best):
                self.high[place][higher] = 0

    def _lacks(self, place: int, *suits: int) -> None:
        if Source.VOIDS in self.sources:
            for suit in suits:
                self.high[place][suit * RANKS : suit * RANKS + RANKS] = [0] * RANKS

    def _passed(self) -> None:
        """Apply the cards passed between this seat and its partners; the declarer passes last."""
        if Source.GIVEN not in self.sources:
            return
        for partner in self.view.rules.partners_of(self.seat):
            self._passed_with(partner)

    def _passed_with(self, partner: int) -> None:
        """Apply the cards passed between this seat and one partner."""
        mine, theirs = Counter[int](), Counter[int]()
        gone_on = []  # the seats to which the partner passed cards that we did not see
        for passing in self.view.passed:
            if passing.to is None:
                continue
            if passing.cards is None:
                gone_on += [passing.to] if passing.seat == partner else []
            elif partner in (passing.seat, passing.to):
                (theirs if passing.to == self.seat else mine).update(map(int, passing.cards))
        place = self.place[partner]
        for kind in range(KINDS):
            went = theirs[kind] - mine[kind]
            self.parted[place][kind] += max(went, 0) if gone_on else went
        kept = mine if self.seat == self.view.declarer else mine - theirs
        holders = (place, *(self.place[seat] for seat in gone_on))
        for kind, number in kept.items():
            number -= sum(self.played[holder][kind] for holder in holders)
            if not gone_on:
                self.low[place][kind] = number
            elif number > 0:
                self.joints.append(JointMinimum(holders, kind, number))

    def _named(self) -> None:
        """Require a marriage of a declarer who needs one to name trump.

        The declarer had a marriage in trump when naming it. Before that, a marriage in some suit.
        """
        view, law = self.view, self.view.rules.auction
        if law is None or not law.marriage_needed or view.declarer not in self.place:
            return
        assert view.declarer is not None
        declarer = self.place[view.declarer]
        if view.trump is None:
            if view.kind is Kind.TRUMP:
                every = tuple(marriage_cards(suit) for suit in SUITS)
                self.naming = MarriageCondition(declarer, (self.rest,), every, 0, len(SUITS))
            return
        marriage = marriage_cards(view.trump)
        gone, others, own = 0, [], False
        since = Counter(dict(enumerate(self.played[declarer])))
        for passing in view.passed:
            if passing.cards is not None and passing.to == self.seat:
                since.update(map(int, passing.cards))
                own = True
            elif passing.cards is not None and passing.to == view.declarer:
                since.subtract(map(int, passing.cards))
                own = True
            elif passing.seat == view.declarer:
                gone += passing.number
                others.append(self.rest if passing.to is None else self.place[passing.to])
        if gone and not own:
            kept = view.rules.hand_size - gone
            self.naming = MarriageCondition(declarer, tuple(others), (marriage,), gone, kept)
            return
        low = self.low[declarer]
        for card in marriage:
            number = 1 - since[card] - sum(self.played[other][card] for other in others)
            if others and number > 0:  # the card may have been passed on unseen
                self.joints.append(JointMinimum((declarer, *others), card, number))
            elif not others:
                low[card] = max(low[card], number)

    def _melds(self) -> None:
        """Apply automatic melds. They bind both ways: the hand held these melds and no others."""
        view, table = self.view, self.view.rules.melds
        trump = None if view.trump is None else int(view.trump)
        least = view.rules.scoring.least_meld
        below: dict[int, list[int]] = {}
        for shown in view.melds:
            side = view.rules.side_of(shown.seat)
            place = self.place.get(shown.seat)
            if place is None:
                continue
            its = Melded(place, shown.melds, shown.points is not None)
            self.melded.append(its)
            low, high, conditions = bounds_from_meld(table, its, trump)
            if not its.open:
                below.setdefault(side, []).append(place)
            self._bind(place, low, high, conditions)
        for side, places in below.items():
            less = least - sum(
                shown.points or 0
                for shown in view.melds
                if shown.seat == self.seat and view.rules.side_of(self.seat) == side
            )
            self.floors.append(MeldCeiling(tuple(places), less))
            for place in places:
                copies = view.rules.deck.copies
                self._bind(
                    place, {}, {}, bounds_from_hidden_meld(table, place, less, trump, copies)
                )

    def _bind(
        self, place: int, low: dict[int, int], high: dict[int, int], more: list[Condition]
    ) -> None:
        """Apply bounds on what a hand had when it melded."""
        played = self.played[place]
        for kind, number in low.items():
            self.low[place][kind] = max(self.low[place][kind], number - played[kind])
        for kind, number in high.items():
            self.high[place][kind] = min(self.high[place][kind], number - played[kind])
        self.conditions += more

    def _laid(self) -> None:
        """Apply melds laid between tricks: they show what a hand holds, but little else.

        A player plays the copy in the hand before its laid twin. So when a laid card was played, no
        copy was in the hand. A copy in the hand now was drawn since.
        """
        view = self.view
        for seat, place in self.place.items():
            self._holds(place, known_melded_cards(view, seat))
            own = [its for its in view.lying if its.seat == seat]
            for gone in own:
                if gone.until is None:
                    continue
                lay = [
                    its
                    for its in own
                    if its.card == gone.card
                    and its.since <= gone.until
                    and (its.until is None or its.until > gone.until)
                ]
                most = len(lay) + self._came(seat, gone.card, gone.until)
                most -= played_since(view, seat, gone.until + 1)[gone.card]
                self.high[place][gone.card] = min(self.high[place][gone.card], most)

    def _came(self, seat: int, card: Card, trick: int) -> int:
        """Return the most cards of a kind that a seat may have got since it played to `trick`."""
        view, players = self.view, len(self.view.players)
        in_all = view.rules.deck.size // players - view.rules.hand_size  # cards each player draws
        number = max(0, in_all - -(-view.stock // players) - trick)
        for taken in view.taken:
            if taken.seat == seat and taken.after > trick:
                number += (taken.card == card) - (taken.left is None)
        return number

    def _exchanged(self) -> None:
        """Apply the exchange of a nine for the upcard: the nine melds for the player who held it.

        `played` is what a hand melded with beyond its present cards, so the nine is added to it.
        The dealer has the nine now but does not meld it, so it is subtracted from the dealer's
        `played`.
        """
        view = self.view
        if Phase.UPCARD not in view.rules.phases:
            return
        up = view.taken[0].card
        nine = card_of(up.suit, Rank.NINE)
        taker = view.taken[0].seat if len(view.taken) > 1 else None
        for taken, by in zip(view.taken, (1, -1), strict=False) if taker is not None else ():
            if taken.seat in self.place:
                self.played[self.place[taken.seat]][nine] += by
        if up == nine or Source.TAKEN not in self.sources:
            return
        if not view.rules.deal.all_asked:
            self._asked(nine, taker)
        elif view.rules.deal.nine_must_take:
            self._without(nine)

    def _without(self, nine: Card) -> None:
        """Rule out a nine for the players who left the upcard, because a nine must be exchanged."""
        for call in self.view.auction:
            if call.seat in self.place:
                self._bind(self.place[call.seat], {}, {nine: 0}, [])

    def _asked(self, nine: Card, taker: int | None) -> None:
        """Locate nines if only holders of a nine are asked: then asking shows who has one."""
        view = self.view
        left = {call.seat for call in view.auction}
        for seat in clockwise(view.players, view.dealer)[1:]:
            place = self.place.get(seat)
            asked = seat in (taker, view.turn if view.kind is Kind.UPCARD else None)
            if place is not None and (seat in left or asked):
                self._bind(place, {nine: 1}, {}, [])
            elif place is not None:
                self._bind(place, {}, {nine: 0}, [])
            if asked:
                break

    def _taken(self) -> None:
        """Apply cards taken openly: the taker still holds such a card or has played it."""
        for taken in self.view.taken:
            place = self.place.get(taken.seat)
            if place is not None:
                self.parted[place][taken.card] -= 1
                if taken.left is not None:
                    self.parted[place][taken.left] += 1
        for seat, place in self.place.items():
            self._holds(place, known_taken_cards(self.view, seat))

    def _holds(self, place: int, cards: Counter[Card]) -> None:
        for card, number in cards.items():
            self.low[place][card] = max(self.low[place][card], number)


def _frozen(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple([tuple(row) for row in rows])
