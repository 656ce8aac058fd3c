"""The text of a bot's reason, and assertions that hold for every one."""

from __future__ import annotations

import re
from typing import Final

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
from acesaround.bots.explanations import ActionReason, explain_action, explanation_parts
from acesaround.game.narration import BOT_NAMES
from acesaround.game.view import View

MAX_WORDS: Final = 18
"""The maximum number of words of a reason."""
_FURTHER: Final = (
    r"Go up to \d+|Go no higher|By convention it [a-z].*|[A-Z].* (?:would be about|may be) as good"
    r"|You hold no marriage, .*|You lose .*|Your side loses .*"
)
"""The sentences that may follow a reason."""


def named(seat: int) -> str:
    """Return the name of a seat."""
    return BOT_NAMES[seat]


def first(action: Action) -> list[str]:
    """Return the parts before the reason: every card, the bid, the suit."""
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


def read(action: Action, why: ActionReason, seen: View) -> str:
    """Return the sentence of a hint; assert that it is well formed."""
    said = explain_action(action, why, seen, named)
    does, colon, sentences = said.partition(": ")
    reason, *further = sentences.removesuffix(".").split(". ")
    assert colon, said
    assert all(part in does for part in first(action)), said
    assert re.fullmatch(r"[A-Z].*[a-z\d♠♥♦♣]\.", said), said
    assert not re.search(r"  | ,|\.\.|[;:]|\. ", reason), said
    assert all(re.fullmatch(_FURTHER, sentence) for sentence in further), said
    if not isinstance(action, Bid | Pass):
        assert not re.search(r"\d", re.sub("(10|9)[♠♥♦♣]|\\d+ other choices", "", reason)), said
    assert len(reason.removeprefix("as far as you remember, ").split()) <= MAX_WORDS, said
    assert seen.seat not in explanation_parts(why), said
    assert all(isinstance(part, str) or part in seen.players for part in explanation_parts(why)), (
        said
    )
    return said
