"""Matches: rules, two bots, the seed of the cards, and the seatings.

A *board* is a fixed set of cards: the deals of a whole game, or a single deal. It is played once in
every *seating*. A *leg* is a board in one seating. A leg depends only on the match, the board
number and the seating number.
"""

from __future__ import annotations

import enum
import pickle
import random
from typing import Final, Literal

import msgspec

from acesaround import bots, game
from acesaround.bots.spec import PROGRAM, parse_bot_name
from acesaround.errors import AcesAroundError, RulesError
from acesaround.rules import Rules
from acesaround.rules.scoring import least_stake, mean_play_points
from acesaround.simulate import MAX_DEALS
from acesaround.variants import changed_options

BotIndex = Literal[0, 1]
"""One of the two bots: 0 is A, 1 is B."""

MAX_SOLO_SIDES: Final = 4
"""The largest number of sides for which each side has a seating in which it plays alone."""


class BoardKind(enum.StrEnum):
    """The kind of a board."""

    GAMES = "games"
    """A whole game."""
    SINGLE_DEAL = "single"
    """A single deal, with all scores at zero."""
    CARD_PLAY = "cards"
    """A single deal in which another bot makes all decisions before the play of tricks."""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """Two bots against each other. Raises RulesError if the parameters do not fit together.

    `before_play_bot`: the bot that decides before the play of tricks, for `BoardKind.CARD_PLAY`.
    `limit_seconds`: seconds for a decision; None means no limit, or the default limit of an
    external program. `max_deals`: the number of deals after which a game is left unfinished.
    """

    rules: Rules
    bots: tuple[str, str]
    seed: int = 0
    board_kind: BoardKind = msgspec.field(name="play", default=BoardKind.GAMES)
    before_play_bot: str | None = msgspec.field(name="before", default=None)
    limit_seconds: float | None = msgspec.field(name="limit", default=None)
    max_deals: int = MAX_DEALS

    def __post_init__(self) -> None:
        for name in self.bots:
            bots.check(name, self.rules)
        if (self.before_play_bot is not None) != (self.board_kind is BoardKind.CARD_PLAY):
            raise RulesError(
                "`before_play_bot` and the board kind `cards` go together: give both or neither."
            )
        if self.before_play_bot is not None:
            bots.check(self.before_play_bot, self.rules)

    @property
    def seatings(self) -> tuple[tuple[BotIndex, ...], ...]:
        """The bot of each side, for every seating.

        Over all seatings each bot plays each side equally often. Two sides are swapped. With three
        or four sides, each plays alone against all others, once as A and once as B. With more
        sides, the bots alternate, and then swap.
        """
        sides = len(self.rules.sides)
        seatings: list[tuple[BotIndex, ...]]
        if 2 < sides <= MAX_SOLO_SIDES:
            seatings = [
                tuple(0 if s == solo_side else 1 for s in range(sides))
                for solo_side in range(sides)
            ]
        else:
            seatings = [tuple(0 if s % 2 == 0 else 1 for s in range(sides))]
        swapped_seatings: list[tuple[BotIndex, ...]] = [
            tuple(1 if bot == 0 else 0 for bot in seating) for seating in seatings
        ]
        return (*seatings, *swapped_seatings)

    @property
    def programs(self) -> tuple[str, ...]:
        """The bots that are external programs on this machine."""
        names = (
            (*self.bots, self.before_play_bot) if self.before_play_bot is not None else self.bots
        )
        return tuple(name for name in names if parse_bot_name(name).name == PROGRAM)

    @property
    def average_points_in_play(self) -> float:
        """The average number of points in the play of a deal.

        Where a deal is paid by its bid: what the declarer of the lowest bid gains by making it
        instead of being set.
        """
        if self.rules.scoring.pays:
            return least_stake(self.rules)
        return mean_play_points(self.rules, self.rules.seats)

    def changed_options(self) -> dict[str, object]:
        """Return the options that differ from those of the variant, as in records."""
        options: dict[str, object] = msgspec.to_builtins(changed_options(self.rules))
        return options


def serialize(match: Match) -> bytes:
    """Return a match as bytes for another process."""
    return pickle.dumps(match)


def deserialize(match: bytes) -> Match:
    """Return a match from another process. Raise RulesError if something it needs is missing."""
    try:
        loaded = pickle.loads(match)
    except Exception as error:
        reason = (
            str(error) if isinstance(error, AcesAroundError) else f"{type(error).__name__}: {error}"
        )
        raise RulesError(
            f"A worker process cannot load what this process uses: {reason.removesuffix('.')}. "
            "Register your own bot in a module that the workers can import."
        ) from None
    assert isinstance(loaded, Match)
    return loaded


def first_dealer_of(match: Match, board: int) -> int:
    """Return the first dealer: random for games, the seats in turn for single deals."""
    if match.board_kind is BoardKind.GAMES:
        return game.first_dealer(match.rules, rng_for(match, board, "dealer"))
    return board % match.rules.seats


def rng_for(match: Match, board: int, purpose: str) -> random.Random:
    """Return the random generator for one purpose on a board, the same in every seating."""
    return random.Random(f"{match.seed}/{board}/{purpose}")
