"""The sentence that says what is to be done now and what it is for, for page and terminal.

The sentence is made here, from a view and the legal choices, because both programs show it and
neither may work out a rule. It has the numbers of seats, which each program replaces by names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from acesaround.bots.heuristic.hand_reasons import lacks_marriage
from acesaround.game.narration import pluralize
from acesaround.game.state import DecisionKind
from acesaround.game.view import View
from acesaround.rulebook.glossary import name_counters
from acesaround.rules.scoring import max_play_points
from acesaround.table.messages import BidProgress, Guidance, LegalChoices

_SEAT: Final = re.compile(r"<(\d)>")
_TASKS: Final = {
    DecisionKind.BID: "bid or pass",
    DecisionKind.BURY: "bury cards",
    DecisionKind.TRUMP: "choose trump",
    DecisionKind.GIVE: "pass cards",
    DecisionKind.DISCARD: "exchange cards",
    DecisionKind.UPCARD: "take the upcard or leave it",
    DecisionKind.PLAY: "play",
}
_PURPOSES: Final = {
    DecisionKind.BID: "The highest bid chooses trump and must be made",
    DecisionKind.BURY: "Buried cards lie face down and count for the declarer at the end",
    DecisionKind.TRUMP: "Trump beats the other three suits",
    DecisionKind.GIVE: "Partners of the declarer pass what helps, and get other cards back",
    DecisionKind.DISCARD: "Each discarded card is replaced by a new one",
    DecisionKind.UPCARD: "A nine of trump can be given for the upcard",
    DecisionKind.PLAY: "The winner of a trick scores the {counters} in it",
}
"""What a decision is for. `counters`: the cards that score by the rules in force."""
_WORDS: Final = {
    DecisionKind.BID: ("bid", "meld", "trick", "trump"),
    DecisionKind.BURY: ("bury", "counter"),
    DecisionKind.TRUMP: ("trump", "meld", "long"),
    DecisionKind.GIVE: ("pass cards", "declarer", "meld"),
    DecisionKind.DISCARD: ("exchange", "meld"),
    DecisionKind.UPCARD: ("upcard", "dix"),
    DecisionKind.PLAY: ("trick", "counter"),
}
"""The words of the glossary that belong to a decision."""


def compose_guidance(
    view: View,
    offered: LegalChoices | None,
    progress: BidProgress | None,
    *,
    is_turn_silent: bool = False,
) -> Guidance | None:
    """Return what the reader of a view is to do, or who is awaited and for what.

    `offered`: the reader's legal choices; `progress`: how far the declarer's bid is made.
    `is_turn_silent`: the person on turn is connected but does not answer. Return None while cards
    are dealt, and when the game is over: what is shown then says who has won.
    """
    if view.kind is None or view.kind is DecisionKind.DEAL or view.turn is None:
        return None
    words = _WORDS[view.kind]
    if offered is None and view.turn == view.seat:
        short, long = "A bot plays for you", "A bot plays for you until you take over."
    elif offered is None and is_turn_silent:
        short = f"The connection of {_name(view.turn)} does not answer"
        long = f"Waiting for {_name(view.turn)} to {_TASKS[view.kind]}. {short}."
    elif offered is None:
        short = f"Waiting for {_name(view.turn)} to {_TASKS[view.kind]}"
        purpose = _PURPOSES[view.kind].format(counters=name_counters(view.rules))
        long = f"{short}. {purpose}. {_state_of_play(view, progress)}"
    else:
        short, long = _OWN[view.kind](view, offered, progress)
    if view.kind is DecisionKind.PLAY:
        words += ("follow suit",) if view.trick else ("trump",)
        words += ("to go", "set") if progress is not None else ()
    return Guidance(_split(short), _split(long), words)


def _name(seat: int) -> str:
    return f"<{seat}>"


def _split(text: str) -> tuple[str | int, ...]:
    """Return a text in parts, each seat as its number."""
    parts = _SEAT.split(" ".join(text.split()))
    return tuple([int(part) if i % 2 else part for i, part in enumerate(parts) if part])


def _aim(view: View) -> str:
    """Return how the game is won, as a sentence."""
    deals = view.rules.ending.hands
    if deals is None:
        side = "side" if view.rules.has_partners else "player"
        return f"The first {side} to {view.target} wins."
    end = f"{deals} deals" if view.deals + 1 < deals else "this deal"
    return f"Whoever has most points after {end} wins."


def _state_of_play(view: View, progress: BidProgress | None) -> str:
    """Return how much the declarer's side still needs; without a bid, how the game is won."""
    if view.declarer is None or view.bid is None:
        return _aim(view)
    own_side = view.seat is not None and _is_on_declarers_side(view)
    bidder = f"{_name(view.declarer)} bid {view.bid}"
    if view.declarer == view.seat:
        bidder = f"You bid {view.bid}"
    elif own_side:
        bidder = f"Your partner {bidder}"
    if progress is None or view.kind is not DecisionKind.PLAY:
        return f"{bidder}."
    if not progress.points_needed:
        return f"{bidder}, and it is made."
    if own_side:
        return f"{bidder}: you need {progress.points_needed} more."
    return f"{bidder} and needs {progress.points_needed} more."


def _is_on_declarers_side(view: View) -> bool:
    assert view.declarer is not None
    assert view.seat is not None
    return view.rules.side_of(view.declarer) == view.rules.side_of(view.seat)


def _needed(view: View, progress: BidProgress | None) -> str:
    """Return in a few words what is at stake in the play, "" without a bid."""
    if view.declarer is None or progress is None or view.seat is None:
        return ""
    if not progress.points_needed:
        return " · bid made"
    if _is_on_declarers_side(view):
        return f" · {progress.points_needed} to go"
    return f" · {_name(view.declarer)} needs {progress.points_needed}"


def _bid(view: View, offered: LegalChoices, progress: BidProgress | None) -> tuple[str, str]:
    best = offered.melds_by_trump[0].points if offered.melds_by_trump else 0
    points = max_play_points(view.rules, len(view.players))
    doing = "Bid or pass" if offered.may_pass else "You must bid"
    purpose = _PURPOSES[DecisionKind.BID]
    if lacks_marriage(view):
        purpose = (
            "Only a marriage from the kitty would let you name trump"
            if view.rules.deal.kitty
            else "You hold no marriage, so you could not name trump"
        )
    aim = f"{purpose}. {_aim(view)}"
    if not offered.melds_by_trump:
        return (
            f"{doing}: tricks bring up to {points}",
            f"{doing}: tricks bring up to {points}. {aim}",
        )
    meld = f"your meld is worth {best}" if best else "you have no meld yet"
    return (
        f"{doing}: {f'meld {best}' if best else 'no meld'}, tricks up to {points}",
        f"{doing}: {meld}, tricks up to {points}. {aim}",
    )


def _bury(view: View, offered: LegalChoices, progress: BidProgress | None) -> tuple[str, str]:
    number = offered.sizes[0]
    return (
        f"Bury {number}: they count for you at the end",
        f"You won the bid: bury {pluralize(number, 'card')} face down. Buried "
        f"{name_counters(view.rules)} score for you, but buried cards make no meld.",
    )


def _trump(view: View, offered: LegalChoices, progress: BidProgress | None) -> tuple[str, str]:
    return (
        "You won the bid: choose trump",
        f"You won the bid at {view.bid}: choose the suit that beats the other three, one with many "
        "cards or much meld.",
    )


def _give(view: View, offered: LegalChoices, progress: BidProgress | None) -> tuple[str, str]:
    assert offered.to is not None
    number, taker = offered.sizes[0], _name(offered.to)
    if offered.to == view.declarer:
        helps = "trump, aces and what completes a meld" if view.trump is not None else "aces"
        return (
            f"Pass {number} to {taker}, who won the bid",
            f"Pass {pluralize(number, 'card')} to {taker}, who won the bid for your side: "
            f"{helps} help most.",
        )
    return (
        f"Pass {number} back to {taker}",
        f"You won the bid: pass {pluralize(number, 'card')} back to {taker}. Keep what makes "
        "meld and what wins tricks.",
    )


def _discard(view: View, offered: LegalChoices, progress: BidProgress | None) -> tuple[str, str]:
    return (
        "Exchange cards for new ones, or keep all",
        f"Exchange up to {pluralize(offered.sizes[-1], 'card')} for new ones, or keep all. Keep "
        f"trump, aces and what makes meld. {_state_of_play(view, progress)}",
    )


def _upcard(view: View, offered: LegalChoices, progress: BidProgress | None) -> tuple[str, str]:
    if offered.nine is None:
        return (
            "You have no nine to give for the upcard",
            "The dealer's upcard makes its suit trump. A player with the nine of trump can trade "
            "it for the upcard. You have none.",
        )
    return (
        "Your nine of trump takes the upcard",
        "The dealer's upcard makes its suit trump. "
        + ("You may give" if offered.may_pass else "You must give")
        + " your nine of trump for it. The nine still scores for you.",
    )


def _play(view: View, offered: LegalChoices, progress: BidProgress | None) -> tuple[str, str]:
    doing, why = _doing(view, offered)
    return (
        doing + _needed(view, progress),
        f"{doing}. {why} {_state_of_play(view, progress)}",
    )


def _doing(view: View, offered: LegalChoices) -> tuple[str, str]:
    """Return what to do in the play, and its purpose. Both depend on the legal cards."""
    if offered.may_pass:
        lays = bool(offered.melds)
        return (
            "Lay a meld, or draw" if lays else "Draw a card",
            "A meld scores at once and its cards can still be played." if lays else "",
        )
    if len(view.hand) == 1 and not offered.melds:
        return "Play your last card", _counters(view)
    if not view.trick:
        lead = "Lay a meld or lead a card" if offered.melds else "Lead a card"
        if view.trump in {card.suit for card in {*view.hand} - {*offered.plays}}:
            lead = "Lead a card, but not trump yet"
        return lead, "The highest trump wins, or else the highest card of your suit."
    led, plays, hand = view.trick[0].suit, set(offered.plays), set(view.hand)
    of_suit = {card for card in hand if card.suit is led}
    if plays == hand and of_suit != hand:
        held = "" if of_suit else f"No {led.word}: "
        return f"{held}play any card".capitalize(), f"You need not win. {_counters(view)}"
    if plays <= of_suit:
        if plays < of_suit:
            return (
                f"Follow {led.word}, win if you can",
                f"If you can win, you must. {_counters(view)}",
            )
        return f"Follow {led.word}", _counters(view)
    if view.trump is not None and all(card.suit is view.trump for card in plays):
        return f"No {led.word}: play a trump", "If you cannot follow suit, you must play trump."
    return "Play a card", "Only some of your cards may be played."


def _counters(view: View) -> str:
    """Return which cards score when they are won, as a sentence."""
    return f"{name_counters(view.rules)} score.".capitalize()


_OWN: Final[
    dict[DecisionKind, Callable[[View, LegalChoices, BidProgress | None], tuple[str, str]]]
] = {
    DecisionKind.BID: _bid,
    DecisionKind.BURY: _bury,
    DecisionKind.TRUMP: _trump,
    DecisionKind.GIVE: _give,
    DecisionKind.DISCARD: _discard,
    DecisionKind.UPCARD: _upcard,
    DecisionKind.PLAY: _play,
}
