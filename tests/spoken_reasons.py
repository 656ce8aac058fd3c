"""A reason as it is read aloud, and what holds of every one."""

from __future__ import annotations

import re
from typing import Final

from acesaround.actions import Action, Bid, Bury, Concede, Discard, Give, LayMeld, NameTrump, Play
from acesaround.bots.explanations import Reason, explain_action, explanation_parts
from acesaround.game.narration import BOT_NAMES
from acesaround.game.view import View

WORDS: Final = 13
"""A reason has no more."""


def named(seat: int) -> str:
    """What a seat is called here."""
    return BOT_NAMES[seat]


def first(action: Action) -> list[str]:
    """What stands before the reason, whatever it is: every card, the bid, the suit."""
    match action:
        case Play(card):
            return [card.pretty]
        case Bid(points):
            return [str(points)]
        case NameTrump(suit):
            return [suit.word]
        case Give(cards) | Bury(cards) | Discard(cards) | LayMeld(cards):
            return [card.pretty for card in cards] or ["Keep all"]
        case Concede():
            return ["Give up"]
        case _:
            return ["Pass"]


def read(action: Action, why: Reason, seen: View) -> str:
    """The sentence of a hint, if it is one that somebody would say."""
    said = explain_action(action, why, seen, named)
    does, colon, reason = said.partition(": ")
    assert colon, said
    assert all(part in does for part in first(action)), said
    assert re.fullmatch(r"[A-Z].*[a-z♠♥♦♣]\.", said), said
    assert not re.search(r"  | ,|\.\.|[;:]|\. ", reason), said
    assert not re.search(r"\d", re.sub("(10|9)[♠♥♦♣]", "", reason)), said
    assert len(reason.removeprefix("as far as you remember, ").split()) <= WORDS, said
    assert seen.seat not in explanation_parts(why), said
    assert all(isinstance(part, str) or part in seen.players for part in explanation_parts(why)), (
        said
    )
    return said
