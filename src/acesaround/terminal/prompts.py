"""The prompt for the person: the line that says what to do, and the choices of each decision.

Pure functions of the view, the decision and the cursor. They return texts and values.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from acesaround.actions import CONCEDE, PASS, CardSelections, Discard, NameTrump, Play
from acesaround.cards import Card, Suit, pack
from acesaround.game.narration import Names, pluralize, suit_name
from acesaround.game.phases.exchange import pass_order
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import View, passes_completed
from acesaround.legal_bids import Bids
from acesaround.rules.melds import find_melds, total_points
from acesaround.terminal.choice_bar import Choice

MARK_VERBS = {
    DecisionKind.BURY: "bury",
    DecisionKind.GIVE: "pass",
    DecisionKind.DISCARD: "exchange",
}
MARKED_DECISIONS = tuple(MARK_VERBS)
"""Decisions in which several cards are marked and then confirmed."""
TASK_TEXTS: Final = {
    DecisionKind.DEAL: "deal",
    DecisionKind.BID: "bid or pass",
    DecisionKind.BURY: "bury",
    DecisionKind.TRUMP: "name trump",
    DecisionKind.GIVE: "pass cards",
    DecisionKind.DISCARD: "exchange cards",
    DecisionKind.UPCARD: "take the upcard or leave it",
    DecisionKind.PLAY: "play",
}


def bid_choices(bids: Bids, cursor: int) -> list[Choice]:
    """Return a pass, if allowed, then the legal bids from the lowest to some beyond the cursor."""
    choices = [Choice("p Pass", "pass")] if bids.may_pass else []
    choices += [Choice(str(bid), f"bid {bid}") for bid in islice(bids.bids(), max(12, cursor + 6))]
    return choices


def trump_choices(decision: Decision, view: View) -> list[Choice]:
    """Return the suits that may be named, each with the meld of the hand in that trump."""
    suits = [action.suit for action in decision.legal if isinstance(action, NameTrump)]
    hand = pack(view.hand)
    return [
        Choice(
            f"{suit + 1} {suit_name(suit)} "
            f"{total_points(find_melds(view.rules.melds, hand, suit))}",
            f"trump {suit.letter}",
        )
        for suit in suits
    ]


def upcard_choices(decision: Decision, view: View) -> list[Choice]:
    """Return the choices to take the upcard for the nine, or to leave it."""
    upcard = view.taken[0].card
    return [
        Choice(
            f"{option_number} Take the {upcard.pretty}"
            if action.cards
            else f"{option_number} Leave it",
            f"option {option_number}",
        )
        for option_number, action in enumerate(decision.legal, 1)
        if isinstance(action, Discard)
    ]


def playable_cards(decision: Decision) -> tuple[Card, ...]:
    """Return the cards that may be played. Empty for other kinds of decision."""
    if decision.kind is not DecisionKind.PLAY:
        return ()
    return tuple(action.card for action in decision.legal if isinstance(action, Play))


def mark_limits(decision: Decision) -> tuple[int, int]:
    """Return the minimum and maximum number of cards that may be marked."""
    assert isinstance(decision.legal, CardSelections)
    return min(decision.legal.sizes), max(decision.legal.sizes)


def card_choices(
    decision: Decision, marked_count: int, meld_count: int, other_choices: Sequence[Choice] = ()
) -> list[Choice]:
    """Return the buttons for playing or marking cards. `other_choices`: further buttons."""
    if decision.kind in MARKED_DECISIONS:
        minimum, maximum = mark_limits(decision)
        verb = MARK_VERBS[decision.kind]
        if minimum != maximum and not marked_count:
            return [Choice("Enter Keep all your cards", "enter"), *other_choices]
        count_text = pluralize(marked_count if minimum != maximum else minimum, "card")
        return [Choice(f"Enter {verb.capitalize()} {count_text}", "enter"), *other_choices]
    choices = [Choice("Enter Play it", "enter")]
    if PASS in decision.legal:
        choices = [Choice("Enter Draw", "pass")]
    if meld_count:
        choices.append(Choice(f"d Lay down a meld ({meld_count} possible)", "lay"))
    if CONCEDE in decision.legal:
        choices.append(Choice("g Give up", "concede"))
    return [*choices, *other_choices]


def prompt_text(
    decision: Decision,
    view: View,
    seat_names: Names,
    *,
    card: Card | None,
    marked_count: int,
    meld_count: int,
    alert: str = "",
) -> str:
    """Return a line that says what to do, with which keys.

    `card`: the card under the cursor. `alert`: what the bid under the cursor would say by
    convention, "" for nothing.
    """
    match decision.kind:
        case DecisionKind.BID:
            bids = decision.legal
            assert isinstance(bids, Bids)
            bids_text = (
                f"{bids.lowest_bid} or more"
                if bids.is_unbounded
                else " or ".join(map(str, bids.bids()))
            )
            if alert:
                return f"{alert}. ← → or type, Enter bids{', p passes' * bids.may_pass}."
            highest_call = max(
                (c for c in view.auction if c.bid), key=lambda c: c.bid or 0, default=None
            )
            highest_text = (
                ""
                if highest_call is None
                else f" ({seat_names.names[highest_call.seat]}: {highest_call.bid})"
            )
            if not bids.may_pass:
                reason = "Everybody passed, so you" if view.auction else "You speak first, and"
                return f"{reason} must bid {bids_text}: ← → or type, Enter bids."
            return f"Bid {bids_text}{highest_text}: ← → or type, Enter bids, p passes."
        case DecisionKind.TRUMP:
            return "Name trump (beside it your meld): ← → and Enter, or its number."
        case DecisionKind.UPCARD:
            upcard = view.taken[0].card
            first, *others = decision.legal
            if isinstance(first, Discard) and first.cards and not others:
                return f"Your nine goes to the dealer for the {upcard.pretty}: Enter gives it."
            if not others:
                return f"You have no nine to give for the {upcard.pretty}: press Enter."
            return f"Give your nine for the {upcard.pretty}? ← → and Enter, or its number."
        case DecisionKind.BURY | DecisionKind.GIVE | DecisionKind.DISCARD:
            return _mark_prompt(decision, view, seat_names, marked_count)
        case _:
            return _play_prompt(decision, view, card, meld_count)


def _mark_prompt(decision: Decision, view: View, seat_names: Names, marked_count: int) -> str:
    minimum, maximum = mark_limits(decision)
    verb = MARK_VERBS[decision.kind]
    if decision.kind is DecisionKind.GIVE:
        assert view.declarer is not None
        _, partner = pass_order(view.rules, view.declarer)[passes_completed(view)]
        suffix = " back" if view.declarer == seat_names.seat else ""
        task = f"Pass {seat_names.names[partner]} {pluralize(minimum, 'card')}{suffix}"
    elif minimum == maximum:
        task = f"{verb.capitalize()} {pluralize(minimum, 'card')}"
    else:
        task = f"{verb.capitalize()} up to {pluralize(maximum, 'card')}"
    return f"{task}: Space marks ({marked_count} of {maximum}), Enter confirms."


def _play_prompt(decision: Decision, view: View, card: Card | None, meld_count: int) -> str:
    enter_text = "" if card is None else f", Enter plays {card.pretty}"
    if view.trick:
        led_suit = view.trick[0].suit
        is_any_card_legal = len(playable_cards(decision)) == len(set(view.hand))
        choose_text = "any card may be played" if is_any_card_legal else "← → choose"
        return f"Play to {led_suit.word} {led_suit.symbol}: {choose_text}{enter_text}."
    if PASS in decision.legal:
        return (
            "Lay down a meld (d), or Enter draws." if meld_count else "No meld to lay: Enter draws."
        )
    if meld_count:
        return f"Lay down a meld (d) or lead a card: ← → choose{enter_text}."
    if CONCEDE in decision.legal:
        return f"Lead a card: ← → choose{enter_text}; g gives up."
    return f"You lead: ← → choose{enter_text}."


def waiting_text(view: View, seat_names: Names) -> str:
    """Return the line to show while another seat is to act."""
    if view.kind is None:
        return "The game is over."
    if view.turn is None:
        return f"{seat_names.clause(view.dealer, 'deal')} …"
    prefix = "" if seat_names.seat in view.players else "You sit out: only the tied players play. "
    turn = "Your turn" if view.turn == seat_names.seat else f"{seat_names.names[view.turn]}'s turn"
    return f"{prefix}{turn} to {TASK_TEXTS[view.kind]} …   Space: at once"


def suit_of_key(key: str) -> Suit | None:
    """Return the suit of a number key, numbered as in the list of trumps."""
    return Suit(int(key) - 1) if key in "1234" and len(key) == 1 else None
