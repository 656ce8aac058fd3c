"""The presets of earlier releases, for games that were stored without their rules.

Logs and records of format 1 name a variant and options and rely on the presets of their time. Those
presets are frozen in `format_1.json`, even if the sheets in this folder change. A field of `Rules`
that is missing in that file is newer; its default is what was played before. Since format 2 a game
holds its complete rules and needs no presets.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from acesaround.errors import RulesError
from acesaround.rules import Rules


def legacy_rules(variant: str, players: int, options: Mapping[str, object]) -> Rules:
    """Return the rules that a game of format 1 was played by. Raise RulesError."""
    preset = _presets().get(variant)
    if preset is None:
        known = ", ".join(_presets())
        raise RulesError(f"{variant!r} is no variant of format 1: expected one of {known}.")
    return preset.with_options(players=players).with_changes(options)


@cache
def _presets() -> dict[str, Rules]:
    data = files("acesaround.variants").joinpath("format_1.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, Rules])
