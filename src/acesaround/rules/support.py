"""Which features support given rules, and why not; checked before the first card is dealt.

Rules can express more than the kernels can store. The limits named here are those of the kernels'
fixed-size columns; everything else is sized from the rules. Games, bots and commands call
`require_support` when they start, so that no deal fails in the middle.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import comb, gcd
from types import MappingProxyType
from typing import Final

from acesaround.cards import KINDS, members
from acesaround.errors import RulesError
from acesaround.rules import MeldTable, Phase, Rules
from acesaround.rules.laydown import candidates
from acesaround.rules.tricks import points_of

MOST_COPIES: Final = 6
"""Copies of a card: limited by the kernels' policy words, `melding` rows and solver lanes."""
MOST_PLAYERS: Final = 9
"""Players of a deal: limited by the words of `policy.Table` and of the solver's board."""
HOPE_BITS: Final = 10
"""Bits for the total worth of all melds that may be laid with one card: `Stakes.hopes`."""
WAY_BITS: Final = 10
"""Bits for the number of ways to distribute the copies of a card: `sampler.counting_tables`."""
MOST_STEPS: Final = 1 << 28
"""The most steps of the sampler's tables where a kitty keeps hands from sharing cells. This bounds
the possible steps, of which some millions are in use."""
MOST_UNITS: Final = 1000
"""The points in a deck, in units of their greatest common divisor: solver bounds have ten bits."""
MOST_ALIKE: Final = 3
"""The most consecutive ranks of equal worth: the solver compares hands over no longer runs."""


class Feature(enum.StrEnum):
    """A feature that may or may not support given rules."""

    ENGINE = "engine"
    """Whole games, action by action. Supports every `Rules` object, because those are
    consistent."""
    PLAYOUTS = "playouts"
    """Deals played in kernels, hundreds of thousands at a time."""
    SEARCH = "search"
    """Sampling of unseen cards and rollouts of each choice: search bots and hints."""
    SOLVER = "solver"
    """Exact solutions of positions with all hands known."""


def unsupported_reasons(rules: Rules) -> Mapping[Feature, str | None]:
    """Return for each feature None if it supports the rules, else the reason as a clause."""
    return MappingProxyType({part: why_not(rules, part) for part in Feature})


@lru_cache(maxsize=256)
def why_not(rules: Rules, part: Feature) -> str | None:
    """Return why a feature does not support the rules, as a clause; None if it does."""
    asked: dict[Feature, tuple[Callable[[Rules], str | None], ...]] = {
        Feature.ENGINE: (),
        Feature.PLAYOUTS: (_playouts,),
        Feature.SEARCH: (_playouts, _sampler, _solver),
        Feature.SOLVER: (_solver,),
    }
    return next(filter(None, (ask(rules) for ask in asked[part])), None)


def require_support(rules: Rules, part: Feature, what: str) -> None:
    """Raise RulesError if a feature does not support the rules.

    `what`: the name of what needs it, for the message, such as `the solver`.
    """
    if why := why_not(rules, part):
        raise RulesError(f"These rules are beyond {what}: {why}.")


def _playouts(rules: Rules) -> str | None:
    if rules.deck.copies > MOST_COPIES:
        return f"kernels have room for {MOST_COPIES} copies of a card, not {rules.deck.copies}"
    if rules.seats > MOST_PLAYERS:
        return f"kernels have room for {MOST_PLAYERS} players, not {rules.seats}"
    if rules.deal.kitty and rules.deal.stock:
        return "kernels deal a kitty or a stock, not both"
    if rules.deal.kitty and rules.phases.index(Phase.KITTY) > rules.phases.index(Phase.TRUMP):
        return "kernels take the kitty before trump is named"
    laid = Phase.STOCK_PLAY in rules.phases
    if laid and rules.scoring.nines_apart:
        return "kernels record no nines apart where melds are laid between tricks"
    if laid and rules.melds.others:
        return "kernels lay no melds of a table's own between tricks"
    if laid:
        most = _most_hoped(rules.melds)
        if most is None or most >= 1 << HOPE_BITS:
            return (
                "kernels have room for melds of less than "
                f"{1 << HOPE_BITS} points in all with one card, and none below 0"
            )
    return None


def _most_hoped(table: MeldTable) -> int | None:
    """Return the total worth of all melds that may be laid with one card, for the best card.

    Returns None if one of these melds is worth less than 0.
    """
    most = 0
    for trump in range(4):
        worth = [0] * KINDS
        for its in candidates(table, trump):
            points = [meld.points for meld in its.laid]
            if min(points) < 0:
                return None
            for card in members(its.cards):
                worth[card] += max(points)
        most = max(most, *worth)
    return most


def _sampler(rules: Rules) -> str | None:
    """Return why the sampler does not support the rules, or None.

    Hands may share a cell of its tables, except after a kitty was shown: then the cell must say
    which hand took a card.
    """
    for its in rules.melds.others:
        takes = Counter(its.in_trump(0))
        if len(set(takes.values())) > 1:
            return (
                "hidden hands are not drawn where a meld takes more of one card than of another, "
                f"as {its.name} does"
            )
    if not rules.deal.kitty:
        return None
    others, copies = rules.seats - 1, rules.deck.copies
    ways = comb(copies + others, others)
    if ways > 1 << WAY_BITS:
        return (
            f"with a kitty the copies of a card may lie in {ways} ways, "
            f"and there is room for {1 << WAY_BITS}"
        )
    states = (rules.deal.kitty + 1) * (rules.hand_size + 1) ** (others - 1)
    if states * ways * 4 * rules.deck.ranks > MOST_STEPS:
        return (
            f"with a kitty {others} unseen hands of {rules.hand_size} cards "
            "may be dealt in too many ways to be drawn"
        )
    return None


def _solver(rules: Rules) -> str | None:
    points = points_of(rules.scoring.card_points)[: rules.deck.ranks]
    return unsolvable(rules.seats, rules.deck.copies, points, rules.scoring.last_trick)


def unsolvable(players: int, copies: int, points: Sequence[int], last: int) -> str | None:
    """Return why the solver cannot handle these numbers, as a clause; None if it can.

    `points`: the points of each rank, the highest rank first. `last`: those of the last trick.
    """
    if not 2 <= players <= MOST_PLAYERS:
        return f"the solver has room for 2 to {MOST_PLAYERS} players, not {players}"
    if copies not in range(1, MOST_COPIES + 1):
        return f"the solver has room for 1 to {MOST_COPIES} copies of a card, not {copies}"
    if min(*points, last) < 0 or list(points) != sorted(points, reverse=True):
        return "the solver takes no points below 0, and no lower card that is worth more"
    if max(points.count(point) for point in points) > MOST_ALIKE:
        return f"the solver takes {MOST_ALIKE} ranks of one worth at most"
    if (4 * copies * sum(points) + last) // max(gcd(*points, last), 1) > MOST_UNITS:
        return "there are too many points in the deck for the solver"
    return None
