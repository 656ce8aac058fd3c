"""The counting trainer: questions, between tricks, about how many trumps or aces are still out.

A card is out if the person neither holds it nor has buried it nor has seen it played. The page in
the browser asks after the same tricks (`frontend/src/table/counting`).
"""

from __future__ import annotations

from typing import Final

import msgspec
from rich.text import Text

from acesaround.cards import Card, Rank
from acesaround.game.view import View
from acesaround.table.trick_claims import unseen_cards
from acesaround.terminal.card_art import TEXT_STYLE, colour_cards
from acesaround.terminal.dialogs import DialogChoices

TITLE: Final = "Counting trainer"
STOP: Final = "stop"
"""The value of the choice to be asked no more."""
RESULT_CHOICES: Final[DialogChoices] = (("enter", "Go on", ""), ("k", "Ask no more", STOP))
_MIN_TRICKS: Final = 3  # before the first question of a deal
_MIN_CARDS: Final = 3  # in the hand at the last question
_TRICKS_PER_QUESTION: Final = 4  # about
_DEAL_SHIFT: Final = 3  # so that two deals do not ask after the same tricks
_KEYS: Final = "abcdef"


class CountingQuestion(msgspec.Struct, frozen=True):
    """A question. `out`: the cards that are out. `numbers`: the numbers to choose from."""

    sentence: str
    out: tuple[Card, ...]
    numbers: tuple[int, ...]

    @property
    def body(self) -> Text:
        """The text of the page that asks."""
        return Text(
            f"{self.sentence}\n\nOut is what you neither hold nor have buried nor have seen played."
        )

    @property
    def choices(self) -> DialogChoices:
        """A choice for each number. The value is the number."""
        return tuple(
            [
                (key, str(number), str(number))
                for key, number in zip(_KEYS, self.numbers, strict=True)
            ]
        )

    def is_right(self, value: str) -> bool:
        """Return whether the value of a choice is the right number."""
        return value == str(len(self.out))

    def result(self, value: str, right_count: int, question_count: int) -> Text:
        """Return the text of the page after an answer: the cards, and the score so far."""
        verdict = "Right." if self.is_right(value) else "Not quite."
        cards = " ".join(card.pretty for card in self.out)
        number = len(self.out)
        answer = f"{number} {'is' if number == 1 else 'are'} out{f': {cards}' if cards else ''}."
        score = f"{right_count} of {question_count} right so far."
        return colour_cards(f"{verdict} {answer}\n\n{score}", TEXT_STYLE)


def question_after_trick(view: View) -> CountingQuestion | None:
    """Return the question after the last trick of a view; None after most tricks.

    Questions about trumps and about aces take turns.
    """
    tricks = len(view.tricks)
    turn = tricks + view.deals * _DEAL_SHIFT
    if view.trump is None or turn % _TRICKS_PER_QUESTION:
        return None
    if tricks < _MIN_TRICKS or len(view.hand) < _MIN_CARDS:
        return None
    asks_aces = turn // _TRICKS_PER_QUESTION % 2 == 1
    out = tuple(
        card
        for card, copies in sorted(unseen_cards(view).items())
        if (card.rank is Rank.ACE if asks_aces else card.suit == view.trump)
        for _ in range(copies)
    )
    first = max(0, len(out) - (turn + len(out)) % len(_KEYS))
    sentence = f"How many {'aces' if asks_aces else 'trumps'} are still out?"
    return CountingQuestion(sentence, out, tuple(range(first, first + len(_KEYS))))
