"""The script of a lesson: the cards, the actions of all seats, and the sentences.

A lesson has one or more parts. Each part begins a game, deals stacked cards and goes through its
steps. The person always has seat 0. An action is written in words: `bid 250`, `pass`, `trump H`,
`play AH`, `bury 9C 9D JS`.

A table stores the script in its log, so that a lesson goes on unchanged if a newer version of the
program has another script.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from acesaround import variants
from acesaround.actions import Action, Deal
from acesaround.cards import Card, parse_cards
from acesaround.record.model import action_from_json, action_to_json
from acesaround.rules import Rules

PERSON_SEAT: Final = 0
"""The seat of the person who takes a lesson."""


class LessonStep(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A step of a lesson: what is watched, what is said, and what the person has to do.

    `watch`: actions of any seats that are played before the step waits. `say`: the sentences of the
    step. `right`: the actions that are accepted; `try` in a file. If it is empty, the step waits
    until the person goes on. `wrong`: what is said on every other action. `wrong_moves`: what is
    said on certain actions, by an action (`play AH`) or by its first word (`pass`).
    """

    say: str
    watch: tuple[str, ...] = ()
    right: tuple[str, ...] = msgspec.field(name="try", default=())
    wrong: str = ""
    wrong_moves: dict[str, str] = {}


class LessonPart(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A part of a lesson: one deal with stacked cards, and the steps in it.

    `hands`: the cards of each seat. `stock`: the next card to draw comes first.
    """

    dealer: int
    hands: tuple[str, ...]
    steps: tuple[LessonStep, ...]
    kitty: str = ""
    stock: str = ""
    upcard: str = ""

    @property
    def deal(self) -> Deal:
        """The cards as an action. Raise NotationError."""
        return Deal(
            tuple([parse_cards(hand) for hand in self.hands]),
            parse_cards(self.kitty),
            parse_cards(self.stock),
            Card(self.upcard) if self.upcard else None,
        )


class Lesson(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A lesson. `name`: the name of its variant, or `first`.

    `summary`: what it teaches. `closing`: what is said at the end. `variant`, `players`, `options`:
    the game that is played in it.
    """

    title: str
    summary: str
    minutes: int
    closing: str
    parts: tuple[LessonPart, ...]
    variant: str = ""
    players: int | None = None
    options: dict[str, Any] = {}
    name: str = ""

    @property
    def step_count(self) -> int:
        """The number of steps of all parts."""
        return sum([len(part.steps) for part in self.parts])


def rules_of(lesson: Lesson) -> Rules:
    """Return the rules that a lesson is played by. Raise RulesError."""
    return variants.get(lesson.variant, lesson.players, lesson.options)


def parse_script_action(text: str) -> Action:
    """Return the action that a script writes in words. Raise NotationError."""
    verb, *words = text.split()
    match verb, words:
        case "bid", [points] if points.isdecimal():
            entry: list[Any] = ["bid", int(points)]
        case (("bid" | "trump" | "play" | "pass" | "concede"), _):
            entry = [verb, *words]
        case _:
            entry = [verb, words]
    return action_from_json([PERSON_SEAT, *entry])[1]


def format_script_action(action: Action) -> str:
    """Return an action in the words of a script, with its cards in a fixed order."""
    _, verb, *values = action_to_json(PERSON_SEAT, action)
    words = [
        word
        for value in values
        for word in (sorted(value) if isinstance(value, list) else [str(value)])
    ]
    return " ".join([verb, *words])
