"""Events as sentences, and the names of seats, sides and cards.

Everything that shows a game in words uses this module, most of all the terminal. The messages of
refused actions are in `errors`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from acesaround.actions import (
    PASS,
    Action,
    Bid,
    Bury,
    Discard,
    Give,
    LayMeld,
    NameTrump,
    Play,
)
from acesaround.cards import Card, Suit
from acesaround.game import events as ev
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome

BOT_NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo")
"""The bots' names, by seat; the page has the same."""

OUTCOME_WORDS: Final = {
    Outcome.MADE: "made",
    Outcome.SET: "set",
    Outcome.CONCEDED: "given up",
    Outcome.THROWN_IN: "all passed",
    Outcome.NO_MARRIAGE: "no marriage",
    Outcome.RENEGED: "reneged",
    Outcome.NO_BID: "counted",
}

_THIRD_PERSON: Final = {"have": "has", "pass": "passes", "bury": "buries"}


class Names:
    """The names of seats and sides, as one person reads them."""

    def __init__(self, rules: Rules, seat: int) -> None:
        self.rules: Rules = rules
        self.seat: int = seat
        self.names: tuple[str, ...] = tuple(
            "You" if other == seat else BOT_NAMES[other] for other in range(rules.seats)
        )

    def clause(self, seat: int, verb: str, rest: str = "") -> str:
        """Return who does what: `You bid 260` or `Ada bids 260`."""
        if seat != self.seat:
            verb = _THIRD_PERSON.get(verb, verb + "s")
        return f"{self.names[seat]} {verb} {rest}".rstrip()

    def clause_within(self, seat: int, verb: str, rest: str = "") -> str:
        """Return who does what in the middle of a sentence: `you bid 260` or `Ada bids 260`."""
        return self.object_name(seat) + self.clause(seat, verb, rest).removeprefix(self.names[seat])

    def object_name(self, seat: int) -> str:
        """Return a seat's name for the middle of a sentence: `you` or `Ada`."""
        return "you" if seat == self.seat else self.names[seat]

    def side_name(self, side: int) -> str:
        """Return the name of a side: `Ada`, or `You & Ben`."""
        seats = sorted(self.rules.sides[side], key=lambda seat: seat != self.seat)
        return " & ".join(self.names[seat] for seat in seats)

    def short_side_name(self, side: int, max_width: int) -> str:
        """Return the name of a side in so many characters: all its names, or `Your side`."""
        name = self.side_name(side)
        if len(name) <= max_width:
            return name
        first = self.names[self.rules.sides[side][0]]
        return ("Your side" if self.is_own_side(side) else f"{first}'s side")[:max_width]

    def side_in_sentence(self, side: int) -> str:
        """Return the name of a side as a sentence has it: `Ada`, or `You and Ben`."""
        *first, last = sorted(self.rules.sides[side], key=lambda seat: seat != self.seat)
        names = ", ".join(self.names[seat] for seat in first)
        return f"{names} and {self.names[last]}" if names else self.names[last]

    def is_own_side(self, side: int) -> bool:
        """Return whether this is the person's own side."""
        return self.seat in self.rules.sides[side]


def card_names(cards: Iterable[Card]) -> str:
    """Return cards as people read them: `A♠ 10♥`."""
    return " ".join(card.pretty for card in cards)


def suit_name(suit: Suit) -> str:
    """Return a suit with its symbol: `♥ hearts`."""
    return f"{suit.symbol} {suit.word}"


def pluralize(count: int, noun: str) -> str:
    """Return a number with its noun: `1 card`, `3 cards`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def signed_points(points: int) -> str:
    """Return a change of score with its sign."""
    return f"{points:+d}" if points else "0"


def suggestion_text(action: Action, is_lead: bool = False) -> str:
    """Return an action as a suggestion. `is_lead`: the card would be the first of its trick."""
    match action:
        case Play(card):
            return f"{'Lead' if is_lead else 'Play'} the {card.pretty}"
        case Bid(points):
            return f"Bid {points}"
        case NameTrump(suit):
            return f"Make {suit_name(suit)} trump"
        case Bury(cards):
            return f"Bury {card_names(cards)}"
        case Give(cards):
            return f"Pass {card_names(cards)}"
        case Discard(cards):
            return f"Exchange {card_names(cards)}" if cards else "Keep all your cards"
        case LayMeld(cards):
            return f"Lay {card_names(cards)}"
        case _:
            return "Pass" if action == PASS else "Give up"


def narrate(events: Iterable[ev.Event], seat_names: Names) -> list[str]:
    """Return a sentence for each event, except for events that need none."""
    return [line for event in events if (line := narrate_event(event, seat_names))]


def narrate_event(event: ev.Event, seat_names: Names) -> str:
    """Return the sentence for an event as this person may see it; "" if it needs none."""
    match event:
        case ev.Dealt(dealer=dealer, upcard=upcard):
            upcard_sentence = (
                f" {upcard.pretty} is turned up: {upcard.suit.word} are trump." if upcard else ""
            )
            return f"{seat_names.clause(dealer, 'deal')}.{upcard_sentence}"
        case ev.BidMade(seat, points):
            return f"{seat_names.clause(seat, 'bid', str(points))}."
        case ev.Passed(seat):
            return f"{seat_names.clause(seat, 'pass')}."
        case ev.Declared(seat, points, forced):
            bid = f"the bid at {points}"
            if forced:
                return f"Everybody passed: {seat_names.clause_within(seat, 'get', bid)}."
            return f"{seat_names.clause(seat, 'win', bid)}."
        case ev.ThrownIn():
            return "Everybody passed: nobody scores."
        case ev.KittyShown(seat, cards):
            return f"The kitty is {card_names(cards)}: {seat_names.clause_within(seat, 'take')} it."
        case ev.Buried(seat, count, _):
            return f"{seat_names.clause(seat, 'bury', pluralize(count, 'card'))}."
        case ev.TrumpNamed(seat, suit):
            return f"{seat_names.clause(seat, 'make', f'{suit_name(suit)} trump')}."
        case ev.NoMarriage(seat):
            return f"{seat_names.clause(seat, 'hold')} no marriage, so no trump can be named."
        case ev.Given(seat=seat, number=count, cards=cards, to=to):
            cards_text = card_names(cards) if cards else pluralize(count, "card")
            return f"{seat_names.clause(seat, 'pass')} {seat_names.object_name(to)} {cards_text}."
        case ev.DiscardChosen(seat):
            return f"{seat_names.clause(seat, 'have', 'decided')}."
        case ev.Discarded(seat, count, _):
            return f"{seat_names.clause(seat, 'exchange', pluralize(count, 'card'))}."
        case ev.Drew(seat, count, cards):
            if seat != seat_names.seat or not count or not cards:
                return ""
            return f"You draw {card_names(cards)}."
        case ev.UpcardDrawn(seat, card):
            subject = seat_names.clause(seat, "draw", f"the upcard {card.pretty}")
            return f"{subject}: from now on everybody must follow suit."
        case ev.MeldLaid(seat, meld):
            meld_text = f"{meld.name} {card_names(meld.cards)} for {meld.points}"
            return f"{seat_names.clause(seat, 'lay', meld_text)}."
        case ev.NineTurned(seat, meld):
            score_text = f"{meld.points} for the {card_names(meld.cards)} turned up"
            return f"{seat_names.clause(seat, 'score', score_text)}."
        case ev.UpcardExchanged(seat, taken, left):
            return f"{seat_names.clause(seat, 'get', taken.pretty)} in exchange for {left.pretty}."
        case ev.Played(seat, card):
            return f"{seat_names.clause(seat, 'play', card.pretty)}."
        case ev.TrickWon(seat=seat, points=points, bonus=0):
            return f"{seat_names.clause(seat, 'win', f'the trick ({points})')}."
        case ev.TrickWon(seat=seat, points=points, bonus=bonus):
            last_trick = f"the trick ({points} + {bonus} for the last trick)"
            return f"{seat_names.clause(seat, 'win', last_trick)}."
        case ev.Conceded(seat):
            return f"{seat_names.clause(seat, 'give')} up."
        case ev.Reneged(seat, rule):
            return f"{seat_names.clause(seat, 'renege')}. {rule}"
        case ev.GameWon(side):
            return f"{seat_names.side_in_sentence(side)} won the game."
        case _:
            return ""
