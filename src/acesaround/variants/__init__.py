"""The seven variants by name. Each file beside this one is a page of data and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from acesaround.errors import RulesError
from acesaround.rules import Rules
from acesaround.variants.double_deck import DOUBLE_DECK
from acesaround.variants.double_deck_classic import DOUBLE_DECK_CLASSIC
from acesaround.variants.five_card import FIVE_CARD
from acesaround.variants.partnership import PARTNERSHIP
from acesaround.variants.seven_card import SEVEN_CARD
from acesaround.variants.three_handed import THREE_HANDED
from acesaround.variants.two_handed import TWO_HANDED

VARIANTS: Final[dict[str, Rules]] = {
    rules.variant: rules
    for rules in (
        THREE_HANDED,
        FIVE_CARD,
        SEVEN_CARD,
        PARTNERSHIP,
        TWO_HANDED,
        DOUBLE_DECK,
        DOUBLE_DECK_CLASSIC,
    )
}


def get(
    variant: str, players: int | None = None, options: Mapping[str, object] | None = None
) -> Rules:
    """The rules of a variant for that many players with those house options.

    `players`: None means the usual number. Raises RulesError, saying what is possible.
    """
    rules = VARIANTS.get(variant)
    if rules is None:
        raise RulesError(f"{variant!r} is no variant: expected one of {', '.join(VARIANTS)}.")
    if players is not None:
        rules = rules.but(players=players)
    return rules.changed(options or {})


def changed_options(rules: Rules) -> dict[str, object]:
    """The house options in which these rules differ from their variant's preset of today.

    Labels for people: what a game is played by is its rules object. Empty where there is no such
    preset.
    """
    preset = VARIANTS.get(rules.variant)
    if preset is None:
        return {}
    return {
        name: rules.option(name)
        for name in rules.options
        if name in preset.options and rules.option(name) != preset.option(name)
    }


__all__ = [
    "DOUBLE_DECK",
    "DOUBLE_DECK_CLASSIC",
    "FIVE_CARD",
    "PARTNERSHIP",
    "SEVEN_CARD",
    "THREE_HANDED",
    "TWO_HANDED",
    "VARIANTS",
    "changed_options",
    "get",
]
