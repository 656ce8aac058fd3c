"""The prompt for the person: the line that says what to do, and the choices of each decision.

Pure functions of the view, the decision and the cursor. They return texts and values.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from acesaround.actions import CONCEDE, PASS, Bids, CardSelections, Discard, NameTrump, Play
from acesaround.cards import Card, Suit, pack
from acesaround.game.narration import Names, number, suit_name
from acesaround.game.phases.exchange import pass_order
from acesaround.game.state import Decision, Kind
from acesaround.game.view import View, passes_completed
from acesaround.rules.melds import find, points
from acesaround.terminal.choice_bar import Choice

VERBS = {Kind.BURY: "bury", Kind.GIVE: "pass", Kind.DISCARD: "exchange"}
MARKING = tuple(VERBS)
"""Decisions in which several cards are marked and then confirmed."""
TODO: Final = {
    Kind.DEAL: "deal",
    Kind.BID: "bid or pass",
    Kind.BURY: "bury",
    Kind.TRUMP: "name trump",
    Kind.GIVE: "pass cards",
    Kind.DISCARD: "exchange cards",
    Kind.UPCARD: "take the upcard or leave it",
    Kind.PLAY: "play",
}


def bid_choices(bids: Bids, cursor: int) -> list[Choice]:
    """Return a pass, if allowed, then the legal bids from the lowest to some beyond the cursor."""
    made = [Choice("p Pass", "pass")] if bids.may_pass else []
    made += [Choice(str(bid), f"bid {bid}") for bid in islice(bids.bids(), max(12, cursor + 6))]
    return made


def trump_choices(decision: Decision, view: View) -> list[Choice]:
    """Return the suits that may be named, each with the meld of the hand in that trump."""
    suits = [action.suit for action in decision.legal if isinstance(action, NameTrump)]
    hand = pack(view.hand)
    return [
        Choice(
            f"{suit + 1} {suit_name(suit)}, meld {points(find(view.rules.melds, hand, suit))}",
            f"trump {suit.name}",
        )
        for suit in suits
    ]


def upcard_choices(decision: Decision, view: View) -> list[Choice]:
    """Return the choices to take the upcard for the nine, or to leave it."""
    up = view.taken[0].card
    return [
        Choice(f"{at} Take the {up.pretty}" if action.cards else f"{at} Leave it", f"option {at}")
        for at, action in enumerate(decision.legal, 1)
        if isinstance(action, Discard)
    ]


def playable(decision: Decision) -> tuple[Card, ...]:
    """Return the cards that may be played. Empty for other kinds of decision."""
    if decision.kind is not Kind.PLAY:
        return ()
    return tuple(action.card for action in decision.legal if isinstance(action, Play))


def wanted(decision: Decision) -> tuple[int, int]:
    """Return the minimum and maximum number of cards that may be marked."""
    assert isinstance(decision.legal, CardSelections)
    return min(decision.legal.sizes), max(decision.legal.sizes)


def card_choices(
    decision: Decision, marked: int, lays: int, others: Sequence[Choice] = ()
) -> list[Choice]:
    """Return the buttons for playing or marking cards. `others`: further buttons."""
    if decision.kind in MARKING:
        least, most = wanted(decision)
        verb = VERBS[decision.kind]
        if least != most and not marked:
            return [Choice("Enter Keep all your cards", "enter"), *others]
        many = number(marked if least != most else least, "card")
        return [Choice(f"Enter {verb.capitalize()} {many}", "enter"), *others]
    made = [Choice("Enter Play it", "enter")]
    if PASS in decision.legal:
        made = [Choice("Enter Draw", "pass")]
    if lays:
        made.append(Choice(f"d Lay down a meld ({lays} possible)", "lay"))
    if CONCEDE in decision.legal:
        made.append(Choice("g Give up", "concede"))
    return [*made, *others]


def prompt(
    decision: Decision, view: View, who: Names, *, card: Card | None, marked: int, lays: int
) -> str:
    """Return a line that says what to do, with which keys. `card`: the card under the cursor."""
    match decision.kind:
        case Kind.BID:
            bids = decision.legal
            assert isinstance(bids, Bids)
            least = (
                f"{bids.least} or more" if bids.unbounded else " or ".join(map(str, bids.bids()))
            )
            standing = max(
                (c for c in view.auction if c.bid), key=lambda c: c.bid or 0, default=None
            )
            over = "" if standing is None else f" ({who.names[standing.seat]}: {standing.bid})"
            if not bids.may_pass:
                why = "Everybody passed, so you" if view.auction else "You speak first, and"
                return f"{why} must bid {least}: ← → or type, Enter bids."
            return f"Bid {least}{over}: ← → or type, Enter bids, p passes."
        case Kind.TRUMP:
            return "Name trump: ← → and Enter, or its number."
        case Kind.UPCARD:
            up = view.taken[0].card
            one, *more = decision.legal
            if isinstance(one, Discard) and one.cards and not more:
                return f"Your nine goes to the dealer for the {up.pretty}: Enter gives it."
            if not more:
                return f"You have no nine to give for the {up.pretty}: Enter leaves it."
            return f"Give your nine for the {up.pretty}? ← → and Enter, or its number."
        case Kind.BURY | Kind.GIVE | Kind.DISCARD:
            return _mark_prompt(decision, view, who, marked)
        case _:
            return _play_prompt(decision, view, card, lays)


def _mark_prompt(decision: Decision, view: View, who: Names, marked: int) -> str:
    least, most = wanted(decision)
    verb = VERBS[decision.kind]
    if decision.kind is Kind.GIVE:
        assert view.declarer is not None
        _, partner = pass_order(view.rules, view.declarer)[passes_completed(view)]
        back = " back" if view.declarer == who.seat else ""
        what = f"Pass {who.names[partner]} {number(least, 'card')}{back}"
    elif least == most:
        what = f"{verb.capitalize()} {number(least, 'card')}"
    else:
        what = f"{verb.capitalize()} up to {number(most, 'card')}"
    return f"{what}: Space marks ({marked} of {most}), Enter confirms."


def _play_prompt(decision: Decision, view: View, card: Card | None, lays: int) -> str:
    this = "" if card is None else f", Enter plays {card.pretty}"
    if view.trick:
        led = view.trick[0].suit
        free = len(playable(decision)) == len(set(view.hand))
        which = "any card may be played" if free else "← → choose"
        return f"Play to {led.word} {led.symbol}: {which}{this}."
    if PASS in decision.legal:
        return "Lay down a meld (d), or Enter draws." if lays else "No meld to lay: Enter draws."
    if lays:
        return f"Lay down a meld (d) or lead a card: ← → choose{this}."
    if CONCEDE in decision.legal:
        return f"Lead a card: ← → choose{this}; g gives up."
    return f"You lead: ← → choose{this}."


def waiting(view: View, who: Names) -> str:
    """Return the line to show while another seat is to act."""
    if view.kind is None:
        return "The game is over."
    if view.turn is None:
        return f"{who.does(view.dealer, 'deal')} …"
    out = "" if who.seat in view.players else "You sit out while the tied players play on. "
    return f"{out}{who.names[view.turn]} is to {TODO[view.kind]} …   Space: at once"


def suit_at(key: str) -> Suit | None:
    """Return the suit of a number key, numbered as in the list of trumps."""
    return Suit(int(key) - 1) if key in "1234" and len(key) == 1 else None
