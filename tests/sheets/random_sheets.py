"""Random rules: presets with some values changed."""

from __future__ import annotations

import contextlib
import enum
import random
from typing import Any

import msgspec

from acesaround.errors import RulesError
from acesaround.rules import Rules
from acesaround.sheets.diff import LABEL_FIELDS
from acesaround.sheets.fields import fields, values_of
from acesaround.sheets.unused_values import unused_value_faults
from acesaround.variants import VARIANTS

TITLES = ("Ours", "Our game", "Großmutters «Binokel»", 'a "quoted" word \\ and # more', "♠ Q♠ J♦")
TEXTS = ("", *TITLES[1:])
MELDS = (
    ("grand pinochle", "QS QS JD JD", 80),
    ("long run", "A* T* K* Q* J* 9*", 170),
    ("two aces of trump", "A* A*", 15),
    ("black kings", "KS KC", 7),
    ("low five", "9S 9H 9D 9C JS", 33),
    ("three tens", "TS TS TS", 60),
    ("uneven", "9* 9* A*", 9),
)
"""House melds; some are impossible with some decks and games."""
PHASES = ("phases", "options", "players", "seats", "exchange.bury", "deal.all_asked")
"""Fields that are not changed, because other values of them contradict the rest."""


def random_rules(rng: random.Random) -> Rules:
    """Return a preset with some values changed that do not contradict each other."""
    base = rng.choice(list(VARIANTS.values()))
    rules = msgspec.structs.replace(
        base,
        base=base.variant,
        title=rng.choice(TITLES),
        description=rng.choice(TEXTS),
        author=rng.choice(TEXTS),
    )
    if rng.random() < 0.3:
        own = rng.sample(MELDS, rng.randint(1, 3))
        with contextlib.suppress(RulesError, msgspec.ValidationError):
            rules = changed(rules, "melds.others", own)
    for path in ("melds.royal_marriage", "melds.marriage", "melds.dix"):
        if rng.random() < 0.1:
            with contextlib.suppress(RulesError, msgspec.ValidationError):
                made = changed(rules, path, rng.choice(((4, 30), (2, 5, 9), (10, 20, 60))))
                rules = rules if any(unused_value_faults(made)) else made
    paths = [path for path in fields() if path not in (*LABEL_FIELDS, *PHASES)]
    for path in rng.sample(paths, rng.randint(0, 12)):
        for _ in range(8):
            try:
                made = changed(rules, path, other(rng, values_of(rules).get(path)))
            except (RulesError, msgspec.ValidationError):
                continue
            if not any(unused_value_faults(made)):
                rules = made
                break
    return rules


def changed(rules: Rules, path: str, value: Any) -> Rules:
    """Return rules with one value changed. Raises RulesError and ValidationError."""
    plain = msgspec.json.decode(msgspec.json.encode(rules))
    part, _, name = path.rpartition(".")
    owner = plain[part] if part else plain
    if owner is None:
        return rules
    owner[name] = msgspec.to_builtins(value)
    return msgspec.convert(plain, Rules)


def other(rng: random.Random, value: Any) -> Any:
    """Return another value of the same type, which need not be valid."""
    match value:
        case bool():
            return not value
        case int():
            if rng.random() < 0.1:
                return 0
            return max(0, value + rng.choice((-10, -2, -1, 1, 2, 5, 10, 100)))
        case None:
            return rng.choice((1, 60, 190))
        case str():
            return rng.choice([*type(value)]) if isinstance(value, enum.Enum) else value
        case tuple() if value and isinstance(value[0], int):
            longer = (*value, value[-1] + rng.randint(0, 900))
            zero_first = (0, *value[1:])
            larger = tuple(number + 1 for number in value)
            return rng.choice((longer[:6], value[:-1] or value, larger, zero_first))
        case tuple() if value:
            return rng.choice((((0, 5),), ((0, 1), (60, 5)), value))
        case _:
            return rng.choice(((10, 20, 50), ((1, 2), (60, 3), (300, 5))))
