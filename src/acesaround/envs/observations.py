"""Arrays of what a seat knows: numbers from -1 to 1, each with a name.

`ObservationEncoder` describes the present: cards, trick, contract, scores. Its length is fixed for
each set of rules. `HistoryEncoder` gives the information state: a header, and one row for each
event of the deal that the seat saw, so that two different pasts never give the same numbers. Seats
are counted from the observer, who is seat 0, clockwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from acesaround.cards import CARDS, SUITS, Card
from acesaround.envs.action_codec import ActionCodec
from acesaround.envs.position import Position
from acesaround.game import DecisionKind
from acesaround.game import events as seen
from acesaround.game.view import melded_cards, played_since
from acesaround.rules import Rules
from acesaround.rules.melds import cards_on_table

Floats = npt.NDArray[np.float32]

_KINDS: Final = tuple(kind for kind in DecisionKind if kind is not DecisionKind.DEAL)
_CARD_NAMES: Final = tuple(map(str, CARDS))
_SUIT_NAMES: Final = tuple(suit.word for suit in SUITS)
_POINTS_SCALE: Final = 0.5
"""Scores of the target's height are this number."""


class _Layout:
    """Names of the entries of an array, in groups with an offset each."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.offsets: dict[str, int] = {}

    def add(self, group: str, names: Iterable[str] = ("",)) -> None:
        self.offsets[group] = len(self.names)
        self.names += [f"{group} {name}".rstrip() for name in names]


class ObservationEncoder:
    """Encodes what a seat sees now. `names`: what each entry of the array stands for.

    `offsets`: the first entry of each group of entries. `points_scale`: the factor for points.
    """

    def __init__(self, codec: ActionCodec) -> None:
        self.codec: ActionCodec = codec
        self.rules: Rules = codec.rules
        rules, layout = self.rules, _Layout()
        self._copies = rules.deck.copies
        self.points_scale: float = _points_scale(codec)
        seats = [f"seat {number}" for number in range(rules.seats)]
        layout.add("decision", _KINDS)
        layout.add("laying a meld")
        layout.add("hand", _CARD_NAMES)
        layout.add("chosen", _CARD_NAMES)
        for group in (
            "turn",
            "dealer",
            "declarer",
            "playing",
            "passed",
            "highest bid",
            "cards held",
        ):
            layout.add(group, seats)
        layout.add("contract")
        layout.add("trump", _SUIT_NAMES)
        layout.add("trump broken")
        for group in ("melds of", "trick of", "played by"):
            for seat in seats:
                layout.add(f"{group} {seat}", _CARD_NAMES)
        for group in ("kitty", "buried", "given", "received", "upcard"):
            layout.add(group, _CARD_NAMES)
        layout.add("stock")
        layout.add("points won", seats)
        layout.add("score", seats)
        layout.add("target")
        self.offsets: Mapping[str, int] = layout.offsets
        self.names: tuple[str, ...] = tuple(layout.names)

    @property
    def size(self) -> int:
        """The number of entries."""
        return len(self.names)

    def encode(self, position: Position, seat: int) -> Floats:
        """Return what a seat sees, as an array of `size` numbers."""
        view, rules, at = position.view(seat), self.rules, self.offsets
        array = np.zeros(self.size, np.float32)
        relative = [(other - seat) % rules.seats for other in range(rules.seats)]

        if view.kind in _KINDS:
            array[at["decision"] + _KINDS.index(view.kind)] = 1
        array[at["laying a meld"]] = position.is_laying and position.seat == seat
        self._add_cards(array, "hand", view.hand)
        self._add_cards(array, "chosen", position.chosen_by(seat) or view.chosen or ())
        for group, one in (
            ("turn", view.turn),
            ("dealer", view.dealer),
            ("declarer", view.declarer),
        ):
            if one is not None:
                array[at[group] + relative[one]] = 1
        for player in view.players:
            array[at["playing"] + relative[player]] = 1
        for call in view.auction:
            if call.bid is None:
                array[at["passed"] + relative[call.seat]] = 1
            else:
                array[at["highest bid"] + relative[call.seat]] = call.bid * self.points_scale
        array[at["contract"]] = (view.bid or 0) * self.points_scale
        if view.trump is not None:
            array[at["trump"] + view.trump] = 1
        array[at["trump broken"]] = view.broken
        for other, place in enumerate(relative):
            array[at["cards held"] + place] = view.sizes[other] / rules.hand_size
            self._add_cards(
                array, f"played by seat {place}", played_since(view, other, 0).elements()
            )
        for laid in view.melds:
            self._add_cards(array, f"melds of seat {relative[laid.seat]}", melded_cards(view, laid))
        if view.leader is not None:
            first = view.players.index(view.leader)
            for turn, card in enumerate(view.trick):
                player = view.players[(first + turn) % len(view.players)]
                self._add_cards(array, f"trick of seat {relative[player]}", (card,))
        self._add_cards(array, "kitty", view.kitty)
        self._add_cards(array, "buried", view.buried or ())
        for transfer in view.passed:
            group = "given" if transfer.seat == seat else "received"
            self._add_cards(array, group, transfer.cards or ())
        self._add_cards(array, "upcard", () if view.upcard is None else (view.upcard,))
        array[at["stock"]] = view.stock / rules.deck.size
        for other, place in enumerate(relative):
            side = rules.side_of(other)
            array[at["points won"] + place] = (
                view.won[side] if view.won else 0
            ) * self.points_scale
            array[at["score"] + place] = view.scores[side] * self.points_scale
        array[at["target"]] = view.target * self.points_scale
        return np.clip(array, -1, 1)

    def _add_cards(self, array: Floats, group: str, cards: Iterable[Card]) -> None:
        offset = self.offsets[group]
        for card, count in Counter(cards).items():
            array[offset + card] += count / self._copies


_EVENT_TYPES: Final = (
    seen.Dealt, seen.BidMade, seen.Passed, seen.Declared, seen.ThrownIn, seen.KittyShown,
    seen.Buried, seen.TrumpNamed, seen.NoMarriage, seen.Given, seen.DiscardChosen, seen.Discarded,
    seen.Drew, seen.UpcardDrawn, seen.Melded, seen.NineTurned, seen.MeldLaid, seen.UpcardExchanged,
    seen.Played, seen.Conceded, seen.Reneged, seen.DealScored,
)  # fmt: skip
"""The events that have a row. Who won a trick or the game follows from them."""


class HistoryEncoder:
    """Encodes the information state of a seat: its events of this deal, one row each.

    `shape`: (rows, entries of a row). The first row is the header. `row_names`: what the entries of
    the other rows stand for, `header_names` those of the header.
    """

    def __init__(self, codec: ActionCodec) -> None:
        self.codec: ActionCodec = codec
        self.rules: Rules = codec.rules
        rules, layout = self.rules, _Layout()
        self._scale, self._copies = _points_scale(codec), rules.deck.copies
        seats = [f"seat {number}" for number in range(rules.seats)]
        layout.add("event", (one.__name__ for one in _EVENT_TYPES))
        layout.add("of", seats)
        layout.add("to", seats)
        layout.add("cards", _CARD_NAMES)
        layout.add("other cards", _CARD_NAMES)
        layout.add("hidden cards")
        layout.add("number of cards")
        layout.add("suit", _SUIT_NAMES)
        layout.add("points")
        self._offsets = layout.offsets
        self.row_names: tuple[str, ...] = tuple(layout.names)
        header = _Layout()
        header.add("chosen", _CARD_NAMES)
        header.add("laying a meld")
        header.add("dealer", seats)
        header.add("score", seats)
        header.add("target")
        header.add("deals")
        self._header_offsets = header.offsets
        self.header_names: tuple[str, ...] = tuple(header.names)
        width = max(len(self.row_names), len(self.header_names))
        self.shape: tuple[int, int] = (1 + _max_events(codec), width)

    def encode(self, position: Position, seat: int) -> Floats:
        """Return what a seat knows, as an array of `shape`."""
        array = np.zeros(self.shape, np.float32)
        self._fill_header(array[0], position, seat)
        rows = (event for event in position.seen_events(seat) if type(event) in _EVENT_TYPES)
        for number, event in enumerate(rows, 1):
            self._fill_row(array[number], event, seat)
        return array

    def _fill_header(self, row: Floats, position: Position, seat: int) -> None:
        rules, game, at = self.rules, position.game, self._header_offsets
        for card in position.chosen_by(seat):
            row[at["chosen"] + card] += 1 / self._copies
        row[at["laying a meld"]] = position.is_laying and position.seat == seat
        row[at["dealer"] + (game.dealer - seat) % rules.seats] = 1
        for other in range(rules.seats):
            place = (other - seat) % rules.seats
            row[at["score"] + place] = game.scores[rules.side_of(other)] * self._scale
        row[at["target"]] = game.target * self._scale
        row[at["deals"]] = game.deals / position.deals

    def _fill_row(self, row: Floats, event: seen.Event, seat: int) -> None:
        rules, at = self.rules, self._offsets
        row[at["event"] + _EVENT_TYPES.index(type(event))] = 1
        actor = getattr(event, "dealer" if isinstance(event, seen.Dealt) else "seat", None)
        if actor is not None:
            row[at["of"] + (actor - seat) % rules.seats] = 1
        cards, others = _cards_of(event, seat)
        for group, group_cards in (("cards", cards), ("other cards", others)):
            for card in group_cards or ():
                row[at[group] + card] += 1 / self._copies
        row[at["hidden cards"]] = cards is None
        row[at["number of cards"]] = getattr(event, "number", 0) / rules.deck.size
        match event:
            case seen.Given(to=taker):
                row[at["to"] + (taker - seat) % rules.seats] = 1
            case seen.TrumpNamed(suit=suit):
                row[at["suit"] + suit] = 1
            case seen.BidMade(points=points) | seen.Declared(points=points):
                row[at["points"]] = points * self._scale
            case seen.Melded(points=points):
                row[at["points"]] = (points or 0) * self._scale
            case seen.DealScored(score=score):
                row[at["points"]] = score.change[rules.side_of(seat)] * self._scale


def _cards_of(event: seen.Event, seat: int) -> tuple[Sequence[Card] | None, Sequence[Card]]:
    """Return the cards of an event, None if they are hidden, and further cards."""
    match event:
        case seen.Dealt(hands=hands, upcard=upcard):
            return hands[seat], () if upcard is None else (upcard,)
        case seen.Melded(melds=melds, shown=shown):
            return None if melds is None else cards_on_table(melds), cards_on_table(shown)
        case seen.NineTurned(meld=meld) | seen.MeldLaid(meld=meld):
            return meld.cards, ()
        case seen.UpcardExchanged(taken=taken, left=left):
            return (taken,), (left,)
        case seen.Played(card=card) | seen.UpcardDrawn(card=card):
            return (card,), ()
        case seen.DealScored(buried=buried):
            return buried, ()
        case seen.KittyShown(cards=cards):
            return cards, ()
    return getattr(event, "cards", ()), ()


def _max_events(codec: ActionCodec) -> int:
    """Return the most events that a deal can have."""
    rules = codec.rules
    cards = rules.deck.size * (4 if rules.deal.stock else 1)  # played, drawn, melded, passed
    return cards + len(codec.bids) + 8 * rules.seats + 8


def _points_scale(codec: ActionCodec) -> float:
    """Return the factor for points: the highest bid and the target are at most 0.5."""
    highest = max(codec.rules.ending.target or 1, codec.bids[-1] if codec.bids else 1, 1)
    return _POINTS_SCALE / highest
