"""What is played: rules, two bots, cards from a seed, and who sits where.

A *board* is one lot of cards: the deals of a whole game, or a single deal. It is played once in
every *seating*; a *leg* is a board in one seating. Everything about a leg follows from the match
and its two numbers.
"""

from __future__ import annotations

import enum
import pickle
import random
from typing import Final, Literal

import msgspec

from acesaround import bots, game
from acesaround.bots.spec import PROGRAM, parse
from acesaround.errors import AcesAroundError, RulesError
from acesaround.rules import Rules
from acesaround.rules.scoring import mean_in_play
from acesaround.simulate import MAX_DEALS
from acesaround.variants import changed_options

Bot = Literal[0, 1]
"""Which of the two: 0 is A, 1 is B."""

MOST_ALONE: Final = 4
"""Up to so many sides each side has its seating for itself."""


class BoardKind(enum.StrEnum):
    """What a board is."""

    GAMES = "games"
    """A whole game."""
    SINGLE = "single"
    """A deal by itself, from nothing-all."""
    CARDS = "cards"
    """The same, and another bot decides in all seats whatever comes before the play of tricks."""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """Two bots against each other. Raises RulesError if that makes no sense.

    `before`: who decides before the play of tricks, for `Play.CARDS`. `limit`: seconds for a
    decision, None for no limit (of a program: its usual one). `max_deals`: where a game is left
    unfinished.
    """

    rules: Rules
    bots: tuple[str, str]
    seed: int = 0
    play: BoardKind = BoardKind.GAMES
    before: str | None = None
    limit: float | None = None
    max_deals: int = MAX_DEALS

    def __post_init__(self) -> None:
        for name in self.bots:
            bots.check(name, self.rules)
        if (self.before is not None) != (self.play is BoardKind.CARDS):
            raise RulesError("Another bot decides before the play where only cards are compared.")
        if self.before is not None:
            bots.check(self.before, self.rules)

    @property
    def seatings(self) -> tuple[tuple[Bot, ...], ...]:
        """Who plays each side, for every seating: in all of them, each side is each bot's equally.

        Two sides are swapped. With three or four, each plays alone against all others, once as A
        and once as B. With more, the bots alternate, and then change places.
        """
        sides = len(self.rules.sides)
        first: list[tuple[Bot, ...]]
        if 2 < sides <= MOST_ALONE:
            first = [tuple(0 if s == alone else 1 for s in range(sides)) for alone in range(sides)]
        else:
            first = [tuple(0 if s % 2 == 0 else 1 for s in range(sides))]
        swapped: list[tuple[Bot, ...]] = [
            tuple(1 if bot == 0 else 0 for bot in seating) for seating in first
        ]
        return (*first, *swapped)

    @property
    def programs(self) -> tuple[str, ...]:
        """The bots that are programs of this machine."""
        named = (*self.bots, self.before) if self.before is not None else self.bots
        return tuple(name for name in named if parse(name).name == PROGRAM)

    @property
    def in_play(self) -> float:
        """The points in the play of a deal, on the average."""
        return mean_in_play(self.rules, self.rules.seats)

    def options(self) -> dict[str, object]:
        """House options that differ from those of the variant, as in records."""
        options: dict[str, object] = msgspec.to_builtins(changed_options(self.rules))
        return options


def serialize(match: Match) -> bytes:
    """A match for another process."""
    return pickle.dumps(match)


def deserialize(match: bytes) -> Match:
    """A match from another process. Raises RulesError where this one lacks what it is about."""
    try:
        found = pickle.loads(match)
    except Exception as error:
        why = (
            str(error) if isinstance(error, AcesAroundError) else f"{type(error).__name__}: {error}"
        )
        raise RulesError(
            f"A process that is to play lacks what this one has: {why.removesuffix('.')}. A bot of "
            "your own must be known wherever its module is imported, not in one program alone."
        ) from None
    assert isinstance(found, Match)
    return found


def dealer(match: Match, board: int) -> int:
    """Who deals first: by lot, or for single deals the seats in turn."""
    if match.play is BoardKind.GAMES:
        return game.first_dealer(match.rules, rng_for(match, board, "dealer"))
    return board % match.rules.seats


def rng_for(match: Match, board: int, what: str) -> random.Random:
    """The source of chance for one thing of a board, the same in every seating."""
    return random.Random(f"{match.seed}/{board}/{what}")
