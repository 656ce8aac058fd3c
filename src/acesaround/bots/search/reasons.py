"""Why the `search` bot did something: one sentence for people.

First what is certain about it (see `claims`), then what was expected of it and of the next best.
Whatever a sentence says about cards holds wherever the unseen ones are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, cast

from acesaround.actions import (
    Action,
    Bid,
    Bury,
    Concede,
    Discard,
    Give,
    LayMeld,
    NameTrump,
    Pass,
    Play,
)
from acesaround.bots.advice import Advice, Expected, seat_name
from acesaround.bots.search.choice import Choice, Option
from acesaround.bots.search.claims import Sure, why_sure
from acesaround.bots.thumb.bidding import suits
from acesaround.bots.thumb.worth import best_worth, meld_points
from acesaround.cards import RANKS, Card, Rank, Suit, pack, pretty_cards
from acesaround.phases.exchange import passings
from acesaround.scoring import card_points, to_go
from acesaround.state import Decision, Kind
from acesaround.tricks import beats
from acesaround.view import View, given, tally

_NAMED: Final = 2  # alternatives that a sentence names
_SAME: Final = 0.05  # points that make no difference


def reason(view: View, decision: Decision, choice: Choice) -> str:
    """One sentence that says why an action was chosen."""
    fact, numbers = _fact(view, decision, choice), _numbers(view, choice)
    return f"{fact[0].upper()}{fact[1:]}{'; ' * bool(numbers)}{numbers}."


def advice(view: View, decision: Decision, choice: Choice) -> Advice:
    """A choice for people: the action, why, and all that was tried."""
    tried = tuple(Expected(one.action, one.points, one.chance, one.made) for one in choice.options)
    return Advice(choice.action, reason(view, decision, choice), tried)


# --- what is so ----------------------------------------------------------------------------------


def _fact(view: View, decision: Decision, choice: Choice) -> str:
    match choice.action:
        case Play(card):
            return _play(view, decision, card)
        case Bid(points):
            return f"bid {points}: {_promise(view)}"
        case Pass():
            return f"pass: {_no_bid(view)}"
        case NameTrump(suit):
            number = sum(card.suit is suit for card in view.hand)
            meld = meld_points(view.rules.melds, pack(view.hand), suit)
            return f"{suit.word}: {_count(number, 'card')}, and {meld} meld in your hand with it"
        case Give(cards):
            return _give(view, cards)
        case Bury(cards):
            return _bury(view, cards)
        case Discard(cards):
            return _discard(view, cards)
        case LayMeld():
            return f"lay {name_of(choice.action)} now: a meld not laid in time counts nothing"
        case Concede():
            return f"give up: {_count(_missing(view), 'point')} are missing for the bid"
        case other:
            raise AssertionError(other)


def _promise(view: View) -> str:
    best = best_worth(view, pack(view.hand), suits(view) or range(4))
    return f"with {Suit(best.trump).word} as trump your hand melds {best.meld} by itself"


def _no_bid(view: View) -> str:
    standing = next((call for call in reversed(view.auction) if call.bid is not None), None)
    if not suits(view):
        return "without a marriage your hand cannot name trump"
    if standing is not None and standing.seat in view.rules.partners_of(cast(int, view.seat)):
        return f"{seat_name(view, standing.seat)}'s bid of {standing.bid} stands"
    return _promise(view)


def _give(view: View, cards: Sequence[Card]) -> str:
    kept = _meld_kept(view, cards, view.trump)
    trumps = sum(card.suit is view.trump for card in cards)
    aces = sum(card.rank is Rank.ACE and card.suit is not view.trump for card in cards)
    sent = [_count(n, noun) for n, noun in ((trumps, "trump"), (aces, "ace")) if n]
    gets = " and ".join(sent) or "no trump and no ace"
    assert view.declarer is not None
    _, taker = passings(view.rules, view.declarer)[given(view)]
    return f"give {pretty_cards(cards)}: {seat_name(view, taker)} gets {gets}, and {kept}"


def _bury(view: View, cards: Sequence[Card]) -> str:
    points = card_points(view.rules, cards)
    trump = best_worth(view, pack(view.hand)).trump
    kept = _meld_kept(view, cards, Suit(trump))
    left = {card.suit for card in view.hand} - {card.suit for card in _without(view.hand, cards)}
    void = f", you are out of {' and '.join(s.word for s in sorted(left))}" if left else ""
    counts = f"{_count(points, 'point')} in them count for you" if points else "they count nothing"
    return f"bury {pretty_cards(cards)}: {counts}{void}, and with {Suit(trump).word} {kept}"


def _discard(view: View, cards: Sequence[Card]) -> str:
    if not cards:
        return "keep all cards"
    trumps = sum(card.suit is view.trump for card in _without(view.hand, cards))
    what = f"you keep {_count(trumps, 'trump')}" if trumps else "none of the cards kept is a trump"
    return f"exchange {pretty_cards(cards)}: {what}, and {_meld_kept(view, cards, view.trump)}"


def _missing(view: View) -> int:
    """How many points play has to bring for the bid."""
    rules = view.rules
    assert view.declarer is not None and view.bid is not None
    return to_go(rules, tally(view), rules.side_of(view.declarer), view.bid)


def _meld_kept(view: View, cards: Sequence[Card], trump: Suit | None) -> str:
    """What parting with cards does to the meld in hand."""
    table, hand = view.rules.melds, pack(view.hand)
    lost = meld_points(table, hand, trump) - meld_points(table, hand - pack(cards), trump)
    return f"{lost} of your meld goes with them" if lost else "your meld stays whole"


def _without(hand: Sequence[Card], cards: Sequence[Card]) -> list[Card]:
    left = list(hand)
    for card in cards:
        left.remove(card)
    return left


# --- what is so about a card ---------------------------------------------------------------------


def _play(view: View, decision: Decision, card: Card) -> str:
    playable = [action.card for action in decision.legal if isinstance(action, Play)]
    if decision.forced:
        return f"the {card.rank.word} of {card.suit.word} is the only card you may play"
    sure = Sure(view)
    return (_follow if view.trick else _lead)(sure, playable, card)


def _lead(sure: Sure, playable: Sequence[Card], card: Card) -> str:
    view, suit = sure.view, card.suit
    name, trick = f"the {card.rank.word} of {suit.word}", sure.trick(card)
    if trick.sure:
        return f"{name} is sure to win: {why_sure(sure, trick, suit)}"
    if suit is view.trump:
        if sure.highest(card):
            return f"{name} wins the trick: no higher trump is out"
        if all(other.suit is suit for other in playable):
            return "there is only trump to lead"
        return f"{name} draws trumps: {sure.unseen(suit)} of them are unseen"
    if sure.highest(card):
        return f"only a trump can beat {name}"
    for partner in sure.partners:
        ace = next((c for c in range(suit * RANKS, card) if sure.holds(partner, c)), None)
        if ace is not None and sure.highest(ace):
            who = seat_name(view, partner)
            return f"{who} must hold the {Rank(ace % RANKS).word} of {suit.word}"
    if not any(sure.trick(other).sure for other in playable):
        return f"no card of yours is sure to win, and {name} does best"
    return f"your sure tricks can wait, and {name} does best now"


def _follow(sure: Sure, playable: Sequence[Card], card: Card) -> str:
    view = sure.view
    led, points = view.trick[0].suit, sure.points
    trick, before = sure.trick(card), _standing(sure)
    name = f"the {card.rank.word}" + (f" of {card.suit.word}" if card.suit is not led else "")
    best = before[0]
    if trick.takes:
        if trick.sure:
            return f"{name} wins the trick for certain: {why_sure(sure, trick, led)}"
        if all(beats(other, best, sure.trump) for other in playable):
            return f"you must beat the {best.rank.word}, and {name} does best"
        return f"{name} takes the trick for now"
    if trick.ours:
        who = seat_name(view, trick.holder)
        if not trick.sure:
            return f"{who}'s {best.rank.word} has the trick so far"
        why = why_sure(sure, trick, led)
        return f"{name} is safe: {why}" if points[card] else f"{who} has the trick: {why}"
    whose = f"the {best.rank.word} of {seat_name(view, trick.holder)}"
    behind = [seat for seat in trick.to_come if sure.friend(seat)]
    if behind:
        who = seat_name(view, behind[0]) if len(behind) == 1 else "a partner of yours"
        if not trick.sure:
            return f"{who} may still beat {whose}"
        mine = f"neither you nor {who} can" if _none(sure, playable, best) else f"{who} cannot"
        return f"{mine} beat {whose}"
    lost = "you cannot beat" if _none(sure, playable, best) else "you let go"
    least = points[card] == min(points[other] for other in playable)
    return f"{lost} {whose}" + (f", and {name} gives no more than it must" if least else "")


def _none(sure: Sure, playable: Sequence[Card], best: Card) -> bool:
    return not any(beats(other, best, sure.trump) for other in playable)


def _standing(sure: Sure) -> tuple[Card, int]:
    """The card that has the trick before one's own, and its place in it."""
    cards, place = sure.view.trick, 0
    for at, card in enumerate(cards):
        if beats(card, cards[place], sure.trump):
            place = at
    return cards[place], place


# --- what was expected ---------------------------------------------------------------------------


def _numbers(view: View, choice: Choice) -> str:
    """What the action brings and what the next best would, in the unit in which it is better."""
    chosen = next((one for one in choice.options if one.action == choice.action), None)
    others = [one for one in choice.options if one.action != choice.action][:_NAMED]
    if chosen is None or not others:
        return ""
    every = [one.points for one in choice.options]
    if max(every) - min(every) < _SAME:
        return f"every choice brings the same here, {_average(chosen)}"
    if chosen.points >= max(one.points for one in others) - _SAME:
        fine = abs(chosen.points - others[0].points) < 1.0 and _points(chosen) == _points(others[0])
        points = [_points(one, fine) for one in (chosen, *others)]
        if points[0] != points[1]:
            made = _bid_share(view, [chosen, *others])
            names = _names(chosen, others)
            return f"it brings {_average(chosen, fine)}{made}, {_against(points[1:], names)}"
    if chosen.chance < max(one.chance for one in others):
        more = max(others, key=lambda one: one.chance)
        name = name_of(more.action, choice.action)
        but = (
            "would have to promise more still"
            if isinstance(choice.action, Pass | Bid)
            else "may be better by chance alone"
        )
        return f"it brings {_average(chosen)}, and {name}, which promises {_points(more)}, {but}"
    does, shares = _better(view, chosen, others)
    shown = list(zip(shares[1:], others, strict=True))
    as_often = [one for share, one in shown if share == shares[0]]
    less = [(share, one) for share, one in shown if share != shares[0]]
    names = _names(chosen, [*as_often, *(one for _, one in less)])
    parts = [f"it {does} in {shares[0]} of deals ({_average(chosen)})"]
    if as_often:
        parts.append(f"as often as with {' and '.join(names[: len(as_often)])}")
    if less:
        told = [f"{share} ({_points(one)})" for share, one in less]
        parts.append(_against(told, names[len(as_often) :]))
    return ", ".join(parts)


def _names(chosen: Option, others: Sequence[Option]) -> list[str]:
    """Others in the order in which they are told; a card beside the one before it."""
    actions = [chosen.action, *(one.action for one in others)]
    return [name_of(action, before) for before, action in pairwise(actions)]


def _against(told: Sequence[str], names: Sequence[str]) -> str:
    """What others bring."""
    pairs = zip(told, names, strict=True)
    return "against " + " and ".join(f"{what} with {name}" for what, name in pairs)


def _average(option: Option, fine: bool = False) -> str:
    points = _points(option, fine)
    return f"{points} point{'s' * (points != '1')} on average"


def _bid_share(view: View, options: Sequence[Option]) -> str:
    """How often the bid is made, or set by those who defend, where that is open."""
    shares = [one.made for one in options]
    if view.declarer is None or view.kind is Kind.BID or min(shares) > 0.995 or max(shares) < 0.005:
        return ""
    if _declares(view):
        return f" and the bid is made in {100 * shares[0]:.0f}% of deals"
    return f" and the bid is set in {100 * (1.0 - shares[0]):.0f}% of deals"


def _declares(view: View) -> bool:
    """Whether the bid is one's own side's."""
    rules = view.rules
    return rules.side_of(cast(int, view.declarer)) == rules.side_of(cast(int, view.seat))


def _better(view: View, chosen: Option, others: Sequence[Option]) -> tuple[str, list[str]]:
    """What the action does more often than all others, and how often each does."""
    every = [chosen, *others]
    if view.declarer is not None and view.kind is not Kind.BID:
        mine = _declares(view)
        made = [one.made if mine else 1.0 - one.made for one in every]
        if made[0] > max(made[1:]) + 0.005:
            return ("makes the bid" if mine else "sets the bid"), [f"{100 * m:.0f}%" for m in made]
    return "wins the game", [f"{100 * one.chance:.1f}%" for one in every]


def _points(option: Option, fine: bool = False) -> str:
    """Points, to the tenth where whole ones would hide a difference."""
    text = f"{option.points:.1f}" if fine else f"{option.points:.0f}"
    return text if float(text) else text.lstrip("-")


def name_of(action: Action, beside: Action | None = None) -> str:
    """An action as a thing; a card beside another of its suit by its rank alone."""
    match action:
        case Play(card):
            same = isinstance(beside, Play) and beside.card.suit is card.suit
            return f"the {card.rank.word}" + ("" if same else f" of {card.suit.word}")
        case Bid(points):
            return f"a bid of {points}"
        case Pass():
            return "a pass"
        case NameTrump(suit):
            return suit.word
        case Concede():
            return "giving up"
        case LayMeld(cards) | Give(cards) | Bury(cards) | Discard(cards):
            return pretty_cards(cards) if cards else "keeping all cards"
        case other:
            raise AssertionError(other)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
