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

from acesaround.cards import KIND_COUNT, kinds_in_set
from acesaround.errors import RulesError
from acesaround.rules import MeldTable, Phase, Rules
from acesaround.rules.laid_melds import meld_candidates
from acesaround.rules.tricks import points_of

MAX_COPIES: Final = 6
"""Copies of a card: limited by the kernels' policy words, `meld_values` rows and solver lanes."""
MAX_PLAYERS: Final = 9
"""Players of a deal: limited by the words of `policy.PolicyRules` and of the solver's board."""
MELD_WORTH_BITS: Final = 10
"""Bits for the total worth of all melds that may be laid with one card: `Stakes.meld_prospects`."""
DISTRIBUTION_BITS: Final = 10
"""Bits for the number of ways to distribute the copies of a card: `sampler.counting_tables`."""
MAX_SAMPLER_STEPS: Final = 1 << 28
"""The most steps of the sampler's tables where a kitty keeps hands from sharing cells. This bounds
the possible steps, of which some millions are in use."""
MAX_DECK_UNITS: Final = 1000
"""The points in a deck, in units of their greatest common divisor: solver bounds have ten bits."""
MAX_EQUAL_RANKS: Final = 3
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
    return MappingProxyType({feature: why_unsupported(rules, feature) for feature in Feature})


@lru_cache(maxsize=256)
def why_unsupported(rules: Rules, feature: Feature) -> str | None:
    """Return why a feature does not support the rules, as a clause; None if it does."""
    checks: dict[Feature, tuple[Callable[[Rules], str | None], ...]] = {
        Feature.ENGINE: (),
        Feature.PLAYOUTS: (_why_no_playouts,),
        Feature.SEARCH: (_why_no_playouts, _why_no_sampler, _why_no_solver),
        Feature.SOLVER: (_why_no_solver,),
    }
    return next(filter(None, (check(rules) for check in checks[feature])), None)


def require_support(rules: Rules, feature: Feature, requester: str) -> None:
    """Raise RulesError if a feature does not support the rules.

    `requester`: the name of what needs it, for the message, such as `the solver`.
    """
    if reason := why_unsupported(rules, feature):
        raise RulesError(f"These rules are beyond {requester}: {reason}.")


def _why_no_playouts(rules: Rules) -> str | None:
    if rules.deck.copies > MAX_COPIES:
        return f"kernels have room for {MAX_COPIES} copies of a card, not {rules.deck.copies}"
    if rules.seats > MAX_PLAYERS:
        return f"kernels have room for {MAX_PLAYERS} players, not {rules.seats}"
    if rules.deal.kitty and rules.deal.stock:
        return "kernels deal a kitty or a stock, not both"
    if rules.deal.kitty and rules.phases.index(Phase.KITTY) > rules.phases.index(Phase.TRUMP):
        return "kernels take the kitty before trump is named"
    laid_between_tricks = Phase.STOCK_PLAY in rules.phases
    if laid_between_tricks and rules.scoring.nines_apart:
        return "kernels cannot score nines separately if melds are laid between tricks"
    if laid_between_tricks and rules.melds.others:
        return "kernels cannot lay melds of your own between tricks"
    if laid_between_tricks:
        max_worth = _max_meld_worth_per_card(rules.melds)
        if max_worth is None or max_worth >= 1 << MELD_WORTH_BITS:
            return (
                "kernels have room for melds of less than "
                f"{1 << MELD_WORTH_BITS} points in all with one card, and none below 0"
            )
    return None


def _max_meld_worth_per_card(table: MeldTable) -> int | None:
    """Return the total worth of all melds that may be laid with one card, for the best card.

    Returns None if one of these melds is worth less than 0.
    """
    max_worth = 0
    for trump in range(4):
        worth = [0] * KIND_COUNT
        for candidate in meld_candidates(table, trump):
            results = [meld.points for meld in candidate.results]
            if min(results) < 0:
                return None
            for card in kinds_in_set(candidate.pattern.cards):
                worth[card] += max(results)
        max_worth = max(max_worth, *worth)
    return max_worth


def _why_no_sampler(rules: Rules) -> str | None:
    """Return why the sampler does not support the rules, or None.

    Hands may share a cell of its tables, except after a kitty was shown: then the cell must say
    which hand took a card.
    """
    for meld in rules.melds.others:
        copies_taken = Counter(meld.cards_in_trump(0))
        if len(set(copies_taken.values())) > 1:
            return (
                "the sampler cannot draw hidden hands if a meld has more of one card than of "
                f"another, as {meld.name} does"
            )
    if not rules.deal.kitty:
        return None
    others, copies = rules.seats - 1, rules.deck.copies
    distributions = comb(copies + others, others)
    if distributions > 1 << DISTRIBUTION_BITS:
        return (
            f"with a kitty the copies of a card may be distributed in {distributions} ways, and "
            f"the sampler has room for {1 << DISTRIBUTION_BITS}"
        )
    states = (rules.deal.kitty + 1) * (rules.hand_size + 1) ** (others - 1)
    if states * distributions * 4 * rules.deck.ranks > MAX_SAMPLER_STEPS:
        return (
            f"with a kitty there are too many ways to deal {others} unseen hands of "
            f"{rules.hand_size} cards"
        )
    return None


def _why_no_solver(rules: Rules) -> str | None:
    points = points_of(rules.scoring.card_points)[: rules.deck.ranks]
    return why_unsolvable(rules.seats, rules.deck.copies, points, rules.scoring.last_trick)


def why_unsolvable(
    players: int, copies: int, points: Sequence[int], last_trick_points: int
) -> str | None:
    """Return why the solver cannot handle these numbers, as a clause; None if it can.

    `points`: the points of each rank, the highest rank first. `last_trick_points`: those of the
    last trick.
    """
    if not 2 <= players <= MAX_PLAYERS:
        return f"the solver has room for 2 to {MAX_PLAYERS} players, not {players}"
    if copies not in range(1, MAX_COPIES + 1):
        return f"the solver has room for 1 to {MAX_COPIES} copies of a card, not {copies}"
    if min(*points, last_trick_points) < 0 or list(points) != sorted(points, reverse=True):
        return (
            "the solver cannot use points below 0, or a card that is worth more than a higher one"
        )
    if max(points.count(value) for value in points) > MAX_EQUAL_RANKS:
        return f"the solver has room for at most {MAX_EQUAL_RANKS} ranks with the same points"
    if (4 * copies * sum(points) + last_trick_points) // max(
        gcd(*points, last_trick_points), 1
    ) > MAX_DECK_UNITS:
        return "there are too many points in the deck for the solver"
    return None
