"""All exceptions and their sentences, by cause.

Callers tell causes apart by type (`NotationError`, `RulesError`, `IllegalAction`, `RecordError`,
`BotError`), for an illegal action by `Reason`, and for a failed bot by `Failure`. No other module
writes a sentence about a broken rule; terminal, browser and documentation all show the sentences
below.
"""

from __future__ import annotations

import enum
from typing import NamedTuple


class AcesAroundError(ValueError):
    """The base of all errors that bad input can cause. `str(error)` is one clear sentence."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines to show: one, unless several things are wrong at once."""
        return (str(self),)


class NotationError(AcesAroundError):
    """A card, suit, hand or action that cannot be read."""


class PositionError(AcesAroundError):
    """Cards that cannot be the rest of a deal, or a question that does not fit them."""


class RulesError(AcesAroundError):
    """A variant, number of players or house option that does not exist or is invalid."""


class Fault(NamedTuple):
    """One fault of rules: a sentence, and the fields to change.

    `fields`: the likeliest first, each by its path in the rules object, such as `deal.kitty`.
    `form_sentence`: the sentence for a form that shows it at the field; "" for `sentence`.
    """

    sentence: str
    fields: tuple[str, ...]
    form_sentence: str = ""


def value_fault(path: str, name: str, value: str, expected: str) -> Fault:
    """Return the fault of a field whose value is not one of the expected ones."""
    return Fault(
        f"{name} cannot be {value}: expected {expected}.", (path,), f"It must be {expected}."
    )


class ContradictionError(RulesError):
    """Rules with a wrong value or a contradiction. The message is the first of its `faults`."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(*faults)
        self.faults = faults

    def __str__(self) -> str:
        return self.faults[0].sentence


class RecordError(AcesAroundError):
    """A record that is invalid: unreadable, cut off, or with parts of the wrong kind."""


class UnlistedError(AcesAroundError):
    """A length or a list was requested of legal actions that are too many to list."""

    def __init__(self) -> None:
        super().__init__(
            "There are too many legal actions here to count or list them: draw one with "
            "decision.legal.sample(rng), ask with `in`, or take the first few with islice."
        )


class Reason(enum.Enum):
    """Why an action is illegal. The value is the sentence that a person reads."""

    NOT_YOUR_TURN = "It is not your turn: {turn}."
    WRONG_KIND = "Not possible now: {expected}."
    NO_ACTION = "That is not an action: {why}."
    GAME_OVER = "The game is over."
    BAD_DEAL = "That is not a deal of this game: {why}."
    BID_TOO_LOW = "The bid must be at least {least}."
    BID_NOT_ALLOWED = "A bid of {bid} is not allowed here: {allowed}."
    MUST_BID = "Nobody has bid, so you must bid."
    NO_MARRIAGE = "Trump must be a suit in which you hold a marriage (king and queen)."
    NOT_HELD = "You do not hold {cards}."
    WRONG_NUMBER = "It must be exactly {number} cards, not {given}."
    TOO_MANY_CARDS = "At most {limit} cards can be exchanged here, not {given}."
    MUST_FOLLOW = "You must follow suit: a card of {suit} was led and you hold one."
    MUST_BEAT = "You have a card that beats the {card}, so you must play one."
    MUST_TRUMP = "You cannot follow suit, so you must play a trump ({suit})."
    TRUMP_NOT_BROKEN = "Trump cannot be led before it is broken, unless you hold nothing else."
    CANNOT_CONCEDE = "You cannot give up here."
    NO_MELD_NOW = (
        "A meld can be laid only once, right after winning a trick and drawing, before leading."
    )
    NOT_A_MELD = "{cards} is not a meld of this game."
    ALREADY_MELDED = "One of {cards} already counts in another meld of this kind."
    DOUBLED_ALREADY = "A double pinochle has already been laid, and only one is allowed."
    NEEDS_CARD_FROM_HAND = "A meld needs at least one card from the hand, not only from the table."


class IllegalAction(AcesAroundError):  # noqa: N818 - the field's word; it reads as a refusal
    """An action that the rules forbid. The state it was applied to is unchanged.

    `reason` says which rule; `facts` fill in the sentence.
    """

    def __init__(self, reason: Reason, **facts: object) -> None:
        self.reason = reason
        self.facts = facts
        super().__init__(reason.value.format(**facts))


class Failure(enum.Enum):
    """How a bot failed. The value is the sentence that a person reads."""

    RAISED = "The bot {bot} failed: {why}."
    DIED = "The bot {bot} does not run: {why}."
    RUBBISH = "The bot {bot} sent an invalid answer: {why}."
    ILLEGAL = "The bot {bot} chose an illegal action: {action}."
    LATE = "The bot {bot} gave no answer within {seconds:g} s."


class BotError(AcesAroundError):
    """A bot that gave no legal action. `failure` says how; `facts` fill in the sentence."""

    def __init__(self, failure: Failure, **facts: object) -> None:
        self.failure = failure
        self.facts = facts
        super().__init__(failure.value.format(**facts))
